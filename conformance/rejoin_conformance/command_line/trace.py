"""`rejoin trace`: the functions, vectors, laws, definitions and proofs of each clause."""

from __future__ import annotations

import fnmatch
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

import click
from attrs import frozen

from rejoin_conformance.command_line.console import NOT_CONFORMANT, Out, print_json, stop
from rejoin_conformance.command_line.options import command
from rejoin_conformance.contract.registry import all_systems, system_names
from rejoin_conformance.contract.system import System
from rejoin_conformance.corpus.clauses import clauses_of, implementers
from rejoin_conformance.corpus.load import load_system
from rejoin_conformance.corpus.statements import (
    Backing,
    DocumentTrace,
    Statement,
    document_of,
    errata_backing,
    trace_document,
)
from rejoin_conformance.corpus.trace import Trace, trace_system
from rejoin_conformance.kit.codec import plain
from rejoin_conformance.kit.document import Block, Fold, Heading, Items, Span, Table, Text
from rejoin_conformance.kit.json_types import JsonObject
from rejoin_conformance.kit.options import arg, opt
from rejoin_conformance.kit.text import counted, did_you_mean
from rejoin_conformance.reports.document_markdown import document_markdown

_COLUMNS: Final = (
    "clause", "level", "functions", "vectors", "laws", "definitions", "proofs",
)  # fmt: skip


