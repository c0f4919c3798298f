"""Shrink the failures of a campaign: one minimal history for each failure class and shape.

A failure class is a reading, a law and a kind. Its first history is generated again from the
campaign's seed, and shrunk as long as it breaks the same law with the same kind under the same
reading.

Findings are written as a corpus (docs/vector-format.md): vectors that can be run, and the histories
that they come from. `corpus.load.load_histories` reads the histories back.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from functools import partial
from itertools import count
from operator import attrgetter
from pathlib import Path
from typing import Any, Final

from attrs import evolve, frozen

from rejoin_conformance.campaigns.block import NO_CRASH
from rejoin_conformance.campaigns.kept.store import version
from rejoin_conformance.campaigns.mutants.asked_calls import Undecided
from rejoin_conformance.campaigns.mutants.deciding import decided_by
from rejoin_conformance.campaigns.plan import Plan
from rejoin_conformance.campaigns.summary import Found, Summary
from rejoin_conformance.contract.history import Call
from rejoin_conformance.contract.law import Violation
from rejoin_conformance.contract.registry import system_named, system_names
from rejoin_conformance.contract.spread import ReportProgress
from rejoin_conformance.contract.system import System
from rejoin_conformance.contract.vector import Draft, KeptHistory, Lineage, Topic, Vector
from rejoin_conformance.corpus.generate import topic_text, vectors_of, write_index
from rejoin_conformance.corpus.load import CorpusError, load_checked
from rejoin_conformance.kit.files import write_whole
from rejoin_conformance.kit.json_types import canonical_json, strict_json
from rejoin_conformance.shrinking.reduce import (
    DEFAULT_BUDGET,
    NotInterestingError,
    shape_of,
    shrink_history,
)

TOPIC: Final = "found"
"""The topic of vectors that a campaign found and that are not in the corpus yet."""

LONGEST_SUMMARY: Final = 200
_NOTES: Final = (
    "Failures that a campaign found, shrunk to minimal histories. The expected results are the "
    "answers of the reference. If a law is broken, these answers can be wrong. The clauses are "
    "those of which knock-outs, or mutants of their functions, change the answer."
)
_SMALLEST: Final = (
    "The smallest histories that show what a reading or a rule file changes. The index is that of "
    "the history from which each was shrunk."
)


@frozen
class LawFinding:
    """The shrunk history of a failure class, or of several with the same law and shape.

    kept: the history, with its lineage. detail: the observed values. calls: the calls of operations
    that show it; may be empty. minimal: whether no simpler history shows it; False if the tries ran
    out before that was known.
    """

    kept: KeptHistory
    detail: str
    calls: tuple[Call, ...]
    minimal: bool

    @property
    def first_line(self) -> str:
        """Return the first line of the observed values; empty if they have none."""
        return self.detail.partition("\n")[0]


def failure_classes(summary: Summary) -> tuple[Found, ...]:
    """Return the failure classes of a campaign, in the order of reading, law and kind.

    Histories in quarantine are left out.
    """
    every = sorted(summary.found(), key=attrgetter("name"))
    return tuple(each for each in every if not each.quarantined)


def shrink_findings(
    plan: Plan, classes: Sequence[Found], progress: ReportProgress, budget: int = DEFAULT_BUDGET
) -> tuple[LawFinding, ...]:
    """Return one finding for each law and shape among some failure classes of a campaign.

    progress: called with the number of finished classes, their number, and what is being shrunk.
    budget: the maximum number of smaller histories to try for a class. The campaign must have
    checked laws; `adapter_findings` shrinks the findings of a campaign against an adapter.
    """
    alike: dict[tuple[str, str], list[LawFinding]] = {}
    for number, each in enumerate(classes):
        finding = shrink_class(plan, each, budget, partial(progress, number, len(classes)))
        if finding is not None:
            alike.setdefault((each.law, finding.kept.name), []).append(finding)
    progress(len(classes), len(classes), "")
    return tuple(_smallest(plan, those) for _, those in sorted(alike.items()))


def shrink_class(
    plan: Plan, wanted: Found, budget: int, say: Callable[[str], None] = lambda _what: None
) -> LawFinding | None:
    """Shrink the history of one failure class. The result is a pure function of the arguments.

    say: called before each try with the tens of tries so far and the class. Returns None if the
    history cannot be generated or no longer shows the failure.
    """
    system, tries = system_named(plan.system), count()

    def shows(candidate: Any) -> bool:
        say(f"{next(tries) // 10 * 10:,} tries, {wanted.law} {wanted.kind}")
        return _violation(system, candidate, wanted) is not None

    try:
        history = plan.history(wanted.index)
    except Exception:  # noqa: BLE001 - the failure is in its generation
        return None
    try:
        shrunk = shrink_history(system.histories, history, shows, budget=budget)
    except NotInterestingError:
        return None
    violation = _violation(system, shrunk.value, wanted)
    if violation is None:  # a rule file can answer otherwise each time
        return None
    calls = _calls(system, shrunk.value, wanted.reading, violation)
    data = system.histories.to_json(shrunk.value)
    name = f"{wanted.law}-{shape_of(data)}"
    statements = {each.name: each.statement for each in system.laws}
    broken = f"Breaks {wanted.law}: {statements.get(wanted.law, '')}".rstrip(": ")
    lineage = lineage_of(plan, wanted, name)
    kept = KeptHistory(shows=broken, lineage=lineage, history=data)
    return LawFinding(kept, violation.detail, calls, shrunk.minimal)


def _violation(system: System, history: Any, wanted: Found) -> Violation | None:
    """Return the first violation of the class in a history. An exception is one too."""
    try:
        violations = system.histories.examine(history, wanted.reading).violations
    except Exception as error:  # noqa: BLE001 - the class may be this exception
        violations = (Violation(law=NO_CRASH.name, kind=type(error).__name__, detail=str(error)),)
    alike = (each for each in violations if (each.law, each.kind) == (wanted.law, wanted.kind))
    return next(alike, None)


def _calls(system: System, history: Any, reading: str, violation: Violation) -> tuple[Call, ...]:
    """Return the call in the evidence, or all calls of the history if it states none."""
    stated: Any = violation.evidence
    if "input" in stated:
        operation = system.operation(stated["operation"])
        if operation is not None and operation.input_fault(stated["input"]) is None:
            return (Call(operation.name, stated["input"]),)
    if violation.law == NO_CRASH.name:
        return ()
    return tuple(system.calls(history, reading))


def lineage_of(plan: Plan, found: Found, name: str) -> Lineage:
    """Return the origin of the shrunk history of one class. name: that of the shrunk history."""
    return Lineage(
        profile=plan.profile,
        seed=plan.seed,
        index=found.index,
        code=version(),
        history=name,
        readings=(found.reading,),
        law=found.law,
        kinds=(found.kind,),
    )


def _smallest(plan: Plan, those: Sequence[LawFinding]) -> LawFinding:
    """Return the smallest finding of a law and a shape, with the kinds of the others."""
    place = plan.readings.index

    def size(each: LawFinding) -> tuple[int, int, int, tuple[str, ...]]:
        lineage, length = each.kept.lineage, len(canonical_json(each.kept.history))
        return length, place(lineage.readings[0]), lineage.index, lineage.kinds

    smallest = min(those, key=size)
    lineages = [each.kept.lineage for each in those]
    readings = sorted({each for one in lineages for each in one.readings}, key=place)
    kinds = sorted({each for one in lineages for each in one.kinds})
    lineage = evolve(smallest.kept.lineage, readings=tuple(readings), kinds=tuple(kinds))
    same = [each.calls for each in those if each.kept.history == smallest.kept.history]
    asked = dict.fromkeys((call.operation, call.text) for calls in same for call in calls)
    inputs: list[tuple[str, Any]] = [(name, strict_json(text)) for name, text in asked]
    kept = evolve(smallest.kept, lineage=lineage)
    return evolve(smallest, kept=kept, calls=tuple(Call(*each) for each in inputs))


def refuse_other_files(folder: Path) -> None:
    """Raise CorpusError if a folder for findings is a file, or has files that are no findings."""
    to_do = f"findings are written to {folder}: move it, or choose another folder with --directory"
    if not folder.exists():
        return
    if not folder.is_dir():
        raise CorpusError(f"{folder} is a file; {to_do}")
    try:
        load_checked(system_names(), folder)
    except CorpusError as error:
        raise CorpusError(f"{error}; {to_do}") from None


def write_found(
    folder: Path, system: System, name: str, topic: Topic, vectors: Sequence[Vector]
) -> Path:
    """Write a file of a corpus, and return its path. Create missing folders. Raises OSError."""
    path = folder / system.name / f"{name}.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    write_whole(path, topic_text(system, topic, vectors))
    write_index(folder)
    return path


def write_smallest(
    folder: Path, system: System, name: str, histories: Sequence[KeptHistory]
) -> Path:
    """Write the smallest histories that show a change of a rule, and return the path of the file.

    name: of the file and of its topic. Raises OSError.
    """
    return write_found(folder, system, name, Topic(name, _SMALLEST, (), tuple(histories)), ())


def write_findings(
    folder: Path, system: System, findings: Sequence[LawFinding]
) -> tuple[Path, tuple[Vector, ...]]:
    """Write the findings of one system into a corpus. Return the path and the vectors.

    The vectors are the calls that decide clauses. Their clauses are those that the call decides, in
    any reading. Raises EntriesError, and OSError.
    """
    numbered = [pair for each in findings for pair in _numbered(system, each)]
    asked = [Undecided(call=call, readings=system.readings) for _, _, call in numbered]
    decided = decided_by(system.name, asked)
    drafts = tuple(
        Draft(
            name=name,
            operation=call.operation,
            summary=_summary(finding),
            clauses=tuple(sorted(each.clauses)),
            input=call.input,
            lineage=finding.kept.lineage,
        )
        for (finding, name, call), each in zip(numbered, decided, strict=True)
        if each.clauses
    )
    topic = Topic(TOPIC, _NOTES, drafts, tuple(each.kept for each in findings))
    vectors = tuple(vectors_of(system, topic))
    return write_found(folder, system, TOPIC, topic, vectors), vectors


def _numbered(system: System, finding: LawFinding) -> Iterator[tuple[LawFinding, str, Call]]:
    """Yield the calls of a finding that can be asked, each with the name of its vector."""
    name = finding.kept.lineage.history
    calls = [call for call in finding.calls if _is_answered(system, call)]
    for number, call in enumerate(calls, start=1):
        yield finding, name if len(calls) == 1 else f"{name}-{number}", call


def _is_answered(system: System, call: Call) -> bool:
    """Return whether the reference answers a call in every reading, without an exception."""
    operation = system.operation(call.operation)
    assert operation is not None
    with suppress(Exception):  # the reference fails: a finding, not a vector
        for reading in system.readings:
            operation.run(call.input, reading)
        return True
    return False


def _summary(finding: LawFinding) -> str:
    summary = f"{finding.kept.lineage.law}: {finding.first_line}"
    short = len(summary) <= LONGEST_SUMMARY
    return summary if short else f"{summary[: LONGEST_SUMMARY - 3]}..."
