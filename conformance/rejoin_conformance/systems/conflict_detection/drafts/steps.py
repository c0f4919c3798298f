"""The steps of scenarios, stated as a person works them out."""

from __future__ import annotations

from typing import Final

from rejoin_conformance.contract.drafting import accepted, refused
from rejoin_conformance.contract.step import step_json
from rejoin_conformance.contract.vector import Draft, Topic
from rejoin_conformance.kit.json_types import Json, JsonObject

OPERATION: Final = "conflict-detection/scenario-steps"
LIST: Final = "CD-STEPS-LIST"
TYPES: Final = "CD-STEPS-TYPES"
ORIGINS: Final = "CD-STEPS-ORIGINS"
NOTES: Final = (
    "The steps of scenarios, for implementations that list them: what each poll sees, fetches, "
    "finds and does, and what each change uploads. A version is the index of the step that made it."
)
CLASSIFIED: Final = {
    "first": ("CD-CLASSIFY-FIRST", "overwrite"),
    "overwrite": ("CD-CLASSIFY-OVERWRITE", "overwrite"),
    "conflict": ("CD-CLASSIFY-CONFLICT", "conflict"),
    "stale": ("CD-CLASSIFY-STALE", "stale"),
    "same": ("CD-CLASSIFY-SAME", "same"),
}


def _step(kind: str, clause: str, number: int, **fields: Json) -> JsonObject:
    return step_json(kind, clause, number=number, **fields)


def _upload(
    number: int, client: str, text: str | None, *follows: int, by: str = "", file: str = "foo"
) -> JsonObject:
    clause = by or ("CD-DELETE-SNAPSHOT" if text is None else "CD-SNAPSHOT-EDIT")
    fields: JsonObject = {"client": client, "file": file, "follows": [*follows], "text": text}
    return _step("upload", clause, number, **fields)


def _look(
    number: int, client: str, other: str, origin: int | None, file: str = "foo"
) -> JsonObject:
    clause = "CD-POLL-NOTHING" if origin is None else "CD-POLL-SUBSCRIBED"
    return _step("look", clause, number, client=client, other=other, file=file, origin=origin)


def _fetch(number: int, why: str, *origins: int) -> JsonObject:
    return _step("fetch", f"CD-WALK-{why}", number, origins=[*origins])


def _classify(number: int, how: str) -> JsonObject:
    clause, classification = CLASSIFIED[how]
    return _step("classify", clause, number, classification=classification)


def _overwrite(number: int, text: str | None) -> JsonObject:
    return _step("overwrite", "CD-OVERWRITE-APPLY", number, text=text)


def _hold(number: int, text: str | None) -> JsonObject:
    return _step("hold", "CD-CONFLICT-APPLY", number, text=text)


def _does(client: str, **action: Json) -> JsonObject:
    return {"client": client, **action}


def _given(*steps: JsonObject, design: str = "snapshots") -> JsonObject:
    return {"design": design, "clients": ["A", "B"], "steps": [*steps]}


def _output(*steps: JsonObject) -> JsonObject:
    return {"steps": [*steps]}


CONFLICT: Final = (
    _does("A", edit="a"),
    _does("B", poll="A"),
    _does("B", edit="b"),
    _does("A", edit="c"),
    _does("A", poll="B"),
    _does("A", resolve=["B"], text="d"),
    _does("B", poll="A"),
)


def _conflict() -> Draft:
    return accepted(
        OPERATION,
        "conflict-and-resolution",
        "A first version, two changes of it, the conflict, its resolution, and the overwrite.",
        f"{LIST} {TYPES} {ORIGINS}",
        given=_given(*CONFLICT),
        output=_output(
            _upload(0, "A", "a"),
            _look(1, "B", "A", 0),
            _fetch(1, "FIRST", 0),
            _classify(1, "first"),
            _overwrite(1, "a"),
            _upload(2, "B", "b", 0),
            _upload(3, "A", "c", 0),
            _look(4, "A", "B", 2),
            _fetch(4, "STOP", 0, 2),
            _classify(4, "conflict"),
            _hold(4, "b"),
            _upload(5, "A", "d", 2, 3, by="CD-RESOLVE-PARENTS"),
            _look(6, "B", "A", 5),
            _fetch(6, "STOP", 3, 5),
            _classify(6, "overwrite"),
            _overwrite(6, "d"),
        ),
        level="may",
    )


