"""A run's failures are listed in the order in which to read them, and the first clause is named."""

from __future__ import annotations

from fractions import Fraction
from typing import Final

from attrs import evolve

from rejoin_conformance.adapters.results.failure_groups import grouped
from rejoin_conformance.adapters.results.failure_steps import FailureSteps, StepLine
from rejoin_conformance.adapters.results.records import Record
from rejoin_conformance.adapters.results.summary import RunSummary, summarise
from rejoin_conformance.adapters.results.suspicion import Suspect, suspects
from rejoin_conformance.adapters.results.text import summary_blocks
from rejoin_conformance.adapters.results.undeclared import features_that_fail
from rejoin_conformance.adapters.runner.known_failures import KnownFailure
from rejoin_conformance.corpus.load import load_system
from rejoin_conformance.kit.document_text import document_text
from rejoin_conformance.kit.json_types import JsonObject
from support.result_files import failed, not_declared, passed, results


def _summary(*records: Record, known: tuple[KnownFailure, ...] = ()) -> RunSummary:
    configuration = results(*records).configuration
    return summarise(records, evolve(configuration, known_failures=known))


def _render(*records: Record) -> str:
    return document_text([*summary_blocks(_summary(*records))])


def _suspected(*records: Record, known: tuple[KnownFailure, ...] = ()) -> list[str]:
    return [each.clause for each in _summary(*records, known=known).suspects]


def _wrong_steps(clause: str) -> FailureSteps:
    line = StepLine(number=3, text="lca-u q = {r}", clause=clause, under="merge of p q")
    return FailureSteps(operation="toy/halve-steps", count=4, expected=line)


REGISTERS: Final[JsonObject] = {"state_type": "register"}
STEPS = evolve(
    failed("a", "HM-STEPS-LIST"),
    id="history-merge/steps/a",
    operation="history-merge/merge-steps",
)


def test_the_clause_of_which_most_vectors_fail_is_suspected_most() -> None:
    records = [
        failed("a", "TOY-Z"),
        failed("b", "TOY-Z", "TOY-A"),
        *(passed(f"c{number}", "TOY-A") for number in range(8)),
        not_declared("d", "TOY-Z"),
    ]
    assert suspects(records, records[:2]) == (
        Suspect("TOY-Z", failed=2, judged=2, blame=Fraction(5, 3), single=Fraction(1)),
        Suspect("TOY-A", failed=1, judged=9, blame=Fraction(1, 3)),
    )


def test_what_was_asked_of_the_reference_is_evidence() -> None:
    either = evolve(failed("a", "TOY-A", "TOY-B"), is_decided=True)
    assert _suspected(either) == ["TOY-A", "TOY-B"]
    assert _suspected(evolve(either, clauses=("TOY-B", "TOY-A"))) == ["TOY-B", "TOY-A"]
    assert _suspected(evolve(either, alike=("TOY-C",))) == ["TOY-A", "TOY-C", "TOY-B"]
    assert _suspected(evolve(either, closest=("TOY-A", "TOY-B"))) == ["TOY-A", "TOY-B"]
    first, second = _summary(evolve(either, closest=("TOY-B",))).suspects
    assert (first.clause, second.clause) == ("TOY-B", "TOY-A")
    assert first.text.endswith("; without it, the reference fails most nearly the same vectors")
    told = evolve(first, failed=0, alike=1).text
    assert told.startswith("its only vector passes; a fault in it explains 1 of 1 wrong answer; ")


def test_a_clause_whose_vectors_all_pass_is_not_suspected_for_a_step() -> None:
    steps = evolve(_wrong_steps("TOY-A"), observed=_wrong_steps("TOY-B").expected)
    records = [evolve(failed("a", "TOY-A"), steps=steps), passed("b", "TOY-B")]
    assert [each.clause for each in suspects(records, records[:1])] == ["TOY-A"]


