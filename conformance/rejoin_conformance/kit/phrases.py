"""One scanner and one template language, which both writes and reads; no protocol is known here.

    merge {merge:names}[ in order {order:names}] = {state:state}

`{field:kind}` is a field, which its kind writes and reads. A part in brackets is written if all of
its fields are present, and read if its first words come next. Everything else is literal words.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from itertools import takewhile
from typing import Any, Final, NoReturn

from attrs import define, evolve, field, frozen

from rejoin_conformance.kit.json_types import Json, JsonObject
from rejoin_conformance.kit.text import shown_line

_PART: Final = re.compile(
    r"\{(?P<field>\w+)(?::(?P<kind>[\w-]+))?\}|\[(?P<option>[^]]*)\]|(?P<word>->|[=:;,]|[^\s{}\[\]=:;,]+)"
    r"|(?P<space>\s+)"
)
WIDTH: Final = 96

END_OF_TEXT: Final = ""
"""The value of `NotationError.found` if a line, or the whole text, ends too early."""


class NotationError(Exception):
    """Text that is not in the notation.

    line: the line number, from 1, in the text given to the parser. expected: a description of the
    text expected there. found: the text found there.
    """

    def __init__(self, line: int, expected: str, found: str) -> None:
        super().__init__(line, expected, found)
        self.line = line
        self.expected = expected
        self.found = found

    @property
    def fault(self) -> str:
        """Return the expected and the found text, without the line."""
        found = f"`{shown_line(self.found, 80)}`" if self.found else "the end of the line"
        return f"expected {self.expected}, found {found}"

    def __str__(self) -> str:
        """Return the line number and the fault on one line."""
        return f"line {self.line}: {self.fault}"


@frozen
class Words:
    """How a notation splits a line, and which bare words are no names.

    unquoted: a quoted text -> its characters. Raises ValueError. quotes: says what it accepts.
    quoted: the inverse of `unquoted`.
    """

    bare: str
    marks: str
    reserved: frozenset[str] = frozenset()
    range: re.Pattern[str] = re.compile("(?!)")
    unquoted: Callable[[str], str] = json.loads
    quotes: str = "a text in quotes as JSON writes it"
    quoted: Callable[[str], str] = json.dumps

    @cached_property
    def token(self) -> re.Pattern[str]:
        """Return the pattern of one token with the space before it."""
        return re.compile(
            rf'(?P<space>\s*)(?:(?P<quoted>"(?:[^"\\]|\\.)*")|(?P<mark>{self.marks})|(?P<bare>{self.bare}))'
        )

    def spelled(self, name: str) -> str:
        """Return the text of a name: bare if it is read back as this name, else a JSON string."""
        bare = re.fullmatch(self.bare, name) and name not in self.reserved
        return name if bare and not self.range.fullmatch(name) else json.dumps(name)


@frozen
class Token:
    """A word, a mark, or the end of a line. space: how many spaces precede it."""

    kind: str
    text: str
    line: int
    space: int


@define(slots=False)
class Scanner:
    """The tokens of some lines, read in order. seen: what kinds of state were read so far."""

    words: Words
    tokens: Sequence[Token]
    place: int = 0
    seen: list[str] = field(factory=list)

    @property
    def next(self) -> Token:
        """Return the token that comes next, which at the end is the end of the text."""
        return self.tokens[min(self.place, len(self.tokens) - 1)]

    @property
    def at_end(self) -> bool:
        """Return whether no word or mark is left."""
        return self.place >= len(self.tokens) or self.place > self._last_word

    @cached_property
    def _last_word(self) -> int:
        words = [place for place, token in enumerate(self.tokens) if token.kind != "end"]
        return words[-1] if words else -1

    def fail(self, expected: str) -> NoReturn:
        """Raise NotationError at the next token. expected: what should stand there."""
        token = self.next
        found = self.words.quoted(token.text) if token.kind == "quoted" else token.text
        raise NotationError(token.line, expected, found)

    def refuse(self, expected: str) -> NoReturn:
        """Raise NotationError at the token that was taken last."""
        self.place = max(0, self.place - 1)
        self.fail(expected)

    def take(self) -> str:
        """Take the next token and return its text."""
        text = self.next.text
        self.place += 1
        return text

    def takes(self, *texts: str) -> bool:
        """Take these bare words and marks if they come next."""
        coming = self.tokens[self.place : self.place + len(texts)]
        if [each.text for each in coming if each.kind in ("bare", "mark")] != [*texts]:
            return False
        self.place += len(texts)
        return True

    def would_take(self, *texts: str) -> bool:
        """Return whether these bare words and marks come next, and take nothing."""
        start = self.place
        comes, self.place = self.takes(*texts), start
        return comes

    def need(self, text: str) -> None:
        """Take this word or mark. Raises NotationError if another one comes next."""
        if not self.takes(text):
            self.fail(f"`{text}`")

    def done(self, expected: str = "the end of the statement") -> None:
        """Raise NotationError if a word or mark is left."""
        if not self.at_end:
            self.fail(expected)

    def is_name(self) -> bool:
        """Return whether a name comes next."""
        token = self.next
        return token.kind == "quoted" or (
            token.kind == "bare" and token.text not in self.words.reserved
        )

    def name(self, expected: str) -> str:
        """Take a name. Raises NotationError with `expected` if none comes next."""
        return self.take() if self.is_name() else self.fail(expected)

    def glued(self, ahead: int) -> bool:
        """Return whether a token comes without a space before it."""
        token = self.tokens[self.place + ahead]
        return token.kind != "end" and not token.space

    def would_read(self, phrase: Phrase) -> bool:
        """Return whether a phrase comes next, and take nothing."""
        start = self.place
        try:
            phrase.read(self)
        except NotationError:
            return False
        finally:
            self.place = start
        return True

    def ends_statement(self) -> bool:
        """Take the semicolons and ends of lines that come next; whether there is one."""
        start = self.place
        while self.place < len(self.tokens) and (self.next.kind == "end" or self.next.text == ";"):
            self.place += 1
        return self.place > start


def scanner(words: Words, lines: Sequence[str], first: int = 1) -> Scanner:
    """Return a scanner of lines. Raises NotationError for a character that starts no token.

    first: the number of the first line, for errors.
    """
    tokens: list[Token] = []
    for number, line in enumerate(lines or [""], start=first):
        place, text = 0, line.rstrip()
        while place < len(text):
            match = words.token.match(text, place)
            if match is None:
                raise NotationError(number, "a name, a quoted text or a mark", text[place:].strip())
            kind, word = str(match.lastgroup), str(match[match.lastgroup or 0])
            if kind == "quoted":
                try:
                    word = words.unquoted(word)
                except ValueError:
                    raise NotationError(number, words.quotes, word) from None
            tokens.append(Token(kind, word, number, len(match["space"])))
            place = match.end()
        tokens.append(Token("end", END_OF_TEXT, number, 0))
    return Scanner(words, tokens)


def _no_text(*_: object) -> NoReturn:
    raise TypeError("this kind has no text")


def _by_context(schema: JsonObject | Callable[[Any], JsonObject]) -> Callable[[Any], JsonObject]:
    return schema if callable(schema) else lambda _: schema


@frozen(kw_only=True)
class Kind:
    """What a field is: its schema, its text, its value in Python, and what it says to people.

    A context is what else a value depends on, such as a reading or the type of the states. Each
    system says what it passes; None if nothing else matters.

    schema: the schema of the JSON, or (context) -> the schema.
    read: takes the JSON from a text. write: (JSON, context) -> text. Both raise TypeError if the
        kind has no text.
    load: (JSON, context) -> the reference's value. dump: the inverse.
    missing: the reference's value of an optional field that is missing.
    words: the description of the field in schemas.
    """

    schema: Callable[[Any], JsonObject] = field(converter=_by_context)
    read: Callable[[Scanner], Json] = _no_text
    write: Callable[[Any, Any], str] = _no_text
    load: Callable[[Any, Any], Any] = lambda value, _: value
    dump: Callable[[Any, Any], Json] = lambda value, _: value
    missing: Any = None
    words: str = ""

    def saying(self, words: str) -> Kind:
        """Return this kind with another description."""
        return evolve(self, words=words)

    def described(self, context: Any = None, words: str = "") -> JsonObject:
        """Return the schema with its description. words: the description instead of the kind's."""
        schema, text = self.schema(context), words or self.words
        return {"description": text, **schema} if text and "description" not in schema else schema


