"""Topic `deletion`: files that go, come back, and are forgotten."""

from __future__ import annotations

from rejoin_conformance.systems.conflict_detection.vectors.by_hand.drafts import (
    in_both_designs,
    of_story,
    refused,
    repaired_only,
)
from rejoin_conformance.systems.conflict_detection.vectors.by_hand.stories import (
    MAPS,
    SNAPSHOTS,
    Story,
    delete,
    edit,
    join,
    offline,
    online,
    poll,
    resolve,
    undelete,
)
from rejoin_conformance.vectors import Draft, Topic


def topic() -> Topic:
    """The vectors of deletion."""
    return Topic(
        "deletion",
        "Deletions are versions without content. In the reports `links` a deletion is null.",
        (*_plain(), *_conflicts(), *_links(), *_refusals()),
    )


def _deleted(design: str) -> Story:
    """A and B have X, and A deleted it."""
    return (
        Story(design, "AB")
        .step(edit("A", "X"), None, {"A": "foo=X"})
        .step(poll("B", "A"), "overwrite", {"B": "foo=X"})
        .step(delete("A"), None, {"A": ""})
    )


def _plain() -> tuple[Draft, ...]:
    return (
        *in_both_designs(
            "taken-over",
            "A deletion overwrites: the local file goes",
            ("CD-DELETE-SNAPSHOT", "CD-OVERWRITE-APPLY", "CD-MAP-DELETION"),
            lambda design: _deleted(design).step(poll("B", "A"), "overwrite", {"B": ""}),
        ),
        *in_both_designs(
            "lagging-client",
            "Who has not heard of the deletion is stale, and its version stays away",
            ("CD-CLASSIFY-STALE", "CD-DELETE-SNAPSHOT"),
            lambda design: _deleted(design).step(
                poll("A", "B"),
                "stale",
                literal_found="conflict",
                literal={"A": "foo.conflict-B=X"},
            ),
        ),
        *in_both_designs(
            "brought-back",
            "A file that is brought back follows the deletion",
            ("CD-UNDELETE", "CD-CLASSIFY-OVERWRITE"),
            lambda design: (
                _deleted(design)
                .step(poll("B", "A"), "overwrite", {"B": ""})
                .step(undelete("B", "back"), None, {"B": "foo=back"})
                .step(poll("A", "B"), "overwrite", {"A": "foo=back"})
            ),
        ),
        *in_both_designs(
            "brought-back-unseen",
            "Who never saw the deletion takes over what follows it",
            ("CD-UNDELETE", "CD-FOLLOWS-CLOSURE"),
            lambda design: (
                _deleted(design)
                .step(undelete("A", "back"), None, {"A": "foo=back"})
                .step(poll("B", "A"), "overwrite", {"B": "foo=back"})
            ),
        ),
        *in_both_designs(
            "written-again",
            "Writing a deleted file brings it back too",
            ("CD-UNDELETE",),
            lambda design: (
                _deleted(design)
                .step(edit("A", "again"), None, {"A": "foo=again"})
                .step(poll("B", "A"), "overwrite", {"B": "foo=again"})
            ),
        ),
        *in_both_designs(
            "brought-back-offline",
            "A file that was made and deleted offline comes back as a first version",
            ("CD-UNDELETE-OFFLINE", "CD-OFFLINE-ONE-UPLOAD"),
            lambda design: (
                Story(design, "AB", links={"A": {}, "B": {}})
                .step(offline("A"))
                .step(edit("A", "new"), None, {"A": "foo=new"})
                .step(delete("A"), None, {"A": ""})
                .step(undelete("A", "back"), None, {"A": "foo=back"})
                .step(online("A"), None, links={"A": {"foo": "back"}})
                .step(poll("B", "A"), "overwrite", {"B": "foo=back"}, links={"B": {"foo": "back"}})
            ),
        ),
        *in_both_designs(
            "taken-over-first",
            "A client that never had the file takes the deletion over",
            ("CD-CLASSIFY-FIRST", "CD-LINK-DOWNLOAD"),
            lambda design: (
                Story(design, "AB", links={"A": {}, "B": {}})
                .step(edit("A", "X"), None, {"A": "foo=X"}, links={"A": {"foo": "X"}})
                .step(delete("A"), None, {"A": ""}, links={"A": {"foo": None}})
                .step(poll("B", "A"), "overwrite", links={"B": {"foo": None}})
            ),
        ),
    )


