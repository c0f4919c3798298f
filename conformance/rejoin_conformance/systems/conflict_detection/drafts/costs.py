"""Topic `costs`: remote operations, counted step by step."""

from __future__ import annotations

from typing import Final

from rejoin_conformance.contract.vector import Draft, Topic
from rejoin_conformance.kit.json_types import JsonObject
from rejoin_conformance.systems.conflict_detection.drafts.by_hand.drafts import (
    of_story,
    repaired_only,
)
from rejoin_conformance.systems.conflict_detection.drafts.by_hand.stories import (
    MAPS,
    SNAPSHOTS,
    Story,
    delete,
    edit,
    offline,
    online,
    operations,
    poll,
    rename,
    resolve,
)

NOTHING: Final = operations()
LOOK: Final = operations(directory_reads=1)
CHANGE: Final = operations(content_uploads=1, snapshot_uploads=1, directory_updates=1)
DELETION: Final = operations(snapshot_uploads=1, directory_updates=1)
MAP_CHANGE: Final = operations(content_uploads=1, directory_updates=1)
MAP_DELETION: Final = operations(directory_updates=1)


def _download(snapshots: int = 0, contents: int = 0, updates: int = 0) -> JsonObject:
    return operations(
        snapshot_downloads=snapshots,
        content_downloads=contents,
        directory_updates=updates,
        directory_reads=1,
    )


OVERWRITE: Final = _download(1, 1, 1)
MAP_OVERWRITE: Final = _download(0, 1, 1)


def topic() -> Topic:
    """The vectors of the cost model."""
    return Topic(
        "costs",
        "Each step reports its remote operations. `total` leaves the reading of directories out, "
        "as the document does.",
        (*_snapshots(), *_more_snapshots(), *_combined(), *_maps()),
    )


def _in_sync() -> Story:
    """A and B have X and know that the other has it."""
    return (
        Story(SNAPSHOTS, "AB", operations={})
        .step(edit("A", "X"), None, {"A": "foo=X"}, operations=CHANGE)
        .step(poll("B", "A"), "overwrite", {"B": "foo=X"}, operations=OVERWRITE)
        .step(poll("A", "B"), "same", operations=LOOK)
    )


def _snapshots() -> tuple[Draft, ...]:
    local, overwrite, conflict = "CD-COST-LOCAL", "CD-COST-OVERWRITE", "CD-COST-CONFLICT"
    return (
        of_story(
            "local-change",
            "A local change takes three operations, and so does the first overwrite",
            (local, "CD-COST-TOTAL", "CD-WALK-FIRST"),
            _in_sync().step(edit("A", "a"), None, {"A": "foo=a"}, operations=CHANGE),
        ),
        of_story(
            "overwrite",
            "An overwrite by a child of ours takes three",
            (overwrite, "CD-COST-TOTAL"),
            _in_sync()
            .step(edit("A", "a"), None, {"A": "foo=a"}, operations=CHANGE)
            .step(poll("B", "A"), "overwrite", {"B": "foo=a"}, operations=OVERWRITE),
        ),
        of_story(
            "conflict",
            "A conflict between two changes of one version takes two",
            (conflict, "CD-COST-TOTAL"),
            _in_sync()
            .step(edit("A", "a"), None, {"A": "foo=a"}, operations=CHANGE)
            .step(edit("B", "b"), None, {"B": "foo=b"}, operations=CHANGE)
            .step(
                poll("A", "B"),
                "conflict",
                {"A": "foo=a foo.conflict-B=b"},
                operations=_download(1, 1),
            ),
        ),
        of_story(
            "conflict-held",
            "A conflict that is held already takes none",
            ("CD-COST-CONFLICT", "CD-WALK-KNOWN"),
            _in_sync()
            .step(edit("A", "a"), None, {"A": "foo=a"}, operations=CHANGE)
            .step(edit("B", "b"), None, {"B": "foo=b"}, operations=CHANGE)
            .step(
                poll("A", "B"),
                "conflict",
                {"A": "foo=a foo.conflict-B=b"},
                operations=_download(1, 1),
            )
            .step(poll("A", "B"), "conflict", operations=LOOK),
        ),
        of_story(
            "deletion",
            "A deletion takes two, and taking it over takes two",
            ("CD-COST-DELETION", overwrite),
            _in_sync()
            .step(delete("A"), None, {"A": ""}, operations=DELETION)
            .step(poll("B", "A"), "overwrite", {"B": ""}, operations=_download(1, 0, 1)),
        ),
        of_story(
            "resolution",
            "A resolution is a local change like any other",
            (local,),
            _in_sync()
            .step(edit("A", "a"), None, {"A": "foo=a"}, operations=CHANGE)
            .step(edit("B", "b"), None, {"B": "foo=b"}, operations=CHANGE)
            .step(
                poll("A", "B"),
                "conflict",
                {"A": "foo=a foo.conflict-B=b"},
                operations=_download(1, 1),
            )
            .step(resolve("A", "B"), None, {"A": "foo=a"}, operations=CHANGE),
        ),
    )