@frozen
class Phrase:
    """A template with the kinds of its fields."""

    template: str
    kinds: Mapping[str, Kind]

    @cached_property
    def parts(self) -> list[re.Match[str]]:
        """Return the fields, options, words and spaces of the template in order."""
        return [*_PART.finditer(self.template)]

    @cached_property
    def fields(self) -> dict[str, Kind]:
        """Return the fields in order."""
        inner = [
            each
            for part in self.parts
            for each in (_PART.finditer(part["option"]) if part["option"] else [part])
        ]
        return {each["field"]: self._kind(each) for each in inner if each["field"]}

    @cached_property
    def optional(self) -> frozenset[str]:
        """Return the names of the fields in brackets."""
        options = [Phrase(part["option"], self.kinds) for part in self.parts if part["option"]]
        return frozenset(name for each in options for name in each.fields)

    def _kind(self, part: re.Match[str]) -> Kind:
        return self.kinds[part["kind"] or part["field"]]

    def write(self, value: Mapping[str, Any], states: Any = None) -> str:
        """Return the text of a value."""
        return self._written(value, states).rstrip()

    def _written(self, value: Mapping[str, Any], states: Any) -> str:
        text = ""
        for part in self.parts:
            if part["field"]:
                text += self._kind(part).write(value[part["field"]], states)
            elif part["option"] is not None:
                inner = Phrase(part["option"], self.kinds)
                if all(name in value for name in inner.fields):
                    text += inner._written(value, states)
            else:
                text += part[0]
        return text

    def read(self, text: Scanner) -> dict[str, Any]:
        """Take a value. Raises NotationError."""
        found: dict[str, Any] = {}
        for place, part in enumerate(self.parts):
            if part["field"]:
                found[part["field"]] = self._kind(part).read(text)
            elif part["option"] is not None:
                inner = Phrase(part["option"], self.kinds)
                words = [each for each in inner.parts if not each["space"]]
                lead = [each["word"] for each in takewhile(lambda each: each["word"], words)]
                if text.takes(*lead) if lead else text.would_read(inner):
                    text.place -= len(lead)
                    found |= inner.read(text)
            elif part["word"]:
                glued = part[0] == "=" and self.template[part.start() - 1 : part.start()] == "}"
                if glued and not (text.glued(0) and text.takes("=") and text.glued(0)):
                    text.fail("`=` and a value, without spaces")
                if not glued and not text.takes(part["word"]):
                    text.fail(f"`{self._words_from(place)}`")
        return found

    def _words_from(self, place: int) -> str:
        """Return the words from a part up to the next field or option."""
        words = takewhile(lambda part: part["word"] or part["space"], self.parts[place:])
        return "".join(part[0] for part in words).strip()


def filled(statements: Iterable[str], joint: str = ";  ", width: int = WIDTH) -> list[str]:
    """Return lines of statements, as many on a line as there is room for."""
    lines: list[str] = []
    for text in statements:
        if lines and len(lines[-1]) + len(text) + len(joint) <= width:
            lines[-1] += joint + text
        else:
            lines.append(text)
    return lines
