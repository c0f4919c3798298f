"""The smallest example of each erratum, decoded and drawn."""

from __future__ import annotations

from functools import cache

from rejoin_conformance.contract.registry import system_named, system_names
from rejoin_conformance.contract.vector import Vector
from rejoin_conformance.corpus.clauses import errata_of, vectors_named
from rejoin_conformance.kit.json_types import canonical_json
from rejoin_site.corpus import vectors
from rejoin_site.drawings import drawings_of
from rejoin_site.html import fill
from rejoin_site.places import to_root, vector_page
from rejoin_site.vector_facts import vector_facts


@cache
def vectors_of_errata() -> dict[str, tuple[Vector, ...]]:
    """Return the vectors that each erratum names, the smallest first: ID of the erratum -> them.

    If readings differ on some of them, those come first. An erratum that names none is left out.
    """
    found = {
        name: _vectors_in(system, body)
        for system in system_names()
        for name, body in errata_of(system).items()
    }
    return {name: named for name, named in found.items() if named}


@cache
def figure_of(erratum: str) -> str:
    """Return the smallest example of an erratum as HTML; empty if it names no vector."""
    named = vectors_of_errata().get(erratum)
    if named is None:
        return ""
    vector = named[0]
    system = system_named(vector.system)
    return fill(
        "erratum.html",
        to_root(f"spec/{vector.system}/errata.html"),
        vector=vector,
        place=vector_page(vector.id),
        facts=vector_facts(vector),
        drawings=[*drawings_of(vector)],
        readings=system.readings,
    )


def _vectors_in(system: str, body: str) -> tuple[Vector, ...]:
    known = vectors(system)
    names = vectors_named(body)
    return tuple(sorted((known[name] for name in names if name in known), key=_size))


def _size(vector: Vector) -> tuple[bool, int, str]:
    return not vector.readings_differ, len(canonical_json(vector.to_json())), vector.id
