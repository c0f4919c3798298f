"""Topic `mismatches`: the shortest ways to a poll that a literal design misclassifies."""

from __future__ import annotations

from rejoin_conformance.contract.vector import Draft, Topic
from rejoin_conformance.systems.conflict_detection.drafts.by_hand.drafts import of_story
from rejoin_conformance.systems.conflict_detection.drafts.by_hand.stories import (
    MAPS,
    SNAPSHOTS,
    SUFFIX,
    Story,
    edit,
    poll,
    resolve,
)


def topic() -> Topic:
    """The vectors of misclassified polls."""
    return Topic(
        "mismatches",
        "Found by the exhaustive search: no shorter story has such a mismatch. The last two are "
        "the shortest where everything is repaired but what a resolution copies.",
        (
            *(_overtaken_peer(design) for design in (SNAPSHOTS, MAPS)),
            *(_overtaken_maker(design) for design in (SNAPSHOTS, MAPS)),
            _next_version(),
            _next_version_of_the_peer(),
            _resolution_seen_by_the_maker(),
            _maker_seen_after_the_resolution(),
        ),
    )


def _shared(design: str) -> Story:
    """A makes a version, and B takes it over."""
    return (
        Story(design, "AB")
        .step(edit("A", "A1"), None, {"A": "foo=A1"})
        .step(poll("B", "A"), "overwrite", {"B": "foo=A1"})
    )


def _overtaken_peer(design: str) -> Draft:
    story = (
        _shared(design)
        .step(edit("A", "A2"), None, {"A": "foo=A2"})
        .step(
            poll("A", "B"),
            "stale",
            literal={"A": "foo=A2 foo.conflict-B=A1"},
            literal_found="conflict",
        )
    )
    return of_story(
        f"overtaken-peer-{SUFFIX[design]}",
        "A client looks at one that still has what it made before; as printed, a conflict",
        ("CD-CLASSIFY-STALE",),
        story,
    )


def _overtaken_maker(design: str) -> Draft:
    story = (
        _shared(design)
        .step(edit("B", "B1"), None, {"B": "foo=B1"})
        .step(
            poll("B", "A"),
            "stale",
            literal={"B": "foo=B1 foo.conflict-A=A1"},
            literal_found="conflict",
        )
    )
    return of_story(
        f"overtaken-maker-{SUFFIX[design]}",
        "A client looks at the maker of what it has changed since; as printed, a conflict",
        ("CD-CLASSIFY-STALE",),
        story,
    )


def _next_version() -> Draft:
    story = (
        _shared(MAPS)
        .step(edit("A", "A2"), None, {"A": "foo=A2"})
        .step(
            poll("B", "A"),
            "overwrite",
            {"B": "foo=A2"},
            {"B": "foo=A1 foo.conflict-A=A2"},
            literal_found="conflict",
        )
    )
    return of_story(
        "next-version",
        "The maker goes on; as printed, a conflict for whoever has an entry of zero",
        ("CD-CLASSIFY-OVERWRITE", "CD-MAP-MISSING-ENTRY"),
        story,
    )


def _next_version_of_the_peer() -> Draft:
    story = (
        _shared(MAPS)
        .step(edit("B", "B1"), None, {"B": "foo=B1"})
        .step(
            poll("A", "B"),
            "overwrite",
            {"A": "foo=B1"},
            {"A": "foo=A1 foo.conflict-B=B1"},
            literal_found="conflict",
        )
    )
    return of_story(
        "next-version-of-the-peer",
        "The other client goes on; as printed, a conflict, since the maker's entry did not grow",
        ("CD-CLASSIFY-OVERWRITE", "CD-MAP-FOLLOWS"),
        story,
    )


def _resolved_with_a_copy() -> Story:
    """B resolves a conflict with C, which has what A made."""
    return (
        Story(MAPS, "ABC")
        .step(edit("A", "A1"), None, {"A": "foo=A1"})
        .step(edit("B", "B1"), None, {"B": "foo=B1"})
        .step(poll("C", "A"), "overwrite", {"C": "foo=A1"})
        .step(poll("B", "C"), "conflict", {"B": "foo=B1 foo.conflict-C=A1"})
        .step(resolve("B", "C", "B2"), None, {"B": "foo=B2"})
    )


def _resolution_seen_by_the_maker() -> Draft:
    story = _resolved_with_a_copy().step(
        poll("A", "B"),
        "overwrite",
        {"A": "foo=B2"},
        {"A": "foo=A1 foo.conflict-B=B2"},
        literal_found="conflict",
    )
    return of_story(
        "resolution-seen-by-the-maker",
        "The resolved version was somebody else's, who looks at the resolution: its map has that "
        "version behind it; as printed it has only the entry of the client that linked it",
        ("CD-MAP-RESOLVE", "CD-CLASSIFY-OVERWRITE"),
        story,
    )


def _maker_seen_after_the_resolution() -> Draft:
    story = _resolved_with_a_copy().step(
        poll("B", "A"),
        "stale",
        literal={"B": "foo=B2 foo.conflict-A=A1"},
        literal_found="conflict",
    )
    return of_story(
        "maker-seen-after-the-resolution",
        "After resolving a conflict with a client that linked somebody else's version, that one's "
        "directory is stale; as printed, a conflict again",
        ("CD-MAP-RESOLVE", "CD-CLASSIFY-STALE"),
        story,
    )
