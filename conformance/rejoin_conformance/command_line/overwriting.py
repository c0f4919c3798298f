"""Outputs have a folder, and replace no input of a command and none of its other outputs."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

from rejoin_conformance.adapters.results.configuration import files_of
from rejoin_conformance.command_line.console import stop
from rejoin_conformance.kit.locations import vectors_directory
from rejoin_conformance.kit.options import Parameter

_STDOUT: Final = Path("-")
_PAGES: Final = frozenset({".html", ".md", ".ndjson", ".xml"})
"""The suffixes of files that no command reads from a folder."""


def refuse_overwriting(listed: Sequence[Parameter], values: Mapping[str, Any]) -> None:
    """End with wrong usage if an output has no folder, or is an input or another output.

    listed: the parameters of the command. values: field -> value.
    """
    every = [path for each in listed if each.said.writes and (path := values[each.field])]
    outputs = [each for each in every if each != _STDOUT]
    if len(every) - len(outputs) + (len(outputs) < len(every) and values.get("as_json", False)) > 1:
        stop("standard output can have only one result; choose a file for the others")
    taken = [*_inputs(listed, values)]
    for path in outputs:
        if not path.resolve().parent.is_dir():
            stop(f"{path}: its folder does not exist; create it first")
        if any(_is_in(path, each) for each in taken):
            why = "is an input or another output of this command; choose another file"
            stop(f"{path} {why}")
        if path != values.get("results") and _is_kept(path):
            stop(f"{path} has results of another command; choose another file")
        taken.append(path)


def _inputs(listed: Sequence[Parameter], values: Mapping[str, Any]) -> Iterator[Path]:
    """Yield the files and folders that a command reads, also those that its adapter names."""
    yield vectors_directory()
    for each in listed:
        value = values[each.field]
        for one in value if each.many else (value,):
            if each.field == "adapter" and isinstance(one, str):
                with suppress(ValueError):  # the command that starts it says why
                    yield from (path for word in shlex.split(one) for path in files_of(word))
            elif isinstance(one, str | Path) and not each.said.writes and str(one) != "-":
                yield Path(one)


def _is_in(path: Path, other: Path) -> bool:
    """Return whether a path is another file, or a file in a folder that its readers may read."""
    try:
        if other.is_dir():
            own = path.resolve().is_relative_to(other.resolve())
            return own and path.is_file() and path.suffix not in _PAGES
        return path.resolve() == other.resolve() or path.samefile(other)
    except (OSError, ValueError):
        return False


def _is_kept(path: Path) -> bool:
    """Return whether a file has results of a run, or of a campaign."""
    try:
        with path.open("rb") as file:
            return file.read(10).startswith((b'{"chain":"', b"PAR1"))
    except OSError:
        return False
