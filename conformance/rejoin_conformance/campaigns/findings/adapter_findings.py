"""Make of what a campaign found at an adapter a minimal vector for each way in which it differs.

The history that shows it first is shrunk while the same operation still differs in the same way;
then the input of its smallest call that does.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any, Final

from attrs import frozen

import rejoin
from rejoin_conformance.adapters.runner.verdict import Outcome, Verdict
from rejoin_conformance.adapters.unusable import AdapterUnusableError
from rejoin_conformance.campaigns.adapter_block import kind_of
from rejoin_conformance.campaigns.adapter_questions import Questions
from rejoin_conformance.campaigns.block import AGREES
from rejoin_conformance.campaigns.plan import Plan
from rejoin_conformance.campaigns.summary import Summary
from rejoin_conformance.contract.history import Call, history_seed
from rejoin_conformance.contract.operation import Rejected
from rejoin_conformance.contract.registry import system_named
from rejoin_conformance.contract.system import System
from rejoin_conformance.contract.vector import KeptHistory, Lineage, Topic, Vector
from rejoin_conformance.corpus.generate import topic_text
from rejoin_conformance.corpus.load import load_system
from rejoin_conformance.kit.json_types import Json, JsonObject, canonical_json
from rejoin_conformance.shrinking.histories import shrink_history
from rejoin_conformance.shrinking.reduce import reduce_json

TOPIC: Final = "found"
"""The topic of vectors that were found and have no place in the corpus yet."""

_HISTORIES_TRIED: Final = 600
_INPUTS_TRIED: Final = 6_000
_BROKEN_TRIED: Final[dict[Verdict, int]] = {"crash": 100, "protocol-error": 100, "timeout": 12}
"""How many are tried where each that still differs costs a process, or even the time limit."""


@frozen
class Smallest:
    """The outcome of a call in which an adapter differs, and the shrunk history that led to it."""

    outcome: Outcome
    history: JsonObject


@frozen(kw_only=True)
class AdapterFinding:
    """One way in which an adapter differs, with the smallest call that was found to show it.

    kind: as `kind_of` says it. index: the history that it was made from. times: how many calls of
        the campaign differed so.
    smallest: the call; None where what the campaign saw did not show again.
    """

    kind: str
    reading: str
    index: int
    times: int
    smallest: Smallest | None

    @property
    def name(self) -> str:
        """The last part of the vector's ID."""
        _, _, operation = self.kind.partition("/")
        return f"{operation.replace(' ', '-')}-{self.reading}-{self.index}"


def findings_of(plan: Plan, summary: Summary) -> Iterator[AdapterFinding]:
    """A finding for each way in which the adapter differed. Raises AdapterUnusableError."""
    assert plan.adapter is not None
    system = system_named(plan.system)
    with Questions(system, plan.adapter, plan.timeout) as questions:
        for (reading, law, kind), examples in sorted(summary.examples.items()):
            if law == AGREES.name:
                index = examples[0].index
                seed = history_seed(plan.seed, plan.system, plan.profile, index)
                history = system.histories.generate(plan.profile, seed)
                yield AdapterFinding(
                    kind=kind,
                    reading=reading,
                    index=index,
                    times=summary.tallies[reading].violated[law, kind],
                    smallest=smallest_difference(questions, history, reading, kind),
                )


def smallest_difference(
    questions: Questions, history: Any, reading: str, kind: str
) -> Smallest | None:
    """The smallest call found in which the adapter differs in that way; None where none does."""

    def differing(candidate: Any) -> list[Outcome]:
        operation = kind.partition(" ")[0]
        calls = [
            each for each in questions.calls(candidate, reading) if each.operation == operation
        ]
        return [each for each in questions.ask(calls, reading) if kind_of(each) == kind]

    shown = differing(history)
    if not shown:
        return None
    shrunk = shrink_history(
        questions.system.histories,
        history,
        lambda candidate: bool(differing(candidate)),
        budget=_BROKEN_TRIED.get(shown[0].verdict, _HISTORIES_TRIED),
        fatal=AdapterUnusableError,
    )
    smallest = min(differing(shrunk.history) or shown, key=_size)
    return Smallest(
        _with_smaller_input(questions, smallest),
        questions.system.histories.to_json(shrunk.history),
    )


def vector_file(plan: Plan, finding: AdapterFinding) -> str:
    """The text of a file of the corpus' format: the finding's vector, and the shrunk history."""
    assert finding.smallest is not None
    system, case = system_named(plan.system), finding.smallest.outcome.case
    way = finding.kind.partition(" ")[2]
    lineage = Lineage(
        profile=plan.profile,
        seed=plan.seed,
        index=finding.index,
        code=rejoin.__version__,
        history=finding.name,
        readings=(finding.reading,),
        law=AGREES.name,
        kinds=(finding.kind,),
    )
    shows = f"An implementation differs at {case.operation.name}: {way}"
    vector = Vector(
        id=f"{system.name}/{TOPIC}/{finding.name}",
        operation=case.vector.operation,
        clauses=(_usual_clause(system, case.vector.operation),),
        level="must",
        summary=shows,
        input=case.vector.input,
        expected=case.vector.expected,
        readings_differ=True,
        lineage=lineage,
    )
    notes = (
        "Found by `rejoin fuzz --adapter`. The clause is the one that the corpus decides most "
        "often by this operation; who adopts the vector puts the right one in its place."
    )
    kept = KeptHistory(shows=shows, lineage=lineage, history=finding.smallest.history)
    return topic_text(system, Topic(TOPIC, notes, (), (kept,)), [vector])


def write_vector(plan: Plan, finding: AdapterFinding, folder: Path) -> Path:
    """Write the finding's vector into a folder, which is made where it is missing; its path."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{plan.system}-{finding.name}.json"
    path.write_text(vector_file(plan, finding), encoding="ascii")
    return path


def _with_smaller_input(questions: Questions, outcome: Outcome) -> Outcome:
    """The outcome of the smallest input found that the schema allows and that differs alike."""
    operation, reading, kind = outcome.case.operation, outcome.case.reading, kind_of(outcome)
    answer = operation.answer(outcome.case.vector.input, reading)
    code = answer.code if isinstance(answer, Rejected) else None
    ask = partial(_asked, questions, operation.name, reading)

    def differs_alike(value: Json) -> bool:
        if not isinstance(value, dict) or operation.input_fault(value) is not None:
            return False
        other = operation.answer(value, reading)
        if (other.code if isinstance(other, Rejected) else None) != code:
            return False
        return kind_of(ask(value)) == kind

    start = outcome.case.vector.input
    if not differs_alike(start):
        return outcome
    budget = _BROKEN_TRIED.get(outcome.verdict, _INPUTS_TRIED)
    reduced = reduce_json(start, differs_alike, budget=budget, fatal=AdapterUnusableError).value
    assert isinstance(reduced, dict)
    return ask(reduced)


def _asked(questions: Questions, operation: str, reading: str, value: JsonObject) -> Outcome:
    (outcome,) = questions.ask([Call(operation, value)], reading)
    return outcome


def _size(outcome: Outcome) -> tuple[int, str]:
    text = canonical_json(outcome.case.vector.input)
    return len(text), text


def _usual_clause(system: System, operation: str) -> str:
    """The clause that most vectors of an operation decide."""
    counts: dict[str, int] = {}
    for vector in load_system(system.name):
        if vector.operation == operation:
            for clause in vector.clauses:
                counts[clause] = counts.get(clause, 0) + 1
    return min(counts, key=lambda clause: (-counts[clause], clause))
