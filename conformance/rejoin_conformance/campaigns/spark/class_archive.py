"""An archive of loaded classes in the user's cache, so that a JVM with Spark starts faster.

Spark loads about ten thousand classes before its first task. A JVM can read them from such an
archive (class-data sharing). If there is no archive, the JVM writes one when it ends. The name of
the archive depends on the versions of Java and Spark. A JVM ignores a corrupt archive.
"""

from __future__ import annotations

import hashlib
import os
from pathlib import Path
from typing import Final

from rejoin_conformance.kit.java import cache_directory

_SILENT: Final = "-Xlog:disable"
"""Suppresses the JVM's messages about an archive that it cannot use."""

_QUICK: Final = "-XX:TieredStopAtLevel=1"
"""Limits the JVM's compiler: the work is done in Python, so better JVM code does not pay off."""


def start_options(java_home: str, spark_home: str) -> str:
    """Return JVM options for a fast start, without the archive if it cannot be kept."""
    archive = archive_path(java_home, spark_home)
    if archive is None:
        return _QUICK
    if _is_whole(archive):
        return f"{_QUICK} {_SILENT} -XX:SharedArchiveFile={archive}"
    return f"{_QUICK} {_SILENT} -XX:ArchiveClassesAtExit={archive}"


def archive_path(java_home: str, spark_home: str) -> Path | None:
    """Return the path of the archive of this Java and this Spark, or None if it cannot be kept.

    An archive is valid only for the files from which it was made, so its name depends on them.
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
    """Return whether a JVM finished writing the archive: it writes the first bytes last."""
    try:
        with archive.open("rb") as file:
            return any(file.read(4))
    except OSError:
        return False
