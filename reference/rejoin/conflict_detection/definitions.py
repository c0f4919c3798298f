"""The document's terms: what a download can turn out to be, and which names are allowed.

Source: "Summary and definitions".
"""

from __future__ import annotations

from enum import StrEnum
from typing import Final

from rejoin.conflict_detection.errors import ConflictDetectionError

CONFLICT_MARK: Final = ".conflict-"
"""What stands between a file's path and the nicknames in the name of a conflict file."""


_NO_COMPONENTS: Final = frozenset({"", ".", ".."})


class Classification(StrEnum):
    """What another client's current version is to a client that looks at it."""

    OVERWRITE = "overwrite"
    """It follows ours, or we have none: it takes the place of our file."""
    CONFLICT = "conflict"
    """It is to be kept beside our file."""
    STALE = "stale"
    """Ours follows it: there is nothing to do."""
    SAME = "same"
    """It is the version that we have."""


def check_path(path: str) -> None:
    """Refuse what cannot be the relative path of an abstract file.

    path: components divided by slashes, from the root of the folder; the mark of conflict files
        occurs nowhere in it, so that a file name is either a path or a conflict file's name.
    Errors: "bad-path".

    Clauses: CD-PATH
    Source: "Summary and definitions", relative path
    """
    components = path.split("/")
    if not _NO_COMPONENTS.isdisjoint(components):
        raise ConflictDetectionError("bad-path", "a path has no empty, `.` or `..` component")
    if "\0" in path or CONFLICT_MARK in path or not _is_unicode(path):
        raise ConflictDetectionError("bad-path", f"a path holds no NUL and no {CONFLICT_MARK}")


def check_nickname(nickname: str) -> None:
    """Refuse what cannot be a client's nickname: it becomes part of file names.

    Errors: "bad-nickname".

    Clauses: CD-NICKNAME
    Source: "Overview", names of conflict files
    """
    if not nickname or any(mark in nickname for mark in ",/\0") or not _is_unicode(nickname):
        raise ConflictDetectionError(
            "bad-nickname", "a nickname is not empty and holds no comma, slash or NUL"
        )


def _is_unicode(text: str) -> bool:
    """Whether the text has an encoding: JSON can smuggle in halves of surrogate pairs."""
    return text.isascii() or not any("\ud800" <= character <= "\udfff" for character in text)
