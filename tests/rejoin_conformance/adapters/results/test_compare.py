"""Two results differ vector by vector, and new failures are listed separately."""

from __future__ import annotations

from typing import cast

import pytest

from rejoin_conformance.adapters.results.read import Results
from rejoin_conformance.adapters.results.records import Key, Record
from rejoin_conformance.adapters.results.results_diff import compare
from rejoin_conformance.adapters.runner.verdict import Verdict
from rejoin_conformance.command_line.diff import blocks
from rejoin_conformance.kit.document_text import document_text


def _results(**verdicts: str) -> Results:
    """Name -> verdict, or verdict: explanation."""
    records: dict[Key, Record] = {}
    for name, text in verdicts.items():
        verdict, _, explanation = text.partition(": ")
        record = Record(
            id="toy/a/" + name,
            reading="strict",
            operation="toy/halve",
            clauses=(),
            level="must",
            verdict=cast("Verdict", verdict),
            explanation=explanation,
        )
        records[record.key] = record
    return Results(configuration={}, records=records, footer=None, whole=0)


@pytest.mark.parametrize(
    ("old", "new", "group"),
    [
        ("pass", "fail: wrong", "newly failing"),
        ("not-declared", "crash: gone", "newly failing"),
        ("", "timeout: late", "newly failing"),
        ("fail: wrong", "pass", "newly passing"),
        ("not-declared", "pass", "newly passing"),
        ("", "pass", "appeared"),
        ("", "not-declared", "appeared"),
        ("pass", "", "disappeared"),
        ("fail: wrong", "", "disappeared"),
        ("fail: wrong", "fail: otherwise", "changed"),
        ("fail: wrong", "crash: gone", "changed"),
        ("pass", "not-declared", "changed"),
        ("pass", "pass", None),
        ("fail: wrong", "fail: wrong", None),
    ],
)
def test_a_change_stands_in_one_group(old: str, new: str, group: str | None) -> None:
    comparison = compare(
        _results(**{"x": old} if old else {}), _results(**{"x": new} if new else {})
    )
    assert [title for title, changes in comparison.groups() if changes] == (
        [] if group is None else [group]
    )


def test_the_text_names_the_vectors_and_explains_new_failures() -> None:
    text = document_text(
        [*blocks(compare(_results(x="pass", y="pass"), _results(x="fail: no\nno", z="pass")))]
    )
    assert text == (
        "newly failing: 1\n"
        "  toy/a/x [strict]: pass -> fail\n"
        "    no\n"
        "    no\n"
        "\n"
        "appeared: 1\n"
        "  toy/a/z [strict]: - -> pass\n"
        "\n"
        "disappeared: 1\n"
        "  toy/a/y [strict]: pass -> -"
    )


def test_equal_results_say_so() -> None:
    assert (
        document_text([*blocks(compare(_results(x="pass"), _results(x="pass")))])
        == "no verdict changed"
    )
