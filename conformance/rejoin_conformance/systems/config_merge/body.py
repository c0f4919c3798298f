"""The body of a vector: definitions of messages, and statements with questions and answers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from attrs import Factory, define, field

from rejoin_conformance.kit.phrases import END_OF_TEXT, NotationError
from rejoin_conformance.systems.config_merge.book import Book
from rejoin_conformance.systems.config_merge.bytes_text import read_integer
from rejoin_conformance.systems.config_merge.statements import Statement, statements

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
            if not body.define(text) and not body.set_window(text):
                body.add(text)
        if not body.said:
            raise NotationError(max(1, body.lines), QUESTION, END_OF_TEXT)
        return body

    def add(self, text: Statement) -> None:
        """Add a question, a step, or the answer to the last question from a separate line."""
        if self.lists_steps:
            self.steps.append(text)
            return
        said = _said(text)
        if not said.question.at_end:
            self.said.append(said)
        elif self.said and self.said[-1].answer is None:
            self.said[-1].answer = said.answer
        else:
            text.fail("a question before its answer")

    @property
    def lists_steps(self) -> bool:
        """Return whether the answer is a list of steps."""
        return bool(self.said) and self.said[0].question.would_take(STEPS)

    def define(self, text: Statement) -> bool:
        """Add the statement if it is a definition; return whether it is one."""
        if text.next.kind != "bare" or text.tokens[1].text != ":":
            return False
        self.book.define(text)
        return True

    def set_window(self, text: Statement) -> bool:
        """Set the window if the statement is `made within N`; return whether it is."""
        if not text.takes("made", "within"):
            return False
        self.window = read_integer(text)
        text.done()
        return True

    def make(self, window: int) -> None:
        """Build all messages. window: that of the operation."""
        self.book.window = window if self.window is None else self.window
        self.book.make_all()
        self.book.window = window

    def answer_instead(self, lines: Sequence[str]) -> None:
        """Replace definitions and answers by those of another reading, from these lines.

        An answer replaces the last answer to the same question; a bare `= ...` replaces the answer
        of the last statement. Raises NotationError if there is no such question.
        """
        if lines and self.lists_steps:
            self.steps = []
        for text in statements(lines, self.book, self.lines):
            if self.define(text):
                self.book.letters_ascend = False
            elif self.lists_steps:
                self.steps.append(text)
            else:
                self._answer(text, _said(text))

    def _answer(self, text: Statement, other: Said) -> None:
        alike = [each for each in self.said if each.same_question(other)]
        if other.question.at_end:
            alike = self.said
        if not alike:
            said = " ".join(each.text for each in other.question.tokens[:-1])
            raise NotationError(
                text.tokens[0].line, "a statement of the body with another answer", said
            )
        alike[-1].answer = other.answer

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
