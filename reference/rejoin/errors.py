"""The base class of all errors of the reference.

Each system derives one class from `RejoinError`. The code is stable, and the system's spec lists
it. The message is for people and may change.
"""

from __future__ import annotations


class RejoinError(Exception):
    """An input or operation that a protocol rejects.

    code: a stable name of the fault, in kebab-case; the system's spec lists it.
    message: one line that describes the fault for a person.
    position: the offset, in bytes, of the first byte that is not acceptable, or None if the input
        is not bytes.
    """

    def __init__(self, code: str, message: str, position: int | None = None) -> None:
        super().__init__(code, message, position)
        self.code = code
        self.message = message
        self.position = position

    def __str__(self) -> str:
        where = "" if self.position is None else f" at byte {self.position}"
        return f"{self.code}{where}: {self.message}"
