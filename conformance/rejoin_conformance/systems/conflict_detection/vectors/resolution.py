"""Topic `resolution`: how conflicts end."""

from __future__ import annotations

from rejoin_conformance.systems.conflict_detection.vectors.by_hand.drafts import (
    OPERATION,
    in_both_designs,
    of_story,
    refused,
)
from rejoin_conformance.systems.conflict_detection.vectors.by_hand.encodings import snapshot_id
from rejoin_conformance.systems.conflict_detection.vectors.by_hand.stories import (
    MAPS,
    SNAPSHOTS,
    Story,
    changed_at_once,
    delete,
    edit,
    offline,
    online,
    poll,
    rename,
    resolve,
)
from rejoin_conformance.vectors import Draft, Topic


def topic() -> Topic:
    """The vectors of resolution."""
    return Topic(
        "resolution",
        "Conflict files are deleted or renamed, which uploads a version that follows ours and "
        "theirs; what that means to everybody else.",
        (*_here(), *_renaming(), *_elsewhere(), *_forgetting(), *_refusals()),
    )


def _held(design: str) -> Story:
    """A and B changed the file, and each holds the other's version."""
    return (
        changed_at_once(design)
        .step(poll("A", "B"), "conflict", {"A": "foo=a foo.conflict-B=b"})
        .step(poll("B", "A"), "conflict", {"B": "foo=b foo.conflict-A=a"})
    )


def _held_of_three(design: str) -> Story:
    """A, B and C changed the file, and A holds the versions of the others."""
    return (
        changed_at_once(design, "ABC")
        .step(poll("A", "B"), "conflict", {"A": "foo=a foo.conflict-B=b"})
        .step(poll("A", "C"), "conflict", {"A": "foo=a foo.conflict-B=b foo.conflict-C=c"})
    )


def _here() -> tuple[Draft, ...]:
    first = snapshot_id(b"X")
    ours, theirs = snapshot_id(b"a", [first]), snapshot_id(b"b", [first])
    third = snapshot_id(b"c", [first])
    two = snapshot_id(b"a", [ours, theirs])
    three = snapshot_id(b"abc", [ours, *sorted([theirs, third])])
    return (
        *in_both_designs(
            "delete-the-conflict-file",
            "Deleting the conflict file keeps our content",
            ("CD-RESOLVE-KEEPS-CONTENT", "CD-RESOLVE-PARENTS"),
            lambda design: (
                _held(design)
                .step(delete("A", "foo.conflict-B"), None, {"A": "foo=a"})
                .step(poll("B", "A"), "overwrite", {"B": "foo=a"})
            ),
        ),
        *in_both_designs(
            "with-new-content",
            "The differences are worked into the file",
            ("CD-RESOLVE-PARENTS",),
            lambda design: (
                _held(design)
                .step(resolve("A", "B", "ab"), None, {"A": "foo=ab"})
                .step(poll("B", "A"), "overwrite", {"B": "foo=ab"})
            ),
        ),
        of_story(
            "parents",
            "parent0 is our snapshot, parent1 theirs",
            ("CD-RESOLVE-PARENTS", "CD-SNAPSHOT-PARENT-ORDER"),
            Story(SNAPSHOTS, "AB", versions={"A": {}, "B": {}})
            .step(edit("A", "X"), None, {"A": "foo=X"}, versions={"A": {"foo": first.hex()}})
            .step(poll("B", "A"), "overwrite", {"B": "foo=X"}, versions={"B": {"foo": first.hex()}})
            .step(edit("A", "a"), None, {"A": "foo=a"}, versions={"A": {"foo": ours.hex()}})
            .step(edit("B", "b"), None, {"B": "foo=b"}, versions={"B": {"foo": theirs.hex()}})
            .step(poll("A", "B"), "conflict", {"A": "foo=a foo.conflict-B=b"})
            .step(resolve("A", "B"), None, {"A": "foo=a"}, versions={"A": {"foo": two.hex()}}),
        ),
        of_story(
            "parents-in-byte-order",
            "The snapshots of several conflict files follow in the byte order of their IDs",
            ("CD-RESOLVE-PARENTS", "CD-RESOLVE-SEVERAL"),
            Story(SNAPSHOTS, "ABC", versions={"A": {}, "B": {}, "C": {}})
            .step(edit("A", "X"), None, {"A": "foo=X"}, versions={"A": {"foo": first.hex()}})
            .step(poll("B", "A"), "overwrite", {"B": "foo=X"}, versions={"B": {"foo": first.hex()}})
            .step(poll("C", "A"), "overwrite", {"C": "foo=X"}, versions={"C": {"foo": first.hex()}})
            .step(edit("A", "a"), None, {"A": "foo=a"}, versions={"A": {"foo": ours.hex()}})
            .step(edit("B", "b"), None, {"B": "foo=b"}, versions={"B": {"foo": theirs.hex()}})
            .step(edit("C", "c"), None, {"C": "foo=c"}, versions={"C": {"foo": third.hex()}})
            .step(poll("A", "B"), "conflict", {"A": "foo=a foo.conflict-B=b"})
            .step(poll("A", "C"), "conflict", {"A": "foo=a foo.conflict-B=b foo.conflict-C=c"})
            .step(
                resolve("A", "CB", "abc"),
                None,
                {"A": "foo=abc"},
                versions={"A": {"foo": three.hex()}},
            ),
        ),
        *in_both_designs(
            "several",
            "Two conflicts are resolved by one version",
            ("CD-RESOLVE-SEVERAL",),
            lambda design: (
                _held_of_three(design)
                .step(resolve("A", "BC", "abc"), None, {"A": "foo=abc"})
                .step(poll("B", "A"), "overwrite", {"B": "foo=abc"})
                .step(poll("C", "A"), "overwrite", {"C": "foo=abc"})
            ),
        ),
        *in_both_designs(
            "one-of-two",
            "The other conflict stays",
            ("CD-RESOLVE-SEVERAL", "CD-CLASSIFY-CONFLICT"),
            lambda design: (
                _held_of_three(design)
                .step(resolve("A", "B"), None, {"A": "foo=a foo.conflict-C=c"})
                .step(poll("B", "A"), "overwrite", {"B": "foo=a"})
                .step(poll("C", "A"), "conflict", {"C": "foo=c foo.conflict-A=a"})
            ),
        ),
        *in_both_designs(
            "offline",
            "A resolution made offline follows what was resolved",
            ("CD-OFFLINE-ONE-UPLOAD", "CD-RESOLVE-PARENTS"),
            lambda design: (
                _held(design)
                .step(offline("A"))
                .step(resolve("A", "B"), None, {"A": "foo=a"})
                .step(edit("A", "ab"), None, {"A": "foo=ab"})
                .step(online("A"))
                .step(poll("B", "A"), "overwrite", {"B": "foo=ab"})
            ),
        ),
    )