def _conflict_in_maps() -> Draft:
    before = (
        _upload(0, "A", "a"),
        _look(1, "B", "A", 0),
        _classify(1, "first"),
        _overwrite(1, "a"),
        _upload(2, "B", "b", 0),
        _upload(3, "A", "c", 0),
        _look(4, "A", "B", 2),
        _classify(4, "conflict"),
        _hold(4, "b"),
        _upload(5, "A", "d", 2, 3, by="CD-RESOLVE-PARENTS"),
        _look(6, "B", "A", 5),
    )
    return accepted(
        OPERATION,
        "conflict-and-resolution-in-maps",
        "Zooko's design fetches no snapshots. In literal, the resolution does not overwrite.",
        f"{TYPES} {ORIGINS}",
        given=_given(*CONFLICT, design="version-maps"),
        output=_output(*before, _classify(6, "overwrite"), _overwrite(6, "d")),
        otherwise={"literal": _output(*before, _classify(6, "conflict"), _hold(6, "d"))},
        level="may",
    )


def _deletion() -> Draft:
    return accepted(
        OPERATION,
        "deletion",
        "A deletion overwrites, and both clients remove their links when both have it.",
        f"{TYPES} CD-DELETE-DROP-LINK",
        given=_given(
            _does("A", edit="a"),
            _does("B", poll="A"),
            _does("B", delete=True),
            _does("A", poll="B"),
            _does("B", poll="A"),
            _does("A", poll="B"),
        ),
        output=_output(
            _upload(0, "A", "a"),
            _look(1, "B", "A", 0),
            _fetch(1, "FIRST", 0),
            _classify(1, "first"),
            _overwrite(1, "a"),
            _upload(2, "B", None, 0),
            _look(3, "A", "B", 2),
            _fetch(3, "STOP", 2),
            _classify(3, "overwrite"),
            _overwrite(3, None),
            _look(4, "B", "A", 2),
            _fetch(4, "KNOWN"),
            _classify(4, "same"),
            _step("drop-link", "CD-DELETE-DROP-LINK", 4),
            _look(5, "A", "B", None),
            _step("drop-link", "CD-DELETE-DROP-LINK", 5),
        ),
        level="may",
    )


def _nothing_linked() -> Draft:
    return accepted(
        OPERATION,
        "nothing-linked-or-offline",
        "A look where nothing is linked has no further step, and a client offline does not look.",
        f"{TYPES} CD-POLL-NOTHING",
        given=_given(_does("B", poll="A"), _does("B", offline=True), _does("B", poll="A")),
        output=_output(_look(0, "B", "A", None)),
        level="may",
    )


def _local_change() -> Draft:
    return accepted(
        OPERATION,
        "overwrite-that-becomes-a-conflict",
        "A change that is not uploaded yet turns an overwrite into a conflict.",
        f"{TYPES} CD-OVERWRITE-UNSAVED",
        given=_given(
            _does("A", edit="a"),
            _does("B", poll="A"),
            _does("A", edit="c"),
            _does("B", change="b"),
            _does("B", poll="A"),
        ),
        output=_output(
            _upload(0, "A", "a"),
            _look(1, "B", "A", 0),
            _fetch(1, "FIRST", 0),
            _classify(1, "first"),
            _overwrite(1, "a"),
            _upload(2, "A", "c", 0),
            _look(4, "B", "A", 2),
            _fetch(4, "STOP", 2),
            _classify(4, "overwrite"),
            _step("reclassify", "CD-OVERWRITE-UNSAVED", 4),
            _hold(4, "c"),
        ),
        level="may",
    )


