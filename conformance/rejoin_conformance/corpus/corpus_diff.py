"""The changes between two corpora, by the ID of the vector."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final, Literal, TypeAlias, cast

from attrs import frozen

from rejoin_conformance.contract.operation import code_in
from rejoin_conformance.corpus.load import CorpusError
from rejoin_conformance.corpus.released import ReleasedCorpus
from rejoin_conformance.kit.json_forms import MalformedError
from rejoin_conformance.kit.json_types import JsonObject
from rejoin_conformance.kit.recipe import check_recipe, expand

Kind: TypeAlias = Literal["result", "input", "added", "retired", "mended", "tags", "text", "form"]
Step: TypeAlias = Literal["major", "minor", "patch", "none"]

BREAKING: Final = frozenset({"result", "input", "added"})
"""The kinds that can turn a conformant implementation into one that is not conformant."""

EVERY_OTHER: Final = "*"
"""Stands for all readings that a vector does not name."""

_TAGS: Final = ("clauses", "level", "scenario", "lineage")
_VALUES: Final = frozenset({"input", "mended", "expected", "expected_by_reading"})
_STEPS: Final[Mapping[Kind, Step]] = {
    "result": "major",
    "input": "major",
    "added": "minor",
    "retired": "minor",
    "mended": "patch",
    "tags": "patch",
    "text": "patch",
    "form": "patch",
}
_ORDER: Final[tuple[Step, ...]] = ("major", "minor", "patch", "none")


@frozen(kw_only=True)
class CorpusChange:
    """A vector that changed, in one way.

    readings: for `result`, the readings whose result changed, and for `retired`, those that have
        no result any longer; EVERY_OTHER stands for the unnamed ones. Empty for a whole vector.
    about: for `tags`, the fields; for `retired`, the reason.
    """

    id: str
    kind: Kind
    operation: str
    readings: tuple[str, ...] = ()
    about: str = ""

    def to_json(self) -> JsonObject:
        """Return the change as data."""
        value: JsonObject = {
            "id": self.id,
            "kind": self.kind,
            "operation": self.operation,
            "can_break": self.kind in BREAKING,
        }
        named: JsonObject = {"readings": [*self.readings], "about": self.about}
        return value | {name: each for name, each in named.items() if each}


@frozen(kw_only=True)
class CorpusDiff:
    """The changes, by kind and ID, and the vectors that break a promise of IDs.

    broken_promises: lines on IDs that disappeared without being retired, or are used again.
    """

    old: ReleasedCorpus
    new: ReleasedCorpus
    changes: tuple[CorpusChange, ...]
    broken_promises: tuple[str, ...]

    @property
    def can_break(self) -> bool:
        """Return whether a change can turn a conformant implementation into one that is not."""
        return any(change.kind in BREAKING for change in self.changes)

    @property
    def step(self) -> Step:
        """Return the part of the version that the changes require to increase."""
        steps = {_STEPS[change.kind] for change in self.changes}
        return next((step for step in _ORDER if step in steps), "none")

    @property
    def required_version(self) -> str:
        """Return the smallest version that the new corpus may have; empty if the old has none."""
        return next_version(self.old.version, self.step) if self.old.version else ""

    @property
    def has_required_version(self) -> bool:
        """Return whether the version of the new corpus promises no less than it keeps."""
        if not self.required_version:
            return True
        return bool(self.new.version) and _parts(self.new.version) >= _parts(self.required_version)

    def to_json(self) -> JsonObject:
        """Return the changes as data."""
        old: JsonObject = {"version": self.old.version, "vectors": len(self.old.vectors)}
        new: JsonObject = {"version": self.new.version, "vectors": len(self.new.vectors)}
        return {
            "old": old,
            "new": new,
            "changes": [change.to_json() for change in self.changes],
            "can_break": self.can_break,
            "broken_promises": [*self.broken_promises],
            "step": self.step,
            "required_version": self.required_version,
            "has_required_version": self.has_required_version,
        }


def compare_corpora(old: ReleasedCorpus, new: ReleasedCorpus) -> CorpusDiff:
    """Return the changes from the old corpus to the new one. Raises CorpusError for a recipe."""
    found = [
        change
        for identity in sorted({*old.vectors, *new.vectors})
        for change in _changes(identity, old, new)
    ]
    order = list(_STEPS)
    return CorpusDiff(
        old=old,
        new=new,
        changes=tuple(sorted(found, key=lambda each: (order.index(each.kind), each.id))),
        broken_promises=tuple(_broken_promises(old, new)),
    )


def next_version(version: str, step: Step) -> str:
    """Return the smallest version after a step. Before 1.0.0, each part moves one to the right."""
    if step == "none":
        return version
    first, second, third = _parts(version)
    if first == 0:
        return f"0.{second + 1}.0" if step == "major" else f"0.{second}.{third + 1}"
    if step == "major":
        return f"{first + 1}.0.0"
    return f"{first}.{second + 1}.0" if step == "minor" else f"{first}.{second}.{third + 1}"


def _parts(version: str) -> tuple[int, int, int]:
    first, second, third = (int(part) for part in version.split("."))
    return first, second, third


def _changes(identity: str, old: ReleasedCorpus, new: ReleasedCorpus) -> Iterator[CorpusChange]:
    """Yield the changes of one vector."""
    before, after = old.vectors.get(identity), new.vectors.get(identity)
    vector = after or before
    assert vector is not None, "one of the corpora has it"
    operation = cast("str", vector["operation"])
    if before is None:
        yield CorpusChange(id=identity, kind="added", operation=operation)
    elif after is None:
        reason = new.retired.get(identity, "")
        yield CorpusChange(id=identity, kind="retired", operation=operation, about=reason)
    elif before != after:
        yield from _changes_within(identity, operation, before, after)


def _changes_within(
    identity: str, operation: str, before: JsonObject, after: JsonObject
) -> Iterator[CorpusChange]:
    """Yield what changed in the meaning of a vector; its form, if it means the same."""
    found = [*_meant(_expanded(identity, before), _expanded(identity, after))]
    for kind, readings, about in found or [("form", (), "")]:
        yield CorpusChange(
            id=identity, kind=kind, operation=operation, readings=readings, about=about
        )


def _meant(one: JsonObject, two: JsonObject) -> Iterator[tuple[Kind, tuple[str, ...], str]]:
    """Yield each kind of change with its readings, or with what it is about."""
    old, new = _results(one), _results(two)
    changed = tuple(
        reading
        for reading in sorted({*old, *new})
        if (expected := new.get(reading, new.get(EVERY_OTHER))) is not None
        and _without_code(expected) != _without_code(old.get(reading, old.get(EVERY_OTHER)))
    )
    if changed:
        yield "result", changed, ""
    if EVERY_OTHER not in new and (lost := tuple(sorted(old.keys() - new.keys()))):
        yield "retired", lost, ""
    if (one["operation"], one["input"]) != (two["operation"], two["input"]):
        yield "input", (), ""
    if one.get("mended") != two.get("mended"):
        yield "mended", (), ""
    tags = [name for name in _TAGS if one.get(name) != two.get(name)]
    codes = [{name: code for name in each if (code := code_in(each[name]))} for each in (old, new)]
    if codes[0] != codes[1] and not changed:
        tags.append("code")
    if tags:
        yield "tags", (), ", ".join(tags)
    if one["summary"] != two["summary"]:
        yield "text", (), ""


def _results(vector: JsonObject) -> dict[str, JsonObject]:
    found: Any = vector.get("expected_by_reading") or {EVERY_OTHER: vector["expected"]}
    return dict(found)


def _without_code(result: JsonObject | None) -> JsonObject | None:
    """Return a result without the code of a rejection, which only some runs compare."""
    return {"rejected": {}} if result is not None and "rejected" in result else result


def _expanded(identity: str, vector: JsonObject) -> JsonObject:
    """Return a vector with the values that its recipes stand for."""
    if "recipe" not in vector:
        return vector
    full = {name: value for name, value in vector.items() if name != "recipe"}
    try:
        for name in full.keys() & _VALUES:
            check_recipe(full[name])
            full[name] = expand(full[name])
    except MalformedError as error:
        raise CorpusError(f"{identity}: {error}") from None
    return full


def _broken_promises(old: ReleasedCorpus, new: ReleasedCorpus) -> Iterator[str]:
    for identity in sorted(old.vectors.keys() - new.vectors.keys() - new.retired.keys()):
        yield f"{identity} disappeared, and retired.json does not list it"
    for identity in sorted(new.vectors.keys() & {*old.retired, *new.retired}):
        yield f"{identity} is used again after it was retired"
