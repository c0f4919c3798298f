"""The message that the drafts of this topic vary."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from attrs import evolve

from rejoin_conformance.systems.config_merge.drafts.by_hand.bt import Tree, bt
from rejoin_conformance.systems.config_merge.drafts.by_hand.keys import SEED
from rejoin_conformance.systems.config_merge.drafts.by_hand.messages import Message, Row

HASH_5: Final = b"\x55" * 32
HASH_6: Final = b"\x66" * 32
ROW_5: Final[Row] = (5, HASH_5, {"s": [[1], []]})
ROW_6: Final[Row] = (6, HASH_6, {})
PLAIN: Final = Message(seqno=7, data={"k": 1, "s": [1]}, rows=(ROW_5, ROW_6), diff={"k": ""})
ENCODED: Final = PLAIN.encoded
SIGNED: Final = evolve(PLAIN, seed=SEED).encoded
SIGNATURE: Final = SIGNED[SIGNED.index(b"1:~64:") :]
BARE: Final = bt({"#": 7, "&": {}, "<": [], "=": {}})


def outer(
    *,
    seqno: Tree = PLAIN.seqno,
    data: Tree = PLAIN.data,
    lagged: Tree = PLAIN.rows,
    diff: Tree = PLAIN.diff,
    without: str = "",
    others: Mapping[str, Tree] | None = None,
) -> bytes:
    """Return the plain message with some of its parts replaced, left out or added."""
    fields: dict[str, Tree] = {"#": seqno, "&": data, "<": lagged, "=": diff}
    if without:
        del fields[without]
    return bt({**fields, **(others or {})})
