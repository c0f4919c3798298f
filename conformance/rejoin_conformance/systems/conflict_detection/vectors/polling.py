"""Topic `polling`: what clients see of each other's directories."""

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
    edit,
    offline,
    online,
    poll,
)
from rejoin_conformance.vectors import Draft, Topic


def topic() -> Topic:
    """The vectors of polling."""
    return Topic(
        "polling",
        "Clients upload, poll and take over versions. Where ours follows theirs, `literal` makes "
        "a conflict of it.",
        (*_overwrites(), *_other_finds(), *_several_files(), *_offline(), *_subscriptions()),
    )


def _overwrites() -> tuple[Draft, ...]:
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
                _two_in_sync(design)
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


def _two_in_sync(design: str) -> Story:
    """A and B have the first version."""
    return (
        Story(design, "AB")
        .step(edit("A", "X"), None, {"A": "foo=X"})
        .step(poll("B", "A"), "overwrite", {"B": "foo=X"})
    )


def _back_and_forth(design: str) -> Story:
    story = _two_in_sync(design)
    for turn, (maker, reader) in enumerate((("B", "A"), ("A", "B"), ("B", "A"))):
        text = f"turn{turn}"
        story.step(edit(maker, text), None, {maker: f"foo={text}"})
        story.step(poll(reader, maker), "overwrite", {reader: f"foo={text}"})
    return story


def _other_finds() -> tuple[Draft, ...]:
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
                _two_in_sync(design).step(poll("A", "B"), "same").step(poll("B", "A"), "same")
            ),
        ),
        *in_both_designs(
            "stale",
            "A client that lags",
            ("CD-CLASSIFY-STALE",),
            lambda design: (
                _two_in_sync(design)
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
                _two_in_sync(design)
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
                _two_in_sync(design)
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
        _two_in_sync(design)
        .step(edit("A", "new"), None, {"A": "foo=new"})
        .step(edit("B", "new"), None, {"B": "foo=new"})
        .step(poll("A", "B"), found, files)
    )


def _several_files() -> tuple[Draft, ...]:
    return (
        *in_both_designs(
            "another-file",
            "A conflict on one file says nothing of another",
            ("CD-FOLLOWS-SEPARATE-FILES",),
            lambda design: (
                _two_in_sync(design)
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
                _two_in_sync(design)
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
                _two_in_sync(design)
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


def _offline() -> tuple[Draft, ...]:
    return (
        *in_both_designs(
            "offline-poll",
            "A client that is offline sees nothing",
            ("CD-OFFLINE-SEES-NOTHING",),
            lambda design: (
                _two_in_sync(design)
                .step(edit("A", "new"), None, {"A": "foo=new"})
                .step(offline("B"))
                .step(poll("B", "A"), None)
                .step(online("B"))
                .step(poll("B", "A"), "overwrite", {"B": "foo=new"})
            ),
        ),
        *in_both_designs(
            "offline-is-polled",
            "Others see what a client linked before it went offline",
            ("CD-OFFLINE-SEES-NOTHING",),
            lambda design: (
                Story(design, "AB")
                .step(edit("A", "X"), None, {"A": "foo=X"})
                .step(offline("A"))
                .step(edit("A", "new"), None, {"A": "foo=new"})
                .step(poll("B", "A"), "overwrite", {"B": "foo=X"})
            ),
        ),
        *in_both_designs(
            "back-online",
            "What was changed offline becomes one version, which follows the one from before",
            ("CD-OFFLINE-ONE-UPLOAD",),
            lambda design: (
                _two_in_sync(design)
                .step(offline("A"))
                .step(edit("A", "draft"), None, {"A": "foo=draft"})
                .step(edit("A", "final"), None, {"A": "foo=final"})
                .step(online("A"))
                .step(poll("B", "A"), "overwrite", {"B": "foo=final"})
            ),
        ),
        *in_both_designs(
            "back-online-to-a-conflict",
            "What was changed offline does not follow what others did meanwhile",
            ("CD-OFFLINE-ONE-UPLOAD", "CD-CLASSIFY-CONFLICT"),
            lambda design: (
                _two_in_sync(design)
                .step(offline("A"))
                .step(edit("A", "a"), None, {"A": "foo=a"})
                .step(edit("B", "b"), None, {"B": "foo=b"})
                .step(online("A"))
                .step(poll("A", "B"), "conflict", {"A": "foo=a foo.conflict-B=b"})
            ),
        ),
        *in_both_designs(
            "offline-in-vain",
            "A file that was made and deleted offline was never there",
            ("CD-OFFLINE-ONE-UPLOAD",),
            lambda design: (
                _two_in_sync(design)
                .step(offline("A"))
                .step(edit("A", "new", "bar"), None, {"A": "bar=new foo=X"})
                .step({"client": "A", "delete": True, "file": "bar"}, None, {"A": "foo=X"})
                .step(online("A"))
                .step(poll("B", "A", "bar"), None)
            ),
        ),
    )


def _subscriptions() -> tuple[Draft, ...]:
    good = _two_in_sync(SNAPSHOTS)
    return (
        *in_both_designs(
            "unsubscribe",
            "Who ends a subscription lets go of the other's conflict, and can begin again",
            ("CD-UNSUBSCRIBE", "CD-SUBSCRIPTIONS"),
            lambda design: (
                _two_in_sync(design)
                .step(edit("A", "a"), None, {"A": "foo=a"})
                .step(edit("B", "b"), None, {"B": "foo=b"})
                .step(poll("A", "B"), "conflict", {"A": "foo=a foo.conflict-B=b"})
                .step({"client": "A", "unsubscribe": "B"}, None, {"A": "foo=a"})
                .step({"client": "A", "subscribe": "B"})
                .step(poll("A", "B"), "conflict", {"A": "foo=a foo.conflict-B=b"})
            ),
        ),
        refused(
            "unsubscribed",
            "A poll of a client whose subscription was ended",
            ("CD-POLL-SUBSCRIBED",),
            _two_in_sync(SNAPSHOTS).step({"client": "B", "unsubscribe": "A"}).step(poll("B", "A")),
            _two_in_sync(SNAPSHOTS).step(poll("B", "A")),
        ),
        refused(
            "oneself",
            "A client that polls itself",
            ("CD-POLL-SUBSCRIBED",),
            _two_in_sync(SNAPSHOTS).step(poll("B", "B")),
            _two_in_sync(SNAPSHOTS).step(poll("B", "A")),
        ),
        refused(
            "nobody",
            "A poll of a client that does not exist",
            ("CD-POLL-SUBSCRIBED",),
            _two_in_sync(MAPS).step(poll("B", "Z")),
            _two_in_sync(MAPS).step(poll("B", "A")),
        ),
        refused(
            "subscribe-twice",
            "A subscription that is there from the beginning",
            ("CD-SUBSCRIPTIONS",),
            _two_in_sync(SNAPSHOTS).step({"client": "A", "subscribe": "B"}),
            good,
        ),
        refused(
            "unsubscribe-twice",
            "A subscription that was ended already",
            ("CD-UNSUBSCRIBE",),
            _two_in_sync(SNAPSHOTS)
            .step({"client": "A", "unsubscribe": "B"})
            .step({"client": "A", "unsubscribe": "B"}),
            _two_in_sync(SNAPSHOTS).step({"client": "A", "unsubscribe": "B"}),
        ),
    )
