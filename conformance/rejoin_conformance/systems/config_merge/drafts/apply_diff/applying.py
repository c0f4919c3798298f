"""Short forms for drafts of `apply-diff`."""

from __future__ import annotations

from typing import TypeAlias

from rejoin_conformance.contract.vector import Draft
from rejoin_conformance.kit.json_types import JsonObject
from rejoin_conformance.systems.config_merge.drafts.by_hand.bt import Tree, bt
from rejoin_conformance.systems.config_merge.drafts.by_hand.drafts import accepted, refused

Case: TypeAlias = tuple[str, str, Tree, Tree, Tree, Tree, str]
"""Name, clauses, data, diff, source, the data afterwards, summary."""

Parting: TypeAlias = tuple[str, str, Tree, Tree, Tree, Tree, Tree, str]
"""The same with the data afterwards in both readings, `document` first."""


def applied(case: Case) -> Draft:
    """A draft on which the readings agree."""
    name, clauses, data, diff, source, after, summary = case
    return accepted(name, "apply-diff", summary, clauses, _given(data, diff, source), _data(after))


def parted(case: Parting) -> Draft:
    """A draft on which they do not."""
    name, clauses, data, diff, source, after, in_libsession, summary = case
    return accepted(
        name,
        "apply-diff",
        summary,
        clauses,
        _given(data, diff, source),
        _data(after),
        libsession=_data(in_libsession),
    )


def unapplied(
    name: str,
    clauses: str,
    bad: tuple[Tree, Tree, Tree],
    good: tuple[Tree, Tree, Tree],
    summary: str,
    *,
    in_libsession: Tree | None = None,
) -> Draft:
    """A draft whose data, diff or source is invalid, in `document` at least."""
    return refused(
        name,
        "apply-diff",
        summary,
        clauses,
        _given(*bad),
        _given(*good),
        libsession=None if in_libsession is None else _data(in_libsession),
    )


def _given(data: Tree, diff: Tree, source: Tree) -> JsonObject:
    return {"data": bt(data).hex(), "diff": bt(diff).hex(), "source": bt(source).hex()}


def _data(tree: Tree) -> JsonObject:
    return {"data": bt(tree).hex()}
