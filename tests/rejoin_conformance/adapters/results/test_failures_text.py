"""A run's failures are listed in the order in which to read them, and the first clause is named."""

from __future__ import annotations

from fractions import Fraction

from attrs import evolve

from rejoin_conformance.adapters.results.failure_groups import grouped
from rejoin_conformance.adapters.results.failure_steps import FailureSteps, StepLine
from rejoin_conformance.adapters.results.records import Record
from rejoin_conformance.adapters.results.summary import RunSummary, summarise
from rejoin_conformance.adapters.results.suspicion import Suspect, suspects
from rejoin_conformance.adapters.results.text import summary_blocks
from rejoin_conformance.adapters.runner.known_failures import KnownFailure, KnownFailures
from rejoin_conformance.kit.document_text import document_text
from support.result_files import failed, not_declared, passed


def _summary(*records: Record, known: tuple[KnownFailure, ...] = ()) -> RunSummary:
    return summarise(records, KnownFailures(known))


def test_the_clause_of_which_most_vectors_fail_is_suspected_most() -> None:
    records = [
        failed("a", "TOY-Z"),
        failed("b", "TOY-Z", "TOY-A"),
        *(passed(f"c{number}", "TOY-A") for number in range(8)),
        not_declared("d", "TOY-Z"),
    ]
    assert suspects(records, records[:2]) == (
        Suspect("TOY-Z", failed=2, judged=2, blame=Fraction(3, 2)),
        Suspect("TOY-A", failed=1, judged=9, blame=Fraction(1, 2)),
    )


def test_a_vector_with_one_clause_says_more_than_one_with_many() -> None:
    records = [
        failed("a", "TOY-A", "TOY-B", "TOY-C"),
        failed("b", "TOY-A", "TOY-B", "TOY-C"),
        failed("c", "TOY-D"),
    ]
    assert next(each.clause for each in suspects(records, records)) == "TOY-D"


def render(summary: RunSummary, command: tuple[str, ...] = ()) -> str:
    return document_text([*summary_blocks(summary, command)])


def _wrong_steps(clause: str) -> FailureSteps:
    line = StepLine(number=3, text="lca-u q = {r}", clause=clause, under="merge of p q")
    return FailureSteps(operation="toy/halve-steps", count=4, expected=line)


def test_the_clause_of_the_step_that_goes_another_way_is_suspected() -> None:
    records = [failed("a", "TOY-A", "TOY-B"), failed("b", "TOY-A", "TOY-B")]
    records = [evolve(each, steps=_wrong_steps("TOY-B")) for each in records]
    assert [each.clause for each in suspects(records, records)] == ["TOY-B", "TOY-A"]


def test_operations_that_list_steps_make_no_clause_suspect_and_come_last() -> None:
    plain = failed("z", "TOY-A", "TOY-B")
    steps = evolve(
        failed("a", "HM-STEPS-LIST"),
        id="history-merge/steps/a",
        operation="history-merge/merge-steps",
    )
    summary = _summary(plain, steps)
    assert summary.failures == (plain, steps)
    assert [each.clause for each in summary.suspects] == ["TOY-A", "TOY-B"]
    assert [each.clause for each in _summary(steps).suspects] == ["HM-STEPS-LIST"]


def test_the_first_screen_shows_the_step_at_which_the_suspected_clause_parts() -> None:
    records = [
        failed("a", "TOY-A"),
        failed("b", "TOY-A", explanation="wrong output: other"),
    ]
    records[1] = evolve(records[1], steps=_wrong_steps("TOY-A"))
    assert render(_summary(*records)).startswith(
        "Begin here: toy/halves/a [strict]\n"
        "  Clauses under most suspicion:\n"
        "    TOY-A: 2 of its 2 vectors fail\n"
        "\n"
        "In toy/halves/b, it goes another way at step 3 of 4:\n"
        "  merge of p q\n"
        "  expected  lca-u q = {r}  (TOY-A)\n"
        "  observed  (no further step)\n"
        "\n"
    )


def test_a_known_failure_makes_no_clause_suspect() -> None:
    known = KnownFailure(id="toy/halves/a", reason="later", link="")
    summary = _summary(failed("a", "TOY-A"), failed("b", "TOY-B"), known=(known,))
    assert [each.clause for each in summary.suspects] == ["TOY-B"]


def test_the_run_says_where_to_begin() -> None:
    records = [
        failed("a", "TOY-A", "TOY-Z", explanation="wrong output: one"),
        failed("b", "TOY-Z", explanation="wrong output: two"),
        passed("c", "TOY-A"),
    ]
    text = render(_summary(*records), ("./my adapter",))
    assert text.startswith(
        "Begin here: toy/halves/b [strict]\n"
        "  Clauses under most suspicion:\n"
        "    TOY-Z: 2 of its 2 vectors fail\n"
        "    TOY-A: 1 of its 2 vectors fail\n"
        "\n"
        "FAIL toy/halves/b [strict]\n"
    )
    assert text.endswith("\nBegin with TOY-Z: toy/halves/b\n1 pass, 2 fail: NOT conformant")


def test_the_only_failure_needs_no_beginning() -> None:
    assert render(_summary(failed("a", "TOY-A"))).startswith("FAIL toy/halves/a [strict]\n")


def test_a_failure_has_the_command_that_runs_it_alone() -> None:
    text = render(_summary(failed("a", "TOY-A")), ("./my adapter",))
    command = "rejoin run --adapter ''\"'\"'./my adapter'\"'\"'' --id toy/halves/a --reading strict"
    assert f"  run it alone: {command}\n" in text
    assert "rejoin run --adapter CMD --id toy/halves/a" in render(_summary(failed("a", "TOY-A")))


def test_failures_with_the_same_explanation_are_one_entry() -> None:
    records = [failed("a"), failed("b"), failed("c", explanation="wrong output: other")]
    first, second = grouped(records)
    assert (first.first, first.others) == (records[0], (records[1],))
    assert second.others == ()
    text = render(_summary(*records))
    assert text.count("FAIL ") == 2
    assert "  1 other failure with the same explanation\n" in text


def test_the_text_of_a_clause_is_shown_once() -> None:
    records = [
        Record(
            id=f"history-merge/octopus/{name}",
            reading="document",
            operation="history-merge/diff",
            clauses=("HM-3WAY-DIFF",),
            level="must",
            verdict="fail",
            explanation=f"wrong output: {name}",
        )
        for name in "ab"
    ]
    text = render(_summary(*records))
    assert text.count("  HM-3WAY-DIFF: The diff of two sets") == 1


def test_systems_without_a_declared_operation_are_one_line() -> None:
    records = [
        passed("a"),
        not_declared("b"),
        Record(
            id="other/topic/c",
            reading="strict",
            operation="other/do",
            clauses=(),
            level="must",
            verdict="not-declared",
        ),
    ]
    text = render(_summary(*records))
    assert "not declared: all of other (1 vector)\nnot declared: toy/double (1 vector)\n" in text
