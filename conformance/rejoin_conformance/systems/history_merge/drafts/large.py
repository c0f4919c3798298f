"""Histories beyond the sizes of common buffers: those that text cannot say."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Final

from rejoin_conformance.contract.drafting import accepted, refused, repeated
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
    return accepted(
        "history-merge/session",
        name,
        summary,
        clauses,
        given=given | ({"state_type": "counter"} if counters else {}),
        output={"steps": steps},
    )


_ELEMENTS: Final = [f"e{number:04d}" for number in range(130)]
_LONG_ID, _LONG_NAME = "n" * 5000, "e" * 5000
_TEXT: Final = "\u00e9" * 199
_SUMS: Final = [count * (count + 1) // 2 for count in range(4098)]

_MERGES: Final = (
    accepted(
        "history-merge/members",
        "130-heads-with-a-removal-each",
        "Each of 130 heads removes an element of its own, and only the last one is kept.",
        "HM-MEMBERS-HEADS HM-MERGE-CONFLICT-FREE",
        given={
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
    accepted(
        "history-merge/members",
        "190-heads-with-a-bit-each",
        "Each of 190 heads adds another power of two to a counter.",
        "HM-MEMBERS-HEADS HM-3WAY-COUNTER",
        given={
            "nodes": [
                _COUNTER,
                *(_node(f"h{number:04d}", state=1 << number) for number in range(190)),
            ],
            "state_type": "counter",
        },
        output={"state": str((1 << 190) - 1)},
    ),
    accepted(
        "history-merge/merge",
        "ids-of-5001-characters",
        "The last character of the IDs decides the fold order, and the fold order the result.",
        "HM-FOLD-ASCENDING",
        given={
            "nodes": [
                _ROOT,
                _node(_LONG_ID + "p", state="x"),
                _node(_LONG_ID + "a", state="x"),
                _node(_LONG_ID + "e", [_LONG_ID + "p"], "x"),
                _node(_LONG_ID + "z", [_LONG_ID + "p"]),
            ],
            "merge": [_LONG_ID + letter for letter in "aez"],
        },
        output={"state": []},
    ),
    accepted(
        "history-merge/three-way-merge",
        "elements-of-5001-characters",
        "The names of elements differ only in the last of 5,001 characters.",
        "HM-3WAY-SET HM-3WAY-ELEMENT",
        given={
            side: [_LONG_NAME + letter for letter in letters]
            for side, letters in (("origin", "abc"), ("left", "bcd"), ("right", "abe"))
        },
        output={"state": [_LONG_NAME + letter for letter in "bde"]},
    ),
)


def _registers(origin: str, left: str, right: str) -> JsonObject:
    """Return the merge of registers of 200 characters, by their last characters."""
    states = {"r": _TEXT + origin, "p": _TEXT + left, "q": _TEXT + right}
    return {
        "nodes": [
            {"id": name, "parents": [] if name == "r" else ["r"], "state": state}
            for name, state in states.items()
        ],
        "merge": ["p", "q"],
        "state_type": "register",
    }


_REGISTERS: Final = (
    accepted(
        "history-merge/merge",
        "registers-of-200-characters",
        "The texts of registers differ only in the last of 200 characters.",
        "HM-3WAY-REGISTER HM-MERGE-STEP",
        given=_registers("o", "o", "a"),
        output={"state": _TEXT + "a"},
    ),
    refused(
        "history-merge/merge",
        "registers-of-200-characters-conflict",
        "Two changes of the last of 200 characters conflict.",
        "HM-3WAY-CONFLICT HM-3WAY-REGISTER",
        given=_registers("o", "a", "b"),
        mended=_registers("o", "a", "a"),
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


TOPIC: Final = Topic(
    name="large",
    notes="",
    drafts=(
        *_MERGES,
        *_REGISTERS,
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
        accepted(
            "history-merge/session",
            "session-of-4097-heads",
            "Each of 4,097 concurrent messages adds 1 to what the one before it added.",
            "HM-MEMBERS-HEADS HM-ACCEPT-ANY-ORDER",
            given={
                "messages": [_COUNTER, repeated(4097, _node("h<i:4>") | {"state": "<i+1>"})],
                "state_type": "counter",
            },
            output={"steps": [{"accepted": True, "state": str(total)} for total in _SUMS]},
            recipe=True,
        ),
    ),
)
"""The computed vectors of the topic `large`; the others are text."""
