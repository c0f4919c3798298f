"""How deep lists and dicts nest."""

from __future__ import annotations

from rejoin_conformance.contract.vector import Draft
from rejoin_conformance.kit.json_types import JsonObject
from rejoin_conformance.systems.config_merge.drafts.by_hand.drafts import accepted, refused

CLAUSES = "CM-BT-DEPTH CM-SECURITY-REFUSE-AT-ONCE"


def drafts() -> tuple[Draft, ...]:
    """100 open containers at most."""
    return (
        accepted(
            "nested-100-deep",
            "decode",
            "100 lists in one another are accepted",
            "CM-BT-DEPTH",
            _lists(100),
            {"value": _list_tree(100)},
        ),
        refused(
            "nested-101-deep",
            "decode",
            "101 lists in one another are refused",
            CLAUSES,
            _lists(101),
            _lists(100),
        ),
        refused(
            "dicts-101-deep",
            "decode",
            "101 dicts in one another are refused",
            CLAUSES,
            _dicts(101),
            _dicts(100),
        ),
        refused(
            "mixed-101-deep",
            "decode",
            "Lists and dicts count together",
            CLAUSES,
            {"encoded": (b"ld0:" * 50 + b"le" + b"ee" * 50).hex()},
            {"encoded": (b"ld0:" * 49 + b"l" + b"le" + b"e" + b"ee" * 49).hex()},
        ),
        accepted(
            "many-side-by-side",
            "decode",
            "What has been closed does not count",
            "CM-BT-DEPTH",
            {"encoded": (b"l" + b"le" * 120 + b"e").hex()},
            {"value": {"list": [{"list": []}] * 120}},
        ),
        refused(
            "lists-opened-10000-deep",
            "decode",
            "10,000 lists that are never closed are refused at once",
            CLAUSES,
            {"encoded": (b"l" * 10_000).hex()},
            _lists(1),
        ),
        refused(
            "lists-10000-deep",
            "decode",
            "10,000 lists in one another, all closed",
            CLAUSES,
            _lists(10_000),
            _lists(100),
        ),
    )


def _lists(depth: int) -> JsonObject:
    return {"encoded": (b"l" * depth + b"e" * depth).hex()}


def _dicts(depth: int) -> JsonObject:
    return {"encoded": (b"d0:" * (depth - 1) + b"de" + b"e" * (depth - 1)).hex()}


def _list_tree(depth: int) -> JsonObject:
    tree: JsonObject = {"list": []}
    for _ in range(depth - 1):
        tree = {"list": [tree]}
    return tree
