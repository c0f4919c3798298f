"""An input decides the clauses without which the reference gives it another answer."""

from __future__ import annotations

import signal
from typing import Final

import pytest
from attrs import evolve

from rejoin_conformance.campaigns.findings.adapter_findings import explained
from rejoin_conformance.campaigns.mutants.asked_calls import Undecided
from rejoin_conformance.campaigns.mutants.deciding import Decided, decided_by
from rejoin_conformance.contract.history import Call
from rejoin_conformance.kit.json_types import Json, JsonObject

SYSTEM: Final = "history-merge"
CHAIN: Final[JsonObject] = {
    "nodes": [
        {"id": "r", "parents": []},
        {"id": "p", "parents": ["r"]},
        {"id": "a", "parents": ["p"]},
        {"id": "b", "parents": ["p"]},
    ],
    "of": ["a"],
    "with": "b",
}
"""a and b share p and r; only p is a lowest common ancestor."""
SHARED: Final = Undecided(
    call=Call("history-merge/common-ancestors", CHAIN), readings=("document",)
)
DIFF: Final = Undecided(
    call=Call("history-merge/diff", {"origin": ["a", "c"], "changed": ["b", "c"]}),
    readings=("document",),
)

NOTHING: Final = Undecided(
    call=Call("history-merge/three-way-merge", {"origin": [], "left": [], "right": []}),
    readings=("document",),
)


def test_an_input_decides_the_clauses_whose_knock_outs_change_its_answer() -> None:
    shared, diff = decided_by(SYSTEM, [SHARED, DIFF])
    assert shared.by == diff.by == "knock-outs"
    assert "HM-LCAU-LOWEST" in shared.clauses
    assert "HM-3WAY-DIFF" in diff.clauses
    assert "HM-LCAU-LOWEST" not in diff.clauses
    assert "HM-3WAY-DIFF" not in shared.clauses
    assert shared.alike == ()


def test_the_clause_without_which_the_reference_gives_the_observed_answer_comes_first() -> None:
    observed: JsonObject = {"output": {"nodes": ["p", "r"]}}
    asked = Undecided(call=SHARED.call, readings=SHARED.readings, observed=observed)
    (decided,) = decided_by(SYSTEM, [asked])
    assert "HM-LCAU-LOWEST" in decided.alike
    assert decided.clauses[: len(decided.alike)] == decided.alike
    assert " Without HM-LCAU-LOWEST or HM-" in explained(decided)
    assert explained(decided).endswith("compare all vectors: `rejoin run`.")


def test_wrong_answers_to_the_same_calls_are_close() -> None:
    observed: JsonObject = {"output": {"nodes": ["p", "r", "s"]}}
    decided, right = decided_by(SYSTEM, [evolve(SHARED, observed=observed), DIFF], mimics=True)
    assert decided.alike == right.closest == ()
    assert "HM-LCAU-LOWEST" in decided.closest


def test_an_error_is_not_compared() -> None:
    errs = evolve(SHARED, observed={"error": {"message": "not written yet"}})
    (decided,) = decided_by(SYSTEM, [errs])
    assert "HM-LCAU-LOWEST" in decided.clauses
    assert decided.alike == ()


def test_a_mutant_explains_an_answer_that_no_knock_out_of_the_clause_gives() -> None:
    sides: JsonObject = {"origin": ["o"], "left": ["a", "c", "o"], "right": ["b", "c", "o"]}
    call = Call("history-merge/three-way-merge", sides)
    common: JsonObject = {"output": {"state": ["c"]}}
    asked = Undecided(call=call, readings=("document",), observed=common)
    (plain,), (mimicked,) = (decided_by(SYSTEM, [asked], mimics=each) for each in (False, True))
    assert "HM-3WAY-SET" not in plain.alike
    assert "HM-3WAY-SET" in mimicked.alike
    assert "HM-3WAY-COUNTER" not in mimicked.clauses


def test_a_slow_machine_finds_the_same_evidence(monkeypatch: pytest.MonkeyPatch) -> None:
    begin = signal.setitimer
    monkeypatch.setattr(signal, "setitimer", lambda timer, limit: begin(timer, limit / 200))
    many: list[Json] = [f"{number:05}" for number in range(20_000)]
    call = Call("history-merge/three-way-merge", {"origin": [], "left": many, "right": ["x"]})
    left: JsonObject = {"output": {"state": many}}
    asked = Undecided(call=call, readings=("document",), observed=left)
    (decided,) = decided_by(SYSTEM, [asked], mimics=True)
    assert "HM-3WAY-SET" in decided.alike


def test_mutants_stand_in_for_knock_outs_that_change_nothing() -> None:
    (decided,) = decided_by(SYSTEM, [NOTHING])
    assert decided.by == "mutants"
    assert "HM-3WAY-SET" in decided.clauses
    assert explained(decided).startswith("With a fault in the code")


def test_nothing_that_is_asked_decides_nothing() -> None:
    assert decided_by(SYSTEM, []) == ()
    assert "not known which clauses" in explained(Decided())