def _conflicts() -> tuple[Draft, ...]:
    return (
        *in_both_designs(
            "changed-by-another",
            "Who deleted a file that another one changed gets a conflict file",
            ("CD-CLASSIFY-CONFLICT", "CD-CONFLICT-APPLY"),
            lambda design: (
                _deleted(design)
                .step(edit("B", "b"), None, {"B": "foo=b"})
                .step(poll("A", "B"), "conflict", {"A": "foo.conflict-B=b"})
            ),
        ),
        *in_both_designs(
            "deleted-by-another",
            "Who changed a file that another one deleted holds a conflict without a file",
            ("CD-CONFLICT-FILE-DELETION", "CD-CLASSIFY-CONFLICT"),
            lambda design: (
                _deleted(design)
                .step(edit("B", "b"), None, {"B": "foo=b"})
                .step(poll("B", "A"), "conflict")
            ),
        ),
        *in_both_designs(
            "change-wins",
            "Who changed the file resolves, and keeps it",
            ("CD-CONFLICT-FILE-DELETION", "CD-RESOLVE-KEEPS-CONTENT"),
            lambda design: (
                _deleted(design)
                .step(edit("B", "b"), None, {"B": "foo=b"})
                .step(poll("B", "A"), "conflict")
                .step(resolve("B", "A"))
                .step(poll("A", "B"), "overwrite", {"A": "foo=b"})
            ),
        ),
        *in_both_designs(
            "deletion-wins",
            "Who deleted the file removes the conflict file: it stays deleted",
            ("CD-RESOLVE-KEEPS-CONTENT", "CD-DELETE-SNAPSHOT"),
            lambda design: (
                _deleted(design)
                .step(edit("B", "b"), None, {"B": "foo=b"})
                .step(poll("A", "B"), "conflict", {"A": "foo.conflict-B=b"})
                .step(delete("A", "foo.conflict-B"), None, {"A": ""})
                .step(poll("B", "A"), "overwrite", {"B": ""})
            ),
        ),
        *in_both_designs(
            "deletion-is-followed-by-the-resolution",
            "A deletion that is held is over when its maker takes the change over",
            ("CD-CONFLICT-FILE-DELETION", "CD-CONFLICT-FILE-GONE"),
            lambda design: (
                _deleted(design)
                .step(edit("B", "b"), None, {"B": "foo=b"})
                .step(poll("B", "A"), "conflict")
                .step(poll("A", "B"), "conflict", {"A": "foo.conflict-B=b"})
                .step(
                    {"client": "A", "rename": "foo", "file": "foo.conflict-B"}, None, {"A": "foo=b"}
                )
                .step(poll("B", "A"), "overwrite")
            ),
        ),
        of_story(
            "deleted-by-both-snapshots",
            "The same deletion of the same version is one snapshot",
            ("CD-SNAPSHOT-ID", "CD-CLASSIFY-SAME"),
            _deleted(SNAPSHOTS).step(delete("B"), None, {"B": ""}).step(poll("A", "B"), "same"),
        ),
        repaired_only(
            "deleted-by-both-maps",
            "The same deletion of the same version is two uploads",
            ("CD-MAP-DELETION", "CD-CLASSIFY-CONFLICT"),
            _deleted(MAPS).step(delete("B"), None, {"B": ""}).step(poll("A", "B"), "conflict"),
        ),
    )


