"""Sessions with many heads, and the states that the rules give for them."""

from __future__ import annotations

from typing import Final

from rejoin_conformance.contract.drafting import accepted
from rejoin_conformance.kit.json_types import Json, JsonObject
from rejoin_conformance.systems.history_merge.drafts.large_histories import counted, node

_UNITS: Final = 30


def growing(heads: int) -> tuple[list[Json], list[Json]]:
    """Return a counter and heads over it that ascend, and the steps of a session.

    Head n adds n, so the state after it is the sum of 1 to n.
    """
    messages: list[Json] = [counted("r", [], 0)]
    steps: list[Json] = [_step("0")]
    for number in range(1, heads + 1):
        messages.append(counted(f"h{number:04d}", ["r"], number))
        steps.append(_step(str(number * (number + 1) // 2)))
    return messages, steps


def joined_and_forked_again(rounds: int, heads: int) -> tuple[list[Json], list[Json]]:
    """Return rounds in which heads fork from one message and another one joins them all.

    Each head adds 1 to a counter, and the message that joins them keeps their merge.
    """
    messages: list[Json] = [counted("m00", [], 0)]
    steps: list[Json] = [_step("0")]
    for place in range(1, rounds + 1):
        before, base = f"m{place - 1:02d}", (place - 1) * heads
        # the IDs descend, so each new head comes first in the fold
        names = [f"h{place:02d}-{heads - number:02d}" for number in range(heads)]
        for number, name in enumerate(names, start=1):
            messages.append(counted(name, [before], base + 1))
            steps.append(_step(str(base + number)))
        messages.append(counted(f"m{place:02d}", names, base + heads))
        steps.append(_step(str(base + heads)))
    return messages, steps


def heads_everywhere() -> tuple[list[Json], list[Json]]:
    """Return units of four messages whose heads come at every place of the fold, and the steps.

    A unit has an element. p adds it, and k keeps it. Then s removes it, which the merge follows.
    At last q adds it as well, besides p. The merge then has the element again if it takes q and s
    before k, as in odd units, and not if it takes q and k before s.
    """
    messages: list[Json] = [node("r", [], [])]
    steps: list[Json] = [_step([])]
    present: set[str] = set()
    for stage in range(4):
        for unit in reversed(range(_UNITS)):
            x, p, q = (f"{letter}{unit:02d}" for letter in "xpq")
            k, s = (f"{letter}{unit:02d}" for letter in ("ts" if unit % 2 else "st"))
            message = (
                node(p, ["r"], [x]),
                node(k, [p], [x]),
                node(s, [p], []),
                node(q, ["r"], [x]),
            )
            messages.append(message[stage])
            if stage == 2 or (stage == 3 and unit % 2 == 0):
                present.discard(x)
            else:
                present.add(x)
            steps.append(_step([*sorted(present)]))
    return messages, steps


def _step(state: Json) -> JsonObject:
    return {"accepted": True, "state": state}


_GROWING, _SUMS = growing(2104)
_ROUNDS, _ROUND_SUMS = joined_and_forked_again(12, 33)
_EVERYWHERE, _EVERYWHERE_STEPS = heads_everywhere()

WIDE_SESSIONS: Final = (
    accepted(
        "history-merge/session",
        "session-of-2104-heads",
        "Each of 2,104 concurrent messages adds its own number to a counter.",
        "HM-MEMBERS-HEADS HM-ACCEPT-ANY-ORDER",
        given={"messages": _GROWING, "state_type": "counter"},
        output={"steps": _SUMS},
    ),
    accepted(
        "history-merge/session",
        "session-of-12-forks-with-33-heads",
        "12 times, 33 messages with descending IDs fork from one message, and another joins them.",
        "HM-MEMBERS-HEADS HM-ACCEPT-ANTI-CHAIN",
        given={"messages": _ROUNDS, "state_type": "counter"},
        output={"steps": _ROUND_SUMS},
    ),
    accepted(
        "history-merge/session",
        "session-with-heads-at-every-place",
        "New heads come at every place of the fold; the fold order decides about 30 elements.",
        "HM-MEMBERS-HEADS HM-ACCEPT-ANY-ORDER",
        given={"messages": _EVERYWHERE},
        output={"steps": _EVERYWHERE_STEPS},
    ),
)
