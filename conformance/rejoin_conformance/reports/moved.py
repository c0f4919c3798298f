"""The vectors that change under another reading or a changed rule, as a document."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from rejoin_conformance.corpus.moved import MovedVectors
from rejoin_conformance.kit.document import Code, Fold, Items

_LONGEST: Final = 1000
"""The number of characters of one difference that are shown."""


def moved_vectors(found: MovedVectors) -> Iterator[Fold]:
    """Yield each vector that changes, with the difference."""
    for each in found.moved:
        observed = [Code(each.observed[:_LONGEST])] if each.observed else []
        yield Fold(f"CHANGED {each.vector.id}  [{', '.join(each.vector.clauses)}]", observed)


def moved_clauses(found: MovedVectors) -> Iterator[Fold]:
    """Yield the clauses of the vectors that change: those of the changed code, then the others."""
    for whose, is_changed in (("clauses of the changed code", True), ("other clauses", False)):
        rows = [
            f"{each.clause}  {each.moved} of {each.asked}"
            for each in found.clauses
            if each.is_changed is is_changed
        ]
        if found.moved and rows:
            yield Fold(f"{whose}, by the share of their vectors that change", [Items(rows)])