def _links() -> tuple[Draft, ...]:
    drop, keep = "CD-DELETE-DROP-LINK", "CD-DELETE-KEEP-VERSION"
    return (
        *in_both_designs(
            "link-dropped",
            "Once both link the deletion, each removes the link in its next poll",
            (drop,),
            lambda design: (
                _linked_deletion(design)
                .step(poll("B", "A"), "overwrite", {"B": ""}, links={"B": {"foo": None}})
                .step(poll("A", "B"), "same", links={"A": {}})
                .step(poll("B", "A"), None, links={"B": {}})
            ),
        ),
        *in_both_designs(
            "link-kept-for-a-third",
            "A link stays while a third client has not taken the deletion over",
            (drop,),
            lambda design: (
                _linked_deletion(design, "ABC")
                .step(poll("B", "A"), "overwrite", {"B": ""}, links={"B": {"foo": None}})
                .step(poll("A", "B"), "same")
                .step(poll("A", "C"), None)
                .step(poll("C", "A"), "overwrite", links={"C": {"foo": None}})
                .step(poll("A", "C"), "same", links={"A": {}})
            ),
        ),
        *in_both_designs(
            "dropped-and-brought-back",
            "What follows a deletion whose links are gone is an overwrite",
            (keep, "CD-UNDELETE"),
            lambda design: (
                _linked_deletion(design)
                .step(poll("B", "A"), "overwrite", {"B": ""}, links={"B": {"foo": None}})
                .step(poll("A", "B"), "same", links={"A": {}})
                .step(poll("B", "A"), None, links={"B": {}})
                .step(undelete("B", "back"), None, {"B": "foo=back"}, links={"B": {"foo": "back"}})
                .step(poll("A", "B"), "overwrite", {"A": "foo=back"}, links={"A": {"foo": "back"}})
            ),
        ),
        *in_both_designs(
            "kept-after-an-earlier-drop",
            "A link that was gone before a deletion does not tell that its owner had that deletion",
            (drop,),
            lambda design: (
                _linked_deletion(design)
                .step(poll("B", "A"), "overwrite", {"B": ""}, links={"B": {"foo": None}})
                .step(poll("A", "B"), "same", links={"A": {}})
                .step(poll("B", "A"), None, links={"B": {}})
                .step(undelete("A", "back"), None, {"A": "foo=back"}, links={"A": {"foo": "back"}})
                .step(delete("A"), None, {"A": ""}, links={"A": {"foo": None}})
                .step(poll("A", "B"), None)
                .step(poll("B", "A"), "overwrite", links={"B": {"foo": None}})
                .step(poll("A", "B"), "same", links={"A": {}})
                .step(poll("B", "A"), None, links={"B": {}})
            ),
        ),
        *in_both_designs(
            "dropped-and-begun-anew",
            "A late client's first version of that name conflicts with the deletion",
            (keep, "CD-LOCAL-MERGE-CONFLICT"),
            lambda design: (
                _linked_deletion(design)
                .step(poll("B", "A"), "overwrite", {"B": ""}, links={"B": {"foo": None}})
                .step(poll("A", "B"), "same", links={"A": {}})
                .step(join("C", "foo=mine"), None, {"C": "foo=mine"}, links={"C": {"foo": "mine"}})
                .step(poll("A", "C"), "conflict", {"A": "foo.conflict-C=mine"})
            ),
        ),
        *in_both_designs(
            "dropped-by-another-first",
            "A client whose link is the last one sees the others' gone, and removes its own",
            (drop,),
            lambda design: (
                _linked_deletion(design, "ABC")
                .step(poll("C", "B"), "overwrite", {"C": "foo=X"}, links={"C": {"foo": "X"}})
                .step(poll("B", "C"), "same")
                .step(poll("B", "A"), "overwrite", {"B": ""}, links={"B": {"foo": None}})
                .step(poll("C", "A"), "overwrite", {"C": ""}, links={"C": {"foo": None}})
                .step(poll("A", "B"), "same")
                .step(poll("A", "C"), "same", links={"A": {}})
                .step(poll("C", "B"), "same", links={"C": {}})
                .step(poll("B", "A"), None)
                .step(poll("B", "C"), None, links={"B": {}})
            ),
        ),
        *in_both_designs(
            "not-dropped-while-changed",
            "A deletion that somebody does not agree to keeps its link",
            (drop, "CD-CLASSIFY-CONFLICT"),
            lambda design: (
                _linked_deletion(design)
                .step(edit("B", "b"), None, {"B": "foo=b"}, links={"B": {"foo": "b"}})
                .step(poll("A", "B"), "conflict", {"A": "foo.conflict-B=b"})
                .step(poll("B", "A"), "conflict")
            ),
        ),
    )


def _linked_deletion(design: str, clients: str = "AB") -> Story:
    """A and B have X, and A deleted it; further clients have nothing."""
    return (
        Story(design, clients, links={client: {} for client in clients})
        .step(edit("A", "X"), None, {"A": "foo=X"}, links={"A": {"foo": "X"}})
        .step(poll("B", "A"), "overwrite", {"B": "foo=X"}, links={"B": {"foo": "X"}})
        .step(delete("A"), None, {"A": ""}, links={"A": {"foo": None}})
    )


def _came_and_went() -> Story:
    """A is offline, and has made a file and deleted it."""
    return Story(SNAPSHOTS, "AB").step(offline("A")).step(edit("A", "new")).step(delete("A"))


def _refusals() -> tuple[Draft, ...]:
    return (
        refused(
            "delete-nothing",
            "A file that never was is deleted",
            ("CD-DELETE-SNAPSHOT",),
            Story(SNAPSHOTS, "AB").step(edit("A", "X")).step(delete("A", "bar")),
            Story(SNAPSHOTS, "AB").step(edit("A", "X")).step(delete("A")),
        ),
        refused(
            "delete-twice",
            "A deleted file is deleted",
            ("CD-DELETE-SNAPSHOT",),
            _deleted(MAPS).step(delete("A")),
            _deleted(MAPS),
        ),
        refused(
            "bring-back-what-is-there",
            "A file that was never deleted is brought back",
            ("CD-UNDELETE",),
            Story(SNAPSHOTS, "AB").step(edit("A", "X")).step(undelete("A", "back")),
            Story(SNAPSHOTS, "AB").step(edit("A", "X")).step(delete("A")).step(undelete("A", "b")),
        ),
        refused(
            "bring-back-what-never-was",
            "A file that nobody ever had is brought back",
            ("CD-UNDELETE",),
            Story(MAPS, "AB").step(undelete("A", "back")),
            Story(MAPS, "AB").step(edit("A", "back")),
        ),
        refused(
            "bring-back-what-came-and-went",
            "A file that came and went offline is brought back too late",
            ("CD-UNDELETE-OFFLINE",),
            _came_and_went().step(online("A")).step(undelete("A", "back")),
            _came_and_went().step(undelete("A", "back")).step(online("A")),
        ),
    )
