"""The playgrounds, which a program for Node.js builds: `conformance/site/playground/build.js`."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from attrs import frozen

from rejoin_conformance.contract.registry import system_names
from rejoin_site.packed import unpacked
from rejoin_site.places import PARTS

_SOURCES: Final = PARTS / "playground"
_DATA: Final = "playground/data/vectors-{}.js"


class PlaygroundsError(Exception):
    """The playgrounds cannot be built. The message says why and what to do."""


@frozen
class Playgrounds:
    """The files of the playgrounds, path in the site -> content, and the vectors they open."""

    files: Mapping[str, bytes]
    vectors: frozenset[str]

    def opens(self, vector_id: str) -> bool:
        """Return whether the playground of its system opens a vector."""
        return vector_id in self.vectors


def playgrounds(work: Path) -> Playgrounds:
    """Build the playgrounds. work: a folder to build them in.

    Raises PlaygroundsError.
    """
    if not (_SOURCES / "build.js").is_file():
        return Playgrounds({}, frozenset())
    if shutil.which("npm") is None or shutil.which("node") is None:
        raise PlaygroundsError(
            "the playgrounds need Node.js; install node and npm, for example with apt-get install"
        )
    if not (_SOURCES / "node_modules").is_dir():
        _run("npm", "install", "--no-audit", "--no-fund")
    _run("node", "build.js", str(work), "--home", "../index.html")
    files = {
        f"playground/{path.relative_to(work).as_posix()}": path.read_bytes()
        for path in sorted(work.rglob("*"))
        if path.is_file()
    }
    return Playgrounds(files, frozenset(_opened(files)))


def _run(*command: str) -> None:
    done = subprocess.run(command, cwd=_SOURCES, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise PlaygroundsError(f"{' '.join(command[:2])} failed:\n{done.stderr or done.stdout}")


def _opened(files: Mapping[str, bytes]) -> set[str]:
    """Return the vectors in the data of the playgrounds, by ID."""
    found: set[str] = set()
    for system in system_names():
        script = files.get(_DATA.format(system), b"").decode("ascii")
        if f"playground/{system}.html" in files:
            found |= unpacked(script).keys()
    return found
