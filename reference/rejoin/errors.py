"""The one shape that every error of the reference has.

Each system derives one class from `RejoinError`. The `code` is stable and documented in the
system's spec; the message is for people and may change; the position, where there is one, is the
offset of the first byte that cannot be accepted.
"""

from __future__ import annotations


class RejoinError(Exception):
    """Input that a protocol refuses.

    code: stable, kebab-case, listed in the system's spec.
    message: one line for a person: what was wrong.
    position: offset in bytes of the first byte at fault, or None where the input is not bytes.
    """

    def __init__(self, code: str, message: str, position: int | None = None) -> None:
        super().__init__(code, message, position)
        self.code = code
        self.message = message
        self.position = position

    def __str__(self) -> str:
        where = "" if self.position is None else f" at byte {self.position}"
        return f"{self.code}{where}: {self.message}"
