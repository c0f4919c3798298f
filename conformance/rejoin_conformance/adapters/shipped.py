"""`{shipped}` in the command line of an adapter: the place of its program on this machine.

The command `rejoin --ship PATH` sends the program to the machines that run it. Each process that
starts the adapter has the place there in a variable of its environment.
"""

from __future__ import annotations

import os
import shlex
import tarfile
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from rejoin_conformance.adapters.run_options import WrongUsageError

SHIPPED: Final = "{shipped}"
ARCHIVES: Final = (".tar", ".tar.gz", ".tgz")
"""The endings of files that are unpacked."""

_VARIABLE: Final = "REJOIN_SHIPPED"


def located(command: str) -> str:
    """Return a command line with the place of the shipped program. Raises WrongUsageError."""
    if SHIPPED not in command:
        return command
    place = os.environ.get(_VARIABLE)
    if place is None:
        raise WrongUsageError(f"--adapter: {SHIPPED} needs --ship PATH")
    return command.replace(SHIPPED, shlex.quote(place))


def place_shipped(path: str | Path) -> None:
    """Say where the shipped program is on this machine, in this process and its children."""
    os.environ[_VARIABLE] = str(path)


def is_archive(path: Path) -> bool:
    """Return whether a file is unpacked where it arrives."""
    return path.is_file() and path.name.endswith(ARCHIVES)


@contextmanager
def shipped_here(path: Path | None) -> Iterator[None]:
    """Place a program for this machine while the block runs. An archive is unpacked."""
    if path is None:
        yield
    elif not is_archive(path):
        place_shipped(path.resolve())
        yield
    else:
        with tempfile.TemporaryDirectory(prefix="rejoin-shipped-") as folder:
            with tarfile.open(path) as archive:
                archive.extractall(folder, filter="data")
            place_shipped(folder)
            yield
