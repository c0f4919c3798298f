"""Diffs and data of many levels: applied, made, carried in rows, and one level too deep."""

from __future__ import annotations

from typing import Final

from attrs import evolve

from rejoin_conformance.contract.drafting import accepted, refused
from rejoin_conformance.contract.vector import Draft, Topic
from rejoin_conformance.kit.json_types import JsonObject
from rejoin_conformance.systems.config_merge.drafts.by_hand.bt import Raw, Tree, bt
from rejoin_conformance.systems.config_merge.drafts.by_hand.drafts import (
    LIBSESSION,
    listed,
    parsed,
)
from rejoin_conformance.systems.config_merge.drafts.by_hand.messages import Message
from rejoin_conformance.systems.config_merge.drafts.data import nested
from rejoin_conformance.systems.config_merge.drafts.parse.plain import HASH_6, PLAIN, outer

APPLY: Final = "config-merge/apply-diff"
DIFF: Final = "config-merge/diff"
PARSE: Final = "config-merge/parse"
UPDATE: Final = "config-merge/update"

BASE: Final = Message(seqno=10, data={"k": 1}, diff={"k": ""})


def topic() -> Topic:
    """Diffs applied and made, rows, updates, and messages that are signed and verified."""
    return Topic("levels", "", (*_applied(), *_made(), *_rows(), *_updates(), *_messages()))


def ladder(levels: int, innermost: Tree, rung: Tree) -> dict[str, Tree]:
    """Return dicts in one another under `d`, with `rung` under `k` of all but the innermost.

    levels: the number of dicts. innermost: the value under `k` of the innermost dict.
    """
    tree: dict[str, Tree] = {"k": innermost}
    for _ in range(levels - 1):
        tree = {"d": tree, "k": rung}
    return tree


def steps(levels: int, innermost: Tree) -> dict[str, Tree]:
    """Return dicts in one another under `d`, the innermost with `innermost` under `k`."""
    tree: dict[str, Tree] = {"k": innermost}
    for _ in range(levels - 1):
        tree = {"d": tree}
    return tree


def _applied() -> tuple[Draft, ...]:
    dict_clauses = "CM-DIFF-APPLY-DICT CM-DIFF-DEPTH CM-DATA-DEPTH"
    both = steps(64, 1)
    deepest: Tree = {"k": 1, "y": 2}
    for _ in range(63):
        deepest = {"d": deepest}
    kept: Tree = {"y": 2}
    for _ in range(63):
        kept = {"d": kept}
    return (
        *(
            accepted(
                APPLY,
                name,
                f"A value is assigned on level {levels}, and comes from that level of the source.",
                f"CM-DIFF-APPLY-ASSIGN {dict_clauses}",
                given=_applying(steps(levels, ""), ladder(levels, 0, 1), ladder(levels, 9, 2)),
                output={"data": bt(ladder(levels, 9, 1)).hex()},
            )
            for name, levels in (("assigned-ten-levels-deep", 10), ("assigned-64-levels-deep", 64))
        ),
        accepted(
            APPLY,
            "pruned-64-levels-deep",
            "A value on level 64 is removed with the 63 dicts that held nothing else.",
            f"CM-DIFF-APPLY-PRUNE {dict_clauses}",
            given=_applying(steps(64, "-"), {**both, "z": 0}, {**steps(64, 5), "z": 1}),
            output={"data": bt({"z": 0}).hex()},
        ),
        accepted(
            APPLY,
            "set-63-levels-deep",
            "A set on level 64 is changed inside 63 dicts.",
            f"CM-DIFF-APPLY-SET {dict_clauses}",
            given=_applying(
                steps(63, [[2, "a"], [1]]), ladder(63, [1, 3], 1), ladder(63, [2, "a"], 2)
            ),
            output={"data": bt(ladder(63, [2, 3, "a"], 1)).hex()},
        ),
        accepted(
            APPLY,
            "source-ends-on-level-32",
            "If the source has no dict on level 32, an assignment on level 64 removes the value "
            "there and nothing else.",
            f"CM-DIFF-APPLY-ASSIGN-MISSING {dict_clauses}",
            given=_applying(steps(64, ""), {**_mapping(deepest), "z": 0}, steps(31, 7)),
            output={"data": bt({**_mapping(kept), "z": 0}).hex()},
            otherwise={LIBSESSION: {"data": bt({"z": 0}).hex()}},
        ),
        accepted(
            APPLY,
            "replaced-by-a-deep-addition",
            "A diff that adds an element on level 64 replaces a scalar on level 2.",
            f"CM-DIFF-APPLY-TYPE-MISMATCH {dict_clauses}",
            given=_applying(steps(63, [[7], []]), {"d": 5, "z": 0}, steps(63, [7])),
            output={"data": bt({**steps(63, [7]), "z": 0}).hex()},
        ),
        accepted(
            APPLY,
            "not-replaced-by-a-deep-removal",
            "A diff that only removes an element, on level 64, leaves a scalar on level 2.",
            f"CM-DIFF-APPLY-TYPE-MISMATCH {dict_clauses}",
            given=_applying(steps(63, [[], [7]]), {"d": 5, "z": 0}, steps(63, [8])),
            output={"data": bt({"d": 5, "z": 0}).hex()},
            otherwise={LIBSESSION: {"data": bt({"z": 0}).hex()}},
        ),
    )


