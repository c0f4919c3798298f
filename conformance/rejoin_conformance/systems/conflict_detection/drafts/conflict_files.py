"""Topic `conflict-files`: the files beside the file."""

from __future__ import annotations

from rejoin_conformance.contract.vector import Draft, Topic
from rejoin_conformance.systems.conflict_detection.drafts.by_hand.drafts import (
    in_both_designs,
    of_story,
    refused,
)
from rejoin_conformance.systems.conflict_detection.drafts.by_hand.stories import (
    SNAPSHOTS,
    Story,
    changed_at_once,
    edit,
    poll,
    resolve,
)


def topic() -> Topic:
    """The vectors of conflict files."""
    return Topic(
        "conflict-files",
        "Names and lives of conflict files. In Leif's design, `literal` has one for each version, "
        "with all clients that have it in its name.",
        (*_names(), *_lives(), *_touched()),
    )


def _names() -> tuple[Draft, ...]:
    return (
        *in_both_designs(
            "name",
            "The file's path, the mark and the other client's nickname",
            ("CD-CONFLICT-FILE-NAME",),
            lambda design: changed_at_once(design).step(
                poll("A", "B"), "conflict", {"A": "foo=a foo.conflict-B=b"}
            ),
        ),
        *in_both_designs(
            "name-in-a-folder",
            "The mark stands after the whole path",
            ("CD-CONFLICT-FILE-NAME",),
            lambda design: (
                Story(design, "AB")
                .step(edit("A", "a", "d/foo.txt"), None, {"A": "d/foo.txt=a"})
                .step(edit("B", "b", "d/foo.txt"), None, {"B": "d/foo.txt=b"})
                .step(
                    poll("A", "B", "d/foo.txt"),
                    "conflict",
                    {"A": "d/foo.txt=a d/foo.txt.conflict-B=b"},
                )
            ),
        ),
        *in_both_designs(
            "one-for-each-client",
            "Two clients with different versions",
            ("CD-CONFLICT-FILE-PER-CLIENT",),
            lambda design: (
                changed_at_once(design, "ABC")
                .step(poll("A", "B"), "conflict", {"A": "foo=a foo.conflict-B=b"})
                .step(poll("A", "C"), "conflict", {"A": "foo=a foo.conflict-B=b foo.conflict-C=c"})
            ),
        ),
        *in_both_designs(
            "two-clients-with-one-version",
            "Two clients with the same version: two files, or one with both names",
            ("CD-CONFLICT-FILE-PER-CLIENT", "CD-CONFLICT-FILE-PER-VERSION"),
            _two_with_one_version,
        ),
        of_story(
            "a-shared-file-loses-a-name",
            "One of two clients goes on; as printed their shared file is parted",
            ("CD-CONFLICT-FILE-PER-VERSION", "CD-CONFLICT-FILE-UPDATED"),
            _two_with_one_version(SNAPSHOTS)
            .step(edit("C", "c"), None, {"C": "foo=c"})
            .step(poll("A", "C"), "conflict", {"A": "foo=a foo.conflict-B=b foo.conflict-C=c"}),
        ),
        of_story(
            "a-client-that-caught-up-leaves-the-file",
            "As printed, clients that lag share a file until each has caught up",
            ("CD-CONFLICT-FILE-PER-VERSION", "CD-CLASSIFY-STALE"),
            _catching_up(),
        ),
        of_story(
            "a-shared-file-follows-the-version",
            "Both clients go on, and are seen one after the other",
            ("CD-CONFLICT-FILE-PER-VERSION", "CD-CONFLICT-FILE-UPDATED"),
            _two_with_one_version(SNAPSHOTS)
            .step(edit("B", "b2"), None, {"B": "foo=b2"})
            .step(poll("C", "B"), "overwrite", {"C": "foo=b2"})
            .step(poll("A", "B"), "conflict", {"A": "foo=a foo.conflict-B=b2 foo.conflict-C=b"})
            .step(
                poll("A", "C"),
                "conflict",
                {"A": "foo=a foo.conflict-B=b2 foo.conflict-C=b2"},
                {"A": "foo=a foo.conflict-B,C=b2"},
            ),
        ),
    )


def _catching_up() -> Story:
    """B and C lag behind A, and B catches up."""
    return (
        Story(SNAPSHOTS, "ABC")
        .step(edit("A", "X"), None, {"A": "foo=X"})
        .step(poll("B", "A"), "overwrite", {"B": "foo=X"})
        .step(poll("C", "A"), "overwrite", {"C": "foo=X"})
        .step(edit("A", "a"), None, {"A": "foo=a"})
        .step(
            poll("A", "B"),
            "stale",
            literal_found="conflict",
            literal={"A": "foo=a foo.conflict-B=X"},
        )
        .step(
            poll("A", "C"),
            "stale",
            literal_found="conflict",
            literal={"A": "foo=a foo.conflict-B,C=X"},
        )
        .step(poll("B", "A"), "overwrite", {"B": "foo=a"})
        .step(poll("A", "B"), "same", literal={"A": "foo=a foo.conflict-C=X"})
    )


def _two_with_one_version(design: str) -> Story:
    """B's change reached C, and A has seen both."""
    return (
        Story(design, "ABC")
        .step(edit("A", "X"), None, {"A": "foo=X"})
        .step(poll("B", "A"), "overwrite", {"B": "foo=X"})
        .step(poll("C", "A"), "overwrite", {"C": "foo=X"})
        .step(edit("A", "a"), None, {"A": "foo=a"})
        .step(edit("B", "b"), None, {"B": "foo=b"})
        .step(poll("C", "B"), "overwrite", {"C": "foo=b"})
        .step(poll("A", "C"), "conflict", {"A": "foo=a foo.conflict-C=b"})
        .step(
            poll("A", "B"),
            "conflict",
            {"A": "foo=a foo.conflict-B=b foo.conflict-C=b"},
            {"A": "foo=a foo.conflict-B,C=b"},
        )
    )


