"""A client of the reference as the model sees it: what `Observed` says of one file.

A version is its number, from 1 on, in the order in which versions were uploaded; 0 is none.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final, TypeVar

from attrs import frozen

from rejoin import conflict_detection as cd
from rejoin_conformance.kit.tla_values import Function, Value, record
from rejoin_conformance.systems.conflict_detection.histories.ground_truth import Key
from rejoin_conformance.systems.conflict_detection.histories.run import Run

V = TypeVar("V")

NO_VERSION: Final = 0
NOTHING: Final = "nothing"
KEEP: Final = "keep"
NONE_FOUND: Final = "none"


@frozen
class Moment:
    """What a step left behind: the client that took it, and what its directory links then."""

    client: cd.Client[Any]
    links: Mapping[str, cd.Entry]


def moment(run: Run[V], nickname: str) -> Moment:
    """How a client stands now."""
    client = run.folder.clients[nickname]
    links = cd.read_directory(run.folder.grid, cd.read_capability(client.write_capability)).entries
    return Moment(client, links)


def observed(
    run: Run[V], path: str, at: Moment, found: cd.Classification | None, shown: Callable[[str], str]
) -> Function:
    """What the model's `Observed` says of a client and a file.

    run: knows the numbers of all versions by now. found: by the step that came before. shown: what
    the model calls a text.
    """
    number = _numbering(run, path)
    file: cd.LocalFile[Any] = cd.file_of(at.client, path)
    entry = at.links.get(path)
    conflicts = (
        record(by=frozenset(each.nicknames), version=number(each.version))
        for each in file.conflicts
    )
    return record(
        version=number(file.version),
        content=NOTHING if file.content is None else shown(text_of(file.content)),
        conflicts=frozenset[Value](conflicts),
        map=_entries(file.version),
        link=NO_VERSION if entry is None else number(entry.version_map or entry.capability),
        found=NONE_FOUND if found is None else found.value,
    )


def text_of(content: bytes) -> str:
    """A file's content as the text that a step wrote."""
    return content.decode("utf-8", "surrogatepass")


def _numbering(run: Run[V], path: str) -> Callable[[Any], int]:
    numbers: Mapping[Key, int] = run.truth(path).numbers

    def number(version: V | None) -> int:
        return NO_VERSION if version is None else numbers[run.key(version)] + 1

    return number


def _entries(version: object) -> frozenset[Value]:
    """The entries of a version map, those of zero too; none of a snapshot."""
    if not isinstance(version, Mapping):
        return frozenset()
    return frozenset((client, number) for client, number in version.items())
