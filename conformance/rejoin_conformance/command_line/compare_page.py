"""One page on all that a change moves: vectors, laws, histories and the documents' examples."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from attrs import frozen

from rejoin_conformance.campaigns.comparing.measure import Comparison
from rejoin_conformance.command_line.progress import progress_bar
from rejoin_conformance.command_line.show import subject_blocks
from rejoin_conformance.command_line.show_played import Played, differs, played
from rejoin_conformance.command_line.show_subjects import Subject, subjects_of
from rejoin_conformance.command_line.untried import reach_block
from rejoin_conformance.contract.document_example import examples_of
from rejoin_conformance.contract.registry import system_named
from rejoin_conformance.contract.system import System
from rejoin_conformance.corpus.load import load_system
from rejoin_conformance.corpus.moved import MovedVectors, moves
from rejoin_conformance.kit.document import Block, Facts, Fold, Heading, Items, Span, Text
from rejoin_conformance.readings.in_force import A, B
from rejoin_conformance.readings.reach import Reach
from rejoin_conformance.reports.comparison import (
    comparison_blocks,
    law_stories,
    stories,
    written_block,
)
from rejoin_conformance.reports.document_html import document_html
from rejoin_conformance.reports.document_markdown import document_markdown
from rejoin_conformance.reports.moved import clause_link, page_clauses, page_vectors


@frozen
class Page:
    """What a change moves. report: of the histories.

    examples: each with its two sides. untried: the names of the examples that were not tried:
    they have no result on both sides, or call no function that the rule file changes.
    """

    system: System
    comparison: Comparison
    report: Any
    vectors: MovedVectors
    examples: tuple[tuple[Subject, Played, Played], ...]
    untried: frozenset[str]

    @property
    def title(self) -> str:
        """Return the title of the page."""
        sides = f"{self.comparison.a.name} and {self.comparison.b.name}"
        return f"{self.system.title}: what moves between {sides}"

    def html(self) -> str:
        """Return the page as HTML."""
        return document_html(self.title, [*self.blocks()])

    def markdown(self) -> str:
        """Return the page as Markdown."""
        return document_markdown([Heading(self.title, 1), *self.blocks()])

    def blocks(self) -> Iterator[Block]:
        """Yield the counts first, then each part."""
        moved, asked = len(self.vectors.moved), len(self.vectors.asked)
        changed = [each for each in self.examples if _changed(each)]
        histories, alone = self.report["all"]["histories"], self.report["alone"]
        often = {law: [self.report["laws"][law].get(side, 0) for side in (A, B)] for law in alone}
        anew = [law for law, (a, _) in often.items() if not a]
        holds = [law for law, (_, b) in often.items() if not b]
        elsewhere = [f"{law} (a {a:,}, b {b:,})" for law, (a, b) in often.items() if a and b]
        touched = [each.clause for each in self.vectors.clauses if each.is_changed]
        links = [part for name in touched for part in (", ", clause_link(name))]
        yield Facts(
            [
                ("a", self.comparison.a.name),
                ("b", self.comparison.b.name),
                ("vectors that move", f"{moved:,} of {asked:,}"),
                ("histories that differ", f"{histories:,} of {self.report['histories']:,}"),
                ("laws that break anew", ", ".join(anew) or "none"),
                ("laws that hold anew", ", ".join(holds) or "none"),
                ("laws that break in other histories", ", ".join(elsewhere) or "none"),
                ("examples that differ", f"{len(changed)} of {len(self.examples)}"),
                ("clauses of the changed code", tuple(links[1:]) or "none"),
            ]
        )
        yield Heading("Laws")
        if not alone:
            yield Text("No law breaks on one side alone.")
        elif not self.report["breaking"]:
            yield Text("Without --summary, the smallest history of each of these laws stands here.")
        said = {law.name: law.statement for law in self.system.laws}
        yield Items([(Span(law, "code"), f": {said[law]}") for law in alone if law in said])
        yield from law_stories(self.report)
        yield Heading("Vectors")
        yield from page_vectors(self.vectors)
        if self.vectors.reached:
            yield reach_block(self.vectors.reached, "vector")
        yield Heading("Clauses")
        yield from page_clauses(self.vectors, self.system.name)
        yield Heading("Histories")
        yield from comparison_blocks(self.report, self.system)
        yield from stories(self.report)
        yield from written_block(self.report)
        yield Heading("Examples of the document")
        for subject, left, right in changed:
            shown = [*subject_blocks(subject, left, right, every=False)]
            yield Fold(subject.heading[0], shown[len(subject.heading) :])
        same = [each[0].heading[0] for each in self.examples if not _changed(each)]
        for title, names in (
            ("the same on both sides", [each for each in same if each not in self.untried]),
            ("not tried: they do not use what changes", [*self.untried]),
        ):
            if names:
                yield Fold(title, [Items(sorted(names))])


def _changed(example: tuple[Subject, Played, Played]) -> bool:
    _, left, right = example
    return any(map(differs, left.answers, right.answers))


def page_of(comparison: Comparison, report: Any, *, quiet: bool) -> Page:
    """Run the vectors and the examples on both sides. report: of the histories."""
    system = system_named(comparison.system)
    vectors = load_system(system.name)
    a, b = comparison.a, comparison.b
    with progress_bar("vectors", quiet=quiet, unit="vectors") as progress:
        moved = moves(vectors, b, a, system, lambda done: progress(done, len(vectors), ""))
    examples: list[tuple[Subject, Played, Played]] = []
    untried: set[str] = set()
    for each in examples_of(system.name):
        (subject,) = subjects_of(f"{system.name}/{each.name}", None, None, None)
        left = played(subject, a, {}, with_steps=True)
        reached: dict[str, Reach] = {}
        right = played(subject, b, reached, with_steps=True, questions=left.questions)
        is_called = any(one.calls.calls for one in reached.values()) or not reached
        if not left.answers or not is_called:
            untried.add(subject.heading[0])
        examples.append((subject, left, right))
    return Page(system, comparison, report, moved, tuple(examples), frozenset(untried))
