"""The body of a vector: definitions of messages, and statements with questions and answers."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from attrs import Factory, define, field

from rejoin_conformance.kit.phrases import END_OF_TEXT, NotationError
from rejoin_conformance.systems.config_merge.by_hand.messages import Message
from rejoin_conformance.systems.config_merge.bytes_text import read_integer
from rejoin_conformance.systems.config_merge.messages import (
    DEFAULT_WINDOW,
    NAMED,
    Content,
    plaintext,
    read_content,
)
from rejoin_conformance.systems.config_merge.statements import RESERVED, Statement, statements

_SEQNO_NAME: Final = re.compile(r"(0|[1-9][0-9]*)([a-z]*)")


@define
class Book:
    """The messages that a text defines; each is built when it is first used.

    window: of the operation, for `after`. statements: name -> the definition. asked: the names that
    the question lists. before: the data after the step before, if steps are read.
    letters_ascend: whether the letters of names must be in the order of the hashes: not if messages
    are others in another reading.
    """

    window: int = DEFAULT_WINDOW
    letters_ascend: bool = True
    statements: dict[str, Statement] = Factory(dict)
    asked: list[str] = Factory(list)
    before: str = ""
    _made: dict[str, Content] = field(factory=dict, init=False)
    _open: list[str] = field(factory=list, init=False)

    def define(self, text: Statement) -> None:
        """Add a definition `NAME: ...`; it replaces an earlier one of the same name."""
        name = text.take()
        if name in RESERVED:
            text.refuse(f"{NAMED} that is not a word of the notation")
        self.statements[name] = text

    def make_all(self) -> None:
        """Build every message. Raises NotationError for an invalid definition."""
        for name, text in self.statements.items():
            self._content(name, text)
        self._check_names()

    def name(self, text: Statement) -> str:
        """Take a name of something that is defined."""
        if text.next.kind != "bare":
            text.fail(NAMED)
        name = text.take()
        if name not in self.statements:
            known = ", ".join(self.statements) or "there is none yet"
            text.refuse(f"{NAMED} that is defined ({known})")
        return name

    def names(self, text: Statement) -> list[str]:
        """Take names up to something else."""
        found = []
        while text.is_message():
            found.append(self.name(text))
        return found

    def named(self, text: Statement) -> Content:
        """Take a name and return its content."""
        return self._content(self.name(text), text)

    def message(self, text: Statement) -> Message:
        """Take a name and return its message. Raises NotationError if it is not a message."""
        content = self.named(text)
        return content if isinstance(content, Message) else text.refuse(f"{NAMED} with parts")

    def plaintext(self, text: Statement) -> bytes:
        """Take a name and return its bytes."""
        return plaintext(self.named(text), text)

    def content(self, name: str) -> Content:
        """Return the content of that name, which is defined."""
        return self._content(name, self.statements[name])

    def _content(self, name: str, text: Statement) -> Content:
        if name in self._made:
            return self._made[name]
        if name in self._open:
            text.refuse(f"a message that is not made of itself: {' -> '.join(self._open)}")
        self._open.append(name)
        definition = self.statements[name]
        definition.place = 2
        made = read_content(definition)
        definition.done()
        self._open.pop()
        self._made[name] = made
        return made

    def _check_names(self) -> None:
        """Raise NotationError if a name does not match the seqno or the order of the messages."""
        lettered: dict[str, list[tuple[int, str, bytes]]] = {}
        for name, content in self._made.items():
            match = _SEQNO_NAME.fullmatch(name)
            if match is None or not isinstance(content, Message):
                continue
            if content.seqno != int(match[1]):
                self._refuse_name(name, f"a name that begins with the seqno {content.seqno}")
            if match[2]:
                lettered.setdefault(match[1], []).append((len(name), name, content.hash))
        for entries in lettered.values() if self.letters_ascend else ():
            names = [name for _, name, _ in sorted(entries)]
            by_hash = [name for _, name, _ in sorted(entries, key=lambda entry: entry[2])]
            if by_hash != names:
                said = f"letters in the order of the hashes: {' '.join(by_hash)}"
                self._refuse_name(names[0], said)

    def _refuse_name(self, name: str, expected: str) -> None:
        self.statements[name].place = 0
        self.statements[name].fail(expected)


QUESTION: Final = (
    "a question: `diff`, `apply`, `resolve`, `update`, `parse`, `sign`, `verify`, `encode`, "
    "`decode`, `encrypt`, `decrypt`, `steps of` or `clients`"
)
STEPS: Final = "steps"
"""The first word of a question whose answer is the statements after it."""


@define
class Said:
    """One statement: what is before its `=` and after it. answer: None if there is no `=`."""

    question: Statement
    answer: Statement | None = None

    def same_question(self, other: Said) -> bool:
        """Return whether two statements have the same question."""
        one, two = ([each.text for each in said.question.tokens] for said in (self, other))
        return one == two


@define
class Body:
    """The statements of a body, before the messages are built.

    lines: the number of lines. window: the stated window of the messages, or None. steps: the
    statements of the answer, if it lists steps.
    """

    book: Book = Factory(Book)
    said: list[Said] = field(factory=list)
    lines: int = 0
    window: int | None = None
    steps: list[Statement] = field(factory=list)

    @classmethod
    def of(cls, lines: Sequence[str], before: int = 0) -> Body:
        """Return the body of these lines. Raises NotationError if they have no statement.

        before: the number of lines before them, for the line numbers in errors.
        """
        body = cls(lines=before + len(lines))
        for text in statements(lines, body.book, before):
            body._take(text, instead=False)
        if not body.said:
            raise NotationError(max(1, body.lines), QUESTION, END_OF_TEXT)
        return body

    def answer_instead(self, lines: Sequence[str]) -> None:
        """Replace definitions and answers by those of another reading, from these lines.

        An answer replaces the last answer to the same question; a bare `= ...` replaces the answer
        of the last statement. Raises NotationError if there is no such question.
        """
        self.steps = [] if lines else self.steps
        for text in statements(lines, self.book, self.lines):
            self._take(text, instead=True)

    def _take(self, text: Statement, *, instead: bool) -> None:
        """Take a definition, the window, a step, a question, or the answer of one above."""
        if text.next.kind == "bare" and text.tokens[1].text == ":":
            self.book.define(text)
            self.book.letters_ascend &= not instead
        elif not instead and text.takes("made", "within"):
            self.window = read_integer(text)
            text.done()
        elif self.lists_steps:
            self.steps.append(text)
        else:
            said = _said(text)
            if instead or said.question.at_end:
                self._answer(text, said, instead=instead)
            else:
                self.said.append(said)

    def _answer(self, text: Statement, said: Said, *, instead: bool) -> None:
        """Keep an answer to the last question, or instead of the last one to the same question."""
        alike = [each for each in self.said if said.question.at_end or each.same_question(said)]
        if instead and not alike:
            words = " ".join(each.text for each in said.question.tokens[:-1])
            expected = "a statement of the body with another answer"
            raise NotationError(text.tokens[0].line, expected, words)
        if not alike or (not instead and alike[-1].answer is not None):
            text.fail("a question before its answer")
        alike[-1].answer = said.answer

    @property
    def lists_steps(self) -> bool:
        """Return whether the answer is a list of steps."""
        return bool(self.said) and self.said[0].question.would_take(STEPS)

    def make(self, window: int) -> None:
        """Build all messages. window: that of the operation."""
        self.book.window = window if self.window is None else self.window
        self.book.make_all()
        self.book.window = window

    @property
    def has_answer(self) -> bool:
        """Return whether the body states an answer."""
        return any(each.answer is not None for each in self.said)


def _said(text: Statement) -> Said:
    parts = text.divided("=")
    if parts is None:
        return Said(text)
    question, answer = parts
    if answer.at_end:
        answer.fail("an answer after `=`")
    return Said(question, answer)
