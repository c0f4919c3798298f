"""Questions about messages and data, as text: reading them.

    diff {k: 1} -> {k: 2} = {=k}
    apply {=k} to {k: 1}, source {k: 2} = {k: 2}
    update 10 to {k: 2} = diff {=k}
    resolve 11a 11b = merge {a: 1, b: 1, k: 1}
    resolve 10 11a, window 3 = 11a, ignoring included 10
    parse 7 {k: 1} diff {=k} = as given
    sign 7 {k: 1}, signing key alice = signed by alice
    verify 10, verify key alice = false

The message that an update makes comes after all that it updates, and has their data changed as the
question says; a merge comes after the messages that are not ignored. An answer states what is
different: `= after 11a diff {=k}`, `= merge {k: 1} unknown {}`, or the whole message.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, Final, TypeAlias

from attrs import frozen

from rejoin_conformance.contract.notation import Example
from rejoin_conformance.kit.json_types import Json, JsonObject
from rejoin_conformance.systems.config_merge.drafts.by_hand.bt import Tree, bt
from rejoin_conformance.systems.config_merge.drafts.by_hand.drafts import reported
from rejoin_conformance.systems.config_merge.drafts.by_hand.messages import Message
from rejoin_conformance.systems.config_merge.notation.body import QUESTION, Body, Said, divided_at
from rejoin_conformance.systems.config_merge.notation.contents import (
    Content,
    Plaintext,
    Stored,
)
from rejoin_conformance.systems.config_merge.notation.data import read_integer, read_value
from rejoin_conformance.systems.config_merge.notation.keys import (
    PUBLICS,
    SEEDS,
    read_bytes,
    read_key_by_name,
)
from rejoin_conformance.systems.config_merge.notation.messages import (
    Book,
    following,
    read_changes,
    read_content,
    read_message,
    read_parents,
    read_parts,
    read_rows,
    sees_seqno,
    well_formed_row,
)
from rejoin_conformance.systems.config_merge.notation.statements import Reader, Statement

WHY: Final = ("invalid", "duplicate", "stale", "included")


@frozen
class Asked:
    """A question that was read: what the answer may refer to.

    names: of the messages that it gives, in order. content: the only message that it gives. data:
    the new data of an update.
    """

    input: JsonObject
    names: tuple[str, ...] = ()
    content: Content | None = None
    data: Tree = 0


ReadQuestion: TypeAlias = Callable[[Reader, Book], Asked]
ReadAnswer: TypeAlias = Callable[[Statement, Book, Asked], JsonObject]


def read_question(body: Body) -> Example:
    """The question and the answer of a body that has one statement."""
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


def _data(reader: Reader, book: Book) -> Tree:
    """Data as an operation is given them, valid or not, or `data of NAME`."""
    if reader.take("data", "of"):
        return book.message(reader).data
    return read_value(reader)


def _options(reader: Reader) -> JsonObject:
    """Window and keys, each after a comma."""
    found: JsonObject = {}
    while reader.take(","):
        if "window" not in found and reader.take("window"):
            found["window"] = read_integer(reader)
        elif "verify_key" not in found and reader.take("verify", "key"):
            found["verify_key"] = read_key_by_name(reader, PUBLICS).hex()
        elif "signing_key" not in found and reader.take("signing", "key"):
            found["signing_key"] = read_key_by_name(reader, SEEDS).hex()
        else:
            raise reader.missing("`window`, `verify key` or `signing key`, each at most once")
    return found


def _diff_question(reader: Reader, book: Book) -> Asked:
    old = _data(reader, book)
    reader.expect("->")
    return Asked({"old": bt(old).hex(), "new": bt(_data(reader, book)).hex()})


def _diff_answer(answer: Statement, book: Book, _asked: Asked) -> JsonObject:
    reader = Reader(answer)
    diff = read_changes(reader, book)
    reader.end()
    return {"diff": bt(diff).hex()}


def _apply_question(reader: Reader, book: Book) -> Asked:
    diff = read_changes(reader, book)
    reader.expect("to")
    data = _data(reader, book)
    reader.expect(",", "source")
    source = _data(reader, book)
    return Asked({"data": bt(data).hex(), "diff": bt(diff).hex(), "source": bt(source).hex()})


def _apply_answer(answer: Statement, book: Book, _asked: Asked) -> JsonObject:
    reader = Reader(answer)
    data = _data(reader, book)
    reader.end()
    return {"data": bt(data).hex()}


def plaintext(content: Content, reader: Reader) -> bytes:
    """The plaintext that a name stands for. Raises NotationError for what is stored raw."""
    if isinstance(content, Stored):
        raise reader.wrong("a message, not what is stored as it stands")
    return content.encoded


def _listed(reader: Reader, book: Book, names: list[str]) -> list[Json]:
    return [plaintext(book.content(name), reader).hex() for name in names]


def _resolve_question(reader: Reader, book: Book) -> Asked:
    names = book.names(reader)
    messages = _listed(reader, book, names)
    return Asked({"messages": messages, **_options(reader)}, tuple(names))


def _resolve_answer(answer: Statement, book: Book, asked: Asked) -> JsonObject:
    place = divided_at(answer, ",", "ignoring")
    why = {} if place is None else _ignoring(Reader(answer, place + 2), asked.names)
    reader = Reader(answer[:place])
    survivors = [name for index, name in enumerate(asked.names) if index not in why]
    merged = reader.take("merge")
    if merged:
        message: Content = _made(reader, book, survivors, None)
    else:
        message = book.named(reader)
    encoded = plaintext(message, reader)
    reader.end()
    ignored: list[Json] = [{"index": index, "why": why[index]} for index in sorted(why)]
    return {"message": encoded.hex(), "merged": merged, "ignored": ignored}


def _ignoring(reader: Reader, names: tuple[str, ...]) -> dict[int, str]:
    """Place in the list -> why the message there is ignored."""
    found: dict[int, str] = {}
    while True:
        why = reader.next("word", f"why messages are ignored: {', '.join(WHY)}").text
        if why not in WHY:
            raise reader.wrong(f"why messages are ignored: {', '.join(WHY)}")
        while reader.sees_kind("word"):
            index = _index(reader, names)
            if index in found:
                raise reader.wrong("each message once")
            found[index] = why
        if reader.at_end:
            return found
        reader.expect(",")


def _index(reader: Reader, names: tuple[str, ...]) -> int:
    """The place of a message in the list: `NAME`, or `NAME/2` for the second of that name."""
    name = reader.next("word", "the name of a message of the question").text
    number = read_integer(reader) if reader.take("/") else 1
    places = [index for index, each in enumerate(names) if each == name]
    if not 0 < number <= len(places):
        raise reader.wrong(f"the name of a message of the question ({', '.join(names)})")
    return places[number - 1]


def _update_question(reader: Reader, book: Book) -> Asked:
    names = book.names(reader)
    messages = _listed(reader, book, names)
    reader.expect("to")
    data = _data(reader, book)
    given: JsonObject = {"messages": messages, "data": bt(data).hex(), **_options(reader)}
    return Asked(given, tuple(names), data=data)


def _update_answer(answer: Statement, book: Book, asked: Asked) -> JsonObject:
    reader = Reader(answer)
    if not (reader.sees("diff") or reader.sees("after") or book.sees_name(reader)):
        raise reader.missing("`diff` and what the update changes, or the message that it makes")
    message = _made(reader, book, asked.names, asked.data)
    reader.end()
    return {"message": message.encoded.hex()}


def _made(reader: Reader, book: Book, names: list[str] | tuple[str, ...], data: Any) -> Message:
    """The message that an operation makes. data: what it has if the text states none."""
    if sees_seqno(reader):
        return read_message(reader, book)
    if book.sees_name(reader):
        content = read_content(reader, book)
        if not isinstance(content, Message):
            raise reader.wrong("a message with parts")
        return content
    window = book.window
    if reader.take("after"):
        parents, window = read_parents(reader, book)
    else:
        found = [book.content(name) for name in dict.fromkeys(names)]
        parents = [content for content in found if isinstance(content, Message)]
    if reader.sees("{") or reader.sees("data"):
        data = _data(reader, book)
    if data is None:
        raise reader.missing("the data of the merge in braces")
    parts = read_parts(reader, book, data=data)
    if not parents:
        return parts.of(Message(seqno=1))
    return following(reader, parents, window, parts)


def _content_question(reader: Reader, book: Book) -> Asked:
    content = read_content(reader, book)
    message = plaintext(content, reader).hex()
    return Asked({"message": message, **_options(reader)}, content=content)


def _parse_answer(answer: Statement, book: Book, asked: Asked) -> JsonObject:
    """The parts of the message; its hash is that of the bytes that were given."""
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
        "update": ("update", _update_question, _update_answer),
        "resolve": ("resolve", _resolve_question, _resolve_answer),
        "parse": ("parse", _content_question, _parse_answer),
        "sign": ("sign", _content_question, _sign_answer),
        "verify": ("verify", _content_question, _verify_answer),
    }
)
"""The word of an operation -> its name, and how its questions and answers are read."""

OPERATIONS: Final = tuple(f"config-merge/{name}" for name, *_ in QUESTIONS.values())
"""The full names of these operations."""
