"""Everything that refers to a clause, for the page of the clause."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import cache

from attrs import frozen

from rejoin_conformance.campaigns.mutants.equivalent import FILE as ARGUED_FILE
from rejoin_conformance.campaigns.mutants.equivalent import (
    Equivalent,
    Unreachable,
    entries_in,
    load_argued,
)
from rejoin_conformance.campaigns.mutants.knockout import FOLDER, Knockout, Page
from rejoin_conformance.contract.law import Law
from rejoin_conformance.contract.registry import system_named
from rejoin_conformance.corpus.clauses import errata_of
from rejoin_conformance.corpus.statements import Statement, document_of
from rejoin_conformance.corpus.trace import Trace, trace_system
from rejoin_conformance.kit.locations import mutants_directory
from rejoin_site.names import titles_of_errata


@frozen(kw_only=True)
class ClauseFacts:
    """A clause with everything that refers to it.

    knockout: the change of the reference that was written for it, or None; then `no_knockout` says
    why, if somebody did. argued: the mutants of its functions that no input can show. errata:
    ID -> title. previous, next: the names of the clauses beside it.
    """

    trace: Trace
    knockout: Knockout | None
    no_knockout: str
    argued: tuple[Equivalent | Unreachable, ...]
    laws: tuple[Law, ...]
    errata: Mapping[str, str]
    statements: tuple[Statement, ...]
    previous: str | None
    next: str | None


@cache
def clause_facts(system: str) -> tuple[ClauseFacts, ...]:
    """Return the facts on every clause of a system, in the order of the spec."""
    traces, _ = trace_system(system)
    changes, reasons = _knockouts(system)
    argued = load_argued(mutants_directory() / system / ARGUED_FILE)
    every: tuple[Equivalent | Unreachable, ...] = (*argued.unreachable, *argued.equivalent)
    laws = {law.name: law for law in system_named(system).laws}
    statements = document_of(system).statements
    names = [each.clause.id for each in traces]
    return tuple(
        ClauseFacts(
            trace=trace,
            knockout=changes.get(trace.clause.id),
            no_knockout=reasons.get(trace.clause.id, ""),
            argued=tuple(each for each in every if _inside(each.function, trace.functions)),
            laws=tuple(laws[name] for name in trace.laws),
            errata=errata_naming(system, trace.clause.id),
            statements=tuple(each for each in statements if trace.clause.id in each.held_by),
            previous=names[place - 1] if place else None,
            next=names[place + 1] if place + 1 < len(names) else None,
        )
        for place, trace in enumerate(traces)
    )


def errata_naming(system: str, clause: str) -> dict[str, str]:
    """Return the errata whose text names a clause: ID -> title."""
    word = re.compile(rf"(?<![\w-]){clause}(?![\w-])")
    titles = titles_of_errata(system)
    return {name: titles[name] for name, body in errata_of(system).items() if word.search(body)}


def _inside(name: str, functions: Iterable[str]) -> bool:
    return any(f"{name}.".startswith(f"{each}.") for each in functions)


def _knockouts(system: str) -> tuple[dict[str, Knockout], dict[str, str]]:
    changes: dict[str, Knockout] = {}
    reasons: dict[str, str] = {}
    for path in sorted((mutants_directory() / system / FOLDER).glob("*.toml")):
        page = entries_in(path, Page)
        changes |= {each.clause: each for each in page.knockout}
        reasons |= {each.clause: each.reason for each in page.none}
    return changes, reasons
