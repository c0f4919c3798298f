"""The changes between two result files, by vector."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from attrs import frozen

from rejoin_conformance.adapters.results.file import Results
from rejoin_conformance.adapters.results.records import Key
from rejoin_conformance.kit.json_types import JsonObject
from rejoin_conformance.kit.judged import Judged

FAILING: Final = "newly failing"
GROUPS: Final = (FAILING, "newly passing", "appeared", "disappeared", "changed")
"""The kinds of changes, the worst first: fails or passes in the new results only; is in one of the
files only, and does not fail in the new one; any other change, such as another failure.

An answer that needed another process fails, unless the run accepted restarts."""


@frozen
class Change:
    """A vector and reading whose records differ.

    verdicts: of both sides, with the restarts that the run does not accept; None for a side without
    the vector. explanation: why the new side fails; empty if it does not.
    """

    key: Key
    verdicts: tuple[str | None, str | None]
    explanation: str = ""

    def to_json(self) -> JsonObject:
        """Return the ID, the reading and both verdicts."""
        old, new = self.verdicts
        return {"id": self.key[0], "reading": self.key[1], "old": old, "new": new}


def compare(old: Results, new: Results) -> Mapping[str, Sequence[Change]]:
    """Return each of GROUPS -> the changes from the old results to the new ones."""
    groups: dict[str, list[Change]] = {title: [] for title in GROUPS}
    for key in sorted({*old.records, *new.records}):
        (before, why_before), (after, why) = _said(old, key), _said(new, key)
        group = _group(before, after)
        if group is None and why_before != why:
            group = "changed"
        if group is not None:
            groups[group].append(Change(key, (before, after), why))
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


def _said(results: Results, key: Key) -> tuple[str | None, str]:
    """Return the verdict of a vector with its restart, and its explanation."""
    record = results.records.get(key)
    if record is None:
        return None, ""
    restarted = record.volatile.restarted and not results.configuration.allow_restarts
    return f"{record.verdict}{', after a restart' if restarted else ''}", record.explanation


def _group(before: str | None, after: str | None) -> str | None:
    """Return the kind of a change of verdicts; None if they are equal."""
    well = {None, "pass", "not-declared"}
    if after is None:
        return "disappeared"
    if before in well and after not in well:
        return FAILING
    if before is None:
        return "appeared"
    if after == "pass" != before:
        return "newly passing"
    return None if before == after else "changed"
