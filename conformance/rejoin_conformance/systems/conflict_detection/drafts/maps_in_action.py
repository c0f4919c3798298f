"""Topic `maps-in-action`: the local and conflict version maps of clients, step by step."""

from __future__ import annotations

from rejoin_conformance.contract.vector import Draft, Topic
from rejoin_conformance.kit.json_types import Json, JsonObject
from rejoin_conformance.systems.conflict_detection.drafts.by_hand.drafts import (
    OPERATION,
    of_story,
    repaired_only,
)
from rejoin_conformance.systems.conflict_detection.drafts.by_hand.stories import (
    LITERAL,
    MAPS,
    Story,
    delete,
    edit,
    poll,
    resolve,
    undelete,
)


def topic() -> Topic:
    """The vectors of version maps in clients."""
    return Topic(
        "maps-in-action",
        "The report `versions` has the local version maps, `conflicts` the conflict version maps.",
        (*_versions(), *_conflict_maps(), *_as_printed()),
    )


def _foo(**clients: Json) -> dict[str, JsonObject]:
    """Client -> what is said of its `foo`."""
    return {client: {"foo": value} for client, value in clients.items()}


def _empty(clients: str) -> dict[str, JsonObject]:
    return {client: {} for client in clients}


def _versions() -> tuple[Draft, ...]:
    return (
        repaired_only(
            "local-maps",
            "Uploads raise the own number, overwrites replace the whole map",
            ("CD-MAP-UPLOAD", "CD-MAP-OVERWRITE"),
            Story(MAPS, "AB", versions=_empty("AB"))
            .step(edit("A", "1"), None, {"A": "foo=1"}, versions=_foo(A={"A": 1}))
            .step(poll("B", "A"), "overwrite", {"B": "foo=1"}, versions=_foo(B={"A": 1}))
            .step(edit("B", "2"), None, {"B": "foo=2"}, versions=_foo(B={"A": 1, "B": 1}))
            .step(edit("B", "3"), None, {"B": "foo=3"}, versions=_foo(B={"A": 1, "B": 2}))
            .step(poll("A", "B"), "overwrite", {"A": "foo=3"}, versions=_foo(A={"A": 1, "B": 2}))
            .step(edit("A", "4"), None, {"A": "foo=4"}, versions=_foo(A={"A": 2, "B": 2})),
        ),
        repaired_only(
            "numbers-through-deletion",
            "A deletion raises the number, and numbers go on where the file comes back",
            ("CD-MAP-DELETION", "CD-DELETE-KEEP-VERSION", "CD-MAP-UPLOAD"),
            Story(MAPS, "AB", versions=_empty("AB"))
            .step(edit("A", "1"), None, {"A": "foo=1"}, versions=_foo(A={"A": 1}))
            .step(poll("B", "A"), "overwrite", {"B": "foo=1"}, versions=_foo(B={"A": 1}))
            .step(delete("A"), None, {"A": ""}, versions=_foo(A={"A": 2}))
            .step(poll("B", "A"), "overwrite", {"B": ""}, versions=_foo(B={"A": 2}))
            .step(poll("A", "B"), "same")
            .step(undelete("A", "2"), None, {"A": "foo=2"}, versions=_foo(A={"A": 3}))
            .step(poll("B", "A"), "overwrite", {"B": "foo=2"}, versions=_foo(B={"A": 3})),
        ),
        repaired_only(
            "stale-and-same-change-nothing",
            "A poll that is no overwrite leaves the local map alone",
            ("CD-MAP-CONFLICT", "CD-CLASSIFY-STALE"),
            Story(MAPS, "AB", versions=_empty("AB"))
            .step(edit("A", "1"), None, {"A": "foo=1"}, versions=_foo(A={"A": 1}))
            .step(poll("B", "A"), "overwrite", {"B": "foo=1"}, versions=_foo(B={"A": 1}))
            .step(edit("A", "2"), None, {"A": "foo=2"}, versions=_foo(A={"A": 2}))
            .step(poll("A", "B"), "stale")
            .step(edit("B", "3"), None, {"B": "foo=3"}, versions=_foo(B={"A": 1, "B": 1}))
            .step(poll("A", "B"), "conflict", {"A": "foo=2 foo.conflict-B=3"}),
        ),
    )


