"""What a resolution is to everybody else."""

from __future__ import annotations

from rejoin_conformance.contract.vector import Draft
from rejoin_conformance.systems.conflict_detection.drafts.by_hand.drafts import (
    in_both_designs,
)
from rejoin_conformance.systems.conflict_detection.drafts.by_hand.stories import (
    Story,
    edit,
    poll,
    resolve,
)
from rejoin_conformance.systems.conflict_detection.drafts.resolution.shared import (
    held_by_both,
    held_of_three,
)


def drafts() -> tuple[Draft, ...]:
    """What a resolution is to everybody else."""
    return (
        *in_both_designs(
            "third-party-held-both",
            "B takes over A's resolution of all three versions",
            ("CD-RESOLVE-THIRD-PARTY", "CD-CONFLICT-FILE-GONE"),
            lambda design: (
                held_of_three(design)
                .step(poll("B", "A"), "conflict", {"B": "foo=b foo.conflict-A=a"})
                .step(poll("B", "C"), "conflict", {"B": "foo=b foo.conflict-A=a foo.conflict-C=c"})
                .step(resolve("A", "BC", "abc"), None, {"A": "foo=abc"})
                .step(poll("B", "A"), "overwrite", {"B": "foo=abc"})
            ),
        ),
        *in_both_designs(
            "third-party-keeps-the-rest",
            "B takes over a resolution that leaves C's version out",
            ("CD-RESOLVE-THIRD-PARTY",),
            lambda design: (
                held_of_three(design)
                .step(poll("B", "C"), "conflict", {"B": "foo=b foo.conflict-C=c"})
                .step(resolve("A", "B"), None, {"A": "foo=a foo.conflict-C=c"})
                .step(poll("B", "A"), "overwrite", {"B": "foo=a foo.conflict-C=c"})
            ),
        ),
        *in_both_designs(
            "seen-by-way-of-a-third",
            "C takes over A's resolution from B",
            ("CD-RESOLVE-THIRD-PARTY", "CD-FOLLOWS-CLOSURE"),
            lambda design: (
                held_of_three(design)
                .step(resolve("A", "BC", "abc"), None, {"A": "foo=abc"})
                .step(poll("B", "A"), "overwrite", {"B": "foo=abc"})
                .step(poll("C", "B"), "overwrite", {"C": "foo=abc"})
            ),
        ),
        *in_both_designs(
            "concurrent",
            "Both resolve at once: neither overwrites the other",
            ("CD-RESOLVE-CONCURRENT",),
            lambda design: (
                held_by_both(design)
                .step(resolve("A", "B", "a+b"), None, {"A": "foo=a+b"})
                .step(resolve("B", "A", "b+a"), None, {"B": "foo=b+a"})
                .step(poll("A", "B"), "conflict", {"A": "foo=a+b foo.conflict-B=b+a"})
                .step(poll("B", "A"), "conflict", {"B": "foo=b+a foo.conflict-A=a+b"})
            ),
        ),
        *in_both_designs(
            "concurrent-and-equal",
            "Both resolve at once with the same content: still two versions",
            ("CD-RESOLVE-CONCURRENT",),
            lambda design: (
                held_by_both(design)
                .step(resolve("A", "B", "ab"), None, {"A": "foo=ab"})
                .step(resolve("B", "A", "ab"), None, {"B": "foo=ab"})
                .step(poll("A", "B"), "conflict", {"A": "foo=ab foo.conflict-B=ab"})
            ),
        ),
        *in_both_designs(
            "concurrent-resolved",
            "Two resolutions are resolved like any other conflict",
            ("CD-RESOLVE-CONCURRENT", "CD-CLASSIFY-OVERWRITE"),
            lambda design: (
                held_by_both(design)
                .step(resolve("A", "B", "a+b"), None, {"A": "foo=a+b"})
                .step(resolve("B", "A", "b+a"), None, {"B": "foo=b+a"})
                .step(poll("A", "B"), "conflict", {"A": "foo=a+b foo.conflict-B=b+a"})
                .step(resolve("A", "B", "done"), None, {"A": "foo=done"})
                .step(poll("B", "A"), "overwrite", {"B": "foo=done"})
            ),
        ),
        *in_both_designs(
            "both-clients-of-one-version",
            "Resolving with one of two clients that have the same version resolves with both",
            ("CD-CONFLICT-FILE-GONE", "CD-MAP-CLEAN-UP"),
            lambda design: (
                Story(design, "ABC")
                .step(edit("A", "a"), None, {"A": "foo=a"})
                .step(edit("B", "b"), None, {"B": "foo=b"})
                .step(poll("C", "B"), "overwrite", {"C": "foo=b"})
                .step(poll("A", "B"), "conflict", {"A": "foo=a foo.conflict-B=b"})
                .step(
                    poll("A", "C"),
                    "conflict",
                    {"A": "foo=a foo.conflict-B=b foo.conflict-C=b"},
                    {"A": "foo=a foo.conflict-B,C=b"},
                )
                .step(resolve("A", "B"), None, {"A": "foo=a"})
                .step(poll("C", "A"), "overwrite", {"C": "foo=a"})
            ),
        ),
    )
