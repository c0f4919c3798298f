"""An archive of loaded classes in the user's cache, which makes a JVM with Spark start quickly.

Spark loads some ten thousand classes before its first task, and a JVM can take them ready from such
an archive (class-data sharing). The JVM that finds none writes one when it ends, under the one name
that this Java and this Spark have; a JVM that finds a damaged or half-written archive does without.
"""

from __future__ import annotations

import hashlib
import os
from pathlib import Path
from typing import Final

from rejoin_conformance.kit.java import cache_directory

_SILENT: Final = "-Xlog:disable"
"""A JVM that cannot use an archive shall not say so between our lines."""

_QUICK: Final = "-XX:TieredStopAtLevel=1"
"""The work is done in Python: compiling the JVM's own code thoroughly costs more than it brings."""


def start_options(java_home: str, spark_home: str) -> str:
    """The JVM's options for a quick start; the archive is left out where it cannot be kept."""
    archive = archive_path(java_home, spark_home)
    if archive is None:
        return _QUICK
    if _is_whole(archive):
        return f"{_QUICK} {_SILENT} -XX:SharedArchiveFile={archive}"
    return f"{_QUICK} {_SILENT} -XX:ArchiveClassesAtExit={archive}"


def archive_path(java_home: str, spark_home: str) -> Path | None:
    """Where the archive of this Java and this Spark is kept, or None where nothing can be.

    An archive is of use only to the very files that it was made from: a new version of either has
    another name.
    """
    release = Path(java_home) / "release"
    jars = Path(spark_home) / "jars"
    try:
        made_of = [release.read_text(), str(jars.resolve())]
        made_of += sorted(
            f"{jar.name} {jar.stat().st_size} {jar.stat().st_mtime_ns}" for jar in jars.iterdir()
        )
        folder = cache_directory() / "classes"
        folder.mkdir(parents=True, exist_ok=True)
    except OSError:
        return None
    if not os.access(folder, os.W_OK) or " " in str(folder):  # the options are split at spaces
        return None
    digest = hashlib.blake2b("\n".join(made_of).encode(), digest_size=8).hexdigest()
    return folder / f"spark-{digest}.jsa"


def _is_whole(archive: Path) -> bool:
    """Whether a JVM came to the end of writing it: the first bytes are written last."""
    try:
        with archive.open("rb") as file:
            return any(file.read(4))
    except OSError:
        return False
