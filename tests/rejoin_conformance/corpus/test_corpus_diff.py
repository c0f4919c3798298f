"""Two corpora are compared by the ID of the vector, and by what a change means for a port."""

from __future__ import annotations

from typing import Any

import pytest

from rejoin_conformance.corpus.corpus_diff import CorpusDiff, compare_corpora, next_version
from rejoin_conformance.corpus.load import CorpusError
from rejoin_conformance.corpus.released import ReleasedCorpus
from support.corpora import vector

SEVEN = {"output": {"half": 7}}
EIGHT = {"output": {"half": 8}}
REPEATED: Any = [{"$repeat": 3, "$of": "a"}]


def _compared(
    old: list[dict[str, Any]],
    new: list[dict[str, Any]],
    versions: tuple[str, str] = ("1.0.0", "1.0.0"),
    retired: tuple[dict[str, str], dict[str, str]] = ({}, {}),
) -> CorpusDiff:
    sides = [
        ReleasedCorpus(version, {each["id"]: each for each in vectors}, gone)
        for vectors, version, gone in zip((old, new), versions, retired, strict=True)
    ]
    return compare_corpora(*sides)


def _kinds(before: dict[str, Any], after: dict[str, Any]) -> list[str]:
    return [change.kind for change in _compared([before], [after]).changes]


@pytest.mark.parametrize(
    ("changed", "kinds", "step"),
    [
        ({}, [], "none"),
        ({"summary": "Fourteen is halved."}, ["text"], "patch"),
        ({"clauses": ["TOY-HALF", "TOY-ODD"]}, ["tags"], "patch"),
        ({"level": "should"}, ["tags"], "patch"),
        ({"scenario": {"name": "s", "step": "1"}}, ["tags"], "patch"),
        ({"mended": {"number": 2}}, ["mended"], "patch"),
        ({"input": {"number": 16}}, ["input"], "major"),
        ({"operation": "toy/double"}, ["input"], "major"),
        ({"expected": EIGHT}, ["result"], "major"),
        ({"expected": {"rejected": {}}}, ["result"], "major"),
        ({"expected": EIGHT, "input": {"number": 16}}, ["result", "input"], "major"),
        ({"expected": EIGHT, "summary": "Other."}, ["result", "text"], "major"),
    ],
)
def test_each_field_has_its_kind_of_change(
    changed: dict[str, Any], kinds: list[str], step: str
) -> None:
    compared = _compared([vector()], [vector(**changed)])
    assert [change.kind for change in compared.changes] == kinds
    assert compared.step == step
    assert compared.can_break == (step == "major")


def test_another_code_of_a_rejection_is_another_tag() -> None:
    one, two = ({"rejected": {"code": code}} for code in ("odd", "not-even"))
    others: list[dict[str, Any]] = [{"rejected": {}}, two]
    for expected in others:
        compared = _compared([vector(expected=one)], [vector(expected=expected)])
        assert [(each.kind, each.about) for each in compared.changes] == [("tags", "code")]
        assert (compared.step, compared.can_break) == ("patch", False)


def test_an_added_vector_can_break_a_port_and_a_retired_one_cannot() -> None:
    added = _compared([], [vector()])
    assert [change.kind for change in added.changes] == ["added"]
    assert (added.can_break, added.step) == (True, "minor")
    gone = _compared([vector()], [], retired=({}, {"toy/halves/one": "two faults"}))
    assert [(change.kind, change.about) for change in gone.changes] == [("retired", "two faults")]
    assert (gone.can_break, gone.step, gone.broken_promises) == (False, "minor", ())


@pytest.mark.parametrize(
    ("before", "after", "kind", "readings"),
    [
        ({"a": SEVEN, "b": SEVEN}, {"a": SEVEN, "b": EIGHT}, "result", ("b",)),
        ({"a": SEVEN}, {"a": SEVEN, "b": EIGHT}, "result", ("b",)),
        ({"a": SEVEN, "b": EIGHT}, {"a": SEVEN}, "retired", ("b",)),
        (None, {"a": SEVEN, "b": EIGHT}, "result", ("b",)),
        (None, {"a": SEVEN}, "retired", ("*",)),
        ({"a": SEVEN, "b": EIGHT}, None, "result", ("*", "b")),
    ],
)
def test_results_are_compared_reading_by_reading(
    before: Any, after: Any, kind: str, readings: tuple[str, ...]
) -> None:
    sides = [
        vector() if results is None else vector(expected=None, expected_by_reading=results)
        for results in (before, after)
    ]
    found = [
        change
        for change in _compared([sides[0]], [sides[1]]).changes
        if change.kind in {"result", "retired"}
    ]
    assert (found[0].kind, found[0].readings) == (kind, readings)


def test_a_recipe_and_its_expansion_are_the_same_input() -> None:
    before = vector(input={"items": REPEATED}, recipe=True)
    assert _kinds(before, vector(input={"items": ["a", "a", "a"]})) == ["form"]
    assert _kinds(before, vector(input={"items": ["a", "a"]})) == ["input"]


def test_a_recipe_that_is_too_long_is_refused_and_not_expanded() -> None:
    bomb: Any = {"items": [{"$repeat": 5_000_000, "$of": [{"$repeat": 5_000_000, "$of": 1}]}]}
    with pytest.raises(CorpusError, match=r"toy/halves/one: .* recipe expands to up to"):
        _compared([vector()], [vector(input=bomb, recipe=True)])


def test_an_id_that_disappears_or_comes_back_breaks_a_promise() -> None:
    lost = _compared([vector()], [])
    assert lost.broken_promises == (
        "toy/halves/one disappeared, and retired.json does not list it",
    )
    again = _compared([], [vector()], retired=({"toy/halves/one": "why"}, {}))
    assert again.broken_promises == ("toy/halves/one is used again after it was retired",)


@pytest.mark.parametrize(
    ("version", "step", "following"),
    [
        ("1.2.3", "major", "2.0.0"),
        ("1.2.3", "minor", "1.3.0"),
        ("1.2.3", "patch", "1.2.4"),
        ("1.2.3", "none", "1.2.3"),
        ("0.2.3", "major", "0.3.0"),
        ("0.2.3", "minor", "0.2.4"),
        ("0.2.3", "patch", "0.2.4"),
    ],
)
def test_a_step_leads_to_a_version(version: str, step: Any, following: str) -> None:
    assert next_version(version, step) == following


@pytest.mark.parametrize(
    ("old", "new", "is_enough"),
    [
        ("1.2.3", "2.0.0", True),
        ("1.2.3", "1.10.0", False),
        ("0.9.0", "0.10.0", True),
        ("0.9.0", "0.9.1", False),
        ("1.2.3", "", False),
        ("", "", True),
    ],
)
def test_changed_results_need_a_higher_version(old: str, new: str, is_enough: bool) -> None:
    compared = _compared([vector()], [vector(expected=EIGHT)], versions=(old, new))
    assert compared.has_required_version is is_enough
