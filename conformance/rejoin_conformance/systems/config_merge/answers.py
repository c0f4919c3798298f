"""The answers of config merge that a row cannot say.

The message that an update makes comes after all messages that it updates, and has their data
changed as the question says; a merge comes after the messages that are not ignored.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import groupby
from typing import Any, Final, TypeAlias

from attrs import evolve

from rejoin import config_merge as cm
from rejoin_conformance.kit.bt import Tree, blake2b, bt, unbt
from rejoin_conformance.kit.json_types import Json, JsonObject
from rejoin_conformance.systems.config_merge.by_hand.keys import stored_form, stored_form_in_domain
from rejoin_conformance.systems.config_merge.by_hand.messages import Message, message_of
from rejoin_conformance.systems.config_merge.bytes_text import read_hash
from rejoin_conformance.systems.config_merge.kinds import KINDS
from rejoin_conformance.systems.config_merge.message_text import Sheet, UnsayableError, decoded
from rejoin_conformance.systems.config_merge.messages import (
    SIGNATURE,
    Content,
    following,
    plaintext,
    read_any_data,
    read_content,
    read_message,
    read_parts,
    read_rows,
    sees_seqno,
    stated,
    well_formed_row,
)
from rejoin_conformance.systems.config_merge.statements import Statement
from rejoin_conformance.systems.config_merge.steps import index_of

WHY: Final = ("invalid", "stale", "included", "duplicate")
Read: TypeAlias = Callable[[Statement, JsonObject, cm.Reading], JsonObject]
"""(the answer, the input, the reading) -> the output."""

Write: TypeAlias = Callable[[Sheet, JsonObject, JsonObject], str]
"""(the names, the input, the output) -> the text of the answer."""


def _read_resolved(text: Statement, _asked: JsonObject, _reading: cm.Reading) -> JsonObject:
    """Return the answer to `resolve`: a message or a merge, and the messages that are ignored."""
    names = text.book.asked
    parts = text.divided(",", "ignoring")
    why = {} if parts is None else _read_ignoring(parts[1], names)
    answer = text if parts is None else parts[0]
    survivors = [name for index, name in enumerate(names) if index not in why]
    merged = answer.takes("merge")
    made = _read_made(answer, survivors, None) if merged else answer.book.named(answer)
    encoded = plaintext(made, answer)
    answer.done()
    text.place = len(text.tokens) - 1
    ignored: list[Json] = [{"index": index, "why": why[index]} for index in sorted(why)]
    return {"message": encoded.hex(), "merged": merged, "ignored": ignored}


def _read_ignoring(text: Statement, names: Sequence[str]) -> dict[int, str]:
    """Place in the list -> why the message there is ignored."""
    found: dict[int, str] = {}
    while True:
        if text.next.text not in WHY:
            text.fail(f"why messages are ignored: {', '.join(WHY)}")
        why = text.take()
        while text.next.kind == "bare":
            index = index_of(text, names)
            if index in found:
                text.refuse("each message once")
            found[index] = why
        if text.at_end:
            return found
        text.need(",")


def _read_updated(text: Statement, asked: JsonObject, _reading: cm.Reading) -> JsonObject:
    """Return the answer to `update`: a diff, or the message that is made."""
    if not (text.would_take("diff") or text.would_take("after") or text.is_message()):
        text.fail("`diff` and a diff, or the message that the update makes")
    message = _read_made(text, text.book.asked, unbt(bytes.fromhex(str(asked["data"]))))
    return {"message": message.encoded.hex()}


def _read_made(text: Statement, names: Sequence[str], data: Tree | None) -> Message:
    """Take the message that an operation makes. data: its data if the text states none."""
    book = text.book
    if sees_seqno(text) or text.would_take("after"):
        return read_message(text)
    if text.is_message():
        content = read_content(text)
        return content if isinstance(content, Message) else text.refuse("a message with parts")
    found = [book.content(name) for name in dict.fromkeys(names)]
    parents = [content for content in found if isinstance(content, Message)]
    if text.would_take("{") or text.would_take("data"):
        data = read_any_data(text)
    if data is None:
        text.fail("the data of the merge in braces")
    parts = {"data": data, **read_parts(text)}
    if not parents:
        return stated(Message(seqno=1), parts)
    return following(text, parents, book.window, parts)


def _read_parsed(text: Statement, asked: JsonObject, _reading: cm.Reading) -> JsonObject:
    """Return the parts of the message; its hash is the hash of the given bytes."""
    given = bytes.fromhex(str(asked["message"]))
    as_given = text.takes("as", "given")
    parts: Content | None = message_of(given) if as_given else read_content(text)
    if not isinstance(parts, Message):
        text.refuse("a message with parts")
    rows: Any = parts.rows
    digest = blake2b(given)
    while text.takes(","):
        if text.takes("rows"):
            rows = read_rows(text)
        else:
            text.need("hash")
            digest = read_hash(text, "a hash of 64 hex digits")
    if not all(map(well_formed_row, rows)):
        text.refuse("rows that can be reported: [seqno, hash, diff]")
    return {
        "seqno": str(parts.seqno),
        "hash": digest.hex(),
        "data": bt(parts.data).hex(),
        "diff": bt(parts.diff).hex(),
        "lagged": [
            {"seqno": str(seqno), "hash": row_hash.hex(), "diff": bt(diff).hex()}
            for seqno, row_hash, diff in rows
        ],
    }


def _read_signed(text: Statement, asked: JsonObject, _reading: cm.Reading) -> JsonObject:
    message = message_of(bytes.fromhex(str(asked["message"])))
    if text.would_take("signed") and message is not None:
        others = {key: value for key, value in message.others.items() if key != SIGNATURE}
        return {"message": stated(evolve(message, others=others), read_parts(text)).hex}
    return {"message": plaintext(read_content(text), text).hex()}


def _read_sealed(text: Statement, asked: Any, reading: cm.Reading) -> JsonObject:
    start = text.place
    if not text.takes("sealed") or not text.at_end:
        text.place = start
        return {"ciphertext": KINDS["ciphertext"].read(text)}
    given, key = bytes.fromhex(asked["plaintext"]), bytes.fromhex(asked["key"])
    if not reading.nonce_domain_separated:
        return {"ciphertext": stored_form(given, key).hex()}
    domain = bytes.fromhex(asked.get("domain", ""))
    return {"ciphertext": stored_form_in_domain(given, key, domain).hex()}


def _write_resolved(sheet: Sheet, asked: Any, output: Any) -> str:
    messages = [bytes.fromhex(each) for each in asked["messages"]]
    why = {each["index"]: each["why"] for each in output["ignored"]}
    if [*why] != sorted(why) or any(index >= len(messages) for index in why):
        raise UnsayableError("ignored messages that are out of order or do not exist")
    text = sheet.text(bytes.fromhex(output["message"]))
    names = sheet.named(messages)
    by_why = sorted(why, key=lambda index: (WHY.index(why[index]), index))
    groups = [
        f"{reason} {' '.join(names[index] for index in group)}"
        for reason, group in groupby(by_why, key=lambda index: why[index])
    ]
    ignoring = f", ignoring {', '.join(groups)}" if groups else ""
    return f"{'merge ' if output['merged'] else ''}{text}{ignoring}"


def _write_parsed(sheet: Sheet, asked: Any, output: Any) -> str:
    message = message_of(bytes.fromhex(asked["message"]))
    if message is None:
        raise UnsayableError("bytes that are not a message")
    rows = [
        [int(row["seqno"]), bytes.fromhex(row["hash"]), decoded(row["diff"])]
        for row in output["lagged"]
    ]
    text = "as given"
    if bt(rows) != bt(message.rows):
        text += f", {sheet.rows_text(rows)}"
    return text if output["hash"] == message.hash.hex() else f"{text}, hash {output['hash']}"


READ: Final[Mapping[str, Read]] = {
    "resolve": _read_resolved,
    "update": _read_updated,
    "parse": _read_parsed,
    "sign": _read_signed,
    "encrypt": _read_sealed,
}
WRITE: Final[Mapping[str, Write]] = {"resolve": _write_resolved, "parse": _write_parsed}
"""How the answers are read and written that their rows cannot say."""
