"""The results of a run, kept in a folder so that an interrupted run continues where it stopped.

Each system has one file, `SYSTEM.ndjson`: a header that says what the results depend on, then one
line for each mutant. A line that an interruption cut off is ignored.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Final

from attrs import field, frozen

from rejoin_conformance.campaigns.mutants.corpus import Corpus
from rejoin_conformance.campaigns.mutants.examine import Examined
from rejoin_conformance.campaigns.mutants.mutant import Mutant, mutated_modules
from rejoin_conformance.campaigns.mutants.source import source_path
from rejoin_conformance.kit.json_types import (
    JsonObject,
    NotStrictJsonError,
    canonical_json,
    strict_json,
)

_FORMAT: Final = 1


class KeptResultsError(Exception):
    """A file of results that cannot be used: one line with the file and what to do."""


@frozen(eq=False)
class Kept:
    """The file of one system.

    found: name of a mutant -> its result, for the mutants in the file.
    """

    path: Path
    corpus: Corpus
    found: dict[str, Examined] = field(factory=dict)

    def add(self, mutants: Iterable[Mutant], examined: Iterable[Examined]) -> None:
        """Append results to the file."""
        with self.path.open("a", encoding="utf-8", newline="\n") as file:
            for mutant, each in zip(mutants, examined, strict=True):
                self.found[mutant.name] = each
                file.write(f"{canonical_json(self._line(mutant, each))}\n")

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

    Raises KeptResultsError if the file cannot be read, or is of other code, vectors or options.
    """
    path = directory / f"{system}.ndjson"
    header: JsonObject = {
        "format": _FORMAT,
        "system": system,
        "corpus": corpus.digest,
        "reference": _digest_of_reference(system),
        "matrix": matrix,
    }
    kept = Kept(path, corpus)
    try:
        directory.mkdir(parents=True, exist_ok=True)
        if not path.exists():
            path.write_text(f"{canonical_json(header)}\n", encoding="utf-8", newline="\n")
        first, *lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
    except (OSError, ValueError) as error:
        raise KeptResultsError(f"{path}: {error}. Choose another folder") from None
    if first != f"{canonical_json(header)}\n":
        raise KeptResultsError(
            f"{path}: the results of other code, other vectors or another --matrix. Delete the "
            "file, or choose another folder"
        )
    places = {each.vector.id: place for place, each in enumerate(corpus.questions)}
    whole = [line for line in lines if line.endswith("\n")]
    for line in whole:
        name, examined = _read(path, line, places)
        kept.found[name] = examined
    if len(whole) < len(lines):  # a new line must not continue the one that was cut off
        path.write_text("".join([first, *whole]), encoding="utf-8", newline="\n")
    return kept


def _read(path: Path, line: str, places: Mapping[str, int]) -> tuple[str, Examined]:
    try:
        value: Any = strict_json(line.encode())
        return value["mutant"], Examined(
            fate=value["fate"],
            killers=tuple(places[each] for each in value["killers"]),
            tried=value["tried"],
            how=value["how"],
        )
    except (NotStrictJsonError, KeyError, TypeError):
        raise KeptResultsError(f"{path}: a line that is not a result. Delete the file") from None


def _digest_of_reference(system: str) -> str:
    digest = hashlib.sha256()
    for module in mutated_modules(system):
        digest.update(module.encode() + b"\0" + source_path(module).read_bytes() + b"\0")
    return digest.hexdigest()
