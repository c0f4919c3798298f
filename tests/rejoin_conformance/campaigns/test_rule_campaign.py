"""A campaign under a rule file: the rule holds while blocks are examined, and its text is kept."""

from __future__ import annotations

from pathlib import Path

import pytest

from rejoin_conformance.campaigns.kept.campaign import header_of
from rejoin_conformance.campaigns.kept.store import differences
from rejoin_conformance.campaigns.plan import Plan
from rejoin_conformance.campaigns.run_campaign import run_campaign
from rejoin_conformance.command_line.main import run
from rejoin_conformance.readings.rule_file import RuleError
from support.spreads import HERE

RULE = """
from rejoin.config_merge.windows import within as as_it_is


def within(window: int, seqno: int, largest: int) -> bool:
    return as_it_is(window + 1, seqno, largest)


OVERRIDES = {"rejoin.config_merge.windows.within": within}
"""
RAISING = """
def no(*arguments, **named):
    raise ValueError("odd")


OVERRIDES = {"rejoin.config_merge.diff_updates.diff": no}
"""


def plan(reading: str, rule: str | None = None) -> Plan:
    return Plan(
        system="config-merge",
        profile="tiny",
        readings=(reading,),
        seed=1,
        histories=20,
        rule=rule,
    )


def test_laws_are_checked_under_the_rule_and_the_reference_is_itself_again() -> None:
    ruled = run_campaign(plan("rule.py", RULE), HERE)
    assert ("rule.py", "update-form", "rows") in [each.name for each in ruled.found()]
    assert ruled.failures() == []
    assert not run_campaign(plan("document"), HERE).found()


def test_what_a_rule_raises_is_a_fault_of_the_rule() -> None:
    with pytest.raises(RuleError, match=r"rule.py: line 3 .*: ValueError: odd"):
        run_campaign(plan("rule.py", RAISING), HERE)


def test_a_manifest_keeps_the_rule_and_distinguishes_another_one() -> None:
    kept = header_of(plan("rule.py", RULE))
    found = differences(kept, header_of(plan("rule.py", RAISING)))
    assert [each.partition(" ")[0] for each in found] == ["rule"]
    assert "rule" not in plan("document").to_json()


@pytest.fixture
def rule(tmp_path: Path) -> str:
    path = tmp_path / "rule.py"
    path.write_text(RULE)
    return str(path)


def test_replay_shows_a_history_under_the_rule(
    rule: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["show", "config-merge", "--seed", "1", "--index", "25", "--reading", rule]) == 0
    text = capsys.readouterr().out
    assert "reading rule.py" in text
    assert "BROKEN" in text


@pytest.mark.parametrize(
    "arguments",
    [
        ["config-merge", "history-merge", "--reading", "{rule}"],
        ["--reading", "{rule}"],
        ["config-merge", "--reading", "{rule}", "--reading", "document"],
        ["config-merge", "--reading", "{rule}", "--all-readings"],
    ],
)
def test_a_rule_goes_with_one_system_and_no_other_reading(
    arguments: list[str], rule: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["fuzz", *(each.format(rule=rule) for each in arguments)]) == 2
    message = capsys.readouterr().err
    assert "needs one SYSTEM and one --reading, without --adapter" in message
    assert message.count("\n") == 1


def test_a_broken_rule_is_wrong_usage(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "rule.py"
    path.write_text("1 / 0")
    assert run(["fuzz", "config-merge", "--reading", str(path)]) == 2
    assert run(["show", "config-merge", "--seed", "1", "--reading", str(path)]) == 2
    message = capsys.readouterr().err
    assert message.count("line 1 (1 / 0): ZeroDivisionError") == message.count("\n") == 2
