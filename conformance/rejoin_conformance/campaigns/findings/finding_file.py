"""Write findings as a corpus: vectors that can be run, and the histories that they come from.

A finding file is a file of a corpus (docs/vector-format.md). `corpus.load.load_histories` reads the
histories back.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from rejoin_conformance.campaigns.findings.law_findings import LawFinding
from rejoin_conformance.campaigns.mutants.asked_calls import Undecided
from rejoin_conformance.campaigns.mutants.deciding import decided_by
from rejoin_conformance.contract.history import Call
from rejoin_conformance.contract.registry import system_names
from rejoin_conformance.contract.system import System
from rejoin_conformance.contract.vector import Draft, KeptHistory, Topic, Vector
from rejoin_conformance.corpus.generate import topic_text, vectors_of, write_index
from rejoin_conformance.corpus.load import CorpusError, load_checked
from rejoin_conformance.kit.files import write_whole

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
    decided = decided_by(
        system.name,
        [Undecided(call=call, readings=system.readings) for _, _, call in numbered],
    )
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
    calls = [call for call in finding.calls if _can_be_asked(system, call)]
    for number, call in enumerate(calls, start=1):
        yield finding, name if len(calls) == 1 else f"{name}-{number}", call


def _can_be_asked(system: System, call: Call) -> bool:
    """Return whether a call matches its operation's schema, and no reading raises an exception."""
    operation = system.operation(call.operation)
    if operation is None or operation.input_fault(call.input) is not None:
        return False
    try:
        for reading in system.readings:
            operation.run(call.input, reading)
    except Exception:  # noqa: BLE001 - the reference fails: a finding, not a vector
        return False
    return True


def _summary(finding: LawFinding) -> str:
    lines = finding.shrunk.detail.splitlines() or [""]
    summary = f"{finding.kept.lineage.law}: {lines[0]}"
    short = len(summary) <= LONGEST_SUMMARY
    return summary if short else f"{summary[: LONGEST_SUMMARY - 3]}..."
