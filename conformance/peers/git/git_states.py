"""The types of state as files: sets, counters, registers and lists of lines, from and to JSON."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import Any, Final, Literal, Protocol

Contents = Literal["distinct", "empty"]


class StateType(Protocol):
    """One type of state. A new object is made for each question."""

    def files(self, state: Any) -> dict[str, bytes]:
        """Return the files of a state: name -> content."""

    def state(self, files: Mapping[str, bytes]) -> Any:
        """Return the state that files stand for."""


class Sets:
    """A set: one file for each element.

    contents: whether the files are empty, or have lines that no other file has. If contents were
    similar, git would take a deleted and an added file for a rename.
    """

    def __init__(self, contents: Contents) -> None:
        self._contents = contents
        self._elements: dict[str, str] = {}

    def files(self, state: list[str]) -> dict[str, bytes]:
        """Return one file for each element, named by a hash."""
        return {self.name(element): self._content(element) for element in state}

    def state(self, files: Mapping[str, bytes]) -> list[str]:
        """Return the elements whose files are there."""
        return sorted(self.element(name) for name in files)

    def name(self, element: str) -> str:
        """Return the name of the file of an element."""
        name = _hash(element)
        self._elements[name] = element
        return name

    def element(self, name: str) -> str:
        """Return the element of a file."""
        return self._elements[name]

    def _content(self, element: str) -> bytes:
        if self._contents == "empty":
            return b""
        return "".join(f"{_hash(f'{element} {line}')}\n" for line in range(4)).encode("ascii")


class Counters:
    """A counter: one file with its value, merged by `counter_driver.py`."""

    def __init__(self) -> None:
        self._made = 0

    def files(self, state: str) -> dict[str, bytes]:
        """Return the file of a counter, which differs from the file of every other commit."""
        self._made += 1
        return {"counter": f"{int(state)} {self._made}\n".encode("ascii")}

    def state(self, files: Mapping[str, bytes]) -> str:
        """Return the value of a counter."""
        return str(int(files["counter"].split()[0])) if files else "0"


class Registers:
    """A register: a file of one line. The default state, an empty text, has no file."""

    def files(self, state: str) -> dict[str, bytes]:
        """Return the file of a register."""
        line = state.encode("utf-8", "surrogatepass").hex()
        return {"register": f"{line}\n".encode("ascii")} if state else {}

    def state(self, files: Mapping[str, bytes]) -> str:
        """Return the text of a register."""
        line = files.get("register", b"").decode("ascii")
        return bytes.fromhex(line).decode("utf-8", "surrogatepass")


class Lines:
    """A list of lines: a file with these lines. The default state, the empty list, has no file."""

    def files(self, state: list[str]) -> dict[str, bytes]:
        """Return the file of a list of lines."""
        return {"lines": "".join(f"{line}\n" for line in state).encode("ascii")} if state else {}

    def state(self, files: Mapping[str, bytes]) -> list[str]:
        """Return the lines of a file."""
        return files.get("lines", b"").decode("ascii").split("\n")[:-1]


def state_type(name: str, contents: Contents) -> StateType:
    """Return the type of state of this name."""
    types: Final[dict[str, StateType]] = {
        "set": Sets(contents),
        "counter": Counters(),
        "register": Registers(),
        "lines": Lines(),
    }
    return types[name]


def _hash(text: str) -> str:
    return hashlib.sha1(text.encode(), usedforsecurity=False).hexdigest()
