"""What copying one entry forgets."""

from __future__ import annotations

from rejoin_conformance.contract.vector import Draft
from rejoin_conformance.systems.conflict_detection.drafts.by_hand.drafts import (
    of_story,
)
from rejoin_conformance.systems.conflict_detection.drafts.by_hand.stories import (
    MAPS,
    Story,
    edit,
    poll,
    resolve,
)


def drafts() -> tuple[Draft, ...]:
    """B had C's version behind it, which copying one entry forgets."""
    story = (
        Story(MAPS, "ABC")
        .step(edit("C", "c"), None, {"C": "foo=c"})
        .step(poll("B", "C"), "overwrite", {"B": "foo=c"})
        .step(edit("B", "b"), None, {"B": "foo=b"})
        .step(edit("A", "a"), None, {"A": "foo=a"})
        .step(poll("A", "B"), "conflict", {"A": "foo=a foo.conflict-B=b"})
        .step(resolve("A", "B", "ab"), None, {"A": "foo=ab"})
        .step(
            poll("C", "A"),
            "overwrite",
            {"C": "foo=ab"},
            {"C": "foo=c foo.conflict-A=ab"},
            literal_found="conflict",
        )
    )
    return (
        of_story(
            "what-the-other-had-seen",
            "A resolves with B, whose version had C's behind it: no conflict for C",
            ("CD-MAP-RESOLVE",),
            story,
        ),
    )