def _made() -> tuple[Draft, ...]:
    clauses = "CM-DATA-DEPTH CM-DIFF-MAKE-DICT"
    return (
        accepted(
            DIFF,
            "from-64-levels",
            "A value on level 64 of the old data is removed.",
            f"{clauses} CM-DIFF-MAKE-REMOVE",
            given=_between(ladder(64, 1, 2), ladder(63, 2, 2)),
            output={"diff": bt(steps(64, "-")).hex()},
        ),
        refused(
            DIFF,
            "from-65-levels",
            "Old data of 65 levels are refused.",
            clauses,
            given=_between(steps(65, 1), {}),
            mended=_between(steps(64, 1), {}),
        ),
    )


def _rows() -> tuple[Draft, ...]:
    depth = "CM-DIFFS-ROW-DIFF CM-DIFF-DEPTH"
    deep = evolve(PLAIN, rows=((6, HASH_6, steps(64, "")),))
    return (
        accepted(
            PARSE,
            "row-diff-64-levels",
            "The diff of a row may have 64 levels of dict diffs.",
            depth,
            given={"message": deep.hex},
            output=parsed(deep),
        ),
        refused(
            PARSE,
            "row-diff-65-levels",
            "A row with a diff of 65 levels of dict diffs is refused.",
            depth,
            given=_with_row(steps(65, "")),
            mended=_with_row(steps(64, "")),
        ),
        refused(
            PARSE,
            "row-set-diff-on-level-65",
            "A row with a set diff on level 65 is refused.",
            depth,
            given=_with_row(steps(64, [[1], []])),
            mended=_with_row(steps(63, [[1], []])),
        ),
    )


def _updates() -> tuple[Draft, ...]:
    return (
        *(
            accepted(
                UPDATE,
                name,
                summary,
                "CM-DATA-DEPTH CM-UPDATE-DATA",
                given=_updating(data),
                output={"message": BASE.followed_by(data, {"": diff, "k": "-"}).hex},
            )
            for name, summary, data, diff in (
                (
                    "data-64-levels",
                    "New data may have 64 levels of dicts.",
                    _mapping(nested(64, 1)),
                    nested(63, ""),
                ),
                (
                    "data-set-on-level-64",
                    "New data may have a set on level 64.",
                    _mapping(nested(63, [7])),
                    nested(62, [[7], []]),
                ),
            )
        ),
        *(
            refused(
                UPDATE,
                name,
                summary,
                "CM-UPDATE-INVALID-DATA CM-DATA-DEPTH",
                given=_updating(nested(65 if value == 1 else 64, value)),
                mended=_updating(nested(64 if value == 1 else 63, value)),
            )
            for name, summary, value in (
                ("data-65-levels", "New data with a dict on level 65 are refused.", 1),
                ("data-set-on-level-65", "New data with a set on level 65 are refused.", [7]),
            )
        ),
    )


def _messages() -> tuple[Draft, ...]:
    """Return messages whose only fault is their depth: the innermost dict is not empty."""
    clauses = "CM-DATA-DEPTH CM-SECURITY-REFUSE-AT-ONCE"
    deep, good = outer(data=nested(65, 1)).hex(), outer(data=nested(64, 1)).hex()
    deeper = outer(data=Raw(b"d0:" * 2000 + b"i1e" + b"e" * 2000)).hex()
    signing: JsonObject = {"signing_key": "07" * 32}
    verifying: JsonObject = {"verify_key": "07" * 32}
    return (
        refused(
            PARSE,
            "data-2000-levels-deep",
            "A message whose data has 2,000 levels, none of them empty, is refused at once.",
            f"{clauses} CM-BT-DEPTH",
            given={"message": deeper},
            mended={"message": good},
        ),
        refused(
            "config-merge/sign",
            "message-of-65-levels-signed",
            "A message whose data has 65 levels cannot be signed.",
            clauses,
            given={"message": deep, **signing},
            mended={"message": good, **signing},
        ),
        refused(
            "config-merge/verify",
            "message-of-65-levels-verified",
            "A message whose data has 65 levels cannot be verified.",
            clauses,
            given={"message": deep, **verifying},
            mended={"message": good, **verifying},
        ),
    )


def _mapping(tree: Tree) -> dict[str, Tree]:
    assert isinstance(tree, dict)
    return tree


def _applying(diff: Tree, data: Tree, source: Tree) -> JsonObject:
    return {"data": bt(data).hex(), "diff": bt(diff).hex(), "source": bt(source).hex()}


def _between(old: Tree, new: Tree) -> JsonObject:
    return {"old": bt(old).hex(), "new": bt(new).hex()}


def _with_row(diff: Tree) -> JsonObject:
    return {"message": outer(lagged=((6, HASH_6, diff),)).hex()}


def _updating(data: Tree) -> JsonObject:
    return {"messages": listed([BASE]), "data": bt(data).hex()}
