"""`rejoin vectors diff`: compare two corpora."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from pathlib import Path
from typing import Final

import click
from attrs import frozen

from rejoin_conformance.command_line.console import NOT_CONFORMANT, Out
from rejoin_conformance.command_line.options import command
from rejoin_conformance.corpus.corpus_diff import (
    BREAKING,
    EVERY_OTHER,
    CorpusChange,
    CorpusDiff,
    Kind,
    compare_corpora,
)
from rejoin_conformance.corpus.released import read_corpus
from rejoin_conformance.kit.document import Block, Fold, Items, Text
from rejoin_conformance.kit.options import arg
from rejoin_conformance.kit.text import counted

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


@frozen(kw_only=True)
class VectorsDiff:
    """Two corpora."""

    old: Path = arg(form=_CORPUS)
    new: Path = arg(form=_CORPUS)
    out: Out


@command(VectorsDiff, "diff")
def diff(options: VectorsDiff) -> int:
    """List the changes between two corpora.

    OLD and NEW are folders. The command lists the vectors that changed, by ID. The first section
    lists the changes that can turn a conformant implementation into one that is not conformant. The
    command then prints the smallest version that the new corpus may have (docs/releases.md). For a
    git revision, make a folder first: git archive v0.1.0 vectors | tar -x -C old

    \b
    Examples:
      rejoin vectors diff rejoin-vectors-0.1.0 rejoin-vectors-0.2.0
      rejoin vectors diff old/vectors vectors --json
    """
    compared = compare_corpora(read_corpus(options.old), read_corpus(options.new))
    options.out.tell(compared.to_json, lambda: _blocks(compared))
    bad = compared.can_break or compared.broken_promises or not compared.has_required_version
    return NOT_CONFORMANT if bad else 0


def _blocks(compared: CorpusDiff) -> Iterator[Block]:
    for side, corpus in (("old", compared.old), ("new", compared.new)):
        version = corpus.version or "no version"
        yield Text(f"{side}  {version}  {counted(len(corpus.vectors), 'vector')}")
    for title, breaking in (
        ("can turn a conformant implementation into one that is not", True),
        ("cannot", False),
    ):
        chosen = [each for each in compared.changes if (each.kind in BREAKING) == breaking]
        groups = [(kind, [*each]) for kind, each in groupby(chosen, key=lambda each: each.kind)]
        if groups:
            yield Fold(
                title,
                [
                    Fold(f"{_TITLES[kind]}: {len(changes):,}", [Items([*map(_line, changes)])])
                    for kind, changes in groups
                ],
            )
    if compared.broken_promises:
        yield Fold("broken promises", [Items(compared.broken_promises)])
    yield Text(_conclusion(compared))


def _line(change: CorpusChange) -> str:
    """Return an ID with the operation, or with what changed."""
    if change.readings:
        alone = change.readings == (EVERY_OTHER,)
        named = ("other readings" if each == EVERY_OTHER else each for each in change.readings)
        return f"{change.id} [{'every reading' if alone else ', '.join(named)}]"
    if change.kind == "added":
        return f"{change.id}  ({change.operation})"
    return f"{change.id}: {change.about}" if change.about else change.id


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
