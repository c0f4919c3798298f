"""Outputs have a folder, and replace no input of a command and none of its other outputs."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from rejoin_conformance.adapters.results.configuration import files_of
from rejoin_conformance.command_line.console import WRONG_USAGE, stop
from rejoin_conformance.kit.locations import vectors_directory
from rejoin_conformance.kit.options import Parameter

_STDOUT: Final = Path("-")
_PAGES: Final = frozenset({".html", ".md", ".ndjson", ".xml"})
"""The suffixes of files that no command reads from a folder."""
_OF_CORPUS: Final = frozenset({"index.json", "retired.json"})


def refuse_overwriting(listed: Sequence[Parameter], values: Mapping[str, Any]) -> None:
    """End with wrong usage if an output has no folder, or is an input or another output.

    listed: the parameters of the command. values: field -> value.
    """
    outputs = [
        path for each in listed if each.said.writes and (path := values[each.field]) is not None
    ]
    for path in outputs:
        if path != _STDOUT and not path.resolve().parent.is_dir():
            stop(WRONG_USAGE, f"{path}: its folder does not exist; create it first")
    if outputs.count(_STDOUT) + (_STDOUT in outputs and values.get("as_json", False)) > 1:
        stop(WRONG_USAGE, "standard output can have only one result; choose a file for the others")
    inputs = [*_inputs(listed, values)]
    taken = {_identity(path) for path in inputs}
    folders = [path.resolve() for path in inputs if path.is_dir()]
    for path in outputs:
        read = any(_is_read_in(folder, path.resolve()) for folder in folders)
        if read or _identity(path) in taken:
            why = "is an input or another output of this command; choose another file"
            stop(WRONG_USAGE, f"{path} {why}")
        taken.add(_identity(path))
    for path in (each for each in outputs if each != values.get("results")):
        if _is_kept(path):
            stop(WRONG_USAGE, f"{path} has results of another command; choose another file")


def _inputs(listed: Sequence[Parameter], values: Mapping[str, Any]) -> Iterator[Path]:
    """Yield the files and folders that a command reads."""
    yield vectors_directory()
    for each in listed:
        value = values[each.field]
        for one in value if each.many else (value,):
            if each.field == "adapter" and isinstance(one, str):
                yield from _program(one)
            elif isinstance(one, str | Path) and not each.said.writes and str(one) != "-":
                yield Path(one)


def _program(command: str) -> Iterator[Path]:
    """Yield the files that the command of an adapter names, and the source files beside them."""
    try:
        words = shlex.split(command)
    except ValueError:  # the command that starts it says why
        return
    for word in words:
        yield from files_of(word)


def _identity(path: Path) -> object:
    """Return what two paths of one file have in common."""
    try:
        found = Path("/dev/stdout" if path == _STDOUT else path).stat()
    except (OSError, ValueError):
        return path.absolute() if path == _STDOUT else path.resolve()
    return found.st_dev, found.st_ino


def _start(path: Path) -> bytes:
    with path.open("rb") as file:
        return file.read(10)


def _is_kept(path: Path) -> bool:
    """Return whether a file has results of a run, or of a campaign."""
    try:
        return path.is_file() and _start(path).startswith((b'{"chain":"', b"PAR1"))
    except OSError:
        return False


def _is_read_in(folder: Path, path: Path) -> bool:
    """Return whether a path is a file in a folder that a reader of the folder may read."""
    if not path.is_relative_to(folder) or not path.is_file() or path.suffix in _PAGES:
        return False
    is_badge = path.parent == folder and path.suffix == ".json" and path.name not in _OF_CORPUS
    return not is_badge
