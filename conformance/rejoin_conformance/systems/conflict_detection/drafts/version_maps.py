"""Topic `version-maps`: joining maps, uploading and resolving with them."""

from __future__ import annotations

from functools import partial
from typing import Final

from rejoin_conformance.contract.vector import Draft, Topic
from rejoin_conformance.kit.json_types import Json, JsonObject
from rejoin_conformance.systems.conflict_detection.drafts.by_hand.drafts import refusal

JOIN: Final = "conflict-detection/join-version-maps"
UPLOAD: Final = "conflict-detection/upload-version-map"
_refused_join: Final = partial(refusal, JOIN)
_refused_upload: Final = partial(refusal, UPLOAD)
LARGEST: Final = 2**53 - 1

Numbers = dict[str, int]


def _map(numbers: Numbers) -> JsonObject:
    return {**numbers}


def _join_input(*maps: Numbers) -> JsonObject:
    listed: list[Json] = [_map(each) for each in maps]
    return {"maps": listed}


def _upload_input(nickname: str, local: Numbers, **removed: Numbers) -> JsonObject:
    value: JsonObject = {"nickname": nickname, "local": _map(local)}
    if removed:
        value["removed"] = {other: _map(each) for other, each in removed.items()}
    return value


def _join(name: str, summary: str, maps: list[Numbers], joined: Numbers) -> Draft:
    return Draft(
        name=name,
        operation=JOIN,
        summary=summary,
        clauses=("CD-MAP-JOIN",),
        input=_join_input(*maps),
        output={"map": _map(joined)},
    )


def _upload(
    name: str, summary: str, value: JsonObject, repaired: Numbers, literal: Numbers | None = None
) -> Draft:
    return Draft(
        name=name,
        operation=UPLOAD,
        summary=summary,
        clauses=("CD-MAP-RESOLVE", "CD-MAP-UPLOAD") if "removed" in value else ("CD-MAP-UPLOAD",),
        input=value,
        output={"map": _map(repaired)},
        output_by_reading={} if literal is None else {"literal": {"map": _map(literal)}},
        readings_differ=literal is not None,
    )


def topic() -> Topic:
    """The vectors of joins and uploads."""
    return Topic(
        "version-maps",
        "The join of version maps, the map of an upload, and what a resolution makes of the local "
        "map before it: the join of whole maps, or in `literal` one copied entry.",
        (*_joins(), *_uploads(), *_resolutions(), *_refusals()),
    )


def _joins() -> tuple[Draft, ...]:
    return (
        _join(
            "join-larger-of-each",
            "Entry by entry the larger number",
            [{"A": 11, "B": 20, "C": 30}, {"A": 10, "B": 21, "C": 30}],
            {"A": 11, "B": 21, "C": 30},
        ),
        _join(
            "join-disjoint", "Maps without a common entry", [{"A": 1}, {"B": 2}], {"A": 1, "B": 2}
        ),
        _join(
            "join-one-follows-the-other",
            "The join of a map and one that it follows",
            [{"A": 2, "B": 1}, {"A": 1}],
            {"A": 2, "B": 1},
        ),
        _join("join-equal", "A map joined with itself", [{"A": 3}, {"A": 3}], {"A": 3}),
        _join(
            "join-three",
            "Three maps",
            [{"A": 3, "B": 1}, {"B": 2}, {"A": 1, "C": 5}],
            {"A": 3, "B": 2, "C": 5},
        ),
        _join("join-one", "One map", [{"A": 3}], {"A": 3}),
        _join("join-none", "The join of nothing is the empty map", [], {}),
        _join(
            "join-largest-number",
            "The largest number there is",
            [{"A": LARGEST}, {"A": 1}],
            {"A": LARGEST},
        ),
    )


