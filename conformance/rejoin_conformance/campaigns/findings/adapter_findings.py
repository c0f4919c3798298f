"""Make a minimal vector for each kind of difference between an adapter and the reference.

The first history with the difference is shrunk as long as the same operation differs in the same
way. Then the input of its smallest differing call is shrunk.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from hashlib import blake2b
from pathlib import Path
from typing import Any, Final

from attrs import define, evolve, field, frozen

from rejoin_conformance.adapters.kinds import kind_of, parting_kind
from rejoin_conformance.adapters.results.failure_steps import FailureSteps
from rejoin_conformance.adapters.runner.cases import Outcome, Verdict
from rejoin_conformance.adapters.runner.known_failures import AT_STEP
from rejoin_conformance.adapters.unusable import AdapterUnusableError
from rejoin_conformance.campaigns.adapter_block import questions_of
from rejoin_conformance.campaigns.adapter_questions import Questions
from rejoin_conformance.campaigns.block import AGREES
from rejoin_conformance.campaigns.findings.law_findings import TOPIC, lineage_of, write_found
from rejoin_conformance.campaigns.mutants.asked_calls import Undecided
from rejoin_conformance.campaigns.mutants.deciding import Decided, decided_by
from rejoin_conformance.campaigns.plan import Plan
from rejoin_conformance.campaigns.summary import Found, Summary
from rejoin_conformance.contract.history import Call
from rejoin_conformance.contract.operation import Rejected, output_in
from rejoin_conformance.contract.registry import system_named
from rejoin_conformance.contract.spread import ReportProgress
from rejoin_conformance.contract.vector import KeptHistory, Topic
from rejoin_conformance.kit.json_types import Json, JsonObject, canonical_json
from rejoin_conformance.shrinking.reduce import reduce_json, shrink_history

_HISTORIES_TRIED: Final = 600
_INPUTS_TRIED: Final = 6_000
TRIES: Final = _HISTORIES_TRIED + _INPUTS_TRIED
"""The maximum number of tries to shrink one kind of difference."""
MOST_SHRUNK: Final = 20
"""The number of kinds of difference to shrink. The others are only listed."""
_BROKEN_TRIED: Final[dict[Verdict, int]] = {"crash": 100, "protocol-error": 100, "timeout": 12}
"""The number of tries if each differing one ends a process or takes the whole timeout."""
_NOT_AGAIN: Final = (
    "could not be reproduced: the adapter does not always give the same answers, or has changed "
    "since the history ran"
)


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
        digits = (int(blake2b(each.encode(), digest_size=2).hexdigest(), 16) for each in more)
        suffix = "".join(f"-{each}" for each in digits)
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

            def say(made: int, before: int = most * place, kind: str = found.kind) -> None:
                if progress is not None:
                    progress(before + made, total, kind)

            yield _Search(plan, questions, found, most, say).finding()
        why = f"not shrunk: only the {MOST_SHRUNK} most frequent kinds are"
        yield from (AdapterFinding(each, not_shrunk=why) for each in differences[MOST_SHRUNK:])


@define
class _Search:
    """The search for the smallest call that shows one kind of difference.

    most: the maximum number of tries. say: called with the number of tries so far.
    """

    plan: Plan
    questions: Questions
    found: Found
    most: int
    say: Callable[[int], object]
    made: int = 0

    def finding(self) -> AdapterFinding:
        """Return the finding with the smallest call, or without one if it does not show again."""
        histories, history = self.questions.system.histories, self.plan.history(self.found.index)
        shown = self._differing(history)
        if not shown:
            return AdapterFinding(self.found, not_shrunk=_NOT_AGAIN)
        tried = _BROKEN_TRIED.get(shown[0].verdict, _HISTORIES_TRIED)
        shrunk = shrink_history(
            histories,
            history,
            lambda candidate: bool(self._differing(candidate)),
            budget=min(tried, self.most),
            fatal=AdapterUnusableError,
        )
        smallest = min(self._differing(shrunk.value) or shown, key=_size)
        outcome, minimal = self._with_smaller_input(smallest, self.most - shrunk.tries)
        steps = None
        if outcome.fault == "wrong-output":
            steps = self.questions.steps.of(outcome.case, output_in(outcome.observed))
        data = histories.to_json(shrunk.value)
        return AdapterFinding(self.found, outcome, data, steps, minimal)

    def _differing(self, history: Any) -> list[Outcome]:
        """Return the calls of a history that differ in this way."""
        operation, reading = self.found.kind.partition(" ")[0], self.found.reading
        calls = self.questions.askable(self.questions.calls(history, reading))
        return self._of_kind([each for each in calls if each.operation == operation])

    def _with_smaller_input(self, outcome: Outcome, left: int) -> tuple[Outcome, bool]:
        """Return the outcome of the smallest valid input found that differs in this way.

        Also whether every smaller one was tried. left: the maximum number of tries.
        """
        operation, start = outcome.case.operation, outcome.case.vector.input

        def code(value: JsonObject) -> str | None:
            answer = operation.answer(value, self.found.reading)
            return answer.code if isinstance(answer, Rejected) else None

        def differs_alike(value: Json) -> bool:
            if not isinstance(value, dict) or operation.input_fault(value) is not None:
                return False
            calls = self.questions.askable([Call(operation.name, value)])
            return bool(calls) and code(value) == wanted and bool(self._of_kind(calls))

        wanted = code(start)
        if not differs_alike(start):
            return outcome, False
        budget = min(_BROKEN_TRIED.get(outcome.verdict, _INPUTS_TRIED), left)
        reduced = reduce_json(start, differs_alike, budget=budget, fatal=AdapterUnusableError)
        assert isinstance(reduced.value, dict)
        call = Call(operation.name, reduced.value)
        (smallest,) = self.questions.ask([call], self.found.reading)
        return smallest, reduced.minimal

    def _of_kind(self, calls: Sequence[Call]) -> list[Outcome]:
        """Ask calls, and return those that differ in this way. Ask for steps only if needed."""
        self.made += 1
        self.say(min(self.made, self.most))
        kind, questions = self.found.kind, self.questions
        asked = questions.ask(calls, self.found.reading)
        likely = [each for each in asked if kind_of(each) == kind.partition(AT_STEP)[0]]
        return [each for each in likely if parting_kind(each, questions.steps) == kind]


def clauses_decided(plan: Plan, finding: AdapterFinding) -> Decided:
    """Return the clauses that the finding's input decides. The reference shows it, not the adapter.

    Raises EntriesError.
    """
    outcome, readings = finding.outcome, (finding.found.reading,)
    assert outcome is not None
    call = Call(outcome.case.operation.name, outcome.case.vector.input)
    asked = Undecided(call=call, readings=readings, observed=outcome.observed)
    return decided_by(plan.system, [asked])[0]


def write_vector(plan: Plan, finding: AdapterFinding, decided: Decided, folder: Path) -> Path:
    """Write the finding's vector and the shrunk history into a corpus, and return the path.

    decided: the clauses of the vector; at least one.
    """
    assert finding.outcome is not None
    system, case = system_named(plan.system), finding.outcome.case
    lineage = lineage_of(plan, finding.found, finding.name)
    what = finding.found.kind.partition(" ")[2]
    shows = f"An implementation differs on {case.operation.name}: {what}"
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
        "knock-outs": "Without any one of these clauses, the reference gives another answer.",
        "mutants": "With a fault in the code of these clauses, the reference gives another answer.",
        "": "",
    }[decided.by]
    if decided.alike:
        alike = " or ".join(decided.alike[:_NAMED])
        said += f" Without {alike}, it gives the implementation's answer."
    return f"{said} To see which one is wrong, compare all vectors: `rejoin run`."


def _size(outcome: Outcome) -> tuple[int, str]:
    text = canonical_json(outcome.case.vector.input)
    return len(text), text
