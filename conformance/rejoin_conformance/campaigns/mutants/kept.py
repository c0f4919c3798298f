"""The results of the mutants of a system, kept in a folder: a folder for each system."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from attrs import field, frozen

from rejoin_conformance.campaigns.kept.folder import Folder, kept_work
from rejoin_conformance.campaigns.kept.pieces import block_of
from rejoin_conformance.campaigns.kept.store import MUTANTS, StoreError, new_header
from rejoin_conformance.campaigns.mutants.corpus import Corpus
from rejoin_conformance.campaigns.mutants.examine import Examined
from rejoin_conformance.campaigns.mutants.mutant import Mutant, mutated_modules
from rejoin_conformance.campaigns.mutants.source import source_path
from rejoin_conformance.campaigns.tables import Row
from rejoin_conformance.kit.codec import read
from rejoin_conformance.kit.json_types import JsonObject, canonical_json, strict_json


@frozen(eq=False)
class Kept:
    """The results of one system. found: name of a mutant -> its result."""

    store: Folder
    corpus: Corpus
    found: dict[str, Examined] = field(factory=dict)

    def add(self, mutants: Iterable[Mutant], examined: Iterable[Examined]) -> None:
        """Keep results. A row names vectors by their IDs."""
        new = {one.name: each for one, each in zip(mutants, examined, strict=True)}
        self.store.add(len(self.found), block_of(map(self._row, new, new.values()), "fates"))
        self.store.flush()
        self.found.update(new)

    def _row(self, name: str, each: Examined) -> Row:
        killers = [self.corpus.questions[one].vector.id for one in each.killers]
        return {
            "mutant": name,
            "fate": each.fate,
            "killer": killers[0] if killers else None,
            "killers": canonical_json([*killers]),
            "tried": each.tried,
            "how": each.how,
        }


@contextmanager
def kept_in(directory: Path, system: str, corpus: Corpus, *, matrix: bool) -> Iterator[Kept]:
    """Yield the results of a system in a folder.

    Raises StoreError if they cannot be read, or are of other code, vectors or options.
    """
    plan: JsonObject = {"system": system, "matrix": matrix}
    header = new_header(MUTANTS, plan, _code(system), corpus.digest)
    with kept_work(directory / system, header) as store:
        kept = Kept(store, corpus)
        places = {each.vector.id: place for place, each in enumerate(corpus.questions)}
        for _, tables in store.blocks():
            for row in tables["fates"]:
                try:
                    ids: Any = strict_json(row["killers"])
                    killers = [places[each] for each in ids]
                    said = {name: row[name] for name in ("fate", "tried", "how")}
                    kept.found[row["mutant"]] = read({**said, "killers": killers}, Examined)
                except (KeyError, TypeError, ValueError):
                    raise StoreError(f"{store.path} has a row that is not a result") from None
        yield kept


@contextmanager
def kept_histories(directory: Path, system: str, mutants: Sequence[Mutant]) -> Iterator[Folder]:
    """Yield the results of random histories in a folder, of these mutants.

    Raises StoreError if they cannot be read, or are of other code or other mutants.
    """
    names = hashlib.sha256("\n".join(each.name for each in mutants).encode())
    plan: JsonObject = {"system": system, "mutants": names.hexdigest()}
    header = new_header(MUTANTS, plan, _code(system))
    with kept_work(directory / f"{system}-histories", header) as store:
        yield store


def _code(system: str) -> str:
    digest = hashlib.sha256()
    for module in mutated_modules(system):
        digest.update(module.encode() + b"\0" + source_path(module).read_bytes() + b"\0")
    return digest.hexdigest()
