"""Columns and the matrix: the result of each run, and several runs side by side."""

from __future__ import annotations

from rejoin_conformance.kit.json_types import Json, JsonObject
from rejoin_conformance.reports.columns import worst
from rejoin_conformance.reports.matrix import by_clause, by_operation
from support.result_files import columns, failed, not_declared, passed, results

KNOWN: JsonObject = {"id": "toy/halves/b", "reason": "it is hard", "link": "https://example.org/7"}


def test_a_finished_run_without_failures_is_conformant() -> None:
    (column,) = columns(results(passed("a"), not_declared("b")))
    assert column.conclusion == "conformant"
    assert column.counts() == "1 pass, 1 not-declared"


def test_a_failure_makes_a_run_not_conformant_even_where_it_was_interrupted() -> None:
    (column,) = columns(results(passed("a"), failed("b"), finished=False))
    assert column.conclusion == "not conformant"


def test_an_interrupted_run_without_failures_is_incomplete() -> None:
    (column,) = columns(results(passed("a"), finished=False))
    assert (column.conclusion, column.why_incomplete) == ("incomplete", "the run was interrupted")


def test_a_run_that_exercised_nothing_is_incomplete() -> None:
    (column,) = columns(results(not_declared("a")))
    assert (column.conclusion, column.why_incomplete) == ("incomplete", "no vector was run")


def test_a_known_failure_that_fails_is_conformant_and_one_that_passes_is_not() -> None:
    fails, passes = columns(
        results(failed("b"), passed("a"), known=[KNOWN]),
        results(passed("b"), passed("a"), known=[KNOWN]),
    )
    assert fails.conclusion == "conformant"
    assert passes.conclusion == "not conformant"


def test_the_worst_run_decides() -> None:
    good, bad, torn = columns(
        results(passed("a")), results(failed("a")), results(passed("a"), finished=False)
    )
    assert worst((good, torn, bad)) == "not conformant"
    assert worst((good, torn)) == "incomplete"
    assert worst((good,)) == "conformant"


def test_runs_of_one_implementation_are_distinguished_by_their_files() -> None:
    first, second, other = columns(
        results(passed("a")), results(passed("a")), results(passed("a"), name="another")
    )
    assert first.label == "my-port 2.1 (run-1)"
    assert second.label == "my-port 2.1 (run-2)"
    assert other.label == "another 2.1"


def test_a_header_of_any_shape_makes_a_column() -> None:
    run = results(passed("a"))
    shapes: tuple[Json, ...] = (None, 7, [], {"name": 7, "version": []})
    for adapter in shapes:
        run.configuration["adapter"] = adapter
        run.configuration["selection"] = adapter
        run.configuration["known_failures"] = adapter
        run.configuration["command"] = adapter
        (column,) = columns(run)
        assert column.label == "(no name)"


def test_a_row_has_a_cell_for_each_run() -> None:
    runs = columns(
        results(passed("a", "TOY-A"), failed("b", "TOY-A", "TOY-B"), known=[KNOWN]),
        results(failed("a", "TOY-A"), failed("b", "TOY-A", "TOY-B")),
        results(not_declared("a", "TOY-A"), passed("c", "TOY-C")),
    )
    rows = {row.name: [cell.text for cell in row.cells] for row in by_clause(runs)}
    assert rows == {
        "TOY-A": ["1 of 2 known to fail", "2 of 2 failed", "not declared"],
        "TOY-B": ["1 of 1 known to fail", "1 of 1 failed", "not run"],
        "TOY-C": ["not run", "not run", "1 passed"],
    }


def test_an_unexpected_pass_counts_as_a_failure_of_its_cell() -> None:
    (row,) = by_clause(columns(results(passed("b"), known=[KNOWN])))
    assert [cell.kind for cell in row.cells] == ["fail"]
    assert row.cells[0].first is None


def test_an_operation_has_a_row_with_its_clauses() -> None:
    rows = by_operation(columns(results(passed("a", "TOY-B", "TOY-A"), not_declared("c", "TOY-C"))))
    assert [(row.name, row.system, row.related) for row in rows] == [
        ("toy/double", "toy", ("TOY-C",)),
        ("toy/halve", "toy", ("TOY-A", "TOY-B")),
    ]
