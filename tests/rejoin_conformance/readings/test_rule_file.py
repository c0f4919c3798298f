"""A rule file states a change, or is refused in one line."""

from __future__ import annotations

import importlib
import os
import pickle
import re
import sys
from pathlib import Path
from typing import Any

import pytest

from rejoin.config_merge import DOCUMENT, LIBSESSION
from rejoin_conformance.contract.registry import system_named
from rejoin_conformance.readings.expressions import reading_of
from rejoin_conformance.readings.in_force import Side, Variant, between, in_force, loaded, side_of
from rejoin_conformance.readings.rule_file import Rule, RuleError, load_rule, read_rule

SYSTEM = system_named("config-merge")

EVOLVED = """
from attrs import evolve
from rejoin.config_merge import DOCUMENT

READING = evolve(DOCUMENT, replay_cutoff=False)
"""
OVERRIDING = """
from rejoin.config_merge.windows import within as as_it_is


def within(window: int, seqno: int, largest: int) -> bool:
    return as_it_is(window + 1, seqno, largest)


OVERRIDES = {"rejoin.config_merge.windows.within": within}
"""
NEW_POINT = """
from attrs import frozen
from rejoin.config_merge.reading import Reading


@frozen
class MyReading(Reading):
    generous: bool = False


READING = MyReading(generous=True)
"""


WINDOWS = "rejoin.config_merge.windows"
WITHIN = f"{WINDOWS}.within"
OF_OVERRIDING = Side("rule.py", Rule("rule.py", OVERRIDING))


def within(window: int, seqno: int, largest: int) -> bool:
    """Return the answer of the function that is in force now."""
    answer: bool = importlib.import_module(WINDOWS).within(window, seqno, largest)
    return answer


def _reading_in(variant: Variant) -> Any:
    """Return the reading of a variant, while it is in force."""
    with in_force(variant, SYSTEM) as (name, changed):
        assert changed.choices is not None
        return reading_of(changed.choices, name)


def test_a_rule_may_be_a_reading_or_an_expression_and_travels_as_its_text() -> None:
    said = load_rule(Rule("rule.py", EVOLVED), SYSTEM)
    assert (said.reading.name, said.reading.replay_cutoff) == ("rule.py", False)
    assert dict(said.overrides) == {}
    expression = Rule("rule.py", 'READING = "libsession+replay_cutoff=true"')
    assert load_rule(expression, SYSTEM).reading.replay_cutoff is True
    assert load_rule(expression, SYSTEM).reading.enforce_limits is LIBSESSION.enforce_limits
    classes = "from attrs import frozen\n\n@frozen\nclass Mine:\n    x: int = 1\n\n"
    mine = load_rule(Rule("classes.py", f"{classes}READING = 'document'"), SYSTEM)
    assert mine.reading.replay_cutoff is True
    side = Side("rule.py", Rule("rule.py", EVOLVED))
    assert loaded(pickle.loads(pickle.dumps(side)), SYSTEM).reading.replay_cutoff is False


def test_a_rule_may_override_functions_under_the_default_reading() -> None:
    said = load_rule(Rule("rule.py", OVERRIDING), SYSTEM)
    assert said.reading.replay_cutoff is DOCUMENT.replay_cutoff
    assert [each.defined_as for each in said.overrides.values()] == [WITHIN]
    with in_force(Variant(OF_OVERRIDING), SYSTEM) as (name, changed):
        assert name == "rule.py"
        assert changed is not SYSTEM is not system_named("config-merge")
        assert within(5, 10, 15) is True
    assert within(5, 10, 15) is False
    assert system_named("config-merge") is SYSTEM


