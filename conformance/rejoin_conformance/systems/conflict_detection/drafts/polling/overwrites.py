"""Versions that are taken over."""

from __future__ import annotations

from rejoin_conformance.contract.vector import Draft
from rejoin_conformance.systems.conflict_detection.drafts.by_hand.drafts import (
    in_both_designs,
)
from rejoin_conformance.systems.conflict_detection.drafts.by_hand.stories import (
    Story,
    edit,
    poll,
)
from rejoin_conformance.systems.conflict_detection.drafts.polling.shared import two_in_sync


def drafts() -> tuple[Draft, ...]:
    """Versions that are taken over."""
    return (
        *in_both_designs(
            "first-version",
            "A first version is taken over, and linked by whoever took it over",
            ("CD-CLASSIFY-FIRST", "CD-OVERWRITE-APPLY", "CD-LINK-DOWNLOAD", "CD-DIRECTORY-LINK"),
            lambda design: (
                Story(design, "AB", links={"A": {}, "B": {}})
                .step(edit("A", "X"), None, {"A": "foo=X"}, links={"A": {"foo": "X"}})
                .step(poll("B", "A"), "overwrite", {"B": "foo=X"}, links={"B": {"foo": "X"}})
            ),
        ),
        *in_both_designs(
            "change",
            "A change of the version that we have",
            ("CD-CLASSIFY-OVERWRITE", "CD-OVERWRITE-APPLY", "CD-FOLLOWS-DIRECTLY"),
            lambda design: (
                two_in_sync(design)
                .step(edit("A", "new"), None, {"A": "foo=new"})
                .step(poll("B", "A"), "overwrite", {"B": "foo=new"})
            ),
        ),
        *in_both_designs(
            "back-and-forth",
            "Two clients that take turns never conflict",
            ("CD-CLASSIFY-OVERWRITE",),
            _back_and_forth,
        ),
        *in_both_designs(
            "by-way-of-a-third",
            "A version reaches C by way of B, who only took it over",
            ("CD-LINK-DOWNLOAD", "CD-CLASSIFY-FIRST"),
            lambda design: (
                Story(design, "ABC")
                .step(edit("A", "X"), None, {"A": "foo=X"})
                .step(poll("B", "A"), "overwrite", {"B": "foo=X"})
                .step(poll("C", "B"), "overwrite", {"C": "foo=X"})
            ),
        ),
        *in_both_designs(
            "three-parties",
            "B changed a version of A that C never saw: no conflict for C",
            ("CD-CLASSIFY-OVERWRITE", "CD-FOLLOWS-CLOSURE"),
            lambda design: (
                Story(design, "ABC")
                .step(edit("A", "v1"), None, {"A": "foo=v1"})
                .step(poll("B", "A"), "overwrite", {"B": "foo=v1"})
                .step(poll("C", "A"), "overwrite", {"C": "foo=v1"})
                .step(edit("A", "v2"), None, {"A": "foo=v2"})
                .step(poll("B", "A"), "overwrite", {"B": "foo=v2"})
                .step(edit("B", "v3"), None, {"B": "foo=v3"})
                .step(poll("C", "B"), "overwrite", {"C": "foo=v3"})
                .step(poll("A", "B"), "overwrite", {"A": "foo=v3"})
            ),
        ),
    )


def _back_and_forth(design: str) -> Story:
    story = two_in_sync(design)
    for turn, (maker, reader) in enumerate((("B", "A"), ("A", "B"), ("B", "A"))):
        text = f"turn{turn}"
        story.step(edit(maker, text), None, {maker: f"foo={text}"})
        story.step(poll(reader, maker), "overwrite", {reader: f"foo={text}"})
    return story
