"""The messages that a text defines, by name."""

from __future__ import annotations

import re
from typing import Final

from attrs import Factory, define, field

from rejoin_conformance.systems.config_merge.drafts.by_hand.messages import (
    Message,
)
from rejoin_conformance.systems.config_merge.messages import (
    DEFAULT_WINDOW,
    NAMED,
    Content,
    plaintext,
    read_content,
)
from rejoin_conformance.systems.config_merge.statements import RESERVED, Statement

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
