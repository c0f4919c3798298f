"""Flipped bits in the files of a store: each is an error that names the file, or is harmless."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

from rejoin_conformance.campaigns.kept.store import StoreError


def refused_flips(folder: Path, read: Callable[[], object], times: int) -> int:
    """Flip some bits in each Parquet file of a folder, one at a time. Return how many are refused.

    read: reads the folder, and returns the same value for every harmless flip. times: the flips in
    each file. They are spread over the whole file.
    """
    before, refused = read(), 0
    for path, place in _flipped(folder, times):
        try:
            assert read() == before, (path, place)
        except StoreError as error:
            said = str(error)
            assert f"{folder}/" in said, said
            assert path.name in said, said
            assert "\n" not in said, said
            refused += 1
    return refused


def _flipped(folder: Path, times: int) -> Iterator[tuple[Path, int]]:
    for path in sorted(folder.rglob("*.parquet")):
        whole = path.read_bytes()
        for place in range(0, 8 * len(whole), max(1, 8 * len(whole) // times)):
            flipped = bytearray(whole)
            flipped[place // 8] ^= 1 << place % 8
            path.write_bytes(flipped)
            yield path, place
        path.write_bytes(whole)
