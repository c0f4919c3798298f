"""The names that texts mention, and the place in the site of each: clauses, errata and vectors."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import Final

from attrs import frozen

from rejoin_conformance.contract.registry import system_names
from rejoin_conformance.corpus.clauses import clauses_of
from rejoin_conformance.corpus.load import load_index
from rejoin_conformance.kit.locations import spec_directory
from rejoin_site.places import clause_page, erratum_place, vector_page

_SYSTEMS: Final = "|".join(system_names())
_NAME: Final = re.compile(
    r"(?<![\w/-])(?:[A-Z]{2}-E\d+|[A-Z]{2}(?:-[A-Z0-9]+)+"
    rf"|(?:{_SYSTEMS})/[a-z0-9-]+/[a-z0-9-]+)(?![\w/-])"
)
ERRATUM: Final = re.compile(r"^### (?P<id>[A-Z]{2}-E\d+) (?P<title>.*)$", re.MULTILINE)


@frozen
class Piece:
    """A piece of a text. place: where the name leads that the piece is; None if it is no name."""

    text: str
    place: str | None


@cache
def places_of_names() -> dict[str, str]:
    """Return the place of every clause, erratum and vector: name -> place from the root."""
    places: dict[str, str] = {}
    for system in system_names():
        errata = (spec_directory() / system / "errata.md").read_text(encoding="utf-8")
        places |= {each: erratum_place(system, each) for each, _ in ERRATUM.findall(errata)}
        places |= {each.id: clause_page(system, each.id) for each in clauses_of(system)}
    return places | {each: vector_page(each) for each in load_index()}


def titles_of_errata(system: str) -> dict[str, str]:
    """Return the title of each erratum of a system: ID -> title."""
    text = (spec_directory() / system / "errata.md").read_text(encoding="utf-8")
    return dict(ERRATUM.findall(text))


def pieces(text: str) -> Iterator[Piece]:
    """Yield a text in pieces: the names that have a place, and what is between them."""
    places = places_of_names()
    end = 0
    for match in _NAME.finditer(text):
        if match[0] in places:
            if match.start() > end:
                yield Piece(text[end : match.start()], None)
            yield Piece(match[0], places[match[0]])
            end = match.end()
    if end < len(text):
        yield Piece(text[end:], None)
