"""The values of pieces of work in a folder, so that an interrupted run continues after them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from attrs import evolve

from rejoin_conformance.campaigns.kept.code import code_digest
from rejoin_conformance.campaigns.kept.folder import kept_work
from rejoin_conformance.campaigns.kept.store import new_header
from rejoin_conformance.campaigns.tables import BLOCKS, Row, Tables, block_row
from rejoin_conformance.kit.json_types import JsonObject

if TYPE_CHECKING:
    from rejoin_conformance.campaigns.workplace import Workplace


def block_of(pieces: Iterable[Row], **more: Iterable[Row]) -> Tables:
    """Return rows of the table `pieces`, and of other tables, as a block."""
    rows = [*pieces]
    tables = {name: [*each] for name, each in more.items()}
    return {"pieces": rows, **tables, BLOCKS: [block_row(histories=len(rows))]}


@contextmanager
def keeping_pieces(
    place: Workplace, folder: Path, kind: str, plan: JsonObject, modules: Iterable[str]
) -> Iterator[Workplace]:
    """Yield the place with a folder that keeps the values of pieces.

    kind: of the work. plan: what the values depend on. modules: of the work. Raises StoreError if
    the folder cannot be read, or is of other work or other code.
    """
    with kept_work(folder, new_header(kind, plan, code_digest(modules))) as store:
        yield evolve(place, kept=store)  # type: ignore[misc]  # every place is a class of attrs