def _conflict_maps() -> tuple[Draft, ...]:
    return (
        repaired_only(
            "conflict-maps",
            "Each conflict has its client's own number; a resolution joins what lies behind it",
            ("CD-MAP-CONFLICT", "CD-MAP-RESOLVE", "CD-MAP-CLEAN-UP"),
            Story(MAPS, "ABC", versions=_empty("ABC"), conflicts=_empty("ABC"))
            .step(edit("A", "a"), None, {"A": "foo=a"}, versions=_foo(A={"A": 1}))
            .step(edit("C", "c"), None, {"C": "foo=c"}, versions=_foo(C={"C": 1}))
            .step(poll("B", "C"), "overwrite", {"B": "foo=c"}, versions=_foo(B={"C": 1}))
            .step(edit("B", "b"), None, {"B": "foo=b"}, versions=_foo(B={"B": 1, "C": 1}))
            .step(
                poll("A", "B"),
                "conflict",
                {"A": "foo=a foo.conflict-B=b"},
                conflicts=_foo(A={"B": 1}),
            )
            .step(
                resolve("A", "B"),
                None,
                {"A": "foo=a"},
                versions=_foo(A={"A": 2, "B": 1, "C": 1}),
                conflicts={"A": {}},
            ),
        ),
        repaired_only(
            "conflict-map-without-an-entry",
            "A client that only links what another one wrote has no number of its own",
            ("CD-MAP-CONFLICT",),
            Story(MAPS, "ABC", conflicts=_empty("ABC"))
            .step(edit("A", "a"), None, {"A": "foo=a"})
            .step(edit("C", "c"), None, {"C": "foo=c"})
            .step(poll("B", "C"), "overwrite", {"B": "foo=c"})
            .step(
                poll("A", "B"),
                "conflict",
                {"A": "foo=a foo.conflict-B=c"},
                conflicts=_foo(A={"B": None}),
            ),
        ),
        repaired_only(
            "conflict-map-of-an-update",
            "The number follows the conflict file",
            ("CD-MAP-CONFLICT", "CD-CONFLICT-FILE-UPDATED"),
            Story(MAPS, "AB", conflicts=_empty("AB"))
            .step(edit("A", "a"), None, {"A": "foo=a"})
            .step(edit("B", "b1"), None, {"B": "foo=b1"})
            .step(
                poll("A", "B"),
                "conflict",
                {"A": "foo=a foo.conflict-B=b1"},
                conflicts=_foo(A={"B": 1}),
            )
            .step(edit("B", "b2"), None, {"B": "foo=b2"})
            .step(
                poll("A", "B"),
                "conflict",
                {"A": "foo=a foo.conflict-B=b2"},
                conflicts=_foo(A={"B": 2}),
            ),
        ),
    )


