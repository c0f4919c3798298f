"""A knock-out removes one clause, and a vector tagged with the clause notices that."""

from __future__ import annotations

from pathlib import Path

import pytest
from attrs import evolve

from rejoin_conformance.campaigns.mutants.equivalent import EntriesError
from rejoin_conformance.campaigns.mutants.knockout import (
    FOLDER,
    Knockouts,
    check_knockouts,
    holes,
    load_knockouts,
)
from rejoin_conformance.contract.registry import system_names
from rejoin_conformance.kit.locations import mutants_directory
from support.spreads import HERE


@pytest.mark.full_run("knock-outs")
@pytest.mark.parametrize("system", system_names())
def test_the_vectors_of_every_clause_decide_it(system: str) -> None:
    known = load_knockouts(mutants_directory() / system, system)
    assert list(holes(system, known, check_knockouts(system, known, HERE))) == []


@pytest.mark.parametrize("system", system_names())
def test_every_clause_has_a_knockout_or_a_reason_and_vectors_decide_the_first(system: str) -> None:
    known = load_knockouts(mutants_directory() / system, system)
    assert list(holes(system, known, [])) == []
    few = evolve(known, changes=known.changes[:2])
    assert all(each["by"] for each in check_knockouts(system, few, HERE))


def _with(folder: Path, text: str) -> Knockouts:
    (folder / FOLDER).mkdir()
    (folder / FOLDER / "page.toml").write_text(text)
    return load_knockouts(folder, "history-merge")


_ENTRY = """
[[knockout]]
clause = "HM-3WAY-COUNTER"
function = "rejoin.history_merge.three_way_merge.counter_three_way_merge"
before = "{before}"
after = "{after}"
"""


def test_a_knockout_that_changes_nothing_is_noticed_by_nothing(tmp_path: Path) -> None:
    known = _with(tmp_path, _ENTRY.format(before="a + b - o", after="b + a - o"))
    (noticed,) = check_knockouts("history-merge", known, HERE)
    assert noticed["asked"] == noticed["vectors"] != 0
    assert noticed["by"] == ""
    assert "HM-3WAY-COUNTER: none of its" in next(holes("history-merge", known, [noticed]))


def test_a_clause_without_knockout_and_reason_is_a_hole(tmp_path: Path) -> None:
    known = _with(tmp_path, '[[none]]\nclause = "HM-MERGE-EMPTY"\nreason = "Nobody asks."\n')
    faults = list(holes("history-merge", known, []))
    assert "HM-MERGE-ONE: a MUST clause without a knock-out, and without a reason" in faults
    assert not any(fault.startswith("HM-MERGE-EMPTY") for fault in faults)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("[[", "page.toml: "),
        ("x = 1", r'unknown field "x"; the fields are knockout, none'),
        ("[[none]]\nclause = 'A'", r"\$\.none\[0\]: the field reason is missing"),
        (_ENTRY.format(before="a", after="b"), "occurs [0-9]+ times, and not once"),
        (_ENTRY.format(before="a + b - o", after="a +"), "the change is not Python"),
        (_ENTRY.replace("counter_three", "other").format(before="a", after="b"), "has no other"),
        (_ENTRY.replace("history_merge", "nowhere").format(before="a", after="b"), "not in a mod"),
        (_ENTRY.format(before="a + b - o", after="a") * 2, "HM-3WAY-COUNTER has two entries"),
    ],
)
def test_an_invalid_knockout_is_one_line(text: str, reason: str, tmp_path: Path) -> None:
    with pytest.raises(EntriesError, match=reason) as refused:
        _with(tmp_path, text)
    assert "\n" not in str(refused.value)
