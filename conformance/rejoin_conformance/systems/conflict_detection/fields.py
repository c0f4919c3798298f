"""The kinds of the fields of operations: graphs, version maps, times and bytes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from attrs import evolve

from rejoin import conflict_detection as cd
from rejoin_conformance.contract.rows import one_of
from rejoin_conformance.kit.json_types import Json, JsonObject
from rejoin_conformance.kit.locations import saying, text_beside
from rejoin_conformance.kit.phrases import Kind, Scanner
from rejoin_conformance.kit.schemas import HEX, TEXT, integer, list_of, map_of, nullable, record
from rejoin_conformance.systems.conflict_detection.kinds import named, names
from rejoin_conformance.systems.conflict_detection.segments import (
    WORDS,
    Statement,
    items,
    number,
    repeated,
    repeats,
    spelled_items,
    spelled_list,
    whole,
    with_pairs,
    word,
)
from rejoin_conformance.systems.conflict_detection.snapshots import (
    ID_BYTES,
    author_of,
    content_id,
    cut,
    read_bytes,
    read_content,
    read_hex,
    read_parents,
    read_signature,
    spelled_bytes,
    spelled_hex,
    spelled_id,
)

FOUND: Final = tuple(each.value for each in cd.Classification)
"""The classifications."""


def read_map(text: Scanner) -> JsonObject:
    """Take a version map in parentheses."""
    if not text.takes("("):
        text.fail("a version map such as `(A:3 B:2)`")
    entries: list[Any] = []
    taken: set[str] = set()
    while not text.takes(")"):
        name = word(text, "a nickname, or `)`")
        text.need(":")
        if name in taken and not repeats(name):
            text.fail(f"one entry for {name!r}")
        taken.add(name)
        entries += repeated(text, [name, number(text, "a version number")])
    return with_pairs(entries)


def spelled_map(version_map: Mapping[str, Any]) -> str:
    """Return the text of a version map."""
    return f"({' '.join(f'{WORDS.spelled(name)}:{each}' for name, each in version_map.items())})"


def _load_map(value: Any, _: object) -> cd.VersionMap | None:
    if value is not None:
        cd.check_version_map(value)
    return value  # type: ignore[no-any-return]  # it matches its schema


def _map_kind(nothing: str = "") -> Kind:
    """Return the kind of a version map. nothing: the word for no map."""
    schema = map_of({"type": "integer"})  # the protocol decides which numbers are allowed
    return Kind(
        schema=nullable(schema) if nothing else schema,
        read=lambda text: None if nothing and text.takes(nothing) else read_map(text),
        write=lambda value, _: nothing if value is None else spelled_map(value),
        load=_load_map,
        dump=lambda value, _: dict(sorted(value.items())),
    )


def _read_maps(text: Scanner) -> Json:
    if text.takes("nothing"):
        return []
    maps = repeated(text, read_map(text))
    while text.would_take("("):
        maps += repeated(text, read_map(text))
    return [*maps]


def by_nickname(values: Any, _: object) -> dict[str, Any]:
    """Return values by nickname, after checking the nicknames."""
    for nickname in values:
        cd.check_nickname(nickname)
    return dict(values)


def _load_nickname(nickname: str, _: object) -> str:
    cd.check_nickname(nickname)
    return nickname


_LOCAL: Final = Kind(
    schema=nullable(TEXT),
    read=lambda text: None if text.takes("none") else word(text, "a version, or `none`"),
    write=lambda value, _: "none" if value is None else WORDS.spelled(value),
)


LARGEST_TIME: Final = 2**53 - 1
_TIME: Final = integer(0, LARGEST_TIME)
_LINKS: Final = names().saying(
    "The snapshots that the lease keeps, with everything that they link. One may be named twice."
)
_UNTIL: Final = Kind(schema=_TIME, words="The time at which the lease ends.")


def _read_renewals(text: Scanner) -> Json:
    renewals: list[Json] = []
    while text.takes("renewed"):
        links: list[Json] = []
        while not text.takes("until"):
            if links or not text.takes("nothing"):
                links.append(word(text, "a snapshot, or `until` and a time"))
        renewals += repeated(text, {"links": links, "until": whole(text, "a time")})
        if not text.ends_statement():
            text.fail("the end of the statement")
    return renewals


def _write_renewals(renewals: Any, _: object) -> str:
    return "".join(
        f"renewed {spelled_list(each['links'])} until {each['until']}\n" for each in renewals
    )


CLASSIFICATION: Final = evolve(
    one_of({each: each for each in FOUND}), dump=lambda value, _: value.value
)
_YES: Final = one_of({"yes": True, "no": False})
_GRAPH: Final = Kind(
    schema=list_of(
        record(
            {
                "id": {"description": "The ID of the version or snapshot: any text.", **TEXT},
                "parents": {
                    "description": "The IDs of the versions that it was made from.",
                    **list_of(TEXT),
                },
            }
        )
    ),
    load=lambda versions, _: cd.version_dag((each["id"], each["parents"]) for each in versions),
)


def _read_content(text: Scanner) -> Json:
    content = read_content(text)
    return None if content is None else content.hex()


def _spelled_parent(parent: str) -> str:
    return f" {spelled_id(bytes.fromhex(parent))}"


def _read_pieces(text: Scanner) -> Json:
    """Take pieces of bytes up to the end of the statement."""
    assert isinstance(text, Statement)
    encoded = b""
    while text.next_segment() or not encoded:
        encoded += read_bytes(text)
    return encoded.hex()


def _spelled_pieces(encoded: str, question: Any) -> str:
    """Return the text of a snapshot as bytes, in which the IDs of a question are named."""
    parents = [bytes.fromhex(parent) for parent in question["parents"]]
    known = {parent: spelled_id(parent) for parent in parents if len(parent) == ID_BYTES}
    if question["content"] is not None:
        content = bytes.fromhex(question["content"])
        known[content_id(content)] = f"#({spelled_bytes(content, {})})"
    if "signing_key" in question:
        seed = bytes.fromhex(question["signing_key"])
        known[author_of(seed)] = f"@{spelled_hex(seed)}"
    return spelled_bytes(bytes.fromhex(encoded), known)


_BYTES: Final = Kind(
    schema=HEX,
    write=lambda value, _: spelled_hex(bytes.fromhex(value)),
    load=lambda value, _: bytes.fromhex(value),
    dump=lambda value, _: value.hex(),
)
_MAP: Final = _map_kind()
_VERSION: Final = named("a version")
_FIELDS: Final[Mapping[str, Kind]] = {
    "versions": _GRAPH,
    "snapshots": _GRAPH,
    "later": _VERSION,
    "earlier": _VERSION,
    "follows": _YES,
    "local": _LOCAL,
    "remote": _VERSION,
    "classification": CLASSIFICATION,
    "cached": names(),
    "downloaded": names(),
    "currents": Kind(
        schema={**map_of(TEXT), "minProperties": 1},
        read=lambda text: items(text, "a client", lambda text: word(text, "a snapshot")),
        write=lambda value, _: spelled_items(value, WORDS.spelled, ""),
        load=by_nickname,
    ),
    "common_ancestors": names(),
    "kept": names(),
    "renewals": Kind(
        schema=list_of(record({"links": _LINKS.described(), "until": _UNTIL.described()})),
        read=_read_renewals,
        write=_write_renewals,
    ),
    "now": Kind(
        schema=_TIME,
        read=lambda text: whole(text, "a time"),
        write=lambda value, _: str(value),
    ),
    "local-map": _MAP,
    "local-map-or-none": _map_kind("none"),
    "remote-map": _MAP,
    "map": _MAP,
    "maps": Kind(
        schema=list_of(map_of({"type": "integer"})),
        read=_read_maps,
        write=lambda maps, _: " ".join(map(spelled_map, maps)) or "nothing",
        load=lambda maps, _: [_load_map(each, None) for each in maps],
    ),
    "nickname": named("a nickname", _load_nickname),
    "removed": Kind(
        schema=map_of(map_of({"type": "integer"})),
        read=lambda text: {} if text.takes("nobody") else items(text, "a nickname", read_map),
        write=lambda removed, _: spelled_items(removed, spelled_map, "nobody"),
        load=lambda removed, _: {
            name: _load_map(each, None) for name, each in by_nickname(removed, None).items()
        },
        missing={},
    ),
    "content": Kind(
        schema=nullable(HEX),
        read=_read_content,
        write=lambda value, _: (
            "deletion" if value is None else spelled_bytes(bytes.fromhex(value), {})
        ),
        load=lambda value, _: None if value is None else bytes.fromhex(value),
    ),
    "parents": Kind(
        schema=list_of(HEX),
        read=lambda text: [each.hex() for each in read_parents(text)],
        write=lambda parents, _: " after" * bool(parents) + "".join(map(_spelled_parent, parents)),
        load=lambda parents, _: [bytes.fromhex(each) for each in parents],
    ),
    "content_id": evolve(
        _BYTES,
        schema=nullable(HEX),
        dump=lambda value, _: None if value is None else value.hex(),
    ),
    **dict.fromkeys(("encoded", "over"), evolve(_BYTES, read=_read_pieces, write=_spelled_pieces)),
    "signing_key": evolve(_BYTES, read=lambda text: cut(text, read_hex(text)).hex()),
    **dict.fromkeys(
        ("author", "signature"), evolve(_BYTES, read=lambda text: read_signature(text).hex())
    ),
    "id": _BYTES,
    "valid": _YES,
}
FIELDS: Final = saying(text_beside(__name__), _FIELDS)
"""The kinds of the fields of operations, by name; `fields.txt` describes them."""