def _first_conflict() -> Draft:
    return accepted(
        OPERATION,
        "ancestors-of-a-first-conflict",
        "A client without a version fetches the ancestors too if the first version is a conflict.",
        f"{TYPES} CD-WALK-HELD",
        given=_given(
            _does("A", edit="a"),
            _does("A", edit="c"),
            _does("B", change="b"),
            _does("B", poll="A"),
        ),
        output=_output(
            _upload(0, "A", "a"),
            _upload(1, "A", "c", 0),
            _look(3, "B", "A", 1),
            _fetch(3, "FIRST", 1),
            _classify(3, "first"),
            _step("reclassify", "CD-OVERWRITE-UNSAVED", 3),
            _fetch(3, "HELD", 0),
            _hold(3, "c"),
        ),
        level="may",
    )


def _name_in_the_way() -> Draft:
    return accepted(
        OPERATION,
        "name-in-the-way",
        "A file that stands in the way of a folder turns an overwrite into a conflict.",
        f"{TYPES} CD-PATH-BLOCKED",
        given=_given(
            _does("A", edit="a", file="foo/bar"),
            _does("B", edit="b"),
            _does("B", poll="A", file="foo/bar"),
            design="version-maps",
        ),
        output=_output(
            _upload(0, "A", "a", file="foo/bar"),
            _upload(1, "B", "b"),
            _look(2, "B", "A", 0, file="foo/bar"),
            _classify(2, "first"),
            _step("reclassify", "CD-PATH-BLOCKED", 2),
            _hold(2, None),
        ),
        level="may",
    )


def _stale() -> Draft:
    before = (
        _upload(0, "A", "a"),
        _look(1, "B", "A", 0),
        _fetch(1, "FIRST", 0),
        _classify(1, "first"),
        _overwrite(1, "a"),
        _upload(2, "B", "b", 0),
        _look(3, "B", "A", 0),
        _fetch(3, "KNOWN"),
    )
    return accepted(
        OPERATION,
        "stale-version",
        "A version that ours follows is stale, and a conflict in literal.",
        f"{TYPES} CD-CLASSIFY-STALE",
        given=_given(
            _does("A", edit="a"), _does("B", poll="A"), _does("B", edit="b"), _does("B", poll="A")
        ),
        output=_output(*before, _classify(3, "stale")),
        otherwise={"literal": _output(*before, _classify(3, "conflict"), _hold(3, "a"))},
        level="may",
    )


def _several_files() -> Draft:
    return accepted(
        OPERATION,
        "paths-in-order",
        "Uploads of one action and looks of one poll are in ascending order of their paths.",
        f"{TYPES} CD-POLL-ALL-ORDER",
        given=_given(
            _does("A", edit="a"),
            _does("A", rename="bar"),
            _does("B", poll_all="A"),
        ),
        output=_output(
            _upload(0, "A", "a"),
            _upload(1, "A", "a", file="bar"),
            _upload(1, "A", None, 0),
            _look(2, "B", "A", 1, file="bar"),
            _fetch(2, "FIRST", 1),
            _classify(2, "first"),
            _overwrite(2, "a"),
            _look(2, "B", "A", 1),
            _fetch(2, "FIRST", 1),
            _classify(2, "first"),
            _overwrite(2, None),
        ),
        level="may",
    )


def _refused() -> Draft:
    return refused(
        OPERATION,
        "refused-action",
        "If an action is refused, there are no steps, not even of the actions before it.",
        LIST,
        given=_given(_does("A", edit="a"), _does("A", poll="A")),
        mended=_given(_does("A", edit="a"), _does("A", poll="B")),
        level="may",
    )


TOPIC: Final = Topic(
    "steps",
    NOTES,
    (
        _conflict(),
        _conflict_in_maps(),
        _deletion(),
        _nothing_linked(),
        _local_change(),
        _first_conflict(),
        _name_in_the_way(),
        _stale(),
        _several_files(),
        _refused(),
    ),
)
"""The vectors about steps."""
