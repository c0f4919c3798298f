"""Read the clauses that each machine-checked theorem proves, from the comment before it.

A proof is a file `spec/<system>/proof/*.v` in the language of Coq. In it, the comment
`(* Clauses: ... *)` names the clauses of the definition or theorem that follows.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from attrs import frozen

from rejoin_conformance.kit.locations import spec_directory

_STATEMENT: Final = re.compile(
    r"\(\*\s*Clauses:(?P<list>[^*]*)\*\)\s*"
    r"(?P<kind>Theorem|Lemma|Example|Definition|Fixpoint|Inductive|Record|Hypothesis)"
    r"\s+(?P<name>[\w']+)"
)
_THEOREMS: Final = frozenset({"Theorem", "Lemma", "Example"})


@frozen
class Statement:
    """A definition, premise or theorem in Coq, and the clauses that it states.

    name: the file and the name in it, such as `Lcau.anc_lcaU`. proven: whether it is a theorem.
    """

    name: str
    clauses: tuple[str, ...]
    proven: bool


def statements_of(system: str) -> tuple[Statement, ...]:
    """Return the statements about clauses in the proofs of a system."""
    folder = spec_directory() / system / "proof"
    return tuple(found for path in sorted(folder.glob("*.v")) for found in _in_file(path))


def statements_in(text: str, file: str) -> Iterator[Statement]:
    """Yield the statements about clauses in the text of a file of Coq; `file` is its name."""
    for match in _STATEMENT.finditer(text):
        yield Statement(
            f"{file}.{match['name']}", tuple(match["list"].split()), match["kind"] in _THEOREMS
        )


def _in_file(path: Path) -> Iterator[Statement]:
    return statements_in(path.read_text(encoding="utf-8"), path.stem)