def _lives() -> tuple[Draft, ...]:
    return (
        *in_both_designs(
            "updated",
            "The other client goes on without having seen ours",
            ("CD-CONFLICT-FILE-UPDATED",),
            lambda design: (
                changed_at_once(design)
                .step(poll("A", "B"), "conflict", {"A": "foo=a foo.conflict-B=b"})
                .step(edit("B", "b2"), None, {"B": "foo=b2"})
                .step(poll("A", "B"), "conflict", {"A": "foo=a foo.conflict-B=b2"})
            ),
        ),
        *in_both_designs(
            "kept-through-our-own-changes",
            "An edit leaves the conflict file alone, and does not follow what it holds",
            ("CD-ALREADY-HAD", "CD-CLASSIFY-CONFLICT"),
            lambda design: (
                changed_at_once(design)
                .step(poll("A", "B"), "conflict", {"A": "foo=a foo.conflict-B=b"})
                .step(edit("A", "a2"), None, {"A": "foo=a2 foo.conflict-B=b"})
                .step(poll("B", "A"), "conflict", {"B": "foo=b foo.conflict-A=a2"})
                .step(poll("A", "B"), "conflict")
            ),
        ),
        *in_both_designs(
            "gone-with-the-others-resolution",
            "The other client resolved the conflict: its version follows ours",
            ("CD-CONFLICT-FILE-GONE", "CD-MAP-CLEAN-UP"),
            lambda design: (
                changed_at_once(design)
                .step(poll("A", "B"), "conflict", {"A": "foo=a foo.conflict-B=b"})
                .step(poll("B", "A"), "conflict", {"B": "foo=b foo.conflict-A=a"})
                .step(resolve("B", "A", "ab"), None, {"B": "foo=ab"})
                .step(poll("A", "B"), "overwrite", {"A": "foo=ab"})
            ),
        ),
        *in_both_designs(
            "gone-with-a-third-partys-resolution",
            "C resolved what A and B disagree on",
            ("CD-CONFLICT-FILE-GONE", "CD-RESOLVE-THIRD-PARTY", "CD-MAP-CLEAN-UP"),
            lambda design: (
                Story(design, "ABC")
                .step(edit("A", "a"), None, {"A": "foo=a"})
                .step(edit("B", "b"), None, {"B": "foo=b"})
                .step(poll("A", "B"), "conflict", {"A": "foo=a foo.conflict-B=b"})
                .step(poll("C", "A"), "overwrite", {"C": "foo=a"})
                .step(poll("C", "B"), "conflict", {"C": "foo=a foo.conflict-B=b"})
                .step(resolve("C", "B", "ab"), None, {"C": "foo=ab"})
                .step(poll("A", "C"), "overwrite", {"A": "foo=ab"})
            ),
        ),
        *in_both_designs(
            "gone-when-the-other-takes-ours",
            "B takes over a resolution that A has too: A finds the same and lets go of nothing",
            ("CD-CONFLICT-FILE-GONE", "CD-CLASSIFY-SAME"),
            lambda design: (
                changed_at_once(design)
                .step(poll("A", "B"), "conflict", {"A": "foo=a foo.conflict-B=b"})
                .step(resolve("A", "B"), None, {"A": "foo=a"})
                .step(poll("B", "A"), "overwrite", {"B": "foo=a"})
                .step(poll("A", "B"), "same")
            ),
        ),
    )


def _touched() -> tuple[Draft, ...]:
    return (
        *in_both_designs(
            "touched-is-not-uploaded",
            "What is written into a conflict file stays here",
            ("CD-CONFLICT-FILE-UNTRACKED",),
            lambda design: (
                changed_at_once(design)
                .step(poll("A", "B"), "conflict", {"A": "foo=a foo.conflict-B=b"})
                .step(
                    edit("A", "touched", "foo.conflict-B"),
                    None,
                    {"A": "foo=a foo.conflict-B=touched"},
                )
                .step(poll("A", "B"), "conflict")
                .step(poll("B", "A"), "conflict", {"B": "foo=b foo.conflict-A=a"})
            ),
        ),
        *in_both_designs(
            "touched-is-overwritten-by-an-update",
            "A newer version of the other client takes the place of what was written",
            ("CD-CONFLICT-FILE-UNTRACKED", "CD-CONFLICT-FILE-UPDATED"),
            lambda design: (
                changed_at_once(design)
                .step(poll("A", "B"), "conflict", {"A": "foo=a foo.conflict-B=b"})
                .step(
                    edit("A", "touched", "foo.conflict-B"),
                    None,
                    {"A": "foo=a foo.conflict-B=touched"},
                )
                .step(edit("B", "b2"), None, {"B": "foo=b2"})
                .step(poll("A", "B"), "conflict", {"A": "foo=a foo.conflict-B=b2"})
            ),
        ),
        refused(
            "touched-though-not-there",
            "A conflict file cannot be made by writing it",
            ("CD-CONFLICT-FILE-UNTRACKED",),
            changed_at_once(SNAPSHOTS).step(edit("A", "touched", "foo.conflict-B")),
            changed_at_once(SNAPSHOTS)
            .step(poll("A", "B"))
            .step(edit("A", "touched", "foo.conflict-B")),
        ),
    )
