"""Functions of a system's reference that no operation calls."""

from __future__ import annotations

from attrs import frozen

from rejoin_conformance.kit.files import own_tables
from rejoin_conformance.kit.locations import mutants_directory


@frozen(kw_only=True)
class Unreached:
    """A public function that no vector calls.

    name: its dotted name. reason: why no operation calls it, and which function to override
    instead, if there is one. histories: whether random histories or their laws call it. If not, a
    rule file cannot override it.
    """

    name: str
    reason: str
    histories: bool = False


def unreached_of(system: str) -> tuple[Unreached, ...]:
    """Return such functions of a system, which `unreached.toml` beside its mutants lists."""
    tables = own_tables(mutants_directory() / system / "unreached.toml")
    return tuple(Unreached(**each) for each in tables)
