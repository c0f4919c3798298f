"""`rejoin trace`: the functions, vectors, laws, definitions and proofs of each clause."""

from __future__ import annotations

from collections.abc import Iterator

import click
from attrs import frozen

from rejoin_conformance.command_line.choices import json_option
from rejoin_conformance.command_line.console import (
    NOT_CONFORMANT,
    WRONG_USAGE,
    print_document,
    print_json,
    stop,
)
from rejoin_conformance.command_line.options import command
from rejoin_conformance.contract.registry import all_systems
from rejoin_conformance.contract.system import System
from rejoin_conformance.corpus.clauses import clauses_of
from rejoin_conformance.corpus.statements import Backing, DocumentTrace, trace_document
from rejoin_conformance.corpus.trace import Trace, trace_system
from rejoin_conformance.kit.counted import counted
from rejoin_conformance.kit.document import Block, Fold, Items, Text
from rejoin_conformance.kit.json_types import Json
from rejoin_conformance.kit.near_misses import did_you_mean
from rejoin_conformance.kit.options import arg, opt


@frozen(kw_only=True)
class TraceOptions:
    """The clauses or the document to trace."""

    systems: tuple[System, ...] = arg("[SYSTEM]...", ())
    clause: str | None = opt(
        "Print only this clause, with the names that refer to it.", None, shown="all clauses"
    )
    document: System | None = opt(
        "Print the source document of this system, statement by statement, instead of clauses.",
        None,
    )
    as_json: bool = json_option(
        "Print one line of JSON for each clause or statement instead of text."
    )


@command(TraceOptions, "trace")
def trace(options: TraceOptions) -> int:
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
    clause = options.clause
    if options.document is not None:
        if options.systems or clause is not None:
            raise click.UsageError("--document takes neither another SYSTEM nor --clause")
        return _document(trace_document(options.document.name), as_json=options.as_json)
    chosen = options.systems or all_systems()
    if clause is not None:
        chosen = tuple(
            each for each in chosen if clause in {known.id for known in clauses_of(each.name)}
        )
        if not chosen:
            known = (each.id for system in all_systems() for each in clauses_of(system.name))
            near = did_you_mean(clause, known)
            stop(
                WRONG_USAGE,
                f"there is no clause {clause!r}; list all clauses with: rejoin trace{near}",
            )
    faults: list[str] = []
    shown = 0
    for system in chosen:
        traces, found = trace_system(system.name)
        faults += found
        for each in traces:
            if clause not in {None, each.clause.id}:
                continue
            shown += 1
            if options.as_json:
                print_json(each.to_json())
            elif clause is None:
                click.echo(_row(each))
            else:
                print_document([*_in_full(each)])
    if clause is not None:
        return 0
    return _end(faults, {}, "the trace", as_json=options.as_json) or _sum(
        f"{counted(shown, 'clause')}, no faults", as_json=options.as_json
    )


def _end(faults: list[str], more: dict[str, Json], where: str, *, as_json: bool) -> int:
    """Print the faults. Return the exit code."""
    if as_json:
        print_json({"faults": [*faults], **more})
    else:
        for fault in faults:
            click.echo(f"FAULT {fault}")
    if faults:
        stop(NOT_CONFORMANT, f"{counted(len(faults), 'fault')} in {where}")
    return 0


def _sum(text: str, *, as_json: bool) -> int:
    if not as_json:
        click.echo(text)
    return 0


def _row(each: Trace) -> str:
    vectors = len(each.vectors) + len(each.generated)
    return (
        f"{each.clause.id:<44} {each.clause.level:<6} {len(each.functions):>3} functions "
        f"{vectors:>4} vectors {len(each.laws):>2} laws {len(each.model):>2} definitions "
        f"{len(each.proofs):>2} proofs"
    )


def _in_full(each: Trace) -> Iterator[Block]:
    clause = each.clause
    yield Text(f"{clause.id} ({clause.level}), {clause.file}")
    yield Items([clause.text])
    generated = f"and {counted(len(each.generated), 'vector')} from random histories and the model"
    for title, names in (
        ("functions", each.functions),
        ("vectors", (*each.vectors, *([generated] if each.generated else []))),
        ("laws", [f"{law}, decided by {', '.join(by)}" for law, by in each.laws.items()]),
        ("definitions of the model", each.model),
        ("proofs", each.proofs),
    ):
        yield Fold(f"{title}:", [Items(names)])


def _document(traced: DocumentTrace, *, as_json: bool) -> int:
    """Print the statements of a system's document, then the faults of the list."""
    statements, faults = traced.document.statements, [*traced.faults]
    if as_json:
        for each in statements:
            print_json(traced.row(each))
    else:
        click.echo(f"{traced.document.document}: line, statement, what holds it")
        for each in statements:
            kind = f"  [{each.kind}]" if each.kind else ""
            click.echo(f"{each.line:>5}  {each.gist}{kind}")
            held = [(name, traced.backing.get(name, Backing())) for name in each.held_by]
            for line in (*(_backed(*one) for one in held), *each.shown_by, *each.measured_by):
                click.echo(f"         {line}")
    _end(faults, {"unnamed": [*traced.unnamed]}, "the list of statements", as_json=as_json)
    prose = traced.only_prose()
    lines = ", ".join(str(each.line) for each in prose)
    added = counted(len(traced.unnamed), "clause or erratum", "clauses and errata")
    more = f"\nThe spec adds {added}: {', '.join(traced.unnamed)}." if traced.unnamed else ""
    return _sum(
        f"{counted(len(statements), 'statement')}, no faults. No vector, law, proof or measurement "
        f"backs {len(prose)} of them{f': lines {lines}' if prose else ''}.{more}",
        as_json=as_json,
    )


def _backed(name: str, by: Backing) -> str:
    counts = f"{counted(by.vectors, 'vector')}, {counted(by.laws, 'law')}"
    return f"{name:<34} {counts}, {counted(by.proofs, 'proof')}"
