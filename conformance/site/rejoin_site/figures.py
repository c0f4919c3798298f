"""The smallest example of each erratum, decoded and drawn."""

from __future__ import annotations

import re
from functools import cache
from typing import Final

from rejoin_conformance.contract.registry import system_named, system_names
from rejoin_conformance.contract.vector import Vector
from rejoin_conformance.kit.json_types import canonical_json
from rejoin_site.clause_facts import erratum_bodies
from rejoin_site.corpus import vectors
from rejoin_site.drawings import drawings_of
from rejoin_site.html import fill
from rejoin_site.places import to_root, vector_page
from rejoin_site.vector_facts import vector_facts

_VECTOR: Final = re.compile(r"`([a-z-]+/[a-z0-9-]+/[a-z0-9-]+)`")


def smallest_examples() -> dict[str, Vector]:
    """Return the smallest vector that each erratum names: ID of the erratum -> vector."""
    return {
        name: vector
        for system in system_names()
        for name, body in erratum_bodies(system).items()
        for vector in [_smallest(system, body)]
        if vector is not None
    }


@cache
def figure_of(erratum: str) -> str:
    """Return the smallest example of an erratum as HTML; empty if it names no vector."""
    vector = _examples().get(erratum)
    if vector is None:
        return ""
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


@cache
def _examples() -> dict[str, Vector]:
    return smallest_examples()


def _smallest(system: str, body: str) -> Vector | None:
    """Return the vector with the shortest JSON; if readings differ on some, one of those."""
    known = vectors(system)
    named = [known[each] for each in _VECTOR.findall(body) if each in known]
    return min(named, key=_size, default=None)


def _size(vector: Vector) -> tuple[bool, int, str]:
    return not vector.readings_differ, len(canonical_json(vector.to_json())), vector.id
