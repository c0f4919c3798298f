"""What the verdicts of a run depend on: the header of its results file."""

from __future__ import annotations

import hashlib
import os
import re
import shutil
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from itertools import islice
from pathlib import Path
from typing import Final

from attrs import field, frozen

from rejoin_conformance.adapters.limits import Limits
from rejoin_conformance.adapters.protocol import Hello
from rejoin_conformance.adapters.run_options import Selection
from rejoin_conformance.adapters.runner.known_failures import KnownFailure, KnownFailures
from rejoin_conformance.kit.codec import plain
from rejoin_conformance.kit.json_forms import OPTIONAL
from rejoin_conformance.kit.json_types import JsonObject, canonical_json, digest_of
from rejoin_conformance.kit.text import counted, escaped, shown_line

_NAMES: Final[Mapping[str, str]] = {
    "suite": "the version of the suite",
    "command": "the adapter's command",
    "program": "the files of the adapter's command",
    "adapter": "the adapter's hello",
    "selection": "the selected vectors",
    "corpus": "the corpus",
    "timeout_ms": "the time limit",
    "hello_timeout_ms": "--hello-timeout",
    "max_memory": "--max-memory",
    "known_failures": "the known failures",
    "allow_restarts": "--allow-restarts",
    "conformance": "--conformance",
    "strict_codes": "--strict-codes",
    "codes": "the names for codes",
}

_SOURCES: Final = re.compile(
    r"\.(cjs|class|cs|dll|exs?|go|java|jar|js|lua|mjs|php|pl|py|rb|rs|sh|so|ts|wasm)"
)
"""The suffixes of files that a program can load."""

_NAMED: Final = 4
"""The number of files that a text names."""

_MOST_FILES: Final = 2_000
"""The number of files of a folder that are looked at."""


@frozen(kw_only=True)
class Wanted:
    """A profile of conformance, as a run holds its records against it.

    operations: name -> the features that may be left out. cases: the number of verdicts that these
    operations have in the whole corpus.
    """

    name: str
    operations: Mapping[str, tuple[str, ...]]
    cases: int


@frozen(kw_only=True)
class RunCorpus:
    """The vectors of a run.

    cases: the number of verdicts. digest: of the selected vectors. operations, clauses: how many
    there are in the whole corpus of the systems of which a vector is selected. profiles: those of
    the run's systems; none for a corpus of one's own.
    """

    cases: int
    digest: str
    operations: int
    clauses: int
    profiles: tuple[Wanted, ...] = field(default=(), metadata=OPTIONAL)


@frozen(kw_only=True)
class Configuration:
    """All inputs of the verdicts. Runs with equal ones can share a results file.

    program: the digest of the files that the command names. conformance: the profiles that the run
    is incomplete without. codes: system -> the adapter's name for a code -> the codes of the spec.
    max_memory: GiB for each process; 0 for no limit.
    """

    suite: str
    command: tuple[str, ...]
    program: str
    adapter: Hello
    selection: Selection
    corpus: RunCorpus
    timeout_ms: int
    known_failures: tuple[KnownFailure, ...] = ()
    allow_restarts: bool = False
    conformance: tuple[str, ...] = ()
    strict_codes: bool = field(default=False, metadata=OPTIONAL)
    codes: Mapping[str, Mapping[str, tuple[str, ...]]] = field(factory=dict, metadata=OPTIONAL)
    hello_timeout_ms: int = field(default=round(1000 * Limits().hello), metadata=OPTIONAL)
    max_memory: int = field(default=Limits().memory, metadata=OPTIONAL)

    @property
    def known(self) -> KnownFailures:
        """Return the known failures of the run."""
        return KnownFailures(self.known_failures)

    def differences(self, other: Configuration) -> list[str]:
        """Return what differs, in words."""
        one, two = ({**plain(each)} for each in (self, other))
        return [
            _NAMES.get(name, name)
            for name in sorted({*one, *two})
            if canonical_json(escaped(one.get(name))) != canonical_json(escaped(two.get(name)))
        ]


def program_digest(command: Iterable[str], place: str = "") -> str:
    """Return the digest of the files of a command.

    They are the program, every file that a word names or contains as a part, the source files
    beside such a file, and the source files in a folder or package that a word names. place: the
    beginning of paths that does not count.
    """
    files: JsonObject = {}
    for path in _regular_files(command):
        try:
            with path.open("rb") as file:
                files[str(path).removeprefix(place)] = hashlib.file_digest(
                    file, "blake2b"
                ).hexdigest()
        except (OSError, ValueError):
            continue  # another word of the command
    return digest_of(files)[:32]


def said_of_files(command: Iterable[str]) -> str:
    """Return what is the same in a resumed run, with the names of some files of a command."""
    names = [shown_line(str(each)) for each in _regular_files(command)]
    more = f" and {len(names) - _NAMED} more" if len(names) > _NAMED else ""
    files = f"{counted(len(names), 'file')} of the adapter ({', '.join(names[:_NAMED])}{more})"
    return f"the command, the suite and {files} are the same; other files were not compared"


def _regular_files(command: Iterable[str]) -> Iterator[Path]:
    """Yield each file of a command once; to read a device or pipe may take forever."""
    for path in dict.fromkeys(path for word in command for path in files_of(word)):
        with suppress(OSError, ValueError):  # another word of the command
            if path.is_file():
                yield path


def files_of(word: str) -> Iterator[Path]:
    """Yield the paths of files that a word of a command can mean."""
    yield Path(shutil.which(word) or word)
    for part in re.split(r"[\s=:;,\"']+", word):
        paths = [Path(part)]
        if re.fullmatch(r"\w+(\.\w+)*", part):  # a module, as in `python -m part`
            paths += [module := Path(*part.split(".")), module.with_suffix(".py")]
        for path in paths if part else []:
            if path.is_dir():
                yield from filter(_is_source, islice(_walked(path), _MOST_FILES))
            elif path.is_file():
                yield path
                if _SOURCES.fullmatch(path.suffix):
                    yield from filter(_is_source, sorted(path.parent.iterdir()))


def _walked(folder: Path) -> Iterator[Path]:
    """Yield the files below a folder, in the same order on every file system."""
    for place, names, files in os.walk(folder):
        names.sort()
        yield from (Path(place, name) for name in sorted(files))


def _is_source(path: Path) -> bool:
    return _SOURCES.fullmatch(path.suffix) is not None and path.is_file()
