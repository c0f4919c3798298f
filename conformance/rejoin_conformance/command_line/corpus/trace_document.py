"""`rejoin trace --document`: the source document of a system, statement by statement."""

from __future__ import annotations

import click

from rejoin_conformance.command_line.console import (
    NOT_CONFORMANT,
    WRONG_USAGE,
    print_json,
    stop,
)
from rejoin_conformance.contract.system import System
from rejoin_conformance.corpus.statements import (
    Backing,
    DocumentTrace,
    Statement,
    StatementsError,
    trace_document,
)
from rejoin_conformance.kit.counted import counted
from rejoin_conformance.kit.json_types import Json


def print_document(system: System, *, as_json: bool) -> None:
    """Print the statements of a system's document, then the faults of the list."""
    try:
        traced = trace_document(system.name)
    except StatementsError as error:
        stop(WRONG_USAGE, str(error))
    faults: list[Json] = [*traced.faults]
    if as_json:
        for each in traced.document.statements:
            print_json(traced.row(each))
        print_json({"faults": faults, "unnamed": [*traced.unnamed]})
    else:
        click.echo(f"{traced.document.document}: line, statement, what holds it")
        for each in traced.document.statements:
            _print_statement(traced, each)
        for fault in faults:
            click.echo(f"FAULT {fault}")
    if faults:
        stop(NOT_CONFORMANT, f"{counted(len(faults), 'fault')} in the list of statements")
    if not as_json:
        _print_summary(traced)


def _print_statement(traced: DocumentTrace, statement: Statement) -> None:
    kind = f"  [{statement.kind}]" if statement.kind else ""
    click.echo(f"{statement.line:>5}  {statement.gist}{kind}")
    for name in statement.held_by:
        found = traced.backing.get(name, Backing())
        counts = f"{counted(found.vectors, 'vector')}, {counted(found.laws, 'law')}"
        click.echo(f"         {name:<34} {counts}, {counted(found.proofs, 'proof')}")
    for each in (*statement.shown_by, *statement.measured_by):
        click.echo(f"         {each}")


def _print_summary(traced: DocumentTrace) -> None:
    statements = traced.document.statements
    prose = traced.only_prose()
    lines = ", ".join(str(each.line) for each in prose)
    click.echo(
        f"{counted(len(statements), 'statement')}, no faults. No vector, law, proof or measurement "
        f"backs {len(prose)} of them{f': lines {lines}' if prose else ''}."
    )
    if traced.unnamed:
        added = counted(len(traced.unnamed), "clause or erratum", "clauses and errata")
        click.echo(f"The spec adds {added}: {', '.join(traced.unnamed)}.")
