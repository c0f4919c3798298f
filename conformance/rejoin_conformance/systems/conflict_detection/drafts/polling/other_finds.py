"""Polls that find nothing, the same, a stale version or a conflict."""

from __future__ import annotations

from rejoin_conformance.contract.vector import Draft
from rejoin_conformance.systems.conflict_detection.drafts.by_hand.drafts import (
    in_both_designs,
    of_story,
    repaired_only,
)
from rejoin_conformance.systems.conflict_detection.drafts.by_hand.stories import (
    MAPS,
    SNAPSHOTS,
    Story,
    edit,
    poll,
)
from rejoin_conformance.systems.conflict_detection.drafts.polling.shared import two_in_sync


def drafts() -> tuple[Draft, ...]:
    """Polls that find nothing, the same, a stale version or a conflict."""
    return (
        *in_both_designs(
            "nothing-linked",
            "A client that has nothing yet",
            ("CD-POLL-NOTHING",),
            lambda design: (
                Story(design, "AB")
                .step(edit("A", "X"), None, {"A": "foo=X"})
                .step(poll("A", "B"), None)
            ),
        ),
        *in_both_designs(
            "same",
            "The version that one gave to the other",
            ("CD-CLASSIFY-SAME",),
            lambda design: (
                two_in_sync(design).step(poll("A", "B"), "same").step(poll("B", "A"), "same")
            ),
        ),
        *in_both_designs(
            "stale",
            "A client that lags",
            ("CD-CLASSIFY-STALE",),
            lambda design: (
                two_in_sync(design)
                .step(edit("A", "new"), None, {"A": "foo=new"})
                .step(
                    poll("A", "B"),
                    "stale",
                    literal_found="conflict",
                    literal={"A": "foo=new foo.conflict-B=X"},
                )
            ),
        ),
        *in_both_designs(
            "stale-by-two",
            "A client that lags behind several changes",
            ("CD-CLASSIFY-STALE",),
            lambda design: (
                two_in_sync(design)
                .step(edit("A", "new"), None, {"A": "foo=new"})
                .step(edit("A", "newer"), None, {"A": "foo=newer"})
                .step(
                    poll("A", "B"),
                    "stale",
                    literal_found="conflict",
                    literal={"A": "foo=newer foo.conflict-B=X"},
                )
            ),
        ),
        *in_both_designs(
            "conflict",
            "Two changes of one version: file, version and link stay as they are",
            ("CD-CLASSIFY-CONFLICT", "CD-CONFLICT-APPLY", "CD-DIRECTORY-OWN"),
            lambda design: (
                Story(design, "AB", links={"A": {}, "B": {}})
                .step(edit("A", "X"), None, {"A": "foo=X"}, links={"A": {"foo": "X"}})
                .step(poll("B", "A"), "overwrite", {"B": "foo=X"}, links={"B": {"foo": "X"}})
                .step(edit("A", "a"), None, {"A": "foo=a"}, links={"A": {"foo": "a"}})
                .step(edit("B", "b"), None, {"B": "foo=b"}, links={"B": {"foo": "b"}})
                .step(poll("A", "B"), "conflict", {"A": "foo=a foo.conflict-B=b"})
                .step(poll("B", "A"), "conflict", {"B": "foo=b foo.conflict-A=a"})
            ),
        ),
        *in_both_designs(
            "conflict-again",
            "A conflict that is seen again is the same conflict",
            ("CD-CLASSIFY-CONFLICT",),
            lambda design: (
                two_in_sync(design)
                .step(edit("A", "a"), None, {"A": "foo=a"})
                .step(edit("B", "b"), None, {"B": "foo=b"})
                .step(poll("A", "B"), "conflict", {"A": "foo=a foo.conflict-B=b"})
                .step(poll("A", "B"), "conflict")
            ),
        ),
        *in_both_designs(
            "unseen-first-versions",
            "Two clients that both begin a file of that name",
            ("CD-CLASSIFY-CONFLICT",),
            lambda design: (
                Story(design, "AB")
                .step(edit("A", "a"), None, {"A": "foo=a"})
                .step(edit("B", "b"), None, {"B": "foo=b"})
                .step(poll("A", "B"), "conflict", {"A": "foo=a foo.conflict-B=b"})
            ),
        ),
        of_story(
            "same-change-twice-snapshots",
            "The same change of the same version is one snapshot, whoever made it",
            ("CD-SNAPSHOT-ID", "CD-CLASSIFY-SAME"),
            _same_change(SNAPSHOTS, "same"),
        ),
        repaired_only(
            "same-change-twice-maps",
            "The same change of the same version is two uploads",
            ("CD-MAP-CLASSIFY", "CD-CLASSIFY-CONFLICT"),
            _same_change(MAPS, "conflict", {"A": "foo=new foo.conflict-B=new"}),
        ),
    )


def _same_change(design: str, found: str, files: dict[str, str] | None = None) -> Story:
    return (
        two_in_sync(design)
        .step(edit("A", "new"), None, {"A": "foo=new"})
        .step(edit("B", "new"), None, {"B": "foo=new"})
        .step(poll("A", "B"), found, files)
    )
