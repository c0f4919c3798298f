"""Diffs between sets, and their application where they were not made for."""

from __future__ import annotations

from typing import Final

from rejoin_conformance.contract.vector import Draft, Topic
from rejoin_conformance.systems.history_merge.drafting import names, query


def _diff(name: str, summary: str, sets: str, inserted: str, deleted: str) -> Draft:
    origin, changed = sets.split(",")
    return query(
        "diff",
        name,
        summary,
        "HM-3WAY-DIFF",
        given={"origin": names(origin), "changed": names(changed)},
        output={"inserted": names(inserted), "deleted": names(deleted)},
    )


def _apply(name: str, summary: str, sets: str, state: str, clauses: str = "HM-3WAY-APPLY") -> Draft:
    before, inserted, deleted = sets.split(",")
    return query(
        "apply-diff",
        name,
        summary,
        clauses,
        given={"state": names(before), "inserted": names(inserted), "deleted": names(deleted)},
        output={"state": names(state)},
    )


_FORM: Final = "HM-3WAY-DIFF-FORM HM-3WAY-APPLY"

_DRAFTS = (
    _diff("diff-of-equal", "Equal sets differ in nothing", "a b,a b", "", ""),
    _diff("diff-inserts", "What only the second has is inserted", "a,a b c", "b c", ""),
    _diff("diff-deletes", "What only the first has is deleted", "a b c,b", "", "a c"),
    _diff("diff-replaces", "Both at once", "a b,b c", "c", "a"),
    _diff("diff-from-empty", "From the empty set all is inserted", ",a b", "a b", ""),
    _diff("diff-to-empty", "To the empty set all is deleted", "a b,", "", "a b"),
    _apply("apply-to-its-origin", "A diff leads from its origin to its end", "a b,c,a", "b c"),
    _apply("apply-nothing", "An empty diff changes nothing", "a b,,", "a b"),
    _apply("insert-what-is-there", "Inserting what is there is no fault", "a b,a,", "a b"),
    _apply("delete-what-is-not-there", "Deleting what is not there is no fault", "a,,b", "a"),
    _apply("insert-and-delete-elsewhere", "A diff applies to any set", "x,a,b", "a x"),
    _apply("deletion-comes-last", "An element in both parts is deleted", "a,x,x", "a"),
    _apply("deletion-comes-last-where-it-was-there", "Also where it was there before", "a x,x,x",
           "a"),
    _apply("merge-as-diff-of-left",
           "{a,b} from {a,b,c} makes the diff -c; applied to {b,c} it gives "
           "their merge", "b c,,c", "b", _FORM),
    _apply("merge-as-diff-of-right", "{b,c} from {a,b,c} makes the diff -a; applied to {a,b} it "
           "gives the same", "a b,,a", "b", _FORM),
    _apply("merge-as-additions", "{a,b} from {b} makes the diff +a; applied to {b,c}", "b c,a,",
           "a b c", _FORM),
    _apply("apply-to-the-empty-set", "Insertions into nothing", ",a b,c", "a b"),
)  # fmt: skip

TOPIC: Final = Topic(
    name="diff-and-apply",
    notes="The 3-way merge of sets is the application of one side's diff to the other side.",
    drafts=_DRAFTS,
)