def _renaming() -> tuple[Draft, ...]:
    return (
        *in_both_designs(
            "into-place",
            "The conflict file takes the place of the file",
            ("CD-RESOLVE-RENAME",),
            lambda design: (
                _held(design)
                .step(rename("A", "foo.conflict-B", "foo"), None, {"A": "foo=b"})
                .step(poll("B", "A"), "overwrite", {"B": "foo=b"})
            ),
        ),
        *in_both_designs(
            "into-place-touched",
            "The conflict file takes the place of the file with what was written into it",
            ("CD-RESOLVE-RENAME", "CD-CONFLICT-FILE-UNTRACKED"),
            lambda design: (
                _held(design)
                .step(edit("A", "b+", "foo.conflict-B"), None, {"A": "foo=a foo.conflict-B=b+"})
                .step(rename("A", "foo.conflict-B", "foo"), None, {"A": "foo=b+"})
                .step(poll("B", "A"), "overwrite", {"B": "foo=b+"})
            ),
        ),
        *in_both_designs(
            "away",
            "The conflict file becomes a file of its own",
            ("CD-RESOLVE-RENAME", "CD-RESOLVE-KEEPS-CONTENT"),
            lambda design: (
                _held(design)
                .step(rename("A", "foo.conflict-B", "bar"), None, {"A": "bar=b foo=a"})
                .step(poll("B", "A"), "overwrite", {"B": "foo=a"})
                .step(poll("B", "A", "bar"), "overwrite", {"B": "bar=b foo=a"})
            ),
        ),
        *in_both_designs(
            "rename-a-file",
            "A renamed file is deleted at the old path and new at the other one",
            ("CD-RENAME", "CD-FOLLOWS-SEPARATE-FILES"),
            lambda design: (
                Story(design, "AB")
                .step(edit("A", "X"), None, {"A": "foo=X"})
                .step(poll("B", "A"), "overwrite", {"B": "foo=X"})
                .step(rename("A", "foo", "bar"), None, {"A": "bar=X"})
                .step(poll("B", "A"), "overwrite", {"B": ""})
                .step(poll("B", "A", "bar"), "overwrite", {"B": "bar=X"})
            ),
        ),
        *in_both_designs(
            "rename-back",
            "Renaming back brings the file back at the old path",
            ("CD-RENAME", "CD-UNDELETE"),
            lambda design: (
                Story(design, "AB")
                .step(edit("A", "X"), None, {"A": "foo=X"})
                .step(poll("B", "A"), "overwrite", {"B": "foo=X"})
                .step(rename("A", "foo", "bar"), None, {"A": "bar=X"})
                .step(rename("A", "bar", "foo"), None, {"A": "foo=X"})
                .step(poll("B", "A"), "overwrite", {"B": "foo=X"})
            ),
        ),
    )


