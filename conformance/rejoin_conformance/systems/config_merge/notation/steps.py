"""Write the steps of a resolution.

    ignore included 10
    survivors 11a 12
    seqno 13
    base 12 = {b: 1, c: 1, k: 1}
    replay 10 {=k} from 12 = as before
    replay 11a {=a} = {a: 1, b: 1, c: 1, k: 1}
    keep 10 11a 11b 12
    message merge {a: 1, b: 1, c: 1, k: 1}

Messages have the names of the question. A message that is known only from the row of another one is
its seqno and the first digits of its hash in parentheses: `(9 3fa9c1d2)`. An entry without `from`
is a message's own change, and the message supplies its own values. `as before` stands for the data
after the step before, and `its own data` for long data of the base.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, Final

from attrs import define, field

from rejoin_conformance.contract.notation import Example, WriteStep, WrittenStep
from rejoin_conformance.kit.json_types import JsonObject
from rejoin_conformance.systems.config_merge.drafts.by_hand.bt import Tree, bt, unbt
from rejoin_conformance.systems.config_merge.drafts.by_hand.messages import blake2b
from rejoin_conformance.systems.config_merge.notation.data import (
    integer_text,
    value_text,
)
from rejoin_conformance.systems.config_merge.notation.keys import bytes_text
from rejoin_conformance.systems.config_merge.notation.message_parts import well_formed_row
from rejoin_conformance.systems.config_merge.notation.question_texts import (
    merge_text,
    names_in,
    sheet_of,
)
from rejoin_conformance.systems.config_merge.notation.sheet import LONG, Sheet

_DIGITS: Final = 8
"""The number of hex digits of a hash that is known from a row, if no other hash has the same."""


def step_writer(example: Example, known: Mapping[bytes, str] | None = None) -> WriteStep:
    """Return the function that writes the steps of a resolution.

    known: further messages, with their names.
    """
    return _Writer(*sheet_of(example.input, known or {})).write


@define
class _Writer:
    """The names of the messages of a resolution. survivors: the ones that are not ignored."""

    sheet: Sheet
    messages: Sequence[bytes]
    survivors: dict[int, bytes] = field(init=False)
    _by_hash: dict[bytes, bytes] = field(init=False)
    _short: dict[bytes, str] = field(factory=dict, init=False)
    _names: list[str] = field(factory=list, init=False)
    _data_before: str = field(default="", init=False)

    def __attrs_post_init__(self) -> None:
        self.survivors = dict(enumerate(self.messages))
        self._by_hash = {blake2b(each): each for each in self.sheet.plaintexts}
        hashes: set[bytes] = {*self._by_hash}
        for entry in self.sheet.entries.values():
            rows: Any = [row for row in entry.message.rows if well_formed_row(row)]
            hashes.update(row[1] for row in rows)
        begins = Counter(each.hex()[:_DIGITS] for each in hashes)
        self._short = {
            each: each.hex()[:_DIGITS] for each in hashes if begins[each.hex()[:_DIGITS]] == 1
        }
        self._names = names_in(self.sheet, self.messages)

    def write(self, step: JsonObject) -> WrittenStep:
        """Return the text of a step."""
        return WrittenStep(f"{step['step']} {self._said(step)}")

    def _said(self, step: Any) -> str:
        match step["step"]:
            case "ignore":
                self.survivors.pop(step["index"])
                return f"{step['why']} {self._names[step['index']]}"
            case "survivors":
                return self._ranks(step["messages"])
            case "keep":
                return self._ranks(step["rows"])
            case "result":
                return self._rank(step["seqno"], step["hash"])
            case "seqno":
                return integer_text(int(step["seqno"]))
            case "base":
                return f"{self._rank(step['seqno'], step['hash'])} = {self._base_data(step)}"
            case "replay":
                own = step["source"] == step["hash"]
                source = "" if own else f" from {self._source(step['source'])}"
                diff = self.sheet.diff_text(_tree(step["diff"]))
                rank = self._rank(step["seqno"], step["hash"])
                return f"{rank} {diff}{source} = {self._data(step['data'])}"
            case "prune":
                return self._data(step["data"])
            case "message":
                survivors = [*self.survivors.values()]
                return f"merge {merge_text(self.sheet, survivors, bytes.fromhex(step['message']))}"
            case kind:
                raise ValueError(kind)

    def _base_data(self, step: Any) -> str:
        text = self._data(step["data"])
        encoded = self._by_hash.get(bytes.fromhex(step["hash"]))
        entry = None if encoded is None else self.sheet.entries.get(encoded)
        own = entry is not None and bt(entry.message.data).hex() == step["data"]
        return "its own data" if own and len(text) > LONG else text

    def _data(self, encoded: str) -> str:
        """Return the data after a step."""
        before, self._data_before = self._data_before, encoded
        return "as before" if encoded == before else value_text(_tree(encoded))

    def _ranks(self, ranks: Any) -> str:
        return " ".join(self._rank(each["seqno"], each["hash"]) for each in ranks) or "nothing"

    def _rank(self, seqno: str, digest: str) -> str:
        """Return the name of a message, or its seqno and hash in parentheses."""
        encoded = self._by_hash.get(bytes.fromhex(digest))
        entry = None if encoded is None else self.sheet.entries.get(encoded)
        if entry is not None and entry.message.seqno == int(seqno):
            return self.sheet.name(entry.encoded)
        return f"({integer_text(int(seqno))} {self._hash(bytes.fromhex(digest))})"

    def _source(self, digest: str) -> str:
        encoded = self._by_hash.get(bytes.fromhex(digest))
        return self._hash(bytes.fromhex(digest)) if encoded is None else self.sheet.name(encoded)

    def _hash(self, digest: bytes) -> str:
        return self._short.get(digest, bytes_text(digest))


def _tree(encoded: str) -> Tree:
    return unbt(bytes.fromhex(encoded))
