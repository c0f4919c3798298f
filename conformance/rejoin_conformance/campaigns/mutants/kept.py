"""The results of the mutants of a system, kept in a folder: `SYSTEM.ndjson`, a line for each."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Final

from attrs import field, frozen

from rejoin_conformance.campaigns.kept.lines import Lines, lines_of
from rejoin_conformance.campaigns.kept.store import StoreError, every_row
from rejoin_conformance.campaigns.mutants.corpus import Corpus
from rejoin_conformance.campaigns.mutants.examine import Examined
from rejoin_conformance.campaigns.mutants.mutant import Mutant, mutated_modules
from rejoin_conformance.campaigns.mutants.source import source_path
from rejoin_conformance.kit.codec import plain, read
from rejoin_conformance.kit.json_types import JsonObject

_FORMAT: Final = 1


@frozen(eq=False)
class Kept:
    """The file of one system.

    found: name of a mutant -> its result, for the mutants in the file.
    """

    file: Lines
    corpus: Corpus
    found: dict[str, Examined] = field(factory=dict)

    def add(self, mutants: Iterable[Mutant], examined: Iterable[Examined]) -> None:
        """Append results to the file. A line names vectors by their IDs."""
        new = {one.name: each for one, each in zip(mutants, examined, strict=True)}
        questions = self.corpus.questions
        self.file.add(
            [
                plain(each)
                | {"mutant": name, "killers": [questions[one].vector.id for one in each.killers]}
                for name, each in new.items()
            ]
        )
        self.found.update(new)


def kept_in(directory: Path, system: str, corpus: Corpus, *, matrix: bool) -> Kept:
    """Return the results of a system in a folder; start the file if there is none.

    Raises StoreError if the file cannot be read, or is of other code, vectors or options.
    """
    path = directory / f"{system}.ndjson"
    header = {**_header(system), "corpus": corpus.digest, "matrix": matrix}
    kept = Kept(lines_of(path, header), corpus)
    places = {each.vector.id: place for place, each in enumerate(corpus.questions)}
    for line in every_row(kept.file):
        try:
            name = line.pop("mutant")
            line["killers"] = [places[each] for each in line["killers"]]
            kept.found[name] = read(line, Examined)
        except (KeyError, TypeError, ValueError):
            raise StoreError(f"{path} has a line that is not a result; delete the file") from None
    return kept


def kept_histories(directory: Path, system: str, mutants: Sequence[Mutant]) -> Lines:
    """Return the results of random histories in a folder, of these mutants.

    Raises StoreError if the file cannot be read, or is of other code or other mutants.
    """
    names = hashlib.sha256("\n".join(each.name for each in mutants).encode())
    header = {**_header(system), "mutants": names.hexdigest()}
    return lines_of(directory / f"{system}-histories.ndjson", header)


def _header(system: str) -> JsonObject:
    digest = hashlib.sha256()
    for module in mutated_modules(system):
        digest.update(module.encode() + b"\0" + source_path(module).read_bytes() + b"\0")
    return {"format": _FORMAT, "system": system, "reference": digest.hexdigest()}
