"""Every merge of the worked example again: other orders, and messages that are already included."""

from __future__ import annotations

from itertools import permutations
from typing import Final

from rejoin_conformance.contract.vector import Draft
from rejoin_conformance.systems.config_merge.drafts.by_hand.drafts import (
    accepted,
    made,
    resolved,
    resolving,
    updating,
)
from rejoin_conformance.systems.config_merge.drafts.by_hand.messages import Message
from rejoin_conformance.systems.config_merge.drafts.worked_example.messages import (
    BY_NAME,
    DATA_127,
    LATE_127,
    M126A,
    M126B,
    M127,
    PURE_127,
)

ORDER: Final = "CM-MESSAGE-BYTES CM-RESOLVE-ORDER"
INCLUDED: Final = "CM-IGNORE-INCLUDED CM-MESSAGE-BYTES"

WITH_OTHERS: Final[tuple[tuple[str, str, str, Message], ...]] = (
    ("126a-with-124b", "125a 124b* 125b", "their common predecessor", M126A),
    ("126a-with-all-before", "122* 125b 123* 124b* 125a 121* 119-", "everything before", M126A),
    ("126a-with-repetitions", "125b 125a 125b+ 125a+", "repetitions", M126A),
    ("126b-with-124b", "124a 124b* 125b 125a", "124b", M126B),
    ("126b-with-123-and-124b", "123* 125a 124a 124b* 125b", "123 and 124b", M126B),
    ("126b-with-122-and-120b", "120b- 122* 125b 125a 124a", "122, and 120b in front", M126B),
    ("126b-with-120b-twice", "125b 120b- 124a 120b+ 125a", "120b twice", M126B),
    ("127-with-125a-and-125b", "125a* 126b 125b* 126a", "what both merged", PURE_127),
    ("127-with-124a", "126a 126b 124a*", "124a, which only 126b merged", PURE_127),
    ("127-with-everything", "118- 122* 123* 124a* 124b* 125a* 125b* 126a 126b", "all", PURE_127),
)


def drafts() -> tuple[Draft, ...]:
    """Inputs in every order, with included messages, and the end of the story."""
    return (
        *_every_order("126a", ("125a", "125b"), M126A),
        *_every_order("126b", ("124a", "125a", "125b"), M126B),
        *_every_order("pure-127", ("126a", "126b"), PURE_127),
        accepted(
            "127-other-order",
            "update",
            "127 with the messages that it merges in the other order",
            "CM-MESSAGE-BYTES CM-RESOLVE-LOCAL-CHANGE",
            updating([M126B, M126A], DATA_127),
            made(M127),
        ),
        accepted(
            "127-with-included",
            "update",
            "127 with messages that 126a and 126b include thrown in",
            "CM-UPDATE-IGNORES CM-RESOLVE-LOCAL-CHANGE",
            updating([BY_NAME["125b"], M126B, BY_NAME["124a"], BY_NAME["123"], M126A], DATA_127),
            made(M127),
        ),
        *(_with_others(*case) for case in WITH_OTHERS),
        _resolve(
            "late-124a-meets-126a",
            "Where nobody made 126b, 124a is merged with 126a, to the same data",
            "CM-RESOLVE-REPLAY-ORDER CM-RESOLVE-LAGGED",
            "126a 124a",
            LATE_127,
        ),
        _resolve(
            "late-121",
            "A message of seqno 121 beside 126a is stale",
            "CM-IGNORE-STALE",
            "121- 126a",
            M126A,
        ),
        _resolve(
            "everything",
            "All messages from 118 to 127 amount to 127",
            "CM-RESOLVE-IDEMPOTENT CM-IGNORE-PRECEDENCE",
            "118- 119- 120- 120b- 121- 122- 123* 124a* 124b* 125a* 125b* 126a* 126b* 127",
            M127,
        ),
    )


def _every_order(name: str, parts: tuple[str, ...], merge: Message) -> tuple[Draft, ...]:
    return tuple(
        _resolve(
            f"{name}-from-{'-'.join(order)}",
            f"{name} from {', '.join(order)}",
            ORDER,
            " ".join(order),
            merge,
        )
        for order in permutations(parts)
    )


def _with_others(name: str, given: str, others: str, merge: Message) -> Draft:
    return _resolve(
        name, f"{name.partition('-')[0]} with {others} thrown in", INCLUDED, given, merge
    )


def _resolve(name: str, summary: str, clauses: str, given: str, result: Message) -> Draft:
    """given: names of messages; `*` marks an included, `-` a stale, `+` a repeated one."""
    why = {"*": "included", "-": "stale", "+": "duplicate"}
    words = given.split()
    messages = [BY_NAME[word.rstrip("*-+")] for word in words]
    ignoring = [(index, why[word[-1]]) for index, word in enumerate(words) if word[-1] in why]
    return accepted(
        name,
        "resolve",
        summary,
        clauses,
        resolving(messages),
        resolved(result, *ignoring, merged=result not in messages),
    )
