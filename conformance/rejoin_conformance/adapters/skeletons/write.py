"""Write the skeleton of an adapter into an empty folder."""

from __future__ import annotations

from importlib.resources import as_file, files
from pathlib import Path
from shutil import copyfile, copytree, ignore_patterns
from typing import Final

from attrs import frozen

from rejoin_conformance.kit.errors import ExpectedError


class NotWrittenError(ExpectedError):
    """The skeleton cannot be written. The message is one line with the reason."""


@frozen(kw_only=True)
class Skeleton:
    """The skeleton of one language.

    place: the file to add operations to. Another file of each skeleton has hex, typed values and a
        bt-encoder; if the language's library has no JSON, so has a third one.
    build: the command that builds the adapter, in its folder; empty if none is needed.
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
    Skeleton(
        language="c++",
        place="adapter.cpp",
        build="c++ -std=c++17 -O2 -o adapter adapter.cpp",
        command="./adapter",
    ),
    Skeleton(
        language="java",
        place="Adapter.java",
        build="javac -d build Adapter.java Bt.java Json.java",
        command="java -cp build Adapter",
    ),
)


def skeleton_named(language: str) -> Skeleton:
    """Return the skeleton of this language. Raises KeyError for any other."""
    return {skeleton.language: skeleton for skeleton in SKELETONS}[language]


def write_skeleton(skeleton: Skeleton, folder: Path) -> tuple[Path, ...]:
    """Write the skeleton's files and return their paths.

    Creates the folder if it does not exist. Raises NotWrittenError if it is not empty, is not a
    folder or cannot be written.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if any(folder.iterdir()):
            raise NotWrittenError(f"{folder}: the folder is not empty; choose another one")
        with as_file(files(__package__) / skeleton.language.replace("c++", "cpp")) as source:
            cached = ignore_patterns("__pycache__")
            copytree(source, folder, ignore=cached, copy_function=copyfile, dirs_exist_ok=True)
    except FileExistsError:
        raise NotWrittenError(f"{folder}: not a folder") from None
    except OSError as error:
        raise NotWrittenError(f"{folder}: {error.strerror}") from None
    return tuple(path for path in sorted(folder.rglob("*")) if path.is_file())
