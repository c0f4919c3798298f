"""The matrix clause -> functions, vectors, laws, model and proofs; and its faults.

A link counts only if it bites: a vector that is tagged with a clause must execute a function that
claims the clause. `rejoin mutants --knockouts` shows that such a vector also decides the clause.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from functools import cache
from typing import Final

from attrs import frozen

from rejoin_conformance.contract.registry import system_named
from rejoin_conformance.contract.vector import Vector
from rejoin_conformance.corpus.clauses import (
    Clause,
    clauses_of,
    implementers,
    law_checks,
    modelled_clauses,
    proven_clauses,
)
from rejoin_conformance.corpus.executed import executed_functions, executes
from rejoin_conformance.corpus.load import load_system
from rejoin_conformance.kit.json_types import JsonObject
from rejoin_conformance.kit.locations import spec_directory

_SMALL_FIRST: Final = ("core", "random", "sizes")
"""The tiers, from small vectors to large ones."""

_RETIRED: Final = re.compile(r"^\|\s*`?([A-Z]+(?:-[A-Z0-9]+)+)`?\s*\|", re.MULTILINE)


@frozen(kw_only=True)
class Trace:
    """One clause with the names of everything that refers to it.

    vectors: those that somebody wrote. generated: those from random histories and from the model.
    executed: whether one of them executes one of the functions.
    laws: name -> the functions that decide the law. model: definitions of the formal model.
    proofs: the theorems that Coq has checked; the definitions that they use are not listed.
    """

    clause: Clause
    functions: tuple[str, ...]
    vectors: tuple[str, ...]
    generated: tuple[str, ...]
    executed: bool
    laws: Mapping[str, tuple[str, ...]]
    model: tuple[str, ...]
    proofs: tuple[str, ...]

    def to_json(self) -> JsonObject:
        """Return the row as data."""
        return {
            "clause": self.clause.id,
            "level": self.clause.level,
            "file": self.clause.file,
            "functions": [*self.functions],
            "vectors": [*self.vectors],
            "generated": [*self.generated],
            "executed": self.executed,
            "laws": {name: [*checks] for name, checks in self.laws.items()},
            "model": [*self.model],
            "proofs": [*self.proofs],
        }


def trace_system(
    name: str, only: Collection[str] | None = None
) -> tuple[tuple[Trace, ...], tuple[str, ...]]:
    """Return the matrix of one system, and one line for each fault in it.

    only: the clauses to trace, without looking for faults; None for all.
    """
    system = system_named(name)
    prefix = f"{system.prefix}-"
    functions = _by_clause(
        (each.name, [c for c in each.clauses if c.startswith(prefix)])
        for each in implementers("rejoin")
    )
    corpus = load_system(name)
    vectors = _by_clause((vector.id, vector.clauses) for vector in corpus)
    generated = {vector.id for vector in corpus if vector.lineage is not None}
    bites = _bites(name, corpus)
    checks = law_checks(name)
    model = _by_clause((each.name, each.clauses) for each in modelled_clauses(name))
    laws = _by_clause((law.name, law.clauses) for law in system.laws)
    statements = proven_clauses(name)
    proofs = _by_clause((each.name, each.clauses) for each in statements if each.proven)
    formalized = _by_clause((each.name, each.clauses) for each in statements)
    clauses = [each for each in clauses_of(name) if only is None or each.id in only]
    traces = tuple(
        Trace(
            clause=clause,
            functions=tuple(functions.get(clause.id, ())),
            vectors=tuple(each for each in vectors.get(clause.id, ()) if each not in generated),
            generated=tuple(each for each in vectors.get(clause.id, ()) if each in generated),
            executed=bites(vectors.get(clause.id, ()), functions.get(clause.id, ())),
            laws={law: checks.get(law, ()) for law in laws.get(clause.id, ())},
            model=tuple(model.get(clause.id, ())),
            proofs=tuple(proofs.get(clause.id, ())),
        )
        for clause in clauses
    )
    if only is not None:
        return traces, ()
    tables = {
        "function": functions,
        "vector": vectors,
        "law": laws,
        "definition": model,
        "proof": formalized,
    }
    undecided = [law for law, functions_of in checks.items() if not functions_of]
    return traces, (*_faults(prefix, traces, tables), *map(_no_check, undecided))


def _bites(system: str, corpus: Iterable[Vector]) -> Callable[[Iterable[str], Iterable[str]], bool]:
    """Return a function that says whether some vector executes some function, by their names.

    It runs each vector at most once, and no more vectors than it needs: small ones come first.
    """
    ordered = sorted(corpus, key=lambda each: _SMALL_FIRST.index(each.tier))
    places = {vector.id: place for place, vector in enumerate(ordered)}
    executed = executed_functions(system)

    @cache
    def called(place: int) -> frozenset[str]:
        return executed(ordered[place])

    def bites(vectors: Iterable[str], functions: Iterable[str]) -> bool:
        wanted = tuple(functions)
        return any(
            executes(called(place), function)
            for place in sorted(places[vector] for vector in vectors)
            for function in wanted
        )

    return bites


def retired_clauses() -> frozenset[str]:
    """Return the clause IDs in spec/retired.md."""
    path = spec_directory() / "retired.md"
    if not path.exists():
        return frozenset()
    return frozenset(_RETIRED.findall(path.read_text(encoding="utf-8")))


def _by_clause(pairs: Iterable[tuple[str, Iterable[str]]]) -> dict[str, list[str]]:
    by_clause: dict[str, list[str]] = {}
    for name, clauses in pairs:
        for clause in clauses:
            by_clause.setdefault(clause, []).append(name)
    return by_clause


def _faults(
    prefix: str,
    traces: tuple[Trace, ...],
    tables: Mapping[str, Mapping[str, list[str]]],
) -> Iterator[str]:
    known: set[str] = set()
    for trace in traces:
        clause = trace.clause
        if clause.id in known:
            yield f"{clause.id}: occurs twice in the spec, the second time in {clause.file}"
        known.add(clause.id)
        if not clause.id.startswith(prefix):
            yield f"{clause.id}: its prefix is not {prefix}"
        if clause.level == "MUST" and not trace.functions:
            yield f"{clause.id}: a MUST clause that no function implements"
        if clause.level == "MUST" and not trace.vectors and not trace.generated:
            yield f"{clause.id}: a MUST clause that no vector decides"
        elif clause.level == "MUST" and trace.functions and not trace.executed:
            yield f"{clause.id}: none of its vectors executes a function that claims it"
    retired = retired_clauses()
    for clause_id in sorted(known & retired):
        yield f"{clause_id}: retired, but still in the spec"
    for kind, table in tables.items():
        for clause_id in sorted(set(table) - known):
            yield f"{clause_id}: not a clause, but named by the {kind} {table[clause_id][0]}"


def _no_check(law: str) -> str:
    return f"{law}: a law that no function decides"
