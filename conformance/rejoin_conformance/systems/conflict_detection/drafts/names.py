"""Topic `names`: which paths and nicknames there may be."""

from __future__ import annotations

from rejoin_conformance.contract.vector import Draft, Topic
from rejoin_conformance.kit.json_types import JsonObject
from rejoin_conformance.systems.conflict_detection.drafts.by_hand.drafts import (
    of_story,
    refused,
)
from rejoin_conformance.systems.conflict_detection.drafts.by_hand.stories import (
    SNAPSHOTS,
    Story,
    edit,
    poll,
)


def topic() -> Topic:
    """The vectors of names."""
    refusals = [
        ("path-empty", "A path without components", ""),
        ("path-absolute", "A path that begins with a slash", "/foo"),
        ("path-ends-with-slash", "A path that ends with a slash", "foo/"),
        ("path-double-slash", "A path with an empty component", "a//b"),
        ("path-dot", "A path with a component `.`", "./foo"),
        ("path-dot-dot", "A path that leads out of the folder", "../foo"),
        ("path-nul", "A path with a NUL", "foo\0"),
        ("path-high-surrogate", "Half of a surrogate pair has no encoding", "foo\ud83d"),
        ("path-low-surrogate", "The other half has none either", "\udc1afoo"),
    ]
    return Topic(
        "names",
        "Relative paths and nicknames. Names of conflict files are made of both, so neither may "
        "look like the other's part.",
        (
            *(_allowed(*each) for each in _ALLOWED),
            *(_path(*each) for each in refusals),
            _conflict_name(),
            *_nicknames(),
        ),
    )


_ALLOWED = (
    ("path-deep", "Components with slashes between them", "a/b/c.txt"),
    ("path-dots-in-a-name", "Dots are no matter inside a component", "...a/.b"),
    ("path-nearly-a-conflict-file", "The mark is `.conflict-`, with the hyphen", "foo.conflict"),
    ("path-beyond-ascii", "Any character that Unicode has", "\u00e9\u4e2d"),
    ("path-beyond-16-bits", "A character that UTF-16 makes a surrogate pair of", "\U0001f41a"),
)


def _allowed(name: str, summary: str, path: str) -> Draft:
    story = (
        Story(SNAPSHOTS, "AB")
        .step(edit("A", "X", path), None, {"A": f"{path}=X"})
        .step(poll("B", "A", path), "overwrite", {"B": f"{path}=X"})
    )
    return of_story(name, summary, ("CD-PATH",), story)


def _path(name: str, summary: str, path: str) -> Draft:
    wrong = Story(SNAPSHOTS, "AB").step({"client": "A", "edit": "X", "file": path})
    return refused(name, summary, ("CD-PATH",), wrong, Story(SNAPSHOTS, "AB").step(edit("A", "X")))


def _conflict_name() -> Draft:
    return refused(
        "path-of-a-conflict-file",
        "A poll of what would be a conflict file's name",
        ("CD-PATH",),
        Story(SNAPSHOTS, "AB").step(poll("A", "B", "foo.conflict-B")),
        Story(SNAPSHOTS, "AB").step(poll("A", "B")),
    )


def _nicknames() -> tuple[Draft, ...]:
    good = Story(SNAPSHOTS, "AB")
    wrong = [
        ("nickname-empty", "A client without a nickname", ["A", ""]),
        ("nickname-comma", "A nickname that would be two", ["A", "B,C"]),
        ("nickname-slash", "A nickname that would be a path", ["A", "B/C"]),
        ("nickname-nul", "A nickname with a NUL", ["A", "B\0"]),
        ("nickname-surrogate", "A nickname with half of a surrogate pair", ["A", "B\udc1a"]),
        ("nickname-twice", "Two clients with one nickname", ["A", "A"]),
    ]
    unknown = Story(SNAPSHOTS, "AB").step(edit("Z", "X"))
    return (
        *(
            refused(name, summary, ("CD-NICKNAME",), _clients(nicknames), good)
            for name, summary, nicknames in wrong
        ),
        refused(
            "nickname-unknown",
            "An action of a client that does not exist",
            ("CD-NICKNAME",),
            unknown,
            Story(SNAPSHOTS, "AB").step(edit("A", "X")),
        ),
    )


def _clients(nicknames: list[str]) -> JsonObject:
    """A scenario in which nothing happens."""
    return {"design": SNAPSHOTS, "clients": [*nicknames], "steps": []}
