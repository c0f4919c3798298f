"""A client of the reference as the model observes it, for one file: the model's `Observed`.

A version is its number, from 1 on, in the order of uploads. 0 stands for no version.
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
    """The state after a step: the client that took it, and the links of its directory."""

    client: cd.Client[Any]
    links: Mapping[str, cd.Entry]


def moment(run: Run[V], nickname: str) -> Moment:
    """Return the current state of a client."""
    client = run.folder.clients[nickname]
    links = cd.read_directory(run.folder.grid, cd.read_capability(client.write_capability)).entries
    return Moment(client, links)


def observed(
    run: Run[V], path: str, at: Moment, found: cd.Classification | None, shown: Callable[[str], str]
) -> Function:
    """Return the model's `Observed` of a client and a file.

    run: the run, with the numbers of all versions. at: the state of the client.
    found: the classification by the step, None if it was not a poll.
    shown: a text -> its name in the model.
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
    """Return a file's content as the text of a step."""
    return content.decode("utf-8", "surrogatepass")


def _numbering(run: Run[V], path: str) -> Callable[[Any], int]:
    numbers: Mapping[Key, int] = run.truth(path).numbers

    def number(version: V | None) -> int:
        return NO_VERSION if version is None else numbers[run.key(version)] + 1

    return number


def _entries(version: object) -> frozenset[Value]:
    """Return the entries of a version map, including zeros. A snapshot has none."""
    if not isinstance(version, Mapping):
        return frozenset()
    return frozenset((client, number) for client, number in version.items())
