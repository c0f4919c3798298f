"""Read questions about messages and data.

    diff {k: 1} -> {k: 2} = {=k}
    apply {=k} to {k: 1}, source {k: 2} = {k: 2}
    update 10 to {k: 2} = diff {=k}
    resolve 11a 11b = merge {a: 1, b: 1, k: 1}
    resolve 10 11a, window 3 = 11a, ignoring included 10
    parse 7 {k: 1} diff {=k} = as given
    sign 7 {k: 1}, signing key alice = signed by alice
    verify 10, verify key alice = false

The message that an update makes comes after all messages that it updates, and has their data
changed as the question says; a merge comes after the messages that are not ignored. An answer can
state more: `= after 11a diff {=k}`, `= merge {k: 1} unknown {}`, or the whole message.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Final, TypeAlias

from rejoin_conformance.contract.notation import Example
from rejoin_conformance.kit.json_types import JsonObject
from rejoin_conformance.systems.config_merge.drafts.by_hand.bt import bt
from rejoin_conformance.systems.config_merge.drafts.by_hand.drafts import reported
from rejoin_conformance.systems.config_merge.drafts.by_hand.messages import Message
from rejoin_conformance.systems.config_merge.notation.asking import (
    Asked,
    plaintext,
    read_any_data,
    read_options,
)
from rejoin_conformance.systems.config_merge.notation.body import QUESTION, Body, Said, divided_at
from rejoin_conformance.systems.config_merge.notation.contents import (
    Content,
    Plaintext,
)
from rejoin_conformance.systems.config_merge.notation.data import read_integer
from rejoin_conformance.systems.config_merge.notation.keys import (
    read_bytes,
)
from rejoin_conformance.systems.config_merge.notation.merges import (
    resolve_answer,
    resolve_question,
    update_answer,
    update_question,
)
from rejoin_conformance.systems.config_merge.notation.message_parts import (
    read_changes,
    read_parts,
    read_rows,
    well_formed_row,
)
from rejoin_conformance.systems.config_merge.notation.messages import (
    Book,
    read_content,
)
from rejoin_conformance.systems.config_merge.notation.statements import Reader, Statement

ReadQuestion: TypeAlias = Callable[[Reader, Book], Asked]
ReadAnswer: TypeAlias = Callable[[Statement, Book, Asked], JsonObject]


def read_question(body: Body) -> Example:
    """Return the question and the answer of a body that has one statement."""
    said = body.said[0]
    reader = Reader(said.question)
    name = reader.next("word", QUESTION).text
    if name not in QUESTIONS:
        raise reader.wrong(QUESTION)
    if len(body.said) > 1:
        raise Reader(body.said[1].question).missing("one question, and definitions of messages")
    operation, read_asked, read_answer = QUESTIONS[name]
    book = body.book
    window = _window(said, book.window)
    book.window = window if body.window is None else body.window
    book.make_all()
    book.window = window
    asked = read_asked(reader, book)
    reader.end()
    output = None if said.answer is None else read_answer(said.answer, book, asked)
    return Example(operation=f"config-merge/{operation}", input=asked.input, output=output)


def _window(said: Said, default: int) -> int:
    place = divided_at(said.question, ",", "window")
    return default if place is None else read_integer(Reader(said.question, place + 2))


def _diff_question(reader: Reader, book: Book) -> Asked:
    old = read_any_data(reader, book)
    reader.expect("->")
    return Asked({"old": bt(old).hex(), "new": bt(read_any_data(reader, book)).hex()})


def _diff_answer(answer: Statement, book: Book, _asked: Asked) -> JsonObject:
    reader = Reader(answer)
    diff = read_changes(reader, book)
    reader.end()
    return {"diff": bt(diff).hex()}


def _apply_question(reader: Reader, book: Book) -> Asked:
    diff = read_changes(reader, book)
    reader.expect("to")
    data = read_any_data(reader, book)
    reader.expect(",", "source")
    source = read_any_data(reader, book)
    return Asked({"data": bt(data).hex(), "diff": bt(diff).hex(), "source": bt(source).hex()})


def _apply_answer(answer: Statement, book: Book, _asked: Asked) -> JsonObject:
    reader = Reader(answer)
    data = read_any_data(reader, book)
    reader.end()
    return {"data": bt(data).hex()}


def _content_question(reader: Reader, book: Book) -> Asked:
    content = read_content(reader, book)
    message = plaintext(content, reader).hex()
    return Asked({"message": message, **read_options(reader)}, content=content)


def _parse_answer(answer: Statement, book: Book, asked: Asked) -> JsonObject:
    """Return the parts of the message; its hash is the hash of the given bytes."""
    reader = Reader(answer)
    parts = asked.content if reader.take("as", "given") else read_content(reader, book)
    if not isinstance(parts, Message):
        raise reader.wrong("a message with parts")
    rows, digest = parts.rows, None
    while reader.take(","):
        if reader.take("rows"):
            rows = read_rows(reader, book)
        else:
            reader.expect("hash")
            digest = read_bytes(reader, "a hash of 64 hex digits")
    reader.end()
    if not all(map(well_formed_row, rows)):
        raise reader.wrong("rows that can be reported: [seqno, hash, diff]")
    if digest is None:
        content = asked.content
        assert isinstance(content, Message | Plaintext)
        digest = content.hash
    return {
        "seqno": str(parts.seqno),
        "hash": digest.hex(),
        "data": bt(parts.data).hex(),
        "diff": bt(parts.diff).hex(),
        "lagged": reported(rows),
    }


def _sign_answer(answer: Statement, book: Book, asked: Asked) -> JsonObject:
    reader = Reader(answer)
    content: Content
    if reader.sees("signed") and isinstance(asked.content, Message):
        content = read_parts(reader, book).of(asked.content)
    else:
        content = read_content(reader, book)
    encoded = plaintext(content, reader)
    reader.end()
    return {"message": encoded.hex()}


def _verify_answer(answer: Statement, _book: Book, _asked: Asked) -> JsonObject:
    reader = Reader(answer)
    valid = reader.take("true")
    if not valid and not reader.take("false"):
        raise reader.missing("`true` or `false`")
    reader.end()
    return {"valid": valid}


QUESTIONS: Final[Mapping[str, tuple[str, ReadQuestion, ReadAnswer]]] = MappingProxyType(
    {
        "diff": ("diff", _diff_question, _diff_answer),
        "apply": ("apply-diff", _apply_question, _apply_answer),
        "update": ("update", update_question, update_answer),
        "resolve": ("resolve", resolve_question, resolve_answer),
        "parse": ("parse", _content_question, _parse_answer),
        "sign": ("sign", _content_question, _sign_answer),
        "verify": ("verify", _content_question, _verify_answer),
    }
)
"""The word of an operation -> its name, and the readers of its questions and answers."""

OPERATIONS: Final = tuple(f"config-merge/{name}" for name, *_ in QUESTIONS.values())
"""The full names of these operations."""
