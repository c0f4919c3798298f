"""Answers of the largest size, and answers of one byte more: long elements fill them.

The size of an answer is that of its texts, and a text counts one more than its bytes.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from rejoin_conformance.contract.drafting import accepted, joined, refused, repeated
from rejoin_conformance.contract.vector import Draft, Topic
from rejoin_conformance.kit.json_types import Json, JsonObject

_MOST: Final = 2**20


def _elements(size: int) -> tuple[Json, ...]:
    """Return elements of this size: all but the last one have 8,192."""
    many, last = divmod(size, 8192)
    eights, rest = divmod(last - 1, 8)
    return (
        repeated(many, joined(repeated(1023, "<i:8>"), "<k:7>"), letter="k"),
        joined(repeated(eights, "<i:8>"), "1234567"[:rest]),
    )


_ELEMENTS: Final = _elements(_MOST - 2)
_IN_STEPS: Final = _elements((_MOST - 121) // 3)
"""They are in three steps of a merge of pp and q. The other texts have a size of 121."""


def _node(name: str, parent: str, *state: Json) -> JsonObject:
    return {"id": name, "parents": [*parent], "state": [*state]}


def _session(more: str) -> JsonObject:
    return {"messages": [_node("p", "", *_ELEMENTS), _node("q", "p", more)]}


def _edges(name: str) -> JsonObject:
    return {"nodes": [_node("r", "", *_ELEMENTS), _node(name, "r")]}


def _steps(first: str, second: str) -> JsonObject:
    nodes = [_node(name, name and parent, *_IN_STEPS) for name, parent in (("r", ""), (first, "r"))]
    return {"nodes": [*nodes, _node(second, "r", *_IN_STEPS)], "merge": [first, second]}


def _step(kind: str, clause: str, **fields: Json) -> JsonObject:
    return {"step": kind, "clause": clause, **fields}


_LISTED: Final[list[Json]] = [
    _step("order", "HM-FOLD-ASCENDING", nodes=["pp", "q"]),
    _step("start", "HM-MERGE-FOLD", node="pp", state=[*_IN_STEPS]),
    _step("lca-u", "HM-LCAU-LOWEST", node="q", nodes=["r"]),
    _step("origin", "HM-MERGE-ORIGIN", state=[*_IN_STEPS]),
    _step("fold", "HM-MERGE-STEP", node="q", state=[*_IN_STEPS]),
]


def _both(
    operation: str, name: str, summaries: tuple[str, str], given: Sequence[JsonObject], output: Json
) -> tuple[Draft, Draft]:
    """Return a question with the largest answer, and one whose answer has a byte more."""
    asked, clause, (fits, larger) = f"history-merge/{operation}", "HM-ANSWER-SIZE", given
    field = "edges" if operation == "operational-edges" else "steps"
    said: JsonObject = {field: output}
    names = f"{name}-of-2-to-the-20-bytes", f"{name}-of-one-byte-more"
    return (
        accepted(asked, names[0], summaries[0], clause, given=fits, output=said, recipe=True),
        refused(asked, names[1], summaries[1], clause, given=larger, mended=fits, recipe=True),
    )


TOPIC: Final = Topic(
    name="answer-sizes",
    notes="Answers that have the largest size, and answers that have one byte more.",
    drafts=(
        *_both(
            "session",
            "session",
            (
                "The state after the first message has 2^20 - 2 bytes, and the second one has 2.",
                "The only element of the second state has one byte more.",
            ),
            [_session("x"), _session("xy")],
            [{"accepted": True, "state": [*state]} for state in (_ELEMENTS, "x")],
        ),
        *_both(
            "operational-edges",
            "edges",
            (
                "The ID of the only edge has 2 bytes, and the elements that it deletes 2^20 - 2.",
                "The ID of the only edge has one byte more.",
            ),
            [_edges("p"), _edges("pp")],
            [{"node": "p", "virtual": False, "inserted": [], "deleted": [*_ELEMENTS]}],
        ),
        *_both(
            "merge-steps",
            "steps",
            (
                "The elements are in three of the steps, and the other texts have 121 bytes.",
                "The ID in three steps has one byte more, and the one in two steps has one less.",
            ),
            [_steps("pp", "q"), _steps("p", "qq")],
            _LISTED,
        ),
    ),
)
