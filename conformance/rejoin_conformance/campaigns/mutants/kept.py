"""The results of the mutants of a system, kept in a folder: `SYSTEM.ndjson`, a line for each."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from attrs import field, frozen

from rejoin_conformance.campaigns.kept.lines import Lines, lines_of
from rejoin_conformance.campaigns.kept.store import StoreError, every_row
from rejoin_conformance.campaigns.mutants.corpus import Corpus
from rejoin_conformance.campaigns.mutants.examine import Examined
from rejoin_conformance.campaigns.mutants.mutant import Mutant, mutated_modules
from rejoin_conformance.campaigns.mutants.source import source_path
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
        """Append results to the file."""
        new = [*zip(mutants, examined, strict=True)]
        self.file.add([self._line(mutant, each) for mutant, each in new])
        self.found.update((mutant.name, each) for mutant, each in new)

    def _line(self, mutant: Mutant, examined: Examined) -> JsonObject:
        return {
            "mutant": mutant.name,
            "fate": examined.fate,
            "killers": [self.corpus.questions[place].vector.id for place in examined.killers],
            "tried": examined.tried,
            "how": examined.how,
        }


def kept_in(directory: Path, system: str, corpus: Corpus, *, matrix: bool) -> Kept:
    """Return the results of a system in a folder; start the file if there is none.

    Raises StoreError if the file cannot be read, or is of other code, vectors or options.
    """
    header: JsonObject = {
        "format": _FORMAT,
        "system": system,
        "corpus": corpus.key.digest,
        "reference": _digest_of_reference(system),
        "matrix": matrix,
    }
    path = directory / f"{system}.ndjson"
    kept = Kept(lines_of(path, header), corpus)
    places = {each.vector.id: place for place, each in enumerate(corpus.questions)}
    for line in every_row(kept.file):
        try:
            kept.found[line["mutant"]] = _examined(line, places)
        except (KeyError, TypeError):
            raise StoreError(f"{path} has a line that is not a result; delete the file") from None
    return kept


def kept_histories(directory: Path, system: str, mutants: Sequence[Mutant]) -> Lines:
    """Return the results of random histories in a folder, of these mutants.

    Raises StoreError if the file cannot be read, or is of other code or other mutants.
    """
    names = "\n".join(each.name for each in mutants)
    header: JsonObject = {
        "format": _FORMAT,
        "system": system,
        "reference": _digest_of_reference(system),
        "mutants": hashlib.sha256(names.encode()).hexdigest(),
    }
    return lines_of(directory / f"{system}-histories.ndjson", header)


def _examined(line: Any, places: Mapping[str, int]) -> Examined:
    return Examined(
        fate=line["fate"],
        killers=tuple(places[each] for each in line["killers"]),
        tried=line["tried"],
        how=line["how"],
    )


def _digest_of_reference(system: str) -> str:
    digest = hashlib.sha256()
    for module in mutated_modules(system):
        digest.update(module.encode() + b"\0" + source_path(module).read_bytes() + b"\0")
    return digest.hexdigest()
