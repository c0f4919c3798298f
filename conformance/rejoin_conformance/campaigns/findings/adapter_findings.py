"""Make a minimal vector for each kind of difference between an adapter and the reference.

The first history with the difference is shrunk as long as the same operation differs in the same
way. Then the input of its smallest differing call is shrunk.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any, Final

from attrs import define, evolve, field, frozen

import rejoin
from rejoin_conformance.adapters.kinds import kind_of, parting_kind
from rejoin_conformance.adapters.results.failure_steps import FailureSteps
from rejoin_conformance.adapters.runner.known_failures import AT_STEP
from rejoin_conformance.adapters.runner.verdict import Outcome, Verdict
from rejoin_conformance.adapters.unusable import AdapterUnusableError
from rejoin_conformance.campaigns.adapter_block import questions_of
from rejoin_conformance.campaigns.adapter_questions import Questions
from rejoin_conformance.campaigns.block import AGREES
from rejoin_conformance.campaigns.findings.finding_file import TOPIC, write_found
from rejoin_conformance.campaigns.mutants.asked_calls import Undecided
from rejoin_conformance.campaigns.mutants.deciding import Decided, decided_by
from rejoin_conformance.campaigns.plan import Plan
from rejoin_conformance.campaigns.summary import Found, Summary
from rejoin_conformance.contract.asked import output_in
from rejoin_conformance.contract.history import Call
from rejoin_conformance.contract.operation import Rejected, Result
from rejoin_conformance.contract.registry import system_named
from rejoin_conformance.contract.spread import ReportProgress
from rejoin_conformance.contract.vector import KeptHistory, Lineage, Topic
from rejoin_conformance.kit.json_types import Json, JsonObject, canonical_json
from rejoin_conformance.shrinking.histories import shrink_history
from rejoin_conformance.shrinking.reduce import reduce_json

_HISTORIES_TRIED: Final = 600
_INPUTS_TRIED: Final = 6_000
TRIES: Final = _HISTORIES_TRIED + _INPUTS_TRIED
"""The maximum number of tries to shrink one kind of difference."""
MOST_SHRUNK: Final = 20
"""The number of kinds of difference to shrink. The others are only listed."""
_BROKEN_TRIED: Final[dict[Verdict, int]] = {"crash": 100, "protocol-error": 100, "timeout": 12}
"""The number of tries if each differing one ends a process or takes the whole timeout."""


@frozen
class AdapterFinding:
    """One kind of difference of an adapter, with the smallest call that shows it.

    found: the kind, as in `kind_of`, with its first history. outcome: of the call; None if the
    difference was not shrunk, and then `not_shrunk` says why. history: the shrunk history. steps:
    of a wrong output, if its operation has an operation that lists them. minimal: whether every
    smaller input was tried.
    """

    found: Found
    outcome: Outcome | None = None
    history: JsonObject = field(factory=dict)
    steps: FailureSteps | None = None
    minimal: bool = True
    not_shrunk: str = ""

    @property
    def name(self) -> str:
        """Return the last part of the vector's ID: operation, fault, reading, index, and a number.

        The number distinguishes kinds of one fault that the same history shows.
        """
        operation, fault, *more = self.found.kind.partition("/")[2].split(" ", 2)
        suffix = f"-{_number_of(more[0])}" if more else ""
        return f"{operation}-{fault}-{self.found.reading}-{self.found.index}{suffix}"


def differences_of(summary: Summary) -> list[Found]:
    """Return the kinds of difference that are not known, the most frequent first."""
    unknown = [each for each in summary.failures() if each.law == AGREES.name]
    return sorted(unknown, key=lambda each: (-each.times, each.reading, each.kind))


def findings_of(
    plan: Plan, summary: Summary, progress: ReportProgress | None = None, most: int = TRIES
) -> Iterator[AdapterFinding]:
    """Yield a finding for each kind of difference that is not known.

    Only the MOST_SHRUNK most frequent kinds are shrunk. progress: called with the number of tries
    so far, and the number of tries that all shrinking can take. most: the maximum number of tries
    for each kind; the default is also the limit. Raises AdapterUnusableError.
    """
    with questions_of(plan) as questions:
        differences, most = differences_of(summary), min(most, TRIES)
        total = most * min(len(differences), MOST_SHRUNK)
        for place, found in enumerate(differences[:MOST_SHRUNK]):
            tries = _Tries(most, found.kind, progress, most * place, total)
            yield _smallest(plan, questions, found, tries)
        why = f"not shrunk: only the {MOST_SHRUNK} most frequent kinds are"
        yield from (AdapterFinding(each, not_shrunk=why) for each in differences[MOST_SHRUNK:])


@define
class _Tries:
    """Counts the tries of one kind, and reports them after those of the kinds before."""

    most: int
    kind: str
    progress: ReportProgress | None
    before: int
    total: int
    made: int = 0

    def count(self) -> None:
        """Count a try."""
        self.made += 1
        if self.progress is not None:
            self.progress(self.before + min(self.made, self.most), self.total, self.kind)

    def left(self, most: int) -> int:
        """Return how many tries a search can make that makes at most this number."""
        return max(0, min(most, self.most - self.made))


def _smallest(plan: Plan, questions: Questions, found: Found, tries: _Tries) -> AdapterFinding:
    """Return the finding with the smallest call, or without one if it does not show again."""
    histories, kind = questions.system.histories, found.kind

    def differing(candidate: Any) -> list[Outcome]:
        tries.count()
        operation = kind.partition(" ")[0]
        calls = questions.askable(questions.calls(candidate, found.reading))
        asked = questions.ask(
            [each for each in calls if each.operation == operation], found.reading
        )
        return [each for each in asked if _is_of(questions, each, kind)]

    history = plan.history(found.index)
    shown = differing(history)
    if not shown:
        why = (
            "could not be reproduced: the adapter does not always give the same answers, or has "
            "changed since the history ran"
        )
        return AdapterFinding(found, not_shrunk=why)
    shrunk = shrink_history(
        histories,
        history,
        lambda candidate: bool(differing(candidate)),
        budget=tries.left(_BROKEN_TRIED.get(shown[0].verdict, _HISTORIES_TRIED)),
        fatal=AdapterUnusableError,
    )
    smallest = min(differing(shrunk.history) or shown, key=_size)
    (outcome, minimal), steps = _with_smaller_input(questions, smallest, kind, tries), None
    if outcome.fault == "wrong-output":
        steps = questions.steps.of(outcome.case, output_in(outcome.observed))
    return AdapterFinding(found, outcome, histories.to_json(shrunk.history), steps, minimal)


def clauses_decided(plan: Plan, finding: AdapterFinding) -> Decided:
    """Return the clauses that the finding's input decides. The reference shows it, not the adapter.

    Raises EntriesError.
    """
    outcome, readings = finding.outcome, (finding.found.reading,)
    assert outcome is not None
    call = Call(outcome.case.operation.name, outcome.case.vector.input)
    (decided,) = decided_by(
        plan.system, [Undecided(call=call, readings=readings, observed=outcome.observed)]
    )
    return decided


def write_vector(plan: Plan, finding: AdapterFinding, decided: Decided, folder: Path) -> Path:
    """Write the finding's vector and the shrunk history into a corpus, and return the path.

    decided: the clauses of the vector; at least one.
    """
    assert finding.outcome is not None
    system, case = system_named(plan.system), finding.outcome.case
    kind = finding.found.kind
    lineage = Lineage(
        profile=plan.profile,
        seed=plan.seed,
        index=finding.found.index,
        code=rejoin.__version__,
        history=finding.name,
        readings=(finding.found.reading,),
        law=AGREES.name,
        kinds=(kind,),
    )
    shows = f"An implementation differs on {case.operation.name}: {kind.partition(' ')[2]}"
    vector = evolve(
        case.vector,
        id=f"{system.name}/{TOPIC}/{finding.name}",
        clauses=decided.clauses,
        summary=shows,
        readings_differ=True,
        lineage=lineage,
    )
    notes = f"Found by `rejoin fuzz --adapter`. {explained(decided)}"
    kept = KeptHistory(shows=shows, lineage=lineage, history=finding.history)
    return write_found(folder, system, finding.name, Topic(TOPIC, notes, (), (kept,)), [vector])


_NAMED: Final = 2
"""The number of clauses that the remark on a likeness names."""


def explained(decided: Decided) -> str:
    """Return sentences on how the clauses of a vector are known."""
    if not decided.clauses:
        return (
            "No knock-out and no mutant of the reference changes the answer, so it is not known "
            "which clauses this input decides."
        )
    said = {
        "knock-outs": "Without any of these clauses, the reference answers otherwise.",
        "mutants": "With a fault in the code of these clauses, the reference answers otherwise.",
        "": "",
    }[decided.by]
    if decided.alike:
        alike = " or ".join(decided.alike[:_NAMED])
        said += f" The implementation answers as the reference does without {alike}."
    return f"{said} `rejoin run` weighs them by all vectors."


def _is_of(questions: Questions, outcome: Outcome, kind: str) -> bool:
    """Return whether a difference is of a kind. Asks for steps only if the rest is equal."""
    if kind.partition(AT_STEP)[0] != kind_of(outcome):
        return False
    return parting_kind(outcome, questions.steps) == kind


def _with_smaller_input(
    questions: Questions, outcome: Outcome, kind: str, tries: _Tries
) -> tuple[Outcome, bool]:
    """Return the outcome of the smallest valid input found with the same kind of difference.

    Also whether every smaller one was tried.
    """
    operation, reading = outcome.case.operation, outcome.case.reading
    start = outcome.case.vector.input
    code = _code(operation.answer(start, reading))
    ask = partial(_asked, questions, operation.name, reading)

    def differs_alike(value: Json) -> bool:
        tries.count()
        if not isinstance(value, dict) or operation.input_fault(value) is not None:
            return False
        if questions.why_not(operation.name, value):
            return False
        same = _code(operation.answer(value, reading)) == code
        return same and _is_of(questions, ask(value), kind)

    if not differs_alike(start):
        return outcome, False
    budget = tries.left(_BROKEN_TRIED.get(outcome.verdict, _INPUTS_TRIED))
    reduced = reduce_json(start, differs_alike, budget=budget, fatal=AdapterUnusableError)
    assert isinstance(reduced.value, dict)
    return ask(reduced.value), reduced.minimal


def _code(answer: Result) -> str | None:
    return answer.code if isinstance(answer, Rejected) else None


def _asked(questions: Questions, operation: str, reading: str, value: JsonObject) -> Outcome:
    (outcome,) = questions.ask([Call(operation, value)], reading)
    return outcome


def _number_of(text: str) -> str:
    """Return some digits that depend on a text alone."""
    return str(int.from_bytes(hashlib.blake2b(text.encode(), digest_size=2).digest(), "big"))


def _size(outcome: Outcome) -> tuple[int, str]:
    text = canonical_json(outcome.case.vector.input)
    return len(text), text