def _as_printed() -> tuple[Draft, ...]:
    """Where the readings part, both stated by hand."""
    steps = [
        edit("A", "1"),
        poll("B", "A"),
    ]
    files: JsonObject = {"A": {"foo": "1"}, "B": {"foo": "1"}}
    first: JsonObject = {
        "classification": None,
        "files": {"A": {"foo": "1"}, "B": {}},
        "versions": {"A": {"foo": {"A": 1}}, "B": {}},
    }

    def output(of_b: JsonObject) -> JsonObject:
        second: JsonObject = {
            "classification": "overwrite",
            "files": files,
            "versions": {"A": {"foo": {"A": 1}}, "B": {"foo": of_b}},
        }
        return {"steps": [first, second]}

    second_version = (
        Story(MAPS, "AB")
        .step(edit("A", "1"), None, {"A": "foo=1"})
        .step(poll("B", "A"), "overwrite", {"B": "foo=1"})
        .step(edit("A", "2"), None, {"A": "foo=2"})
        .step(
            poll("B", "A"),
            "overwrite",
            {"B": "foo=2"},
            {"B": "foo=1 foo.conflict-A=2"},
            literal_found="conflict",
        )
    )
    outlived = (
        Story(MAPS, "AB")
        .step(edit("A", "a"), None, {"A": "foo=a"})
        .step(edit("B", "b"), None, {"B": "foo=b"})
        .step(poll("A", "B"), "conflict", {"A": "foo=a foo.conflict-B=b"})
        .step(poll("B", "A"), "conflict", {"B": "foo=b foo.conflict-A=a"})
        .step(resolve("B", "A", "ab"), None, {"B": "foo=ab"})
        .step(
            poll("A", "B"),
            "overwrite",
            {"A": "foo=ab"},
            {"A": "foo=a foo.conflict-B=ab"},
            literal_found="conflict",
        )
    )
    return (
        Draft(
            name="own-entry-of-zero",
            operation=OPERATION,
            summary="After a first overwrite: no entry for oneself, or as printed one of zero",
            clauses=("CD-MAP-OVERWRITE",),
            input={
                "design": MAPS,
                "clients": ["A", "B"],
                "report": ["versions"],
                "steps": [*steps],
            },
            output=output({"A": 1}),
            output_by_reading={LITERAL: output({"A": 1, "B": 0})},
            readings_differ=True,
        ),
        _linked_as_found(),
        of_story(
            "second-version-of-a-reader",
            "As printed, a client that never wrote sees a conflict in every change",
            ("CD-MAP-MISSING-ENTRY", "CD-CLASSIFY-OVERWRITE"),
            second_version,
        ),
        of_story(
            "resolution-of-the-other",
            "As printed, a resolution by the other client is a conflict again",
            ("CD-MAP-FOLLOWS", "CD-CONFLICT-FILE-GONE"),
            outlived,
        ),
        _concurrent(),
    )


def _linked_as_found() -> Draft:
    """B takes over A's version, and C takes it over from B."""

    def output(of_b: JsonObject, of_c: JsonObject) -> JsonObject:
        told = (
            Story(MAPS, "ABC", versions=_empty("ABC"))
            .step(edit("A", "1"), None, {"A": "foo=1"}, versions=_foo(A={"A": 1}))
            .step(poll("B", "A"), "overwrite", {"B": "foo=1"}, versions=_foo(B=of_b))
            .step(poll("C", "B"), "overwrite", {"C": "foo=1"}, versions=_foo(C=of_c))
        )
        return told.output

    steps = [edit("A", "1"), poll("B", "A"), poll("C", "B")]
    return Draft(
        name="own-entry-is-not-linked",
        operation=OPERATION,
        summary="As printed, a reader's own zero is in its local map; what it links lacks it",
        clauses=("CD-LINK-DOWNLOAD", "CD-MAP-OVERWRITE"),
        input={
            "design": MAPS,
            "clients": ["A", "B", "C"],
            "report": ["versions"],
            "steps": [*steps],
        },
        output=output({"A": 1}, {"A": 1}),
        output_by_reading={LITERAL: output({"A": 1, "B": 0}, {"A": 1, "C": 0})},
        readings_differ=True,
    )


def _concurrent() -> Draft:
    story = (
        Story(MAPS, "AB")
        .step(edit("B", "b1"), None, {"B": "foo=b1"})
        .step(edit("A", "a"), None, {"A": "foo=a"})
        .step(poll("A", "B"), "conflict", {"A": "foo=a foo.conflict-B=b1"})
        .step(poll("B", "A"), "conflict", {"B": "foo=b1 foo.conflict-A=a"})
        .step(resolve("A", "B", "ab"), None, {"A": "foo=ab"})
        .step(resolve("B", "A", "ba"), None, {"B": "foo=ba"})
        .step(poll("A", "B"), "conflict", {"A": "foo=ab foo.conflict-B=ba"})
        .step(poll("B", "A"), "conflict", {"B": "foo=ba foo.conflict-A=ab"})
    )
    return of_story(
        "concurrent-resolutions",
        "Two resolutions at once conflict in both readings",
        ("CD-RESOLVE-CONCURRENT", "CD-MAP-RESOLVE"),
        story,
    )
