"""`rejoin vectors diff`: compare two corpora by the ID of the vector."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from pathlib import Path
from typing import Final

import click

from rejoin_conformance.command_line.console import NOT_CONFORMANT, print_json
from rejoin_conformance.corpus.corpus_diff import (
    BREAKING,
    EVERY_OTHER,
    CorpusChange,
    CorpusDiff,
    Kind,
    compare_corpora,
)
from rejoin_conformance.corpus.released import ReleasedCorpus, read_corpus
from rejoin_conformance.kit.counted import counted
from rejoin_conformance.kit.json_types import Json, JsonObject
from rejoin_conformance.kit.untrusted import shown_line

_CORPUS: Final = click.Path(path_type=Path)
_TITLES: Final[dict[Kind, str]] = {
    "result": "changed result",
    "input": "changed input",
    "added": "added",
    "retired": "retired",
    "mended": "changed mended input",
    "tags": "changed tags",
    "text": "changed summary",
    "form": "written in another form",
}


@click.command()
@click.argument("old", type=_CORPUS)
@click.argument("new", type=_CORPUS)
@click.option("--json", "as_json", is_flag=True, help="Print one line of JSON instead of text.")
def diff(old: Path, new: Path, *, as_json: bool) -> None:
    """List the changes between two corpora.

    OLD and NEW are folders. The command lists the vectors that changed,
    by ID. The first section lists the changes that can turn a conformant implementation into one
    that is not conformant. The command then prints the smallest version that the new corpus may
    have (docs/releases.md). For a git revision, make a folder first: git worktree add ../old
    v0.1.0

    \b
    Examples:
      rejoin vectors diff rejoin-vectors-0.1.0 rejoin-vectors-0.2.0
      rejoin vectors diff ../old . --json

    \b
    Exit codes:
      0  no such change, and the version is high enough      2  wrong usage, or a corrupt corpus
      1  at least one such change, a version that is too low, or an ID that is used again
    """
    compared = compare_corpora(read_corpus(old), read_corpus(new))
    if as_json:
        print_json(_as_json(compared))
    else:
        for line in _lines(compared):
            click.echo(line)
    if compared.can_break or compared.broken_promises or not compared.has_required_version:
        raise click.exceptions.Exit(NOT_CONFORMANT)


def _as_json(compared: CorpusDiff) -> JsonObject:
    changes: list[Json] = [change.to_json() for change in compared.changes]
    return {
        "old": _about(compared.old),
        "new": _about(compared.new),
        "changes": changes,
        "can_break": compared.can_break,
        "broken_promises": [*compared.broken_promises],
        "step": compared.step,
        "required_version": compared.required_version,
        "has_required_version": compared.has_required_version,
    }


def _about(corpus: ReleasedCorpus) -> JsonObject:
    return {"version": corpus.version, "vectors": len(corpus.vectors)}


def _lines(compared: CorpusDiff) -> Iterator[str]:
    for side, corpus in (("old", compared.old), ("new", compared.new)):
        version = corpus.version or "no version"
        yield f"{side}  {version}  {counted(len(corpus.vectors), 'vector')}"
    for title, breaking in (
        ("can turn a conformant implementation into one that is not", True),
        ("cannot", False),
    ):
        chosen = [each for each in compared.changes if (each.kind in BREAKING) == breaking]
        if chosen:
            yield f"\n{title}"
        for kind, changes in groupby(chosen, key=lambda each: each.kind):
            listed = tuple(changes)
            yield f"  {_TITLES[kind]}: {len(listed):,}"
            yield from (f"    {_line(change)}" for change in listed)
    if compared.broken_promises:
        yield "\nbroken promises"
        yield from (f"  {shown_line(line)}" for line in compared.broken_promises)
    yield f"\n{_conclusion(compared)}"


def _line(change: CorpusChange) -> str:
    """Return an ID with the operation, or with what changed."""
    if change.readings:
        alone = change.readings == (EVERY_OTHER,)
        named = ("other readings" if each == EVERY_OTHER else each for each in change.readings)
        return shown_line(f"{change.id} [{'every reading' if alone else ', '.join(named)}]")
    if change.kind == "added":
        return f"{change.id}  ({change.operation})"
    return shown_line(f"{change.id}: {change.about}" if change.about else change.id)


def _conclusion(compared: CorpusDiff) -> str:
    if compared.step == "none":
        return "no vector changed"
    if not compared.required_version:
        return "the old corpus has no version, so it promises nothing about the new one"
    needed = compared.required_version
    if compared.has_required_version:
        return f"the new corpus needs version {needed} or higher; it has {compared.new.version}"
    has = compared.new.version or "no version"
    return f"the new corpus needs version {needed} or higher, but it has {has}"
