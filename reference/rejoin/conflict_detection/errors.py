"""What this system refuses, and under which codes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from rejoin.errors import RejoinError

CODES: Final[Mapping[str, str]] = {
    "already-subscribed": "a subscription that is there already",
    "bad-capability": "a capability that is not 32 bytes",
    "bad-key": "a key that is not 32 bytes, or not a point of the curve",
    "bad-nickname": "a nickname that is empty, or holds a comma, a slash, NUL or a surrogate",
    "bad-path": "a relative path that is empty, absolute, not in normal form, or a conflict file's",
    "bad-signature": "a snapshot whose signature does not verify",
    "client-exists": "a nickname that a client of this folder bears already",
    "cycle": "versions that follow themselves",
    "duplicate-parent": "a parent that is named twice",
    "duplicate-version": "a version that is given twice",
    "empty-snapshot": "a snapshot with neither content nor parents",
    "file-exists": "a file that is there, where none may be",
    "half-signed": "an author without a signature, or a signature without an author",
    "missing-object": "a capability whose object the grid does not hold",
    "no-conflict": "a conflict that this client does not hold",
    "no-file": "a file that this client does not have",
    "no-write-capability": "a directory that the capability at hand cannot change",
    "not-deleted": "a file that was never deleted, or is there again",
    "not-subscribed": "a directory that the client has no subscription to",
    "own-directory": "a client's own directory, where another's is due",
    "unknown-client": "a nickname that no client of this folder bears",
    "unknown-version": "a version that is named but not given",
    "version-number": "a version number below zero or above the limit",
}
"""Every code of `ConflictDetectionError`, with its meaning."""


class ConflictDetectionError(RejoinError):
    """Input or an action that conflict detection refuses; the codes are the keys of `CODES`."""
