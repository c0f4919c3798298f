"""Read questions to `resolve` and `update`, and the messages that they make."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from rejoin_conformance.kit.json_types import Json, JsonObject
from rejoin_conformance.systems.config_merge.drafts.by_hand.bt import bt
from rejoin_conformance.systems.config_merge.drafts.by_hand.messages import Message
from rejoin_conformance.systems.config_merge.notation.asking import (
    Asked,
    plaintext,
    read_any_data,
    read_options,
)
from rejoin_conformance.systems.config_merge.notation.body import divided_at
from rejoin_conformance.systems.config_merge.notation.contents import Content
from rejoin_conformance.systems.config_merge.notation.data import read_integer
from rejoin_conformance.systems.config_merge.notation.message_parts import read_parts
from rejoin_conformance.systems.config_merge.notation.messages import (
    Book,
    following,
    read_content,
    read_message,
    read_parents,
    sees_seqno,
)
from rejoin_conformance.systems.config_merge.notation.statements import Reader, Statement

WHY: Final = ("invalid", "duplicate", "stale", "included")


def _listed(reader: Reader, book: Book, names: list[str]) -> list[Json]:
    return [plaintext(book.content(name), reader).hex() for name in names]


def resolve_question(reader: Reader, book: Book) -> Asked:
    """Return the question `resolve NAME NAME, window N`."""
    names = book.names(reader)
    messages = _listed(reader, book, names)
    return Asked({"messages": messages, **read_options(reader)}, tuple(names))


def resolve_answer(answer: Statement, book: Book, asked: Asked) -> JsonObject:
    """Return the answer to `resolve`: a message or a merge, and the messages that are ignored."""
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
    """Return the index of a message: `NAME`, or `NAME/2` for the second one of that name."""
    name = reader.next("word", "the name of a message of the question").text
    number = read_integer(reader) if reader.take("/") else 1
    places = [index for index, each in enumerate(names) if each == name]
    if not 0 < number <= len(places):
        raise reader.wrong(f"the name of a message of the question ({', '.join(names)})")
    return places[number - 1]


def update_question(reader: Reader, book: Book) -> Asked:
    """Return the question `update NAME NAME to DATA, window N`."""
    names = book.names(reader)
    messages = _listed(reader, book, names)
    reader.expect("to")
    data = read_any_data(reader, book)
    given: JsonObject = {"messages": messages, "data": bt(data).hex(), **read_options(reader)}
    return Asked(given, tuple(names), data=data)


def update_answer(answer: Statement, book: Book, asked: Asked) -> JsonObject:
    """Return the answer to `update`: a diff, or the message that is made."""
    reader = Reader(answer)
    if not (reader.sees("diff") or reader.sees("after") or book.sees_name(reader)):
        raise reader.missing("`diff` and a diff, or the message that the update makes")
    message = _made(reader, book, asked.names, asked.data)
    reader.end()
    return {"message": message.encoded.hex()}


def _made(reader: Reader, book: Book, names: Sequence[str], data: Any) -> Message:
    """Return the message that an operation makes. data: its data if the text states none."""
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
        data = read_any_data(reader, book)
    if data is None:
        raise reader.missing("the data of the merge in braces")
    parts = read_parts(reader, book, data=data)
    if not parents:
        return parts.of(Message(seqno=1))
    return following(reader, parents, window, parts)
