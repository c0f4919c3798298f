"""`rejoin diff`: compare two result files."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import click
from attrs import frozen

from rejoin_conformance.adapters.results.file import read_results
from rejoin_conformance.adapters.results.results_diff import Change, compare, diff_json, judged
from rejoin_conformance.command_line.console import Out, ended
from rejoin_conformance.command_line.options import command
from rejoin_conformance.kit.document import Block, Code, Fold, Text
from rejoin_conformance.kit.options import arg
from rejoin_conformance.kit.text import counted, shown


@frozen(kw_only=True)
class Diff:
    """Two result files."""

    old: Path = arg()
    new: Path = arg()
    out: Out


@command(Diff, "diff")
def diff(options: Diff) -> int:
    """Compare two result files vector by vector.

    OLD and NEW are files that `rejoin run --output` wrote. The command lists every vector and
    reading whose verdict changed. An answer that needed another process counts as a failure, unless
    its run had --allow-restarts.

    \b
    Examples:
      rejoin diff main.ndjson branch.ndjson
      rejoin diff main.ndjson branch.ndjson --json
    """
    before, after = read_results(options.old), read_results(options.new)
    comparison = compare(before, after)
    for path, results in ((options.old, before), (options.new, after)):
        if results.footer is None and not options.out.as_json:
            click.echo(f"{path}: incomplete: the run was interrupted", err=True)
    options.out.tell(lambda: diff_json(comparison), lambda: blocks(comparison))
    found = judged(before, after)
    lost = found.left_out - sum(each.footer is None for each in (before, after))
    if lost:
        said = f"{counted(lost, 'verdict')} of {options.old} have none in {options.new}"
        click.echo(f"rejoin: incomplete: {said}", err=True)
    return ended(found, "the files have no verdict in common")


def blocks(comparison: Mapping[str, Sequence[Change]]) -> Iterator[Block]:
    """Yield the changes by group, the worst first; or that there are none."""
    if not any(comparison.values()):
        yield Text("no verdict changed")
    for title, changes in comparison.items():
        if changes:
            told = title in {"newly failing", "changed"}
            listed = [_changed(change, told=told) for change in changes]
            yield Fold(f"{title}: {len(changes)}", listed)


def _changed(change: Change, *, told: bool) -> Fold:
    vector_id, reading = change.key
    old, new = (each or "-" for each in change.verdicts)
    why = shown(change.explanation, 1000) if told else ""
    return Fold(f"{vector_id} [{reading}]: {old} -> {new}", [Code(why)] if why else [])
