"""Several files, polled one by one and all at once."""

from __future__ import annotations

from rejoin_conformance.contract.vector import Draft
from rejoin_conformance.systems.conflict_detection.drafts.by_hand.drafts import (
    in_both_designs,
)
from rejoin_conformance.systems.conflict_detection.drafts.by_hand.stories import (
    edit,
    poll,
)
from rejoin_conformance.systems.conflict_detection.drafts.polling.shared import two_in_sync


def drafts() -> tuple[Draft, ...]:
    """Several files, polled one by one and all at once."""
    return (
        *in_both_designs(
            "another-file",
            "A conflict on one file says nothing of another",
            ("CD-FOLLOWS-SEPARATE-FILES",),
            lambda design: (
                two_in_sync(design)
                .step(edit("A", "a"), None, {"A": "foo=a"})
                .step(edit("B", "b"), None, {"B": "foo=b"})
                .step(edit("B", "new", "bar"), None, {"B": "bar=new foo=b"})
                .step(poll("A", "B"), "conflict", {"A": "foo=a foo.conflict-B=b"})
                .step(poll("A", "B", "bar"), "overwrite", {"A": "bar=new foo=a foo.conflict-B=b"})
            ),
        ),
        *in_both_designs(
            "equal-files",
            "Equal contents at two paths are two files",
            ("CD-FOLLOWS-SEPARATE-FILES",),
            lambda design: (
                two_in_sync(design)
                .step(edit("A", "X", "bar"), None, {"A": "bar=X foo=X"})
                .step(poll("B", "A", "bar"), "overwrite", {"B": "bar=X foo=X"})
                .step(edit("B", "new", "bar"), None, {"B": "bar=new foo=X"})
                .step(poll("A", "B"), "same")
            ),
        ),
        *in_both_designs(
            "all-at-once",
            "Polling everything that another client links",
            ("CD-FOLLOWS-SEPARATE-FILES", "CD-POLL-NOTHING"),
            lambda design: (
                two_in_sync(design)
                .step(edit("A", "new"), None, {"A": "foo=new"})
                .step(edit("A", "other", "a/b"), None, {"A": "a/b=other foo=new"})
                .step(edit("B", "mine", "bar"), None, {"B": "bar=mine foo=X"})
                .step(
                    {"client": "B", "poll_all": "A"},
                    None,
                    {"B": "a/b=other bar=mine foo=new"},
                    classifications={"a/b": "overwrite", "foo": "overwrite"},
                )
            ),
        ),
    )
