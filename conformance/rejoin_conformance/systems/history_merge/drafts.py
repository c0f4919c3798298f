"""The vectors of history merge that are computed, because no text can say them.

They are histories beyond the sizes of common buffers, and common ancestors in irregular histories.
These are worked out from the definition with sets. A search that takes the nodes in a wrong order,
for instance from a faulty heap, gives right answers in small and in regular histories. In irregular
ones, many nodes wait at the same time, in no regular order.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Final

from rejoin_conformance.contract.drafting import repeated
from rejoin_conformance.contract.vector import Draft, Topic
from rejoin_conformance.kit.json_types import Json, JsonObject


def _node(name: str, parents: Iterable[str] = ("r",), state: Any = ()) -> JsonObject:
    """Return a node with a set as its state, or with a counter."""
    return {
        "id": name,
        "parents": [*parents],
        "state": str(state) if isinstance(state, int) else [*state],
    }


_ROOT: Final = _node("r", ())
_COUNTER: Final = _node("r", (), 0)


def _session(
    name: str, clauses: str, summary: str, offered: Sequence[tuple[JsonObject, Any]]
) -> Draft:
    """Return a session. offered: each message, and the state of the session after it."""
    steps: list[Json] = [
        {"accepted": True, "state": str(state) if isinstance(state, int) else [*state]}
        for _, state in offered
    ]
    counters = isinstance(offered[0][1], int)
    given: JsonObject = {"messages": [message for message, _ in offered]}
    return Draft(
        operation="history-merge/session",
        name=name,
        summary=summary,
        clauses=tuple(clauses.split()),
        input=given | ({"state_type": "counter"} if counters else {}),
        output={"steps": steps},
    )


_ELEMENTS: Final = [f"e{number:04d}" for number in range(130)]
_SUMS: Final = [count * (count + 1) // 2 for count in range(4098)]

_MERGES: Final = (
    Draft(
        operation="history-merge/members",
        name="130-heads-with-a-removal-each",
        summary="Each of 130 heads removes an element of its own, and only the last one is kept.",
        clauses=("HM-MEMBERS-HEADS", "HM-MERGE-CONFLICT-FREE"),
        input={
            "nodes": [
                _node("r", (), [*_ELEMENTS, "kept"]),
                *(
                    _node(f"h{number:04d}", state=[e for e in _ELEMENTS if e != own] + ["kept"])
                    for number, own in enumerate(_ELEMENTS)
                ),
            ]
        },
        output={"state": ["kept"]},
    ),
    Draft(
        operation="history-merge/members",
        name="190-heads-with-a-bit-each",
        summary="Each of 190 heads adds another power of two to a counter.",
        clauses=("HM-MEMBERS-HEADS", "HM-3WAY-COUNTER"),
        input={
            "nodes": [
                _COUNTER,
                *(_node(f"h{number:04d}", state=1 << number) for number in range(190)),
            ],
            "state_type": "counter",
        },
        output={"state": str((1 << 190) - 1)},
    ),
)


def _joined_and_forked_again() -> list[tuple[JsonObject, int]]:
    """Return rounds in which heads add 1 each to a counter, and a message joins them all."""
    offered: list[tuple[JsonObject, int]] = [(_node("m00", (), 0), 0)]
    for turn in range(12):
        # the IDs descend, so each new head comes first in the fold
        names = [f"h{turn + 1:02d}-{33 - number:02d}" for number in range(33)]
        for number, name in enumerate(names, start=1):
            state = 33 * turn + 1
            offered.append((_node(name, [f"m{turn:02d}"], state), 33 * turn + number))
        offered.append((_node(f"m{turn + 1:02d}", names, 33 * turn + 33), 33 * turn + 33))
    return offered


def _heads_everywhere() -> list[tuple[JsonObject, list[str]]]:
    """Return 30 units of four messages whose heads come at every place of the fold.

    A unit has an element. p adds it, and k keeps it. Then s removes it, which the merge follows.
    At last q adds it as well, besides p. The merge then has the element again if it takes q and s
    before k, as in odd units, and not if it takes q and k before s.
    """
    offered: list[tuple[JsonObject, list[str]]] = [(_ROOT, [])]
    present: set[str] = set()
    for stage in range(4):
        for unit in reversed(range(30)):
            x, p, q = (f"{letter}{unit:02d}" for letter in "xpq")
            k, s = (f"{letter}{unit:02d}" for letter in ("ts" if unit % 2 else "st"))
            messages = _node(p, state=[x]), _node(k, [p], [x]), _node(s, [p]), _node(q, state=[x])
            if stage == 2 or (stage == 3 and unit % 2 == 0):
                present.discard(x)
            else:
                present.add(x)
            offered.append((messages[stage], sorted(present)))
    return offered


NODES: Final = 150
SPREAD: Final = (20, 40, 60)
"""How far back the parents of a node are at most, for its first, second and third parent."""


def _question(seed: int) -> Draft:
    parents = _history(seed)
    left = sorted({NODES - 1 - (seed * 7 + place * 11) % 75 for place in range(1 + seed % 8)})
    right = NODES - 1 - (seed * 5) % 9
    nodes: list[Json] = [
        {"id": _numbered(node), "parents": [*map(_numbered, sorted(above))]}
        for node, above in enumerate(parents)
    ]
    lowest: list[Json] = [*map(_numbered, sorted(_common(parents, left, right)))]
    names, other = [*map(_numbered, left)], _numbered(right)
    return Draft(
        operation="history-merge/common-ancestors",
        name=f"history-{seed}",
        summary=f"The lowest common ancestors of {other} and {' '.join(names)}.",
        clauses=("HM-LCAU-LOWEST",),
        input={
            "nodes": nodes[:: -1 if seed % 2 else 1],
            "of": [*names],
            "with": other,
        },
        output={"nodes": lowest},
    )


def _history(seed: int) -> list[set[int]]:
    """Return the parents of each node: up to three earlier nodes, by a linear congruence."""
    parents: list[set[int]] = [set()]
    value = seed
    for node in range(1, NODES):
        above = set()
        for back in SPREAD[: 1 + node % 3]:
            value = (value * 1103515245 + 12345) % 2**31
            above.add(max(0, node - 1 - (value >> 16) % back))
        parents.append(above)
    return parents


def _common(parents: list[set[int]], left: list[int], right: int) -> set[int]:
    """Return the nodes that are in both pasts and are no parent of another such node."""
    pasts: list[set[int]] = []
    for node, above in enumerate(parents):
        pasts.append({node}.union(*(pasts[parent] for parent in above)))
    common = pasts[right].intersection(set[int]().union(*(pasts[node] for node in left)))
    return common.difference(*(parents[node] for node in common))


def _numbered(node: int) -> str:
    return f"n{node:03d}"


def topics() -> tuple[Topic, ...]:
    """Return the computed vectors of each topic. The notes of `large` are in the text."""
    large = (
        *_MERGES,
        _session(
            "session-of-2104-heads",
            "HM-MEMBERS-HEADS HM-ACCEPT-ANY-ORDER",
            "Each of 2,104 concurrent messages adds its own number to a counter.",
            [
                (_node(f"h{number:04d}", state=number) if number else _COUNTER, total)
                for number, total in enumerate(_SUMS[:2105])
            ],
        ),
        _session(
            "session-of-12-forks-with-33-heads",
            "HM-MEMBERS-HEADS HM-ACCEPT-ANTI-CHAIN",
            "12 times, 33 messages with descending IDs fork from one message, and another joins "
            "them.",
            _joined_and_forked_again(),
        ),
        _session(
            "session-with-heads-at-every-place",
            "HM-MEMBERS-HEADS HM-ACCEPT-ANY-ORDER",
            "New heads come at every place of the fold; the fold order decides about 30 elements.",
            _heads_everywhere(),
        ),
        Draft(
            operation="history-merge/session",
            name="session-of-4097-heads",
            summary="Each of 4,097 concurrent messages adds 1 to what the one before it added.",
            clauses=("HM-MEMBERS-HEADS", "HM-ACCEPT-ANY-ORDER"),
            input={
                "messages": [_COUNTER, repeated(4097, _node("h<i:4>") | {"state": "<i+1>"})],
                "state_type": "counter",
            },
            output={"steps": [{"accepted": True, "state": str(total)} for total in _SUMS]},
            recipe=True,
        ),
    )
    irregular = Topic(
        "irregular",
        "Common ancestors in irregular histories, in which a search has many nodes at a time to "
        "choose from. The answers are worked out from the definition.",
        tuple(_question(seed) for seed in range(1, 17)),
    )
    return irregular, Topic("large", "", large)
