"""The body of a vector: definitions of messages, and statements with questions and answers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from attrs import Factory, define, field

from rejoin_conformance.kit.phrases import END_OF_TEXT, NotationError
from rejoin_conformance.systems.config_merge.notation.data import read_integer
from rejoin_conformance.systems.config_merge.notation.messages import Book
from rejoin_conformance.systems.config_merge.notation.statements import (
    Reader,
    Statement,
    Token,
    statements_of,
)

QUESTION: Final = (
    "a question: `diff`, `apply`, `resolve`, `update`, `parse`, `sign`, `verify` or `clients`"
)
_OPENING: Final = frozenset("[{(")
_CLOSING: Final = frozenset("]})")


@define
class Said:
    """One statement: the tokens before its `=` and after it. answer: None if there is no `=`."""

    question: Statement
    answer: Statement | None = None

    def same_question(self, other: Said) -> bool:
        """Return whether two statements have the same question."""
        return [each.text for each in self.question] == [each.text for each in other.question]


@define
class Body:
    """The statements of a body, before the messages are built.

    lines: the number of lines. window: the stated window of the messages, or None.
    """

    book: Book = Factory(Book)
    said: list[Said] = field(factory=list)
    lines: int = 0
    window: int | None = None

    @classmethod
    def of(cls, lines: Sequence[str], before: int = 0) -> Body:
        """Return the body of these lines. Raises NotationError if they have no statement.

        before: the number of lines before them, for the line numbers in errors.
        """
        body = cls(lines=before + len(lines))
        for statement in statements_of(lines, before):
            if not body.define(statement) and not body.set_window(statement):
                body.add(_said(statement))
        if not body.said:
            raise NotationError(max(1, body.lines), QUESTION, END_OF_TEXT)
        return body

    def add(self, said: Said) -> None:
        """Add a question, or the answer to the last question from a separate line."""
        if said.question:
            self.said.append(said)
        elif self.said and self.said[-1].answer is None:
            self.said[-1].answer = said.answer
        else:
            assert said.answer
            raise NotationError(said.answer[0].line, "a question before its answer", "=")

    def define(self, statement: Statement) -> bool:
        """Add the statement if it is a definition; return whether it is one."""
        reader = Reader(statement)
        if not reader.sees_kind("word") or not Reader(statement, 1).sees(":"):
            return False
        self.book.define(statement)
        return True

    def set_window(self, statement: Statement) -> bool:
        """Set the window if the statement is `made within N`; return whether it is."""
        reader = Reader(statement)
        if not reader.take("made", "within"):
            return False
        self.window = read_integer(reader)
        reader.end()
        return True

    def answer_instead(self, lines: Sequence[str]) -> None:
        """Replace definitions and answers by those of another reading, from these lines.

        An answer replaces the last answer to the same question; a bare `= ...` replaces the answer
        of the last statement. Raises NotationError if there is no such question.
        """
        for statement in statements_of(lines, self.lines):
            if self.define(statement):
                self.book.letters_ascend = False
                continue
            other = _said(statement)
            if not other.question:
                self.said[-1].answer = other.answer
                continue
            alike = [each for each in self.said if each.same_question(other)]
            if not alike:
                raise NotationError(
                    statement[0].line,
                    "a statement of the body with another answer",
                    " ".join(each.text for each in other.question),
                )
            alike[-1].answer = other.answer

    @property
    def has_answer(self) -> bool:
        """Return whether the body states an answer."""
        return any(each.answer is not None for each in self.said)


def _said(statement: Statement) -> Said:
    place = divided_at(statement, "=")
    if place is None:
        return Said(statement)
    if place + 1 == len(statement):
        raise Reader(statement, place + 1).missing("an answer after `=`")
    return Said(statement[:place], statement[place + 1 :])


def divided_at(statement: Statement, *texts: str) -> int | None:
    """Return the index of the first tokens with these texts outside brackets, or None."""
    depth = 0
    for place, token in enumerate(statement):
        if depth == 0 and Reader(statement, place).sees(*texts):
            return place
        depth += _step(token)
    return None


def _step(token: Token) -> int:
    if token.kind != "mark":
        return 0
    return (token.text in _OPENING) - (token.text in _CLOSING)
