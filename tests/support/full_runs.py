"""Tests that run other programs: all of them run when something that they read changed.

A test marked `full_run("NAME")` belongs to the group NAME of `full_runs.txt`, beside this file.
`tests/full-runs.txt` holds the digest of a group's inputs at the last run in which all its tests
passed. While the digest is equal, an ordinary run leaves the group out and says so; small cases of
it stay unmarked.
`make long-test` runs every group and renews the digests.

    python3 full_runs.py GROUP...

ends with 0 if the inputs of these groups have not changed, and with 1 otherwise.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Mapping
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    import pytest

MARKER: Final = "full_run"
_CHECKOUT: Final = Path(__file__).parents[2]
_RECORD: Final = Path(__file__).parents[1] / "full-runs.txt"
_NOT_SOURCE: Final = frozenset({"node_modules", "target", "__pycache__", "build", "Cargo.lock"})


def _groups() -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield each group of the table with its patterns."""
    _, *paragraphs = Path(__file__).with_suffix(".txt").read_text("ascii").split("\n\n")
    for name, *patterns in (each.strip("\n").split("\n") for each in paragraphs):
        yield name, tuple(map(str.strip, patterns))


GROUPS: Final[Mapping[str, tuple[str, ...]]] = dict(_groups())
"""Group -> patterns of the files that its tests read."""


def digest_of(group: str) -> str:
    """Return the digest of the names and bytes of the files that a group's tests read."""
    digest = blake2b(digest_size=16)
    for path in sorted({path for pattern in GROUPS[group] for path in _CHECKOUT.glob(pattern)}):
        relative = path.relative_to(_CHECKOUT)
        if path.is_file() and not _NOT_SOURCE & {*relative.parts}:
            content = path.read_bytes()
            digest.update(f"{relative.as_posix()} {len(content)}\n".encode() + content)
    return digest.hexdigest()


def recorded() -> dict[str, str]:
    """Return group -> digest of its inputs at its last full run."""
    lines = _RECORD.read_text(encoding="ascii").splitlines() if _RECORD.exists() else []
    return {name: digest for digest, _, name in (line.partition("  ") for line in lines)}


def record(groups: Iterable[str]) -> None:
    """Write the present digest of each of these groups; the others keep theirs."""
    kept = recorded() | {group: digest_of(group) for group in groups}
    lines = [f"{kept[group]}  {group}\n" for group in GROUPS if group in kept]
    _RECORD.write_text("".join(lines), encoding="ascii")


def unchanged(groups: Iterable[str]) -> frozenset[str]:
    """Return those of some groups whose inputs are those of their last full run."""
    known = recorded()
    return frozenset(each for each in {*groups} if known.get(each) == digest_of(each))


def group_of(item: pytest.Item) -> str | None:
    """Return the group of a test; None for a test in no group and for a long one.

    Raises KeyError if the group is not in the table.
    """
    marker = item.get_closest_marker(MARKER)
    if marker is None or item.get_closest_marker("long"):
        return None
    (name,) = marker.args
    if name not in GROUPS:
        raise KeyError(f"{item.nodeid}: there is no group {name!r} in support/full_runs.txt")
    return str(name)


if __name__ == "__main__":
    sys.exit(unchanged(sys.argv[1:]) != {*sys.argv[1:]})
