"""Send to the executors the two packages as one zip, the program of an adapter, and the oracle.

A cluster thus always runs the driver's version, whatever is installed there.
"""

from __future__ import annotations

import hashlib
import shutil
import tempfile
import zipfile
from collections.abc import Iterator
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Final

from attrs import frozen

import rejoin
from rejoin_conformance.adapters.oracle import MODULE, oracle_of, taken_from
from rejoin_conformance.adapters.shipped import is_archive, place_shipped
from rejoin_conformance.campaigns.kept.store import version
from rejoin_conformance.contract.registry import system_names

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

_PACKAGES: Final = (Path(rejoin.__file__).resolve().parent, Path(__file__).resolve().parents[2])
_LEFT_OUT: Final = ("__pycache__", "data")
_EXTENSIONS: Final = (".so", ".pyd")  # a zip cannot contain modules that are compiled


def is_connect(session: SparkSession) -> bool:
    """Return whether the driver runs elsewhere and the session uses Spark Connect."""
    return type(session).__module__.startswith("pyspark.sql.connect")


def send_packages(session: SparkSession) -> None:
    """Send the two packages to the executors of a session, or to its server."""
    session.addArtifacts(str(packages_zip()), pyfile=True)


def send_program(session: SparkSession, path: Path) -> str:
    """Send a file, a folder or a tar archive to the executors. Return its name there.

    A folder is sent as an archive, which keeps the permissions of its files.
    """
    digest = hashlib.blake2b(str(path.resolve()).encode(), digest_size=4).hexdigest()
    if path.is_file() and not is_archive(path):
        session.addArtifacts(str(path), file=True)
        return path.name
    name, packed = f"shipped-{digest}", path
    if path.is_dir():
        packed = Path(shutil.make_archive(str(_new_folder() / name), "gztar", path))
    session.addArtifacts(f"{packed}#{name}", archive=True)
    return name


@frozen
class SentOracle:
    """The oracle after it was sent. name: of its folder there. operations: those it answers."""

    name: str
    operations: frozenset[str]


def send_oracle(session: SparkSession) -> SentOracle | None:
    """Send the oracle to the executors; return None if it is not installed here.

    The executors have no corpus, so they answer the operations that the oracle answers here.
    """
    oracles = [oracle for oracle in map(oracle_of, system_names()) if oracle is not None]
    if not oracles:
        return None
    folder = _new_folder()
    shutil.copytree(Path(oracles[0].module.__file__).parent, folder / MODULE)
    name = send_program(session, folder)
    return SentOracle(name, frozenset().union(*(each.operations for each in oracles)))


def oracle_in_force(sent: SentOracle | None) -> AbstractContextManager[None]:
    """Let the children that a worker of Spark starts in the `with` block use a sent oracle."""
    if sent is None:
        return nullcontext()
    from pyspark import SparkFiles  # noqa: PLC0415 - a worker's import

    return taken_from(SparkFiles.get(sent.name), sent.operations)


def place_sent(name: str | None) -> None:
    """Say where a program that was sent is, in a worker of Spark. name: None if none was sent."""
    if name is not None:
        from pyspark import SparkFiles  # noqa: PLC0415 - a worker's import

        place_shipped(SparkFiles.get(name))


def packages_zip() -> Path:
    """Write the zip of the packages, named after their version, and return its path."""
    path = _new_folder() / f"rejoin-{version().replace('+', '-')}.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, strict_timestamps=False) as archive:
        for name, source in sorted(_files()):
            archive.write(source, name)
    return path


def _new_folder() -> Path:
    """Return a folder that exists as long as this process: executors can start at any time."""
    _FOLDERS.append(tempfile.TemporaryDirectory(prefix="rejoin-"))
    return Path(_FOLDERS[-1].name)


_FOLDERS: Final[list[tempfile.TemporaryDirectory[str]]] = []


def _files() -> Iterator[tuple[str, Path]]:
    for package in _PACKAGES:
        for path in package.rglob("*"):
            name = path.relative_to(package.parent)
            left_out = set(name.parts) & set(_LEFT_OUT) or path.suffix in _EXTENSIONS
            if path.is_file() and not left_out:
                yield name.as_posix(), path
