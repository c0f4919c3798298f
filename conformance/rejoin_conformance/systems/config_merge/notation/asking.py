"""The common parts of questions: messages, options and data."""

from __future__ import annotations

from attrs import frozen

from rejoin_conformance.kit.json_types import JsonObject
from rejoin_conformance.systems.config_merge.drafts.by_hand.bt import Tree
from rejoin_conformance.systems.config_merge.notation.contents import Content, Stored
from rejoin_conformance.systems.config_merge.notation.data import read_integer, read_value
from rejoin_conformance.systems.config_merge.notation.keys import PUBLICS, SEEDS, read_key_by_name
from rejoin_conformance.systems.config_merge.notation.messages import Book
from rejoin_conformance.systems.config_merge.notation.statements import Reader


@frozen
class Asked:
    """A parsed question, with the values that its answer can refer to.

    names: the names of its messages, in order. content: its only message. data: the new data of an
    update.
    """

    input: JsonObject
    names: tuple[str, ...] = ()
    content: Content | None = None
    data: Tree = 0


def read_any_data(reader: Reader, book: Book) -> Tree:
    """Read the data of a question, valid or not, or `data of NAME`."""
    if reader.take("data", "of"):
        return book.message(reader).data
    return read_value(reader)


def read_options(reader: Reader) -> JsonObject:
    """Read the window and the keys, each after a comma."""
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


def plaintext(content: Content, reader: Reader) -> bytes:
    """Return the plaintext of a content. Raises NotationError if the bytes are not encrypted."""
    if isinstance(content, Stored):
        raise reader.wrong("a message, not bytes that are stored unencrypted")
    return content.encoded
