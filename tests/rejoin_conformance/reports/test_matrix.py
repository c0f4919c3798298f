"""Columns and the matrix: the result of each run, and several runs side by side."""

from __future__ import annotations

from attrs import evolve

from rejoin_conformance.adapters.results.file import Results
from rejoin_conformance.reports.columns import by_clause, by_operation
from support.result_files import columns, failed, not_declared, passed, results


def _verdicts(*runs: Results) -> list[str]:
    return [each.summary.verdict for each in columns(*runs)]


def test_only_a_whole_profile_conforms() -> None:
    a, b = passed("a"), passed("b", "TOY-B")
    left_out = evolve(not_declared("b", operation="toy/halve"), missing="huge")
    needed = evolve(left_out, missing="tiny")
    assert _verdicts(
        results(a, b),
        results(a, left_out),
        results(a, needed),
        results(a),
        results(a, not_declared("b")),
        results(a, b, profiles=()),
        results(a, b, failed("c"), known=["c"]),
        results(a, failed("b"), known=["b"]),
    ) == [
        "conforms to toy halving (toy strict)",
        "conforms to toy halving (toy strict)",
        "partial: 1 of 2 operations, 1 of 3 clauses (toy strict)",
        "partial: 1 of 2 operations, 1 of 3 clauses (toy strict)",
        "partial: 1 of 2 operations, 1 of 3 clauses (toy strict)",
        "partial: 1 of 2 operations, 2 of 3 clauses (toy strict)",
        "no unexpected failure, 1 known to fail (toy strict)",
        "no unexpected failure, 1 known to fail (toy strict)",
    ]


def test_a_profile_that_was_asked_for_and_lacks_a_vector_makes_the_run_incomplete() -> None:
    whole, part = results(passed("a"), passed("b")), results(passed("a"), not_declared("b"))
    for run, code in ((whole, 0), (part, 3)):
        wanted = evolve(run.configuration, conformance=("toy halving",))
        (column,) = columns(evolve(run, configuration=wanted))
        assert column.summary.judged.exit_code == code
    why = "incomplete: toy halving lacks a pass in 1 of 2 verdicts (toy strict)"
    assert column.summary.verdict == why


def test_a_row_has_a_cell_for_each_run() -> None:
    runs = columns(
        results(passed("a", "TOY-A"), failed("b", "TOY-A", "TOY-B"), known=["b"]),
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
    (row,) = by_clause(columns(results(passed("b"), known=["b"])))
    assert [cell.kind for cell in row.cells] == ["fail"]
    assert row.cells[0].first is None


def test_an_operation_has_a_row() -> None:
    rows = by_operation(columns(results(passed("a", "TOY-B", "TOY-A"), not_declared("c", "TOY-C"))))
    assert [(row.name, row.system, row.cells[0].asked) for row in rows] == [
        ("toy/double", "toy", 0),
        ("toy/halve", "toy", 1),
    ]
