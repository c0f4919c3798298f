"""The kinds of the fields of steps, and how they are read and written."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from attrs import define, evolve, field

from rejoin import config_merge as cm
from rejoin_conformance.contract.rows import dumped
from rejoin_conformance.kit import schemas as s
from rejoin_conformance.kit.bt import bt
from rejoin_conformance.kit.json_types import Json, JsonObject
from rejoin_conformance.kit.phrases import Kind
from rejoin_conformance.systems.config_merge.bytes_text import read_hash, read_integer
from rejoin_conformance.systems.config_merge.data_text import value_text
from rejoin_conformance.systems.config_merge.kinds import KINDS as OF_OPERATIONS
from rejoin_conformance.systems.config_merge.kinds import hex_by, record_of
from rejoin_conformance.systems.config_merge.message_text import Sheet, decoded
from rejoin_conformance.systems.config_merge.messages import (
    plaintext,
    read_any_data,
    read_message,
)

_DIGITS: Final = 8
"""The number of hex digits of a hash that is known from a row."""


@define(slots=False)
class StepNames(Sheet):
    """The names of the messages of a resolution.

    before: the data after the step before. seqno: of the message that is written next.
    """

    before: str = field(default="", init=False)
    seqno: str = field(default="", init=False)
    listed: Sequence[str] = field(default=(), init=False)

    def rank(self, seqno: str, digest: str) -> str:
        """Return the name of a message, or its seqno and hash in parentheses."""
        return self.by_hash.get(digest) or f"({seqno} {digest[:_DIGITS]})"

    def comes(self, seqno: str) -> str:
        """Keep the seqno of a message, whose name tells it."""
        self.seqno = seqno
        return ""

    def coming(self, digest: str) -> str:
        """Return the message whose seqno came before its hash."""
        return self.rank(self.seqno, digest)

    def data(self, encoded: str) -> str:
        """Return the data after a step."""
        before, self.before = self.before, encoded
        return "as before" if encoded == before else value_text(decoded(encoded))


def _read_rank(text: Any) -> JsonObject:
    """Take a message by its name, or by its seqno and hash in parentheses."""
    if text.takes("("):
        seqno, digest = read_integer(text), read_hash(text, "a hash: 64 hex digits")
        text.need(")")
        return {"seqno": str(seqno), "hash": digest.hex()}
    message = text.book.message(text)
    return {"seqno": str(message.seqno), "hash": message.hash.hex()}


def _read_seqno_of_next(text: Any) -> Json:
    """Return the seqno of the message whose hash is read next, and take nothing."""
    start = text.place
    seqno = _read_rank(text)["seqno"]
    text.place = start
    return seqno


def _read_ranks(text: Any) -> list[Json]:
    found: list[Json] = []
    while not text.at_end and not text.takes("nothing"):
        found.append(_read_rank(text))
    return found


def _read_data(text: Any) -> str:
    if not text.takes("as", "before"):
        text.book.before = bt(read_any_data(text)).hex()
    return str(text.book.before)


def _index(text: Any) -> int:
    return index_of(text, text.book.asked)


def index_of(text: Any, names: Sequence[str]) -> int:
    """Take a message of a list: `NAME`, or `NAME/2` for the second one of that name."""
    name = text.take() if text.next.kind == "bare" else text.fail("the name of a message")
    number = read_integer(text) if text.takes("/") else 1
    places = [index for index, each in enumerate(names) if each == name]
    if not 0 < number <= len(places):
        text.refuse(f"the name of a message of the question ({', '.join(names)})")
    return places[number - 1]


_HASH: Final = s.hex_of(32)
_RANK: Final = record_of("seqno", "hash")
_RANK_KINDS: Final = {name: OF_OPERATIONS[name] for name in ("seqno", "hash")}
KINDS: Final[Mapping[str, Kind]] = {
    **OF_OPERATIONS,
    "index": evolve(
        OF_OPERATIONS["index"],
        read=_index,
        write=lambda value, names: names.listed[value],
        words="The index of the ignored message in the input, from 0.",
    ),
    "why": evolve(
        OF_OPERATIONS["why"],
        read=lambda text: text.name("the reason"),
        write=lambda value, _: value,
        words="The reason.",
    ),
    "ranks": Kind(
        schema=s.list_of(_RANK),
        read=_read_ranks,
        write=lambda value, names: (
            " ".join(names.rank(each["seqno"], each["hash"]) for each in value) or "nothing"
        ),
        dump=lambda value, _: [dumped(each, _RANK_KINDS) for each in value],
    ),
    "of": Kind(
        schema=s.DECIMAL,
        read=_read_seqno_of_next,
        write=lambda value, names: names.comes(value),
        dump=lambda value, _: str(value),
    ),
    "named": Kind(
        schema=_HASH,
        read=lambda text: _read_rank(text)["hash"],
        write=lambda value, names: names.coming(value),
        dump=lambda value, _: value.hex(),
    ),
    "number": Kind(
        schema=s.DECIMAL,
        read=lambda text: str(read_integer(text)),
        write=lambda value, _: value,
        dump=lambda value, _: str(value),
    ),
    "before": Kind(
        schema=s.HEX,
        read=_read_data,
        write=lambda value, names: names.data(value),
        dump=lambda value, _: cm.encode_data(value).hex(),
    ),
    "result": Kind(
        schema=s.HEX,
        read=hex_by(lambda text: plaintext(read_message(text), text)),
        write=lambda value, names: names.text(bytes.fromhex(value)),
        dump=lambda value, _: value.hex(),
        words="The merge, bt-encoded.",
    ),
}