def _more_snapshots() -> tuple[Draft, ...]:
    at_hand = "CD-COST-CONTENT-AT-HAND"
    return (
        of_story(
            "grandchild",
            "Each snapshot in between takes one more",
            ("CD-COST-OVERWRITE", "CD-WALK-STOP"),
            _in_sync()
            .step(edit("A", "a1"), None, {"A": "foo=a1"}, operations=CHANGE)
            .step(edit("A", "a2"), None, {"A": "foo=a2"}, operations=CHANGE)
            .step(edit("A", "a3"), None, {"A": "foo=a3"}, operations=CHANGE)
            .step(poll("B", "A"), "overwrite", {"B": "foo=a3"}, operations=_download(3, 1, 1)),
        ),
        of_story(
            "same",
            "The version that we have takes none",
            ("CD-COST-NOTHING",),
            _in_sync().step(poll("B", "A"), "same", operations=LOOK),
        ),
        repaired_only(
            "stale",
            "What ours follows takes none, and its content is not downloaded",
            ("CD-COST-NOTHING", "CD-CLASSIFY-STALE"),
            _in_sync()
            .step(edit("A", "a"), None, {"A": "foo=a"}, operations=CHANGE)
            .step(poll("A", "B"), "stale", operations=LOOK),
        ),
        of_story(
            "content-of-our-file",
            "A content that our file has already is not downloaded",
            (at_hand,),
            _in_sync()
            .step(edit("A", "Y"), None, {"A": "foo=Y"}, operations=CHANGE)
            .step(edit("A", "X"), None, {"A": "foo=X"}, operations=CHANGE)
            .step(poll("B", "A"), "overwrite", operations=_download(2, 0, 1)),
        ),
        of_story(
            "content-of-a-conflict-file",
            "A version that a conflict file holds already takes none for a second client",
            (at_hand, "CD-WALK-KNOWN"),
            _second_client(),
        ),
        of_story(
            "second-client-of-a-rewritten-conflict-file",
            "A version is not fetched for a conflict file that is there and only gets another name",
            (at_hand, "CD-CONFLICT-FILE-PER-VERSION", "CD-CONFLICT-FILE-UNTRACKED"),
            _second_client_of_a_rewritten_file(),
        ),
        of_story(
            "three-files",
            "A version of another file is another version, though its content is at hand there",
            ("CD-COST-OVERWRITE", "CD-FOLLOWS-SEPARATE-FILES"),
            _in_sync()
            .step(edit("A", "X", "bar"), None, {"A": "bar=X foo=X"}, operations=CHANGE)
            .step(poll("B", "A", "bar"), "overwrite", {"B": "bar=X foo=X"}, operations=OVERWRITE),
        ),
    )


def _conflict_taken_over() -> Story:
    """A holds B's version as a conflict, and C took it over; A has not yet looked at C."""
    return (
        Story(SNAPSHOTS, "ABC", operations={})
        .step(edit("A", "a"), None, {"A": "foo=a"}, operations=CHANGE)
        .step(edit("B", "b"), None, {"B": "foo=b"}, operations=CHANGE)
        .step(poll("C", "B"), "overwrite", {"C": "foo=b"}, operations=OVERWRITE)
        .step(
            poll("A", "B"),
            "conflict",
            {"A": "foo=a foo.conflict-B=b"},
            operations=_download(1, 1),
        )
    )


def _second_client() -> Story:
    """A sees at C the version that it holds as B's already."""
    return _conflict_taken_over().step(
        poll("A", "C"),
        "conflict",
        {"A": "foo=a foo.conflict-B=b foo.conflict-C=b"},
        {"A": "foo=a foo.conflict-B,C=b"},
        operations=LOOK,
    )


