"""What was found, as a corpus of its own: vectors ready to run, and the histories they come from.

A finding file is a file of a corpus (docs/vector-format.md): `<system>/found.json` below a folder
with an `index.json`. `corpus.load.load_histories` reads the histories back.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Final

from rejoin_conformance.campaigns.findings.law_findings import LawFinding
from rejoin_conformance.contract.system import System
from rejoin_conformance.contract.vector import Draft, Topic, Vector
from rejoin_conformance.corpus.generate import INDEX_PATH, index_text, topic_text, vectors_of
from rejoin_conformance.corpus.history_vectors import (
    can_be_asked,
    clauses_by_operation,
    decided,
    draft_of,
)
from rejoin_conformance.corpus.text_vectors import written_topics

TOPIC: Final = "found"
LONGEST_SUMMARY: Final = 200
_NOTES: Final = (
    "What a campaign found, shrunk until nothing could be left out. What is expected is what the "
    "reference answers; where a law is broken, that is what is to be looked at."
)


def findings_topic(system: System, findings: Iterable[LawFinding]) -> Topic:
    """The findings of one system as a topic: a draft for each operation that shows one."""
    findings = tuple(findings)
    by_operation = clauses_by_operation(written_topics(system))
    drafts = [draft for each in findings for draft in _drafts(system, by_operation, each)]
    return Topic(TOPIC, _NOTES, tuple(drafts), tuple(each.kept for each in findings))


def findings_files(
    found: Iterable[tuple[System, Iterable[LawFinding]]],
) -> tuple[dict[str, str], tuple[Vector, ...]]:
    """A corpus of findings: path -> text, and all its vectors. Each system stands there once."""
    files: dict[str, str] = {}
    every: list[Vector] = []
    for system, findings in found:
        topic = findings_topic(system, findings)
        vectors = vectors_of(system, topic)
        files[f"{system.name}/{topic.name}.json"] = topic_text(system, topic, vectors)
        every += vectors
    files[INDEX_PATH] = index_text(every)
    return files, tuple(every)


def write_files(directory: Path, files: Mapping[str, str]) -> None:
    """Write the files of a corpus into a folder. Raises OSError where it cannot be written."""
    for name, text in files.items():
        path = directory / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="ascii")


def _drafts(
    system: System, by_operation: Mapping[str, frozenset[str]], finding: LawFinding
) -> Iterator[Draft]:
    lineage = finding.kept.lineage
    calls = [call for call in finding.calls if can_be_asked(system, call)]
    for number, call in enumerate(calls, start=1):
        name = lineage.history if len(calls) == 1 else f"{lineage.history}-{number}"
        clauses = _clauses(system, by_operation, finding, call.operation)
        if clauses:
            yield draft_of(name, call, _summary(finding), clauses, lineage)


def _clauses(
    system: System, by_operation: Mapping[str, frozenset[str]], finding: LawFinding, operation: str
) -> frozenset[str]:
    """Those that the law follows from; else those that history and operation have in common."""
    lineage = finding.kept.lineage
    for law in system.laws:
        if law.name == lineage.law and law.clauses:
            return frozenset(law.clauses)
    known = by_operation.get(operation, frozenset())
    history = system.histories.from_json(finding.kept.history)
    coverage = system.histories.examine(history, lineage.readings[0]).coverage
    return decided(coverage) & known or known


def _summary(finding: LawFinding) -> str:
    lines = finding.detail.splitlines() or [""]
    summary = f"{finding.kept.lineage.law}: {lines[0]}"
    short = len(summary) <= LONGEST_SUMMARY
    return summary if short else f"{summary[: LONGEST_SUMMARY - 3]}..."
