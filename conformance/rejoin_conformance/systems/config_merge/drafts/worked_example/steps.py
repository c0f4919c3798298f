"""The worked example, step by step: how each message comes about, and what it contains."""

from __future__ import annotations

from typing import Final

from rejoin_conformance.contract.vector import Draft, Scenario
from rejoin_conformance.kit.json_types import JsonObject
from rejoin_conformance.systems.config_merge.drafts.by_hand.bt import bt
from rejoin_conformance.systems.config_merge.drafts.by_hand.drafts import (
    accepted,
    made,
    parsed,
    resolved,
    resolving,
    updating,
)
from rejoin_conformance.systems.config_merge.drafts.by_hand.messages import (
    Data,
    Message,
)
from rejoin_conformance.systems.config_merge.drafts.worked_example.messages import (
    BY_NAME,
    DATA_118,
    DATA_120B,
    DATA_123,
    DATA_124A,
    DATA_124B,
    DATA_125A,
    DATA_125B,
    DATA_126B,
    DATA_127,
    DIFF_123,
    DIFF_124A,
    DIFF_124B,
    DIFF_125A,
    DIFF_125B,
    DIFF_127,
    KNOWN_HASHES,
    M118,
    M120B,
    M124A,
    M125A,
    M125B,
    M126A,
    M126B,
    M127,
)

UPDATES: Final[tuple[tuple[str, str, Data, str], ...]] = (
    ("118", "119", DATA_118, "119 changes nothing"),
    ("119", "120", DATA_118, "120 changes nothing"),
    ("120", "121", DATA_118, "121 changes nothing"),
    ("121", "122", DATA_118, "122 changes nothing; its rows reach back to 118"),
    ("122", "123", DATA_123, "123 removes int0, changes int1 and adds int2"),
    ("123", "124b", DATA_124B, "124b changes almost everything"),
    ("124b", "125a", DATA_125A, "125a removes dictB.foo"),
    ("124b", "125b", DATA_125B, "125b sets int1 to 5"),
    ("123", "124a", DATA_124A, "124a, a late update of 123, sets dictB.foo and dictB.answer"),
    ("119", "120b", DATA_120B, "120b is a very late update of 119"),
)

DIFFS: Final[tuple[tuple[str, Data, Data, Data], ...]] = (
    ("123", DATA_118, DATA_123, DIFF_123),
    ("124a", DATA_123, DATA_124A, DIFF_124A),
    ("124b", DATA_123, DATA_124B, DIFF_124B),
    ("125a", DATA_124B, DATA_125A, DIFF_125A),
    ("125b", DATA_124B, DATA_125B, DIFF_125B),
    ("127", DATA_126B, DATA_127, DIFF_127),
)


def drafts() -> tuple[Draft, ...]:
    """The base, the updates, the merges; then hashes and diffs."""
    return (
        _step("118", "parse", "118 is the base: its diff assigns all of its data", M118),
        *(
            accepted(
                name,
                "update",
                summary,
                "CM-UPDATE-SEQNO CM-UPDATE-LAGGED CM-UPDATE-WINDOW CM-UPDATE-DIFF CM-UPDATE-DATA",
                updating([BY_NAME[before]], data),
                made(BY_NAME[name]),
                scenario=Scenario("worked-example", name),
            )
            for before, name, data, summary in UPDATES
        ),
        accepted(
            "126a",
            "resolve",
            "126a merges 125a and 125b",
            "CM-RESOLVE-SEQNO CM-RESOLVE-BASE CM-RESOLVE-LAGGED CM-RESOLVE-DIFF-EMPTY",
            resolving([M125A, M125B]),
            resolved(M126A, merged=True),
            scenario=Scenario("worked-example", "126a"),
        ),
        accepted(
            "126b",
            "resolve",
            "126b merges 124a, 125a and 125b; 120b is stale",
            "CM-RESOLVE-SEQNO CM-RESOLVE-REPLAY-LAGGED CM-RESOLVE-REPLAY-ORDER CM-RESOLVE-LAGGED "
            "CM-IGNORE-STALE",
            resolving([M125A, M125B, M124A, M120B]),
            resolved(M126B, (3, "stale"), merged=True),
            scenario=Scenario("worked-example", "126b"),
        ),
        accepted(
            "127",
            "update",
            "127 merges 126a and 126b, and adds 789 to dictA.goodbye",
            "CM-RESOLVE-LOCAL-CHANGE CM-RESOLVE-SEQNO CM-RESOLVE-LAGGED",
            updating([M126A, M126B], DATA_127),
            made(M127),
            scenario=Scenario("worked-example", "127"),
        ),
        *(
            _step(
                f"hash-of-{name}",
                "parse",
                f"{name} as the deployed library hashes it",
                BY_NAME[name],
                hash_=known,
            )
            for name, known in KNOWN_HASHES.items()
        ),
        *(
            draft
            for name, old, new, diff in DIFFS
            for draft in (
                accepted(
                    f"diff-of-{name}",
                    "diff",
                    f"The diff of {name}",
                    "CM-DIFF-MAKE-ASSIGN CM-DIFF-MAKE-REMOVE CM-DIFF-MAKE-SET CM-DIFF-MAKE-DICT",
                    {"old": bt(old).hex(), "new": bt(new).hex()},
                    {"diff": bt(diff).hex()},
                ),
                accepted(
                    f"diff-of-{name}-applied",
                    "apply-diff",
                    f"The diff of {name} applied to what it was made from",
                    "CM-DIFF-ROUND-TRIP",
                    {"data": bt(old).hex(), "diff": bt(diff).hex(), "source": bt(new).hex()},
                    {"data": bt(new).hex()},
                ),
            )
        ),
    )


def _step(
    name: str, operation: str, summary: str, message: Message, *, hash_: str | None = None
) -> Draft:
    output: JsonObject = parsed(message)
    if hash_ is not None:
        output["hash"] = hash_
    return accepted(
        name,
        operation,
        summary,
        "CM-MESSAGE-HASH",
        {"message": message.hex},
        output,
        scenario=Scenario("worked-example", name) if hash_ is None else None,
    )
