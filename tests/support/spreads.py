"""Ways to run work without reporting progress."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TypeVar

from attrs import evolve

from rejoin_conformance.campaigns.kept.folder import kept_work
from rejoin_conformance.campaigns.kept.store import new_header, version
from rejoin_conformance.campaigns.spark.spread import OnSpark
from rejoin_conformance.campaigns.workplace import InProcess
from rejoin_conformance.kit.json_types import JsonObject

Place = TypeVar("Place", InProcess, OnSpark)


def silent(_done: int, _total: int, _activity: str) -> None:
    """Report no progress."""


HERE = InProcess(silent)


@contextmanager
def keeping(place: Place, folder: Path, kind: str, plan: JsonObject) -> Iterator[Place]:
    """Let a place keep the pieces of some work in a folder while the block runs."""
    with kept_work(folder, new_header(kind, plan, version())) as store:
        yield evolve(place, kept=store)
