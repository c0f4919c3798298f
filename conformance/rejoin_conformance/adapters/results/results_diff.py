"""The changes between two result files, by vector."""

from __future__ import annotations

from attrs import field, frozen

from rejoin_conformance.adapters.results.read import Results
from rejoin_conformance.adapters.results.records import Key, Record
from rejoin_conformance.kit.json_types import Json, JsonObject


@frozen(kw_only=True)
class Change:
    """A vector and reading whose records differ. A side without it is None."""

    key: Key
    old: Record | None
    new: Record | None

    def to_json(self) -> JsonObject:
        """Return the ID, the reading and both verdicts."""
        vector_id, reading = self.key
        return {
            "id": vector_id,
            "reading": reading,
            "old": None if self.old is None else self.old.verdict,
            "new": None if self.new is None else self.new.verdict,
        }


@frozen(kw_only=True)
class ResultsDiff:
    """The changes, each in one group.

    failing: fails in the new results only; in the old ones it passed, was not declared or was
        missing.
    passing: passes in the new results only.
    appeared, disappeared: in one of the files only, and not failing in the new one.
    changed: any other change: another failure, or no longer declared.
    """

    failing: tuple[Change, ...] = field(default=())
    passing: tuple[Change, ...] = field(default=())
    appeared: tuple[Change, ...] = field(default=())
    disappeared: tuple[Change, ...] = field(default=())
    changed: tuple[Change, ...] = field(default=())

    def groups(self) -> tuple[tuple[str, tuple[Change, ...]], ...]:
        """Return (title, changes) for each group, the worst first."""
        return (
            ("newly failing", self.failing),
            ("newly passing", self.passing),
            ("appeared", self.appeared),
            ("disappeared", self.disappeared),
            ("changed", self.changed),
        )

    def to_json(self) -> JsonObject:
        """Return the comparison as data, for `--json`."""
        value: JsonObject = {}
        for title, changes in self.groups():
            listed: list[Json] = [change.to_json() for change in changes]
            value[title.replace(" ", "_")] = listed
        return value


def compare(old: Results, new: Results) -> ResultsDiff:
    """Return the changes from the old results to the new ones, by ID and reading."""
    groups: dict[str, list[Change]] = {}
    for key in sorted({*old.records, *new.records}):
        change = Change(key=key, old=old.records.get(key), new=new.records.get(key))
        group = _group(change)
        if group is not None:
            groups.setdefault(group, []).append(change)
    return ResultsDiff(**{group: tuple(changes) for group, changes in groups.items()})


def _group(change: Change) -> str | None:
    old, new = change.old, change.new
    if new is None:
        return "disappeared"
    if new.failed and not (old is not None and old.failed):
        return "failing"
    if old is None:
        return "appeared"
    if new.verdict == "pass" and old.verdict != "pass":
        return "passing"
    same = (old.verdict, old.explanation) == (new.verdict, new.explanation)
    return None if same else "changed"
