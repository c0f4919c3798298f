"""Windows other than 5, and 5 where nothing is said."""

from __future__ import annotations

from typing import Final

from rejoin_conformance.contract.vector import Draft, Topic
from rejoin_conformance.kit.json_types import Json
from rejoin_conformance.systems.config_merge.drafts.by_hand.drafts import (
    accepted,
    made,
    resolved,
    resolving,
    updating,
)
from rejoin_conformance.systems.config_merge.drafts.by_hand.messages import (
    Message,
    merge_of,
    rows_of,
    within,
)

START: Final = Message(seqno=100, data={"v": 100}, diff={"v": ""})


def topic() -> Topic:
    """What depends on N: staleness, the rows of a message, and how far a merge reaches back."""
    return Topic(
        "windows",
        "Windows of 1, 2, 3, 10 and the largest. Each window has the same small history: a chain "
        "of updates, two racing updates, their merge.",
        (
            *(draft for window in (1, 2, 3, 10) for draft in _same_history(window)),
            *_stale(),
            *_default(),
            *_other_windows(),
        ),
    )


def chain(length: int, window: int) -> list[Message]:
    """Messages 100, 101, ... that follow one another; each changes `v`."""
    messages = [START]
    for _ in range(length - 1):
        seqno = messages[-1].seqno + 1
        messages.append(messages[-1].followed_by({"v": seqno}, {"v": ""}, window=window))
    return messages


def _same_history(window: int) -> tuple[Draft, ...]:
    history = chain(13, window)
    last = history[-1]
    left = last.followed_by({"a": 1, "v": 112}, {"a": ""}, window=window)
    right = last.followed_by({"b": 1, "v": 112}, {"b": ""}, window=window)
    data = {"a": 1, "b": 1, "v": 112}
    merge = merge_of(left, right, data=data, window=window)
    after = merge.followed_by({"a": 2, "b": 1, "v": 112}, {"a": ""}, window=window)
    kept = [message for message in history if message.seqno > 113 - window]
    included = [message.seqno > 112 - window for message in history[:-1]]
    return (
        accepted(
            f"update-in-a-window-of-{window}",
            "update",
            f"With N {window} an update carries the rows of the last {window - 1} seqnos",
            "CM-UPDATE-WINDOW CM-UPDATE-LAGGED",
            updating([last], {"a": 1, "v": 112}, window=window),
            made(Message(seqno=113, data=left.data, rows=rows_of(*kept), diff=left.diff)),
        ),
        accepted(
            f"merge-in-a-window-of-{window}",
            "resolve",
            f"With N {window} a merge carries the entries of the last {window - 1} seqnos",
            "CM-RESOLVE-LAGGED CM-RESOLVE-SEQNO",
            resolving([right, left], window=window),
            resolved(merge, merged=True),
        ),
        accepted(
            f"merge-again-in-a-window-of-{window}",
            "resolve",
            f"With N {window} a merge stands beside what it merged",
            "CM-RESOLVE-IDEMPOTENT CM-IGNORE-PRECEDENCE",
            resolving([left, merge, right], window=window),
            resolved(
                merge,
                (0, "stale" if window == 1 else "included"),
                (2, "stale" if window == 1 else "included"),
            ),
        ),
        accepted(
            f"update-of-a-merge-in-a-window-of-{window}",
            "update",
            f"With N {window} a merge is followed like any message",
            "CM-UPDATE-WINDOW CM-UPDATE-SEQNO",
            updating([merge], {"a": 2, "b": 1, "v": 112}, window=window),
            made(after),
        ),
        accepted(
            f"whole-chain-in-a-window-of-{window}",
            "resolve",
            f"With N {window} older messages of a chain are included, then stale",
            "CM-IGNORE-STALE CM-IGNORE-INCLUDED",
            resolving(history, window=window),
            resolved(
                last,
                *(
                    (index, "included" if fresh else "stale")
                    for index, fresh in enumerate(included)
                ),
            ),
        ),
    )