def _second_client_of_a_rewritten_file() -> Story:
    """As before, but A's user has written something else into the conflict file meanwhile."""
    return (
        _conflict_taken_over()
        .step(
            edit("A", "c", "foo.conflict-B"),
            None,
            {"A": "foo=a foo.conflict-B=c"},
            operations=NOTHING,
        )
        .step(
            poll("A", "C"),
            "conflict",
            {"A": "foo=a foo.conflict-B=c foo.conflict-C=b"},
            {"A": "foo=a foo.conflict-B,C=c"},
            operations=_download(0, 1),
            literal_operations=LOOK,
        )
    )


def _combined() -> tuple[Draft, ...]:
    combined = ("CD-COST-COMBINED",)
    return (
        of_story(
            "rename",
            "Renaming deletes one file and makes another, with one update of the directory",
            combined,
            _in_sync().step(
                rename("A", "foo", "bar"),
                None,
                {"A": "bar=X"},
                operations=operations(content_uploads=1, snapshot_uploads=2, directory_updates=1),
            ),
        ),
        of_story(
            "back-online",
            "Two files that were changed offline, with one update of the directory",
            combined,
            _in_sync()
            .step(offline("A"), operations=NOTHING)
            .step(edit("A", "a1"), None, {"A": "foo=a1"}, operations=NOTHING)
            .step(edit("A", "a2"), None, {"A": "foo=a2"}, operations=NOTHING)
            .step(edit("A", "new", "bar"), None, {"A": "bar=new foo=a2"}, operations=NOTHING)
            .step(
                online("A"),
                operations=operations(content_uploads=2, snapshot_uploads=2, directory_updates=1),
            ),
        ),
        of_story(
            "poll-all",
            "Two overwrites in one poll, with one look and one update",
            combined,
            _in_sync()
            .step(edit("A", "a"), None, {"A": "foo=a"}, operations=CHANGE)
            .step(edit("A", "new", "bar"), None, {"A": "bar=new foo=a"}, operations=CHANGE)
            .step(
                {"client": "B", "poll_all": "A"},
                None,
                {"B": "bar=new foo=a"},
                operations=_download(2, 2, 1),
                classifications={"bar": "overwrite", "foo": "overwrite"},
            ),
        ),
        of_story(
            "offline",
            "Offline nothing is done on the grid",
            ("CD-OFFLINE-SEES-NOTHING", "CD-COST-TOTAL"),
            _in_sync()
            .step(offline("B"), operations=NOTHING)
            .step(poll("B", "A"), operations=NOTHING)
            .step(online("B"), operations=NOTHING),
        ),
    )


def _maps() -> tuple[Draft, ...]:
    return (
        repaired_only(
            "maps",
            "With version maps no snapshot is uploaded or downloaded",
            ("CD-COST-MAPS", "CD-COST-TOTAL"),
            Story(MAPS, "AB", operations={})
            .step(edit("A", "X"), None, {"A": "foo=X"}, operations=MAP_CHANGE)
            .step(poll("B", "A"), "overwrite", {"B": "foo=X"}, operations=MAP_OVERWRITE)
            .step(edit("A", "a"), None, {"A": "foo=a"}, operations=MAP_CHANGE)
            .step(edit("B", "b"), None, {"B": "foo=b"}, operations=MAP_CHANGE)
            .step(
                poll("A", "B"),
                "conflict",
                {"A": "foo=a foo.conflict-B=b"},
                operations=_download(0, 1),
            )
            .step(resolve("A", "B"), None, {"A": "foo=a"}, operations=MAP_CHANGE)
            .step(poll("B", "A"), "overwrite", {"B": "foo=a"}, operations=MAP_OVERWRITE),
        ),
        repaired_only(
            "maps-deletion",
            "A deletion is one update of the directory, here and there",
            ("CD-COST-MAPS",),
            Story(MAPS, "AB", operations={})
            .step(edit("A", "X"), None, {"A": "foo=X"}, operations=MAP_CHANGE)
            .step(poll("B", "A"), "overwrite", {"B": "foo=X"}, operations=MAP_OVERWRITE)
            .step(delete("A"), None, {"A": ""}, operations=MAP_DELETION)
            .step(poll("B", "A"), "overwrite", {"B": ""}, operations=_download(0, 0, 1)),
        ),
    )
