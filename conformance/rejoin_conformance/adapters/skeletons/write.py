"""Write the skeleton of an adapter into an empty folder."""

from __future__ import annotations

from collections.abc import Iterator
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Final

from attrs import frozen


class NotWrittenError(Exception):
    """The folder cannot take a skeleton: one line on why."""


@frozen(kw_only=True)
class Skeleton:
    """What there is to know of a language's skeleton.

    place: the file with the one place to fill in.
    build: the command that makes it ready to run, in its folder; empty where none is needed.
    command: the adapter's command line, in its folder.
    """

    language: str
    place: str
    build: str
    command: str


SKELETONS: Final = (
    Skeleton(language="python", place="adapter.py", build="", command="python3 adapter.py"),
    Skeleton(language="javascript", place="adapter.js", build="", command="node adapter.js"),
    Skeleton(
        language="rust",
        place="src/main.rs",
        build="cargo build --release",
        command="./target/release/adapter",
    ),
    Skeleton(language="go", place="adapter.go", build="go build -o adapter .", command="./adapter"),
)


def skeleton_named(language: str) -> Skeleton:
    """The skeleton of that language; a KeyError for any other."""
    return {skeleton.language: skeleton for skeleton in SKELETONS}[language]


def write_skeleton(skeleton: Skeleton, folder: Path) -> tuple[Path, ...]:
    """Write the skeleton's files and return their paths.

    The folder is made where there is none; NotWrittenError where it holds anything, is not a folder
    or cannot be written.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if any(folder.iterdir()):
            raise NotWrittenError(f"{folder}: the folder is not empty")
        return tuple(_write(skeleton, folder))
    except FileExistsError:
        raise NotWrittenError(f"{folder}: it is not a folder") from None
    except OSError as error:
        raise NotWrittenError(f"{folder}: {error.strerror}") from None


def _write(skeleton: Skeleton, folder: Path) -> Iterator[Path]:
    root = files(__package__).joinpath(skeleton.language)
    for source, path in _files(root, folder):
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(source.read_bytes())
        yield path


def _files(source: Traversable, target: Path) -> Iterator[tuple[Traversable, Path]]:
    for each in sorted(source.iterdir(), key=lambda one: one.name):
        if each.is_file():
            yield each, target / each.name
        elif each.name != "__pycache__":
            yield from _files(each, target / each.name)