def _elsewhere() -> tuple[Draft, ...]:
    return (
        *in_both_designs(
            "third-party-held-both",
            "B takes over A's resolution of all three versions",
            ("CD-RESOLVE-THIRD-PARTY", "CD-CONFLICT-FILE-GONE"),
            lambda design: (
                _held_of_three(design)
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
                _held_of_three(design)
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
                _held_of_three(design)
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
                _held(design)
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
                _held(design)
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
                _held(design)
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


def _forgetting() -> tuple[Draft, ...]:
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


def _refusals() -> tuple[Draft, ...]:
    held = _held(SNAPSHOTS)
    nothing = ("CD-RESOLVE-NOTHING",)
    return (
        refused(
            "not-held",
            "A conflict that was never seen",
            nothing,
            changed_at_once(SNAPSHOTS).step(resolve("A", "B")),
            _held(SNAPSHOTS).step(resolve("A", "B")),
        ),
        refused(
            "held-with-another",
            "A conflict with a client whose version was not seen",
            nothing,
            _held_of_three(SNAPSHOTS).step(resolve("B", "A")),
            _held_of_three(SNAPSHOTS).step(resolve("A", "B")),
        ),
        refused(
            "one-not-held-of-two",
            "One of two conflicts is not held",
            nothing,
            changed_at_once(MAPS, "ABC").step(poll("A", "B")).step(resolve("A", "BC")),
            changed_at_once(MAPS, "ABC").step(poll("A", "B")).step(resolve("A", "B")),
        ),
        refused(
            "resolved-twice",
            "A conflict that is over already",
            nothing,
            _held(SNAPSHOTS).step(resolve("A", "B")).step(resolve("A", "B")),
            _held(SNAPSHOTS).step(resolve("A", "B")),
        ),
        refused(
            "with-nobody",
            "A resolution of no conflict",
            nothing,
            _held(SNAPSHOTS).step(resolve("A", "")),
            _held(SNAPSHOTS).step(resolve("A", "B")),
        ),
        refused(
            "delete-what-is-not-there",
            "A conflict file that is not there is deleted",
            nothing,
            _held(SNAPSHOTS).step(delete("A", "foo.conflict-C")),
            _held(SNAPSHOTS).step(delete("A", "foo.conflict-B")),
        ),
        refused(
            "rename-what-is-not-there",
            "A conflict file that is not there is renamed",
            nothing,
            _held(MAPS).step(rename("A", "foo.conflict-C", "bar")),
            _held(MAPS).step(rename("A", "foo.conflict-B", "bar")),
        ),
        refused(
            "rename-onto-a-file",
            "The target of a rename is there already",
            ("CD-RENAME",),
            _held(SNAPSHOTS).step(edit("A", "Y", "bar")).step(rename("A", "foo", "bar")),
            _held(SNAPSHOTS).step(edit("A", "Y", "bar")).step(rename("A", "foo", "baz")),
        ),
        refused(
            "rename-conflict-file-onto-another-file",
            "A conflict file may only take the place of its own file",
            ("CD-RESOLVE-RENAME", "CD-RENAME"),
            _held(SNAPSHOTS).step(edit("A", "Y", "bar")).step(rename("A", "foo.conflict-B", "bar")),
            _held(SNAPSHOTS).step(edit("A", "Y", "bar")).step(rename("A", "foo.conflict-B", "foo")),
        ),
        refused(
            "rename-to-a-conflict-file",
            "A file cannot be made a conflict file",
            ("CD-RENAME",),
            Story(SNAPSHOTS, "AB").step(edit("A", "X")).step(rename("A", "foo", "bar.conflict-B")),
            Story(SNAPSHOTS, "AB").step(edit("A", "X")).step(rename("A", "foo", "bar")),
        ),
        refused(
            "rename-nothing",
            "A file that is not there is renamed",
            ("CD-RENAME",),
            Story(MAPS, "AB").step(edit("A", "X")).step(rename("A", "bar", "baz")),
            Story(MAPS, "AB").step(edit("A", "X")).step(rename("A", "foo", "baz")),
        ),
        Draft(
            name="accepted-beside-the-refusals",
            operation=OPERATION,
            summary="The story that the refusals are made from",
            clauses=("CD-CLASSIFY-CONFLICT",),
            input=held.input,
            output=held.output,
        ),
    )
