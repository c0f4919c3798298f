"""Fields at the limits of their schemas, and lists beyond 256 and 1,024 items."""

from __future__ import annotations

from typing import Final

from rejoin_conformance.contract.drafting import accepted, refused
from rejoin_conformance.kit.json_types import Json, JsonObject
from rejoin_conformance.systems.history_merge.drafts.large_histories import (
    by_case,
    counted,
    eighths,
    elements,
    names,
    node,
    ordered_units,
    own_elements,
)

_NINES: Final = 10**59 - 1
"""With a sign, this is the counter with the most digits that the schema allows."""

_TEXT: Final = "é" * 199
_ORDERED_NODES, _ORDER = ordered_units(90)
_CHAIN: Final[list[Json]] = [
    {"id": name, "parents": [before] if before else []}
    for before, name in zip(["", *names("n", 1099)], names("n", 1100), strict=True)
]


def _register(node_id: str, parents: list[str], state: str) -> JsonObject:
    return {"id": node_id, "parents": [*parents], "state": state}


def _registers(left: str, right: str) -> list[Json]:
    return [
        _register("r", [], _TEXT + "o"),
        _register("p", ["r"], left),
        _register("q", ["r"], right),
    ]


def _forked_chain() -> list[Json]:
    """Return the chain with two more nodes over its last node but one."""
    return [*_CHAIN, {"id": "p", "parents": ["n1098"]}, {"id": "q", "parents": ["n1098"]}]


_FIELDS: Final = (
    accepted(
        "history-merge/merge",
        "registers-of-200-characters",
        "The texts of registers differ only in the last of 200 characters.",
        "HM-3WAY-REGISTER HM-MERGE-STEP",
        given={
            "nodes": _registers(_TEXT + "o", _TEXT + "a"),
            "merge": ["p", "q"],
            "state_type": "register",
        },
        output={"state": _TEXT + "a"},
    ),
    refused(
        "history-merge/merge",
        "registers-of-200-characters-conflict",
        "Two changes of the last of 200 characters conflict.",
        "HM-3WAY-CONFLICT HM-3WAY-REGISTER",
        given={
            "nodes": _registers(_TEXT + "a", _TEXT + "b"),
            "merge": ["p", "q"],
            "state_type": "register",
        },
        mended={
            "nodes": _registers(_TEXT + "a", _TEXT + "a"),
            "merge": ["p", "q"],
            "state_type": "register",
        },
    ),
    accepted(
        "history-merge/merge",
        "counters-of-59-digits",
        "Counters have 59 digits, and the change between the largest and the smallest has 60.",
        "HM-3WAY-COUNTER",
        given={
            "nodes": [
                counted("r", [], -_NINES),
                counted("p", ["r"], _NINES),
                counted("q", ["r"], -_NINES + 1),
            ],
            "merge": ["p", "q"],
            "state_type": "counter",
        },
        output={"state": str(_NINES + 1)},
    ),
    accepted(
        "history-merge/three-way-merge",
        "elements-of-5001-characters",
        "The names of elements differ only in the last of 5,001 characters.",
        "HM-3WAY-SET HM-3WAY-ELEMENT",
        given={
            "origin": ["e" * 5000 + letter for letter in "abc"],
            "left": ["e" * 5000 + letter for letter in "bcd"],
            "right": ["e" * 5000 + letter for letter in "abe"],
        },
        output={"state": ["e" * 5000 + letter for letter in "bde"]},
    ),
)

_LISTS: Final = (
    accepted(
        "history-merge/three-way-merge",
        "8400-elements-in-all-cases",
        "Each of the eight cases of an element occurs 1,050 times; each set has 4,200 elements.",
        "HM-3WAY-SET HM-3WAY-ELEMENT",
        given={"origin": eighths(8400, 2), "left": eighths(8400, 1), "right": eighths(8400, 0)},
        output={"state": by_case(8400, 1, 2, 3, 7)},
    ),
    accepted(
        "history-merge/apply-diff",
        "2100-elements-inserted-and-deleted",
        "A diff inserts a half of 4,200 elements and deletes another half; deletions come last.",
        "HM-3WAY-APPLY",
        given={
            "state": eighths(4200, 2),
            "inserted": eighths(4200, 1),
            "deleted": eighths(4200, 0),
        },
        output={"state": by_case(4200, 2, 4, 6)},
    ),
    accepted(
        "history-merge/merge",
        "270-nodes-in-a-fold-order",
        "The fold order of each three of 270 nodes decides about an element of their own.",
        "HM-FOLD-RANKED HM-MERGE-FOLD",
        given={"nodes": _ORDERED_NODES, "merge": [*sorted(map(str, _ORDER))], "order": _ORDER},
        output={"state": [f"x{number:03d}" for number in range(1, 90, 2)]},
    ),
    accepted(
        "history-merge/union-of-events",
        "union-of-1040-events",
        "The union has the element of each of 1,040 nodes.",
        "HM-UNION-OF-EVENTS",
        given={"nodes": own_elements(1040)},
        output={"union": [*elements(1040)]},
    ),
    accepted(
        "history-merge/operational-edges",
        "300-operational-edges",
        "Each of 300 nodes inserts an element of its own.",
        "HM-EDGE-SINGLE HM-EDGE-OPERATION",
        given={"nodes": own_elements(300)},
        output={
            "edges": [
                {"node": head, "virtual": False, "inserted": [element], "deleted": []}
                for head, element in zip(names("h", 300), elements(300), strict=True)
            ]
        },
    ),
    accepted(
        "history-merge/is-anti-chain",
        "1040-nodes-are-an-anti-chain",
        "No two of 1,040 nodes over one root are ordered.",
        "HM-ORDER-ANTI-CHAIN",
        given={"nodes": own_elements(1040), "among": [*names("h", 1040)]},
        output={"anti_chain": True},
    ),
    accepted(
        "history-merge/is-anti-chain",
        "1041-nodes-with-one-before-the-last",
        "The last of 1,041 nodes is after one of the others.",
        "HM-ORDER-ANTI-CHAIN",
        given={
            "nodes": [*own_elements(1040), node("z", ["h0519"], [])],
            "among": [*names("h", 1040), "z"],
        },
        output={"anti_chain": False},
    ),
    accepted(
        "history-merge/common-to-all",
        "common-to-three-nodes-after-1099",
        "Three nodes are over the last node but one of a chain of 1,100 nodes.",
        "HM-LCA-MANY",
        given={"nodes": _forked_chain(), "of": ["n1099", "p", "q"]},
        output={"nodes": ["n1098"]},
    ),
    accepted(
        "history-merge/before",
        "ends-of-a-chain-of-1100",
        "The first node of a chain of 1,100 nodes is before the last one.",
        "HM-ORDER-BEFORE",
        given={"nodes": _CHAIN, "earlier": "n0000", "later": "n1099"},
        output={"before": True},
    ),
)

LIMITS: Final = (*_FIELDS, *_LISTS)