def test_a_feature_of_which_every_vector_fails_can_be_declared() -> None:
    merge = "history-merge/merge"
    wrong = [evolve(failed(name, operation=merge), input=REGISTERS) for name in "ab"]
    right = evolve(passed("c", operation=merge), id="history-merge/two-branches/one-node")
    assert features_that_fail([*wrong, right], wrong) == {}
    right = evolve(right, reading="document")
    assert features_that_fail([*wrong, right], wrong) == {merge: {"register": 2}}
    crashes = [evolve(each, verdict="crash") for each in wrong]
    assert features_that_fail([*crashes, right], crashes) == {}
    assert suspects([*crashes, right], crashes) == ()
    assert '"without": {"history-merge/merge": ["register"]}' in _render(*wrong, right)
    name = "history-merge/registers/clean-origin-q"
    good = evolve(right, id=name, reading="document")
    assert features_that_fail([*wrong, good], wrong) == {}


def test_vectors_of_few_clauses_and_steps_say_more_than_others() -> None:
    many = ("TOY-A", "TOY-B", "TOY-C")
    one = failed("c", "TOY-D")
    assert _suspected(failed("a", *many), failed("b", *many), one)[0] == "TOY-D"
    told = [evolve(failed(name, "TOY-A", "TOY-B"), steps=_wrong_steps("TOY-B")) for name in "ab"]
    assert _suspected(*told) == ["TOY-B", "TOY-A"]
    assert _suspected(failed("z", "TOY-A", "TOY-B"), STEPS) == ["TOY-A", "TOY-B"]
    assert _suspected(STEPS) == ["HM-STEPS-LIST"]
    known = KnownFailure(id="toy/halves/a", reason="later", link="")
    assert _suspected(failed("a", "TOY-A"), failed("b", "TOY-B"), known=(known,)) == ["TOY-B"]


def test_the_first_screen_shows_the_step_at_which_the_suspected_clause_parts() -> None:
    parts = evolve(failed("b", "TOY-A", explanation="other"), steps=_wrong_steps("TOY-A"))
    assert (
        "In toy/halves/b, it goes another way at step 3 of 4:\n"
        "  merge of p q\n"
        "  expected  lca-u q = {r}  (TOY-A)\n"
        "  observed  (no further step)\n"
        "\n"
    ) in _render(failed("a", "TOY-A"), parts)


def test_what_is_equal_is_said_once() -> None:
    records = [failed("a"), failed("b"), failed("c", explanation="wrong output: other")]
    first, second = grouped(records)
    assert (first.first, first.others, second.others) == (records[0], [records[1]], [])
    octopus = [
        evolve(
            failed(name, "HM-3WAY-DIFF", explanation=f"wrong output: {name}"),
            id=f"history-merge/octopus/{name}",
            operation="history-merge/diff",
        )
        for name in "ab"
    ]
    assert _render(*octopus).count("  HM-3WAY-DIFF: The diff of two sets") == 1


def test_a_large_input_is_shown_as_it_was_written() -> None:
    every = load_system("history-merge")
    (vector,) = [each for each in every if each.id.endswith("/large/alternating-ladder-1052-rows")]
    late = [
        evolve(failed(name, "HM-MERGE-DEEP", operation=vector.operation), verdict="timeout",
               id=vector.id, input=vector.input, explanation=f"no answer within {name} s")
        for name in "12"
    ]  # fmt: skip
    text = _render(*late)
    assert "    a<i> < a<i-1> b<i-1>: {e f}, b<i> < a<i-1> b<i-1>: {} for each i 2..1052\n" in text
    unknown = [evolve(each, id=f"{vector.id}-more") for each in late]
    assert max(map(len, _render(*unknown).split("\n"))) < 500


def test_systems_and_features_that_are_not_declared_are_named() -> None:
    other = evolve(not_declared("c"), id="other/topic/c", operation="other/do")
    large = evolve(not_declared("d", operation="toy/halve"), missing="large")
    others = [not_declared(name, operation=f"toy/{name}") for name in "cda"]
    assert (
        "not declared: other: all (1 vector)\n"
        "not declared: toy: 6 vectors: halve with large (2), a (1), c (1) and 2 more"
    ) in _render(passed("a"), not_declared("b"), other, large, large, *others)
