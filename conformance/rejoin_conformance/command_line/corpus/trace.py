"""`rejoin trace`: the functions, vectors, laws, definitions and proofs of each clause."""

from __future__ import annotations

import click

from rejoin_conformance.command_line.console import (
    NOT_CONFORMANT,
    SYSTEM,
    WRONG_USAGE,
    print_json,
    stop,
)
from rejoin_conformance.command_line.corpus.trace_document import print_document
from rejoin_conformance.contract.registry import all_systems
from rejoin_conformance.contract.system import System
from rejoin_conformance.corpus.clauses import clauses_of
from rejoin_conformance.corpus.trace import Trace, trace_system
from rejoin_conformance.kit.counted import counted
from rejoin_conformance.kit.json_types import Json
from rejoin_conformance.kit.near_misses import did_you_mean


@click.command()
@click.argument("systems", type=SYSTEM, nargs=-1)
@click.option(
    "--clause",
    help="Print only this clause, with the names that refer to it.  [default: all clauses]",
)
@click.option(
    "--document",
    type=SYSTEM,
    help="Print the source document of this system, statement by statement, instead of clauses.",
)
@click.option(
    "--json",
    "as_json",
    is_flag=True,
    help="Print one line of JSON for each clause or statement instead of text.",
)
def trace(
    systems: tuple[System, ...],
    clause: str | None,
    document: System | None,
    *,
    as_json: bool,
) -> None:
    """Trace clauses to functions, vectors, laws and proofs.

    Without SYSTEM, the command traces all systems. It reports these faults:

    \b
      - a MUST clause without a function or without a vector
      - a MUST clause none of whose vectors executes a function that claims it
      - a law that no function decides
      - a docstring, vector, law, definition or proof that names a clause
        that the spec does not have

    A definition is one of the formal model. A proof is a theorem that Coq checks. Most clauses
    need no proof.

    --document prints each statement of a source document with its clauses and errata, and the
    number of their vectors, laws and proofs. It reports a fault for each statement that has no
    clause and no erratum, and that is not listed as informative, an example or an open question.

    \b
    Examples:
      rejoin trace history-merge
      rejoin trace config-merge --clause CM-RESOLVE-BASE
      rejoin trace --document history-merge

    \b
    Exit codes:
      0  no fault      1  at least one fault      2  wrong usage
    """
    if document is not None:
        if systems or clause is not None:
            stop(WRONG_USAGE, "--document takes neither another SYSTEM nor --clause")
        print_document(document, as_json=as_json)
        return
    faults: list[str] = []
    shown = 0
    chosen = systems or all_systems()
    if clause is not None:
        chosen = tuple(each for each in chosen if clause in _clauses(each))
    for system in chosen:
        traces, found = trace_system(system.name)
        faults += found
        for each in traces:
            if clause is not None and each.clause.id != clause:
                continue
            shown += 1
            if as_json:
                print_json(each.to_json())
            elif clause is not None:
                _print_in_full(each)
            else:
                _print_row(each)
    if clause is not None and not shown:
        known = (each.id for system in all_systems() for each in clauses_of(system.name))
        near = did_you_mean(clause, known)
        said = f"there is no clause {clause!r}; list all clauses with: rejoin trace{near}"
        stop(WRONG_USAGE, said)
    if clause is not None:
        return
    lines: list[Json] = list(faults)
    if as_json:
        print_json({"faults": lines})
    else:
        for fault in faults:
            click.echo(f"FAULT {fault}")
    if faults:
        stop(NOT_CONFORMANT, f"{counted(len(faults), 'fault')} in the trace")
    if not as_json:
        click.echo(f"{counted(shown, 'clause')}, no faults")


def _clauses(system: System) -> set[str]:
    return {each.id for each in clauses_of(system.name)}


def _print_row(each: Trace) -> None:
    vectors = len(each.vectors) + len(each.generated)
    click.echo(
        f"{each.clause.id:<44} {each.clause.level:<6} {len(each.functions):>3} functions "
        f"{vectors:>4} vectors {len(each.laws):>2} laws {len(each.model):>2} definitions "
        f"{len(each.proofs):>2} proofs"
    )


def _print_in_full(each: Trace) -> None:
    click.echo(f"{each.clause.id} ({each.clause.level}), {each.clause.file}\n  {each.clause.text}")
    generated = f"and {counted(len(each.generated), 'vector')} from random histories and the model"
    laws = (f"{law}, decided by {', '.join(checks)}" for law, checks in each.laws.items())
    for title, names in (
        ("functions", each.functions),
        ("vectors", (*each.vectors, *([generated] if each.generated else []))),
        ("laws", laws),
        ("definitions of the model", each.model),
        ("proofs", each.proofs),
    ):
        click.echo(f"{title}:")
        for name in names:
            click.echo(f"  {name}")
