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
files only, and does not fail in the new one; any other change, such as another failure.

An answer that needed another process fails, unless the run accepted restarts."""


@frozen
class Change:
    """A vector and reading whose records differ. A side without it is None.

    restarts: whether the answer of each side needed another process, and the run does not accept
    that.
    """

    key: Key
    old: Record | None
    new: Record | None
    restarts: tuple[bool, bool] = (False, False)

    @property
    def verdicts(self) -> tuple[str | None, str | None]:
        """Return both verdicts, with the restarts; None for a side without the vector."""
        said = [
            None if each is None else f"{each.verdict}{', after a restart' if restarted else ''}"
            for each, restarted in zip((self.old, self.new), self.restarts, strict=True)
        ]
        return said[0], said[1]

    def to_json(self) -> JsonObject:
        """Return the ID, the reading and both verdicts."""
        old, new = self.verdicts
        return {"id": self.key[0], "reading": self.key[1], "old": old, "new": new}


def compare(old: Results, new: Results) -> Mapping[str, Sequence[Change]]:
    """Return each of GROUPS -> the changes from the old results to the new ones."""
    groups: dict[str, list[Change]] = {title: [] for title in GROUPS}
    for key in sorted({*old.records, *new.records}):
        sides = old.records.get(key), new.records.get(key)
        change = Change(key, *sides, (_restarted(old, sides[0]), _restarted(new, sides[1])))
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
    before, after = change.restarts
    if new is None:
        return "disappeared"
    if (new.failed or after) and not (before or (old is not None and old.failed)):
        return FAILING
    if old is None:
        return "appeared"
    if new.verdict == "pass" and not after and (old.verdict != "pass" or before):
        return "newly passing"
    same = (old.verdict, old.explanation, before) == (new.verdict, new.explanation, after)
    return None if same else "changed"


def _restarted(results: Results, record: Record | None) -> bool:
    accepted = results.configuration.allow_restarts
    return record is not None and record.volatile.restarted and not accepted
