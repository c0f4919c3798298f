"""How deep lists and dicts nest."""

from __future__ import annotations

from typing import Final

from rejoin_conformance.contract.drafting import accepted, refused
from rejoin_conformance.contract.vector import Draft
from rejoin_conformance.kit.json_types import JsonObject

DECODE: Final = "config-merge/decode"
CLAUSES: Final = "CM-BT-DEPTH CM-SECURITY-REFUSE-AT-ONCE"


def drafts() -> tuple[Draft, ...]:
    """Return drafts: at most 100 containers are open."""
    mixed: JsonObject = {"encoded": (b"ld0:" * 50 + b"le" + b"ee" * 50).hex()}
    mixed_less: JsonObject = {"encoded": (b"ld0:" * 49 + b"l" + b"le" + b"e" + b"ee" * 49).hex()}
    return (
        accepted(
            DECODE,
            "nested-100-deep",
            "100 nested lists are accepted.",
            "CM-BT-DEPTH",
            given=_lists(100),
            output={"value": _list_tree(100)},
        ),
        _refused("nested-101-deep", "101 nested lists are refused.", _lists(101), _lists(100)),
        _refused("dicts-101-deep", "101 nested dicts are refused.", _dicts(101), _dicts(100)),
        _refused(
            "mixed-101-deep", "Lists and dicts count together: 101 are refused.", mixed, mixed_less
        ),
        accepted(
            DECODE,
            "many-side-by-side",
            "Lists that are closed do not count.",
            "CM-BT-DEPTH",
            given={"encoded": (b"l" + b"le" * 120 + b"e").hex()},
            output={"value": {"list": [{"list": []}] * 120}},
        ),
        _refused(
            "lists-opened-10000-deep",
            "10,000 lists that are never closed are refused at once.",
            {"encoded": (b"l" * 10_000).hex()},
            _lists(1),
        ),
        _refused(
            "lists-10000-deep",
            "10,000 nested lists, all closed, are refused.",
            _lists(10_000),
            _lists(100),
        ),
    )


def _refused(name: str, summary: str, bad: JsonObject, good: JsonObject) -> Draft:
    return refused(DECODE, name, summary, CLAUSES, given=bad, mended=good)


def _lists(depth: int) -> JsonObject:
    return {"encoded": (b"l" * depth + b"e" * depth).hex()}


def _dicts(depth: int) -> JsonObject:
    return {"encoded": (b"d0:" * (depth - 1) + b"de" + b"e" * (depth - 1)).hex()}


def _list_tree(depth: int) -> JsonObject:
    tree: JsonObject = {"list": []}
    for _ in range(depth - 1):
        tree = {"list": [tree]}
    return tree
