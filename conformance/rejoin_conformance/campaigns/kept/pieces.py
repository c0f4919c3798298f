"""The values of pieces of work in a folder, so that an interrupted run continues after them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from attrs import evolve, field, frozen

from rejoin_conformance.campaigns.kept.code import code_digest
from rejoin_conformance.campaigns.kept.folder import Folder, kept_work
from rejoin_conformance.campaigns.kept.store import new_header
from rejoin_conformance.campaigns.tables import BLOCKS, DIFFERENCES, Row, Tables, block_row
from rejoin_conformance.kit.json_types import Json, JsonObject, canonical_json, strict_json

if TYPE_CHECKING:
    from rejoin_conformance.campaigns.workplace import Workplace


def block_of(rows: Iterable[Row], table: str = "pieces", **more: Iterable[Row]) -> Tables:
    """Return rows of a table, and of other tables, as a block."""
    tables = {table: [*rows], **{name: [*each] for name, each in more.items()}}
    return {**tables, BLOCKS: [block_row(histories=len(tables[table]))]}


@frozen(eq=False)
class KeptPieces:
    """The values that a folder keeps. found: activity -> number -> value.

    The field `differences` of a value is kept as rows of that table, and not read again.
    """

    store: Folder
    found: dict[str, dict[int, Json]] = field(factory=dict)

    def add(self, activity: str, new: Mapping[int, Json]) -> None:
        """Keep new values."""
        values = self.found.setdefault(activity, {})
        for number, value in new.items():
            rows: Any = value.pop(DIFFERENCES, ()) if isinstance(value, dict) else ()
            row = {"activity": activity, "number": number, "value": canonical_json(value)}
            self.store.add(sum(map(len, self.found.values())), block_of([row], differences=rows))
            values[number] = value


@contextmanager
def keeping_pieces(
    place: Workplace, folder: Path, kind: str, plan: JsonObject, modules: Iterable[str]
) -> Iterator[Workplace]:
    """Yield the place with the values that are kept in a folder.

    kind: of the work. plan: what the values depend on. modules: of the work. Raises StoreError if
    the folder cannot be read, or is of other work or other code.
    """
    with kept_work(folder, new_header(kind, plan, code_digest(modules))) as store:
        kept = KeptPieces(store)
        for _, tables in store.blocks():
            for row in tables["pieces"]:
                values = kept.found.setdefault(row["activity"], {})
                values[row["number"]] = strict_json(row["value"])
        yield evolve(place, kept=kept)  # type: ignore[misc]  # every place is a class of attrs
