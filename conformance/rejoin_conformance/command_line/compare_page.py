"""One page on all that a change moves: vectors, laws, histories and the documents' examples."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, Final

from attrs import frozen

from rejoin_conformance.campaigns.comparing.measure import Comparison
from rejoin_conformance.command_line.console import Out
from rejoin_conformance.command_line.show import subject_blocks
from rejoin_conformance.command_line.show_played import Played, differs, played
from rejoin_conformance.command_line.show_subjects import Subject, subjects_of
from rejoin_conformance.command_line.untried import reach_block
from rejoin_conformance.contract.document_example import examples_of
from rejoin_conformance.contract.registry import system_named
from rejoin_conformance.contract.system import System
from rejoin_conformance.corpus.load import load_system
from rejoin_conformance.corpus.verify import MovedVectors, moves
from rejoin_conformance.corpus.version import CORPUS_VERSION
from rejoin_conformance.kit.document import Block, Code, Facts, Fold, Heading, Items, Span, Text
from rejoin_conformance.kit.locations import vectors_directory
from rejoin_conformance.kit.text import counted
from rejoin_conformance.readings.in_force import A, B
from rejoin_conformance.readings.reach import Reach
from rejoin_conformance.reports.comparison import (
    comparison_blocks,
    failing,
    law_stories,
    moved_clauses,
    moved_vectors,
    stories,
    written_block,
)
from rejoin_conformance.reports.document_html import document_html
from rejoin_conformance.reports.document_markdown import document_markdown
from rejoin_conformance.reports.rendering import shortened

_LONGEST: Final = 60_000
"""Maximum characters of a page in Markdown; forges reject a comment of more than 65,536."""


@frozen
class Page:
    """What a change moves. report: of the histories.

    command: it writes the page. examples: each with its two sides. untried: the names of the
    examples that were not tried: they have no result on both sides, or call no function that the
    rule file changes.
    """

    system: System
    comparison: Comparison
    report: Any
    command: str
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

    def markdown(self, limit: int) -> str:
        """Return the page as Markdown with the first things of each kind; fewer if it is long."""
        title = Heading(self.title, 1)
        return shortened(
            lambda most: document_markdown([title, *self.blocks(most)]), limit, _LONGEST
        )

    def counts(self) -> Iterator[tuple[str, str]]:
        """Yield what moves, in numbers: vectors, histories, laws and examples."""
        vectors, histories = self.vectors, self.report["all"]["histories"]
        changed = sum(map(_changed, self.examples))
        yield "vectors that move", f"{len(vectors.moved):,} of {len(vectors.asked):,}"
        bypassing = max((each.counts["bypassing"] for each in vectors.reached.values()), default=0)
        if bypassing:
            yield "vectors of fast functions that the rule does not change", f"{bypassing:,}"
        yield "histories that differ", f"{histories:,} of {self.report['histories']:,}"
        samples = {
            each["point"]: each.get("toward", {"differ": 0}) for each in self.report["points"]
        }
        differ = [
            f"{each['differ']:,} of {each['candidates']:,} by {point}"
            for point, each in samples.items()
            if each["differ"]
        ]
        if differ:
            yield "histories that differ in other profiles", ", ".join(differ)
        other = "break on both sides, in other histories"
        laws: dict[str, list[str]] = {"break anew": [], "hold anew": [], other: []}
        for law in self.report["alone"]:
            sides = self.report["laws"][law].keys() & {A, B}
            what = other if len(sides) > 1 else "hold anew" if A in sides else "break anew"
            laws[what].append(f"{law} ({self._often(law)})")
        for found in self.report["elsewhere"]:
            what = "break anew" if found["side"] == B else "hold anew"
            law = f"{found['law']} ({_elsewhere(found)})"
            laws.setdefault(f"{what} in other profiles", []).append(law)
        yield from ((f"laws that {what}", ", ".join(each) or "none") for what, each in laws.items())
        yield "examples that differ", f"{changed} of {len(self.examples)}"

    def _often(self, law: str) -> str:
        """Return in how many histories a law is broken on both sides."""
        return ", ".join(f"{side} {self.report['laws'][law].get(side, 0):,}" for side in (A, B))

    def _laws(self, counts: Mapping[str, str], touched: Sequence[str]) -> Iterator[Fold]:
        """Yield some laws, the number of histories that break each, and its clauses that change.

        counts: law -> this number under a and b. A page counts the laws by their anchors.
        """
        for law in (each for each in self.system.laws if each.name in counts):
            changed = ", ".join(each for each in law.clauses if each in touched)
            listed = f" ({counts[law.name]}; lists {changed or 'none of the changed clauses'})"
            says = Text(Span(law.statement, "prose"))
            yield Fold((Span(law.name, "code"), listed), [says], f"law-{law.name}", is_open=True)

    def blocks(self, most: int | None = None) -> Iterator[Block]:
        """Yield the counts first, then each part. most: how many things of each kind, or all."""
        first = partial(_first, most)
        changed = [each for each in self.examples if _changed(each)]
        alone = self.report["alone"]
        touched = [each.clause for each in self.vectors.clauses if each.is_changed]
        yield Facts(
            [
                ("a", self.comparison.a.name),
                ("b", self.comparison.b.name),
                ("command", Span(self.command, "code")),
                ("corpus", f"version {CORPUS_VERSION}, digest {_digest()}"),
                *failing(self.report),
                *self.counts(),
                ("clauses of the changed code", ", ".join(touched) or "none"),
            ]
        )
        for side in (self.comparison.a, self.comparison.b):
            if side.rule is not None:
                yield Fold(f"the rule {side.name}", [Code(side.rule.source.rstrip())], is_open=True)
        yield Heading("Laws")
        if not alone:
            profile = self.comparison.profile
            yield Text(f"In the histories of profile {profile}, no law breaks on one side alone.")
        elif not self.report["breaking"]:
            yield Text("Without --summary, the smallest history of each of these laws stands here.")
        yield from self._laws({law: self._often(law) for law in alone}, touched)
        if self.report["elsewhere"]:
            yield Text(
                "In histories of other profiles, which were searched, laws break on one side alone."
            )
            counts = {each["law"]: _elsewhere(each) for each in self.report["elsewhere"]}
            yield from self._laws(counts, touched)
        yield from first(law_stories(self.report), "more history", "more histories")
        yield Heading("Vectors")
        yield from first(moved_vectors(self.vectors, page=True), "more vector")
        if self.vectors.reached:
            yield reach_block(self.vectors.reached, "vector")
        yield from moved_clauses(self.vectors, page=most is None)
        yield Heading("Histories")
        yield from comparison_blocks(self.report, self.system)
        yield from first(stories(self.report), "more history", "more histories")
        yield from written_block(self.report)
        yield Heading("Examples of the document")
        yield from first(map(_example, changed), "more example")
        same = [each[0].heading[0] for each in self.examples if not _changed(each)]
        for title, names in (
            ("the same on both sides", [each for each in same if each not in self.untried]),
            ("not tried: they do not use what changes", [*self.untried]),
        ):
            if names:
                yield Fold(title, [Items(sorted(names))])


def _example(example: tuple[Subject, Played, Played]) -> Fold:
    subject, left, right = example
    shown = [*subject_blocks(subject, left, right, every=False)]
    title = subject.heading[0]
    return Fold(title, shown[len(subject.heading) :], anchor=f"example-{title}")


def _first(
    most: int | None, blocks: Iterable[Block], what: str, plural: str | None = None
) -> Iterator[Block]:
    """Yield the first blocks, and how many more there are."""
    listed = [*blocks]
    yield from listed[:most]
    if left := len(listed) - len(listed[:most]):
        yield Text(f"... and {counted(left, what, plural)}")


def _elsewhere(found: Any) -> str:
    """Return in how many histories that were searched one side alone breaks a law."""
    return f"a {found[A]:,}, b {found[B]:,} of {found['candidates']:,}"


def _digest() -> str:
    index = (vectors_directory() / "index.json").read_bytes()
    return hashlib.blake2b(index, digest_size=32).hexdigest()


def _changed(example: tuple[Subject, Played, Played]) -> bool:
    _, left, right = example
    return any(map(differs, left.answers, right.answers))


def page_of(comparison: Comparison, report: Any, command: str, out: Out) -> Page:
    """Run the vectors and the examples on both sides. report: of the histories."""
    system = system_named(comparison.system)
    vectors = load_system(system.name)
    a, b = comparison.a, comparison.b
    with out.progress("vectors", unit="vectors") as progress:
        moved = moves(vectors, b, a, system, progress)
    examples: list[tuple[Subject, Played, Played]] = []
    untried: set[str] = set()
    for each in examples_of(system.name):
        (subject,) = subjects_of(f"{system.name}/{each.name}", None, None, None)
        left = played(subject, a, {}, with_steps=True)
        reached: dict[str, Reach] = {}
        right = played(subject, b, reached, with_steps=True, questions=left.questions)
        is_called = any(one.counts["called"] for one in reached.values()) or not reached
        if not left.answers or not is_called:
            untried.add(subject.heading[0])
        examples.append((subject, left, right))
    return Page(system, comparison, report, command, moved, tuple(examples), frozenset(untried))