def test_sides_differ_in_fields_and_in_overrides() -> None:
    both = Side("rule.py", Rule("rule.py", EVOLVED + OVERRIDING))
    found = between(Side("document"), both, SYSTEM)
    assert found.points == ("replay_cutoff", WITHIN)
    assert found.values("replay_cutoff", SYSTEM) == ("true", "false")
    assert found.values(WITHIN, SYSTEM) == ("as it is", "overridden")
    only_reading, only_function = found.switched(["replay_cutoff"]), found.switched([WITHIN])
    assert dict(only_reading.overrides(SYSTEM)) == {}
    assert list(only_function.overrides(SYSTEM)) == [WITHIN]
    assert _reading_in(only_reading).replay_cutoff is False
    assert _reading_in(only_function).replay_cutoff is True
    back = between(both, Side("document"), SYSTEM)
    assert dict(back.switched(back.points).overrides(SYSTEM)) == {}


def test_a_rule_may_add_a_choice_point_with_a_default() -> None:
    found = between(Side("document"), Side("rule.py", Rule("rule.py", NEW_POINT)), SYSTEM)
    assert found.points == ("generous",)
    assert found.values("generous", SYSTEM) == ("false", "true")
    assert found.left.reading.replay_cutoff is True
    source = NEW_POINT.replace("@frozen", "@frozen(kw_only=True)").replace(" = False", "")
    with pytest.raises(RuleError, match="generous has no default"):
        between(Side("document"), Side("rule.py", Rule("rule.py", source)), SYSTEM)


def test_a_file_is_read_as_text(tmp_path: Path) -> None:
    path = tmp_path / "rule.py"
    path.write_bytes(b"\xef\xbb\xbfREADING = 'document'\n")
    assert read_rule(path) == Rule("rule.py", "READING = 'document'\n")
    assert side_of(str(path), SYSTEM).name == "rule.py"
    for content, said in (
        (b"\xff", "not UTF-8 at byte 0"),
        (b"#" * 1_000_001, "at most 1,000,000"),
    ):
        path.write_bytes(content)
        with pytest.raises(RuleError, match=said):
            read_rule(path)
    with pytest.raises(RuleError, match="No such file"):
        read_rule(tmp_path / "none.py")
    with pytest.raises(RuleError, match="Is a directory"):
        read_rule(tmp_path)
    path.unlink()
    path.symlink_to(os.devnull)  # a device may never end
    with pytest.raises(RuleError, match="not a regular file"):
        read_rule(path)


NESTED = "x = " + "-" * 200_000 + "1"


@pytest.mark.parametrize(
    ("text", "said"), [(NESTED, "the source is nested too deeply"), ("\0", "rule.py: not Python")]
)
def test_a_rule_that_cannot_be_parsed_is_one_line(text: str, said: str) -> None:
    with pytest.raises(RuleError, match=re.escape(said)):
        load_rule(Rule("rule.py", text), SYSTEM)


def test_a_refused_rule_leaves_no_module_that_the_reference_uses() -> None:
    before = {name for name in sys.modules if name.startswith("rejoin.")}
    with pytest.raises(RuleError):
        load_rule(Rule("rule.py", "OVERRIDES = {'rejoin.config_merge.odd': len}"), SYSTEM)
    assert {name for name in sys.modules if name.startswith("rejoin.")} == before


def test_a_name_that_a_rule_imported_means_the_original() -> None:
    source = (
        "from rejoin.config_merge.windows import within as original\n"
        "from rejoin.config_merge import windows\n"
        "def within(window, seqno, largest):\n"
        "    assert original(window, seqno, largest) is windows.within(window, seqno, largest)\n"
        "    return not original(window, seqno, largest)\n"
        "def checked_window(window):\n"
        "    return window + windows.within(1, 2, 2) + 2 * original(1, 2, 2)\n"
        "OVERRIDES = {'rejoin.config_merge.windows.within': within,\n"
        "             'rejoin.config_merge.windows.checked_window': checked_window}"
    )
    with in_force(Variant(Side("rule.py", Rule("rule.py", source))), SYSTEM):
        assert within(1, 2, 2) is False
        assert importlib.import_module(WINDOWS).checked_window(7) == 9
    assert within(1, 2, 2) is True
