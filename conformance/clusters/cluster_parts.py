"""The parts of the tests marked `cluster`: `parts.toml` pins them, `.venv/clusters` holds them."""

from __future__ import annotations

import hashlib
import tomllib
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from attrs import frozen

PARTS: Final = Path(__file__).with_name("parts.toml")
FOLDER: Final = Path(__file__).parents[2] / ".venv" / "clusters"
S3_SERVER: Final = FOLDER / "bin" / "versitygw"


class PartError(Exception):
    """A part is missing or is not the pinned one. The message is one line."""


@frozen
class Jar:
    """A jar: its Maven coordinates, and its SHA-256 as hex."""

    group: str
    artifact: str
    version: str
    sha256: str

    @property
    def file(self) -> str:
        """Return the name of the file."""
        return f"{self.artifact}-{self.version}.jar"


@frozen
class GoProgram:
    """A program that Go builds: its module, the version, and Go's checksum of the module."""

    module: str
    version: str
    sum: str


def jars(name: str, parts: Path = PARTS) -> tuple[Jar, ...]:
    """Return the pinned jars of a set: `hadoop` or `s3a`."""
    pinned = tomllib.loads(parts.read_text(encoding="utf-8"))[name]
    found = []
    for coordinates, sha256 in pinned.items():
        group, artifact, version = coordinates.split(":")
        found.append(Jar(group, artifact, version, sha256))
    return tuple(found)


def s3_server(parts: Path = PARTS) -> GoProgram:
    """Return the pinned S3 server."""
    pinned = tomllib.loads(parts.read_text(encoding="utf-8"))["s3-server"]
    return GoProgram(**pinned)


def verified(pinned: Sequence[Jar], folder: Path = FOLDER) -> tuple[Path, ...]:
    """Return the paths of jars. Raises PartError if one is missing or is not the pinned one."""
    paths = []
    for jar in pinned:
        path = folder / jar.file
        if not path.is_file():
            raise PartError(f"{path} is missing; run: make cluster-parts")
        if hashlib.sha256(path.read_bytes()).hexdigest() != jar.sha256:
            raise PartError(
                f"{path} does not have the SHA-256 of parts.toml; delete the file and run: "
                "make cluster-parts"
            )
        paths.append(path)
    return tuple(paths)
