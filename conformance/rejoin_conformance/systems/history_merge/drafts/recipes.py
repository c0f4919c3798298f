"""Histories of thousands of nodes, and sets of 65,538 elements, as recipes."""

from __future__ import annotations

from typing import Final

from rejoin_conformance.contract.drafting import accepted
from rejoin_conformance.contract.recipe_drafting import repeated
from rejoin_conformance.contract.vector import Draft
from rejoin_conformance.kit.json_types import Json, JsonObject

_EACH: Final = 10_923
"""The number of elements of each case; 6 cases have 65,538 elements."""


def _elements(letters: str) -> list[Json]:
    """Return the elements of some cases, each with the letter of its case.

    d and g: one side deletes it. k: both keep it. l and r: one side inserts it. x: both insert it.
    """
    return [repeated(_EACH, f"{letter}<i:5>") for letter in letters]


def _sets() -> Draft:
    return accepted(
        "history-merge/three-way-merge",
        "65538-elements-merged",
        "Of 65,538 elements, each sixth is in another case of a 3-way merge.",
        "HM-3WAY-SET HM-3WAY-ELEMENT",
        given={
            "origin": _elements("dgk"),
            "left": _elements("gklx"),
            "right": _elements("dkrx"),
        },
        output={"state": _elements("klrx")},
        recipe=True,
    )


def _node(name: str, *parents: Json) -> JsonObject:
    return {"id": name, "parents": [*parents]}


def _histories() -> tuple[Draft, ...]:
    """Return a chain, a ladder and a session."""
    a_row: JsonObject = {**_node("a<i>", "a<i-1>", "b<i-1>"), "state": ["e", "f"]}
    b_row: JsonObject = {**_node("b<i>", "a<i-1>", "b<i-1>"), "state": []}
    head: JsonObject = {**_node("h<i:4>", "r"), "state": "<i+1>"}
    sums: list[Json] = [
        {"accepted": True, "state": str(count * (count + 1) // 2)} for count in range(4098)
    ]
    return (
        accepted(
            "history-merge/ancestors",
            "ancestors-in-a-chain-of-8194",
            "The last node of a chain has 8,193 ancestors besides itself.",
            "HM-ORDER-ANCESTORS HM-ORDER-ANCESTORS-OF-ALL",
            given={
                "nodes": [
                    _node("r"),
                    _node("v0000", "r"),
                    repeated(8192, _node("v<i:4>", "v<i-1:4>"), start=1),
                ],
                "of": ["v8192"],
            },
            output={"nodes": ["r", repeated(8193, "v<i:4>")]},
            recipe=True,
        ),
        accepted(
            "history-merge/before",
            "ends-of-a-chain-of-32770",
            "The first node of a chain of 32,770 nodes is before the last one.",
            "HM-ORDER-BEFORE",
            given={
                "nodes": [_node("v0"), repeated(32769, _node("v<i>", "v<i-1>"), start=1)],
                "earlier": "v0",
                "later": "v32769",
            },
            output={"before": True},
            recipe=True,
        ),
        accepted(
            "history-merge/merge",
            "alternating-ladder-2049-rows",
            "Each of 2,049 rows replaces the only element of the merge of the row before.",
            "HM-MERGE-DEEP HM-MERGE-ORIGIN",
            given={
                "nodes": [
                    {**_node("r"), "state": ["e"]},
                    {**_node("a1", "r"), "state": ["e", "f"]},
                    {**_node("b1", "r"), "state": []},
                    repeated(2048, a_row, start=2),
                    repeated(2048, b_row, start=2),
                ],
                "merge": ["a2049", "b2049"],
            },
            output={"state": ["f"]},
            recipe=True,
        ),
        accepted(
            "history-merge/session",
            "session-of-4097-heads",
            "Each of 4,097 concurrent messages adds 1 to what the one before it added.",
            "HM-MEMBERS-HEADS HM-ACCEPT-ANY-ORDER",
            given={
                "messages": [{**_node("r"), "state": "0"}, repeated(4097, head)],
                "state_type": "counter",
            },
            output={"steps": sums},
            recipe=True,
        ),
    )


RECIPES: Final = (_sets(), *_histories())
"""The drafts, which the topic `large` contains."""
