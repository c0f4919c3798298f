"""The matrix clause -> functions -> vectors -> laws -> proofs, and its faults."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from attrs import frozen

from rejoin_conformance.contract.registry import system_named
from rejoin_conformance.corpus.clauses import Clause, clauses_of
from rejoin_conformance.corpus.implemented_clauses import implementers
from rejoin_conformance.corpus.load import load_system
from rejoin_conformance.corpus.proven_clauses import statements_of
from rejoin_conformance.kit.json_types import Json, JsonObject
from rejoin_conformance.kit.locations import spec_directory

_RETIRED: Final = re.compile(r"^\|\s*`?([A-Z]+(?:-[A-Z0-9]+)+)`?\s*\|", re.MULTILINE)


@frozen
class Trace:
    """One clause with the names of its functions, vectors, laws and proofs.

    proofs: the theorems that Coq has checked; the definitions that they use are not listed.
    """

    clause: Clause
    functions: tuple[str, ...]
    vectors: tuple[str, ...]
    laws: tuple[str, ...]
    proofs: tuple[str, ...]

    def to_json(self) -> JsonObject:
        """Return the row as data."""
        functions: list[Json] = list(self.functions)
        vectors: list[Json] = list(self.vectors)
        laws: list[Json] = list(self.laws)
        proofs: list[Json] = list(self.proofs)
        return {
            "clause": self.clause.id,
            "level": self.clause.level,
            "file": self.clause.file,
            "functions": functions,
            "vectors": vectors,
            "laws": laws,
            "proofs": proofs,
        }


def trace_system(name: str) -> tuple[tuple[Trace, ...], tuple[str, ...]]:
    """Return the matrix of one system, and one line for each fault in it."""
    system = system_named(name)
    prefix = f"{system.prefix}-"
    functions = _by_clause(
        (each.name, [c for c in each.clauses if c.startswith(prefix)])
        for each in implementers("rejoin")
    )
    vectors = _by_clause((vector.id, vector.clauses) for vector in load_system(name))
    laws = _by_clause((law.name, law.clauses) for law in system.laws)
    statements = statements_of(name)
    proofs = _by_clause((each.name, each.clauses) for each in statements if each.proven)
    formalized = _by_clause((each.name, each.clauses) for each in statements)
    clauses = clauses_of(name)
    traces = tuple(
        Trace(
            clause,
            tuple(functions.get(clause.id, ())),
            tuple(vectors.get(clause.id, ())),
            tuple(laws.get(clause.id, ())),
            tuple(proofs.get(clause.id, ())),
        )
        for clause in clauses
    )
    return traces, tuple(_faults(prefix, traces, functions, vectors, laws, formalized))


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
    functions: Mapping[str, list[str]],
    vectors: Mapping[str, list[str]],
    laws: Mapping[str, list[str]],
    formalized: Mapping[str, list[str]],
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
        if clause.level == "MUST" and not trace.vectors:
            yield f"{clause.id}: a MUST clause that no vector decides"
    retired = retired_clauses()
    for clause_id in sorted(known & retired):
        yield f"{clause_id}: retired, but still in the spec"
    for kind, table in (
        ("function", functions),
        ("vector", vectors),
        ("law", laws),
        ("proof", formalized),
    ):
        for clause_id in sorted(set(table) - known):
            yield f"{clause_id}: not a clause, but named by the {kind} {table[clause_id][0]}"
