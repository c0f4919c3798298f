"""The error codes of conflict detection."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from rejoin.errors import RejoinError

CODES: Final[Mapping[str, str]] = {
    "already-subscribed": "a subscription that exists already",
    "bad-capability": "a capability that is not 32 bytes long",
    "bad-key": "a key that is not 32 bytes long, or a forged signature of a client that signs no "
    "snapshots",
    "bad-nickname": "an empty nickname, or one with a comma, a slash, NUL or a surrogate",
    "bad-path": "a path with an empty, `.` or `..` part, NUL, a surrogate or `.conflict-`",
    "bad-signature": "a signed snapshot with an invalid signature",
    "client-exists": "a nickname that a client of this folder already has",
    "cycle": "versions that follow themselves",
    "duplicate-parent": "a parent that is named twice",
    "duplicate-version": "a version that is given twice",
    "empty-snapshot": "a snapshot with neither content nor parents",
    "file-exists": "a rename to a path where a file exists",
    "half-signed": "an author without a signature, or a signature without an author",
    "missing-object": "a reference to an object that the grid does not have",
    "no-backup": "setting back a client that has no backup",
    "no-conflict": "a resolution that names no conflict, or one that the client does not hold",
    "no-file": "a file or a conflict file that the client does not have",
    "no-write-capability": "a capability that does not give write access to any directory",
    "not-deleted": "bringing back a file that exists, or that never existed",
    "not-subscribed": "a client to which this client does not subscribe",
    "own-directory": "a client that polls itself or subscribes to itself",
    "path-blocked": "a file whose name is the name of a folder, or is in a folder that is a file",
    "scenario-too-large": "a scenario whose size is more than 2^20 bytes, or of more than 2,048 "
    "steps",
    "unknown-client": "a nickname that no client of this folder has",
    "unknown-version": "a version that is named but not given",
    "version-number": "a version number below 0 or above 2^53 - 1",
}
"""Code of a `ConflictDetectionError` -> its meaning."""


class ConflictDetectionError(RejoinError):
    """Invalid input or an impossible action; the code is a key of `CODES`."""