def _uploads() -> tuple[Draft, ...]:
    return (
        _upload(
            "upload-raises-own-number",
            "An upload counts its maker's uploads",
            _upload_input("A", {"A": 10, "B": 20}),
            {"A": 11, "B": 20},
        ),
        _upload(
            "upload-first-of-a-reader",
            "The first upload of a client that only read",
            _upload_input("C", {"A": 10, "B": 20}),
            {"A": 10, "B": 20, "C": 1},
        ),
        _upload(
            "upload-first-of-all", "The first upload of a file", _upload_input("A", {}), {"A": 1}
        ),
        _upload(
            "upload-from-zero",
            "An entry of zero is raised to one",
            _upload_input("C", {"A": 1, "C": 0}),
            {"A": 1, "C": 1},
        ),
        _upload(
            "upload-up-to-the-limit",
            "The last upload that a client can make",
            _upload_input("A", {"A": LARGEST - 1}),
            {"A": LARGEST},
        ),
    )


def _resolutions() -> tuple[Draft, ...]:
    return (
        _upload(
            "resolve-example",
            "C resolves the example's conflict",
            _upload_input("C", {"A": 11, "B": 20, "C": 30}, B={"A": 10, "B": 21, "C": 30}),
            {"A": 11, "B": 21, "C": 31},
        ),
        _upload(
            "resolve-what-the-other-had-seen",
            "B had seen C's upload, which A had not",
            _upload_input("A", {"A": 2, "B": 1}, B={"A": 1, "B": 2, "C": 4}),
            {"A": 3, "B": 2, "C": 4},
            {"A": 3, "B": 2},
        ),
        _upload(
            "resolve-what-the-other-only-links",
            "B links a version of C and never wrote: there is no entry of B to copy",
            _upload_input("A", {"A": 1}, B={"C": 1}),
            {"A": 2, "C": 1},
            {"A": 2},
        ),
        _upload(
            "resolve-several",
            "Two conflicts at once",
            _upload_input("A", {"A": 1}, B={"B": 1}, C={"C": 2}),
            {"A": 2, "B": 1, "C": 2},
        ),
        _upload(
            "resolve-several-that-know-each-other",
            "C had seen more of B than B's own file",
            _upload_input("A", {"A": 1}, B={"B": 1}, C={"B": 3, "C": 2}),
            {"A": 2, "B": 3, "C": 2},
            {"A": 2, "B": 1, "C": 2},
        ),
        _upload(
            "resolve-what-had-seen-our-own-uploads",
            "Their map knows more of our uploads than our own: our number never falls behind",
            _upload_input("A", {"A": 1, "B": 1}, B={"A": 5, "B": 2}),
            {"A": 6, "B": 2},
            {"A": 2, "B": 2},
        ),
    )


def _refusals() -> tuple[Draft, ...]:
    numbers, nickname = "CD-MAP-NUMBERS", "CD-NICKNAME"
    return (
        _refused_join(
            "join-negative",
            "A negative number in one of the maps",
            numbers,
            _join_input({"A": 1}, {"B": -5}),
            _join_input({"A": 1}, {"B": 5}),
        ),
        _refused_join(
            "join-too-large",
            "A number that is too large",
            numbers,
            _join_input({"A": 2**53}),
            _join_input({"A": LARGEST}),
        ),
        _refused_upload(
            "upload-beyond-the-limit",
            "No larger number is left",
            numbers,
            _upload_input("A", {"A": LARGEST}),
            _upload_input("A", {"A": LARGEST - 1}),
        ),
        _refused_upload(
            "upload-by-nobody",
            "An upload by a client without a nickname",
            nickname,
            _upload_input("", {"A": 1}),
            _upload_input("A", {"A": 1}),
        ),
        _refused_upload(
            "upload-nickname-with-slash",
            "A nickname that would be a path",
            nickname,
            _upload_input("A/B", {"A": 1}),
            _upload_input("A", {"A": 1}),
        ),
        _refused_upload(
            "resolve-negative",
            "A negative number in a held map",
            numbers,
            _upload_input("A", {"A": 1}, B={"B": -1}),
            _upload_input("A", {"A": 1}, B={"B": 1}),
        ),
    )