def _stale() -> tuple[Draft, ...]:
    return (
        *(
            draft
            for window in (1, 2, 3, 10)
            for draft in (
                _two(
                    f"stale-in-a-window-of-{window}",
                    f"With N {window} a message {window} below max is stale",
                    50,
                    50 - window,
                    window,
                    stale=True,
                ),
                _two(
                    f"not-stale-in-a-window-of-{window}",
                    f"With N {window} a message {window - 1} below max is not",
                    50,
                    51 - window,
                    window,
                    stale=False,
                ),
            )
        ),
        _two(
            "stale-in-the-largest-window",
            "With N 2^31 - 1 a message that far below max is stale",
            2**31 + 10,
            11,
            2**31 - 1,
            stale=True,
        ),
        _two(
            "not-stale-in-the-largest-window",
            "With N 2^31 - 1 a message one seqno later is not",
            2**31 + 10,
            12,
            2**31 - 1,
            stale=False,
        ),
        _two(
            "window-larger-than-seqno",
            "A window that reaches below seqno 0 has nothing stale",
            3,
            0,
            10,
            stale=False,
        ),
    )


def _two(name: str, summary: str, high: int, low: int, window: int, *, stale: bool) -> Draft:
    """Two unrelated messages, of which the lower one is stale or not."""
    upper = Message(seqno=high, data={"h": 1}, diff={"h": ""})
    lower = Message(seqno=low, data={"l": 1}, diff={"l": ""})
    merge = merge_of(lower, upper, data={"h": 1, "l": 1}, window=window)
    return accepted(
        name,
        "resolve",
        summary,
        "CM-IGNORE-STALE CM-MESSAGE-WINDOW",
        resolving([lower, upper], window=window),
        resolved(upper, (0, "stale")) if stale else resolved(merge, merged=True),
    )


def _default() -> tuple[Draft, ...]:
    upper = Message(seqno=50, data={"h": 1}, diff={"h": ""})
    stale = Message(seqno=45, data={"l": 1}, diff={"l": ""})
    fresh = Message(seqno=46, data={"l": 1}, diff={"l": ""})
    last = chain(8, 5)[-1]
    five: tuple[dict[str, Json], ...] = ({}, {"window": 5})
    return tuple(
        draft
        for options, name in zip(five, ("left-out", "said"), strict=True)
        for draft in (
            accepted(
                f"window-{name}-stale",
                "resolve",
                f"N 5, {name}: a message five below max is stale",
                "CM-MESSAGE-WINDOW CM-IGNORE-STALE",
                resolving([stale, upper], **options),
                resolved(upper, (0, "stale")),
            ),
            accepted(
                f"window-{name}-not-stale",
                "resolve",
                f"N 5, {name}: a message four below max is not",
                "CM-MESSAGE-WINDOW CM-IGNORE-STALE",
                resolving([fresh, upper], **options),
                resolved(merge_of(fresh, upper, data={"h": 1, "l": 1}), merged=True),
            ),
            accepted(
                f"window-{name}-update",
                "update",
                f"N 5, {name}: an update carries four seqnos",
                "CM-MESSAGE-WINDOW CM-UPDATE-WINDOW",
                updating([last], {"v": 0}, **options),
                made(last.followed_by({"v": 0}, {"v": ""})),
            ),
        )
    )


def _other_windows() -> tuple[Draft, ...]:
    """Messages of a sender with another window."""
    wide = chain(9, 8)[-1]
    narrow = chain(9, 2)[-1]
    return (
        accepted(
            "rows-of-a-larger-window",
            "update",
            "A message that was made with N 8 is followed with N 3: older rows go",
            "CM-UPDATE-WINDOW CM-DIFFS-EXPIRED",
            updating([wide], {"v": 0}, window=3),
            made(
                Message(
                    seqno=109,
                    data={"v": 0},
                    rows=within(109, 3, [*wide.rows, wide.row]),
                    diff={"v": ""},
                )
            ),
        ),
        accepted(
            "rows-of-a-smaller-window",
            "update",
            "A message that was made with N 2 is followed with N 8: there are no older rows",
            "CM-UPDATE-LAGGED CM-DIFFS-GAPS",
            updating([narrow], {"v": 0}, window=8),
            made(
                Message(seqno=109, data={"v": 0}, rows=[*narrow.rows, narrow.row], diff={"v": ""})
            ),
        ),
    )
