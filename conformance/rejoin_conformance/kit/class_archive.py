"""Archives of loaded classes in the user's cache, so that a JVM starts faster.

A program on the JVM loads hundreds to thousands of classes before it does anything. A JVM can read
them from an archive (class-data sharing). If there is no archive, the JVM writes one when it ends.
A JVM ignores a corrupt archive.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from rejoin_conformance.kit.java import cache_directory

_SILENT: Final = "-Xlog:disable"
"""Suppresses the JVM's messages about an archive that it cannot use."""


def archive_options(archive: Path | None) -> tuple[str, ...]:
    """Return the JVM options that read an archive, or that write it if it is missing.

    archive: as `archive_path` returns it; without one there are no options.
    """
    if archive is None:
        return ()
    if _is_whole(archive):
        return (_SILENT, f"-XX:SharedArchiveFile={archive}")
    return (_SILENT, f"-XX:ArchiveClassesAtExit={archive}")


def archive_path(program: str, java_home: str, jars: Iterable[Path]) -> Path | None:
    """Return the path of the archive of a program, or None if it cannot be kept.

    An archive is valid only for the Java and the jars from which it was made, so its name depends
    on them.
    """
    try:
        made_of = [(Path(java_home) / "release").read_text()]
        made_of += sorted(map(_version, jars))
        folder = cache_directory() / "classes"
        folder.mkdir(parents=True, exist_ok=True)
    except OSError:
        return None
    if not os.access(folder, os.W_OK):
        return None
    digest = hashlib.blake2b("\n".join(made_of).encode(), digest_size=8).hexdigest()
    return folder / f"{program}-{digest}.jsa"


def _version(jar: Path) -> str:
    status = jar.stat()
    return f"{jar.resolve()} {status.st_size} {status.st_mtime_ns}"


def _is_whole(archive: Path) -> bool:
    """Return whether a JVM finished writing the archive: it writes the first bytes last."""
    try:
        with archive.open("rb") as file:
            return any(file.read(4))
    except OSError:
        return False