@frozen(kw_only=True)
class TraceOptions:
    """The clauses or the document to trace."""

    systems: tuple[System, ...] = arg("[SYSTEM]...", ())
    clause: str | None = opt(
        "Print only this clause or shell pattern, or the clauses of this function or vector.",
        None,
        shown="all clauses",
    )
    document: System | None = opt(
        "Print the source document of this system, statement by statement, instead of clauses.",
        None,
    )
    laws: bool = opt(
        "Print the laws that random histories check, as a page in Markdown, instead of clauses.",
        default=False,
    )
    out: Out


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
      rejoin trace --laws history-merge
    """
    if options.laws and (options.clause is not None or options.document is not None):
        raise click.UsageError("--laws takes neither --clause nor --document")
    if options.document is not None and (options.systems or options.clause is not None):
        raise click.UsageError("--document takes neither another SYSTEM nor --clause")
    if options.document is not None:
        return _document(trace_document(options.document.name), options)
    chosen = options.systems or all_systems()
    if options.laws:
        for system, law in ((each, law) for each in chosen for law in each.laws):
            if options.out.as_json:
                print_json({"system": system.name, **plain(law)})
        if not options.out.as_json:
            click.echo(document_markdown([*_laws(chosen)]), nl=False)
        return 0
    if options.clause is not None:
        return _clause(options.clause, chosen, options)
    traced = [trace_system(system.name) for system in chosen]
    rows = [each for traces, _ in traced for each in traces]
    table = Table(_COLUMNS, [*map(_row, rows)], numbers=frozenset(range(2, 7)))
    options.out.tell_each((each.to_json() for each in rows), lambda: [table])
    sound = f"{counted(len(rows), 'clause')}, no faults"
    return _end([each for _, faults in traced for each in faults], {}, "the trace", sound, options)


def _clause(name: str, chosen: Sequence[System], options: TraceOptions) -> int:
    """Print each clause that is asked for, with all that refers to it.

    name: a pattern of clauses, or a function or vector, which stands for its clauses.
    """
    known = {each.id: system for system in all_systems() for each in clauses_of(system.name)}
    meant = fnmatch.filter(known, name) or _clauses_of(name)
    found = [each for each in meant if known[each] in chosen]
    if not found:
        why = f"a clause of {known[name].name}" if name in known else _no_clause(name)
        near = f"there is no clause {name!r}; list all clauses with: rejoin trace"
        near += did_you_mean(name.upper(), known)
        stop(f"{name} is {why}" if why else near)
    shown: list[tuple[Trace, dict[int, str]]] = []
    for system in dict.fromkeys(known[each].name for each in found):
        statements = document_of(system).statements
        for one in trace_system(system, found)[0]:
            lines = {each.line: each.gist for each in statements if one.clause.id in each.held_by}
            shown.append((one, lines))
    options.out.tell_each(
        ({**one.to_json(), "lines": [*lines]} for one, lines in shown),
        lambda: [block for each in shown for block in _in_full(*each)],
    )
    return 0


def _laws(systems: Iterable[System]) -> Iterator[Block]:
    yield Heading("The laws", level=1)
    says = " prints this page: what a campaign checks in its histories."
    yield Text((Span("rejoin trace --laws", "code"), says))
    for system in systems:
        yield Heading(system.title)
        rows = [
            (Span(each.name, "code"), *(Span(cell, "prose") for cell in cells))
            for each in system.laws
            for clauses, by in [map(", ".join, (each.clauses, each.claimed_by))]
            for cells in [(each.statement, each.premises, clauses, by)]
        ]
        yield Table(("law", "what it says", "premise", "clauses", "claimed by"), rows)


def _end(
    faults: Sequence[str], more: JsonObject, where: str, sound: str, options: TraceOptions
) -> int:
    """Print the faults, or that there are none. Return the exit code."""
    lines = [f"FAULT {fault}" for fault in faults] or sound.split("\n")
    options.out.tell(lambda: {"faults": [*faults], **more}, lambda: map(Text, lines))
    if faults:
        stop(f"{counted(len(faults), 'fault')} in {where}", NOT_CONFORMANT)
    return 0


def _row(each: Trace) -> tuple[str, ...]:
    vectors = len(each.vectors) + len(each.generated)
    counts = (len(each.functions), vectors, len(each.laws), len(each.model), len(each.proofs))
    return each.clause.id, each.clause.level, *map(str, counts)


def _clauses_of(name: str) -> list[str]:
    """Return the clauses of the functions that a name means, or of a vector."""
    named = [each for each in implementers("rejoin") if f".{each.name}".endswith(f".{name}")]
    system = name.partition("/")[0]
    vectors = load_system(system) if system in system_names() else ()
    lists = [each.clauses for each in named] + [one.clauses for one in vectors if one.id == name]
    return [*dict.fromkeys(clause for each in lists for clause in each)]


def _no_clause(name: str) -> str:
    """Return where an erratum of this name stands; an empty text if it is not an erratum."""
    systems = (each.name for each in all_systems() if name in errata_backing(each.name))
    return "".join(f"an erratum; see spec/{system}/errata.md" for system in systems)


def _in_full(each: Trace, lines: Mapping[int, str]) -> Iterator[Block]:
    clause = each.clause
    signatures = {one.name: one.signature for one in implementers("rejoin")}
    yield Fold(f"{clause.id} ({clause.level}), {clause.file}", [Text(Span(clause.text, "prose"))])
    generated = f"and {counted(len(each.generated), 'vector')} from random histories and the model"
    for title, names in (
        ("lines of the document", [f"{line}: {gist}" for line, gist in lines.items()]),
        ("functions", [f"{name}{signatures[name]}" for name in each.functions]),
        ("vectors", (*each.vectors, *([generated] if each.generated else []))),
        ("laws", [f"{law}, decided by {', '.join(by)}" for law, by in each.laws.items()]),
        ("definitions of the model", each.model),
        ("proofs", each.proofs),
    ):
        if names:
            yield Fold(f"{title}:", [Items(names)])


def _document(traced: DocumentTrace, options: TraceOptions) -> int:
    """Print the statements of a system's document, then the faults of the list."""
    statements, prose = traced.document.statements, traced.only_prose()
    if not options.out.as_json:
        document = traced.document
        click.echo(f"line, statement, what holds it; {document.document}: {document.text}")
    folds = [_statement(traced, each) for each in statements]
    options.out.tell_each(map(traced.row, statements), lambda: folds)
    lines = f": lines {', '.join(str(each.line) for each in prose)}" if prose else ""
    added = counted(len(traced.unnamed), "clause or erratum", "clauses and errata")
    more = f"\nThe spec adds {added}: {', '.join(traced.unnamed)}." if traced.unnamed else ""
    backs = f"No vector, law, proof or measurement backs {len(prose)} of them{lines}.{more}"
    sound = f"{counted(len(statements), 'statement')}, no faults. {backs}"
    unnamed: JsonObject = {"unnamed": [*traced.unnamed]}
    return _end(traced.faults, unnamed, "the list of statements", sound, options)


def _statement(traced: DocumentTrace, each: Statement) -> Fold:
    kind = f"  [{each.kind}]" if each.kind else ""
    rows = [("reason", each.reason)] if each.reason else []
    for name in each.held_by:
        by = traced.backing.get(name, Backing())
        counts = f"{counted(by.vectors, 'vector')}, {counted(by.laws, 'law')}"
        rows.append((name, f"{counts}, {counted(by.proofs, 'proof')}"))
    rows += [(name, "") for name in (*each.shown_by, *each.measured_by)]
    return Fold(f"{each.line:>5}  {each.gist}{kind}", [Table((), rows)] if rows else [])
