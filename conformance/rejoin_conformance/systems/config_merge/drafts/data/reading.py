"""Short forms for drafts that put data to the operation `diff`."""

from __future__ import annotations

from rejoin_conformance.contract.vector import Draft
from rejoin_conformance.kit.json_types import JsonObject
from rejoin_conformance.systems.config_merge.drafts.by_hand.bt import Tree, bt
from rejoin_conformance.systems.config_merge.drafts.by_hand.drafts import accepted, refused


def read(name: str, summary: str, clauses: str, data: Tree, diff: Tree) -> Draft:
    """A draft whose data are valid; diff: what leads to them from empty data."""
    return accepted(name, "diff", summary, clauses, to(data), {"diff": bt(diff).hex()})


def unread(
    name: str,
    summary: str,
    clauses: str,
    bad: Tree,
    good: Tree,
    *,
    libsession_diff: Tree | None = None,
) -> Draft:
    """A draft whose data are refused; libsession_diff: where `libsession` accepts them."""
    libsession: JsonObject | None = None
    if libsession_diff is not None:
        libsession = {"diff": bt(libsession_diff).hex()}
    return refused(name, "diff", summary, clauses, to(bad), to(good), libsession=libsession)


def to(data: Tree) -> JsonObject:
    """The input of `diff` from empty data to these."""
    return {"old": bt({}).hex(), "new": bt(data).hex()}
