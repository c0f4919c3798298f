"""The mutants of a run as one HTML page: see `rendering` for the properties of every page."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rejoin_conformance.campaigns.mutants.by_clause import ClauseStrength, by_clause, never_needed
from rejoin_conformance.campaigns.mutants.run import MutantRun
from rejoin_conformance.reports.rendering import page


def mutants_page(runs: Sequence[MutantRun]) -> str:
    """Return the matrix of clauses, mutants and vectors as one file."""
    return page(
        "mutants.html",
        "Mutants of the reference",
        styles=("page.css", "mutants.css"),
        script="page.js",
        runs=[_run(run) for run in runs],
        systems=[(run.system, run.system) for run in runs],
    )


def _run(run: MutantRun) -> dict[str, Any]:
    fates = run.fates()
    alive = len(run.alive)
    kind, sign, words = ("fail", "✗", f"{alive:,} alive") if alive else ("pass", "✓", "none alive")
    return {
        "system": run.system,
        "kind": kind,
        "sign": sign,
        "words": words,
        "facts": [
            ("mutants", len(run.mutants)),
            ("killed", fates["killed"]),
            ("equivalent", fates["equivalent"]),
            ("alive", alive),
            ("vectors", len(run.vectors)),
        ],
        "matrix": run.matrix,
        "clauses": [_clause(run, row) for row in by_clause(run)],
        "alive": [
            {"mutant": mutant, "fate": examined.fate, "tried": examined.tried}
            for mutant, examined in run.alive
        ],
        "never_needed": [vector.id for vector in never_needed(run)],
    }


def _clause(run: MutantRun, row: ClauseStrength) -> dict[str, Any]:
    if not row.mutants:
        kind, sign = "none", "○"
    elif row.by_own == 0:
        kind, sign = "fail", "✗"
    elif row.killed < row.mutants:
        kind, sign = "known", "!"
    else:
        kind, sign = "pass", "✓"
    return {
        "row": row,
        "kind": kind,
        "sign": sign,
        "system": run.system,
        "search": f"{row.clause.id} {row.clause.text}".lower(),
    }
