"""Errors that a command reports with one line and its exit code, and without a traceback."""

from __future__ import annotations

from typing import ClassVar


class ExpectedError(Exception):
    """Something is wrong that a user can put right. The message is one line.

    code: the exit code of a command that ends with it: 2 is wrong usage or a corrupt file.
    """

    code: ClassVar[int] = 2


class IncompleteError(ExpectedError):
    """The work could not be finished here and now; the same command can succeed later."""

    code: ClassVar[int] = 3


class UnusableError(ExpectedError):
    """The adapter cannot be used."""

    code: ClassVar[int] = 4


class Interrupted(KeyboardInterrupt):
    """Work was interrupted that is kept. The message says where, and how much of it."""
