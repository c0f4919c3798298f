"""The changes between two result files, by vector."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from attrs import frozen

from rejoin_conformance.adapters.results.file import Results
from rejoin_conformance.adapters.results.records import Key, Record
from rejoin_conformance.kit.json_types import JsonObject
from rejoin_conformance.kit.judged import Judged

FAILING: Final = "newly failing"
GROUPS: Final = (FAILING, "newly passing", "appeared", "disappeared", "changed")
"""The kinds of changes, the worst first: fails or passes in the new results only; is in one of the
files only, and does not fail in the new one; any other change, such as another failure."""


@frozen
class Change:
    """A vector and reading whose records differ. A side without it is None."""

    key: Key
    old: Record | None
    new: Record | None

    def to_json(self) -> JsonObject:
        """Return the ID, the reading and both verdicts."""
        old, new = (None if each is None else each.verdict for each in (self.old, self.new))
        return {"id": self.key[0], "reading": self.key[1], "old": old, "new": new}


def compare(old: Results, new: Results) -> Mapping[str, Sequence[Change]]:
    """Return each of GROUPS -> the changes from the old results to the new ones."""
    groups: dict[str, list[Change]] = {title: [] for title in GROUPS}
    for key in sorted({*old.records, *new.records}):
        change = Change(key, old.records.get(key), new.records.get(key))
        group = _group(change)
        if group is not None:
            groups[group].append(change)
    return groups


def judged(old: Results, new: Results) -> Judged:
    """Return what can be judged: the cases with an answer in both. Those of OLD are to be asked."""
    asked = [{key for key, each in one.records.items() if each.answers} for one in (old, new)]
    unfinished = sum(each.footer is None for each in (old, new))
    return Judged(
        asked=len(asked[0] & asked[1]),
        left_out=len(asked[0] - asked[1]) + unfinished,
        broken=len(compare(old, new)[FAILING]),
    )


def diff_json(groups: Mapping[str, Sequence[Change]]) -> JsonObject:
    """Return the changes as data, for `--json`."""
    return {
        title.replace(" ", "_"): [change.to_json() for change in changes]
        for title, changes in groups.items()
    }


def _group(change: Change) -> str | None:
    old, new = change.old, change.new
    if new is None:
        return "disappeared"
    if new.failed and not (old is not None and old.failed):
        return FAILING
    if old is None:
        return "appeared"
    if new.verdict == "pass" and old.verdict != "pass":
        return "newly passing"
    same = (old.verdict, old.explanation) == (new.verdict, new.explanation)
    return None if same else "changed"
