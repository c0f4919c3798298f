"""The ground truth of a run: the versions that each client had, and which version follows which.

It depends on the uploads and the overwrites of the design, and on nothing else.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, TypeAlias

from attrs import define, field

from rejoin import conflict_detection as cd

Closure: TypeAlias = tuple[int, ...]
"""Version -> the bits of the versions that it follows. Versions are numbered by upload, from 0."""

Key: TypeAlias = bytes | frozenset[tuple[str, int]]
"""A version as a key: a snapshot's capability, or the entries of a version map, unordered."""


def key_of(version: Any) -> Key:
    """Return a version as a key. A missing entry of a version map is the same as one of 0.

    version: a snapshot's capability, or a version map.
    """
    if isinstance(version, bytes):
        return version
    return frozenset([entry for entry in version.items() if entry[1]])


def extend_closure(closure: Closure, had: int) -> Closure:
    """Return the closure with one more version. had: the bits of the versions its maker had."""
    mask = had
    for version, followed in enumerate(closure):
        if had >> version & 1:
            mask |= followed
    return (*closure, mask)


def numbers_in(bits: int) -> Iterator[int]:
    """Yield the versions of some bits in order."""
    while bits:
        lowest = bits & -bits
        yield lowest.bit_length() - 1
        bits ^= lowest


def classify_by_closure(closure: Sequence[int], ours: int | None, theirs: int) -> cd.Classification:
    """Return the right classification of `theirs` for a client that has `ours`, or no version."""
    if ours is None or closure[theirs] >> ours & 1:
        return cd.Classification.OVERWRITE
    if ours == theirs:
        return cd.Classification.SAME
    if closure[ours] >> theirs & 1:
        return cd.Classification.STALE
    return cd.Classification.CONFLICT


@define
class FileTruth:
    """The ground truth of one file.

    numbers: version -> its number, in the order of uploads. names: number -> the version's maker
    and the number of the maker's upload, such as `A1`. follows: number -> the bits of the versions
    that it follows. contents: number -> its content, None for a deletion.
    had: client -> the bits of the versions that it had. current: client -> its version.
    doubled: whether two uploads made the same version.
    """

    numbers: dict[Key, int] = field(factory=dict)
    names: list[str] = field(factory=list)
    follows: Closure = ()
    contents: list[bytes | None] = field(factory=list)
    had: dict[str, int] = field(factory=dict)
    current: dict[str, int] = field(factory=dict)
    doubled: bool = False

    def upload(
        self, client: str, version: Key, resolved: Iterable[Key], content: bytes | None
    ) -> int:
        """Add a version that a client made and that resolves conflicts; return its number."""
        had = self.had.get(client, 0)
        for each in resolved:
            had |= 1 << self.numbers[each]
        number = self.numbers.get(version)
        if number is None:
            number = self.numbers[version] = len(self.names)
            self.follows = extend_closure(self.follows, had)
            made = sum(name.startswith(client) for name in self.names)
            self.names.append(f"{client}{made + 1}")
            self.contents.append(content)
        else:
            self.doubled = True
        self.had[client] = had | 1 << number
        self.current[client] = number
        return number

    def overwrite(self, client: str, version: Key) -> None:
        """Record that a version overwrote a client's file."""
        number = self.numbers[version]
        self.had[client] = self.had.get(client, 0) | 1 << number
        self.current[client] = number

    def set_back(self, client: str, version: Key | None) -> None:
        """Record that a client has an earlier version again, or None, and what this follows."""
        if version is None:
            self.had.pop(client, None)
            self.current.pop(client, None)
        else:
            number = self.numbers[version]
            self.had[client] = self.follows[number] | 1 << number
            self.current[client] = number

    def expected(self, client: str, theirs: Key) -> cd.Classification:
        """Return the right classification of a poll by a client that finds `theirs`."""
        return classify_by_closure(self.follows, self.current.get(client), self.numbers[theirs])

    def is_behind(self, number: int, later: int) -> bool:
        """Return whether a version is `later`, or `later` follows it."""
        return number == later or bool(self.follows[later] >> number & 1)

    def is_deletion(self, version: Key) -> bool:
        """Return whether a version is a deletion."""
        return self.contents[self.numbers[version]] is None

    def deletions(self) -> int:
        """Return the bits of the versions that are deletions."""
        return sum(1 << number for number, each in enumerate(self.contents) if each is None)

    def name(self, version: Key) -> str:
        """Return a version's name in texts."""
        return self.names[self.numbers[version]]


def dag_of(truth: FileTruth) -> Mapping[int, list[int]]:
    """Return version -> the versions that it directly follows, in the order of uploads."""
    dag: dict[int, list[int]] = {}
    for number, follows in enumerate(truth.follows):
        behind = 0
        for each in numbers_in(follows):
            behind |= truth.follows[each]
        dag[number] = [*numbers_in(follows & ~behind)]
    return dag
