"""The changes between two corpora, by the ID of the vector."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final, Literal, TypeAlias, cast

from attrs import frozen

from rejoin_conformance.contract.operation import code_in
from rejoin_conformance.corpus.load import CorpusError
from rejoin_conformance.corpus.released import ReleasedCorpus
from rejoin_conformance.kit.json_forms import MalformedError
from rejoin_conformance.kit.json_types import Json, JsonObject
from rejoin_conformance.kit.recipe import check_recipe, expand

Kind: TypeAlias = Literal["result", "input", "added", "retired", "mended", "tags", "text", "form"]
Step: TypeAlias = Literal["major", "minor", "patch", "none"]

BREAKING: Final = frozenset({"result", "input", "added"})
"""The kinds that can turn a conformant implementation into one that is not conformant."""

EVERY_OTHER: Final = "*"
"""Stands for all readings that a vector does not name."""

_TAGS: Final = ("clauses", "level", "scenario", "lineage")
_VALUES: Final = ("input", "mended", "expected", "expected_by_reading")
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
    codes = [_codes(before), _codes(after)]
    before, after = _without_codes(before), _without_codes(after)
    one, two = _expanded(identity, before), _expanded(identity, after)
    readings = _changed_readings(one, two)
    if readings:
        yield CorpusChange(id=identity, kind="result", operation=operation, readings=readings)
    lost = _lost_readings(one, two)
    if lost:
        yield CorpusChange(id=identity, kind="retired", operation=operation, readings=lost)
    if (one["operation"], one["input"]) != (two["operation"], two["input"]):
        yield CorpusChange(id=identity, kind="input", operation=operation)
    if one.get("mended") != two.get("mended"):
        yield CorpusChange(id=identity, kind="mended", operation=operation)
    tags = [name for name in _TAGS if one.get(name) != two.get(name)]
    if codes[0] != codes[1] and not readings:
        tags.append("code")
    if tags:
        about = ", ".join(tags)
        yield CorpusChange(id=identity, kind="tags", operation=operation, about=about)
    if one["summary"] != two["summary"]:
        yield CorpusChange(id=identity, kind="text", operation=operation)
    if any(before.get(name) != after.get(name) and _same(name, one, two) for name in _VALUES):
        yield CorpusChange(id=identity, kind="form", operation=operation)


def _same(name: str, one: JsonObject, two: JsonObject) -> bool:
    """Return whether a field that is written differently means the same."""
    if name.startswith("expected"):
        return not _changed_readings(one, two) and not _lost_readings(one, two)
    return one.get(name) == two.get(name)


def _changed_readings(one: JsonObject, two: JsonObject) -> tuple[str, ...]:
    """Return the readings in which the second vector expects another result, or a new one."""
    before, after = _results(one), _results(two)
    return tuple(
        reading
        for reading in sorted({*before, *after})
        if (expected := after.get(reading, after.get(EVERY_OTHER))) is not None
        and expected != before.get(reading, before.get(EVERY_OTHER))
    )


def _lost_readings(one: JsonObject, two: JsonObject) -> tuple[str, ...]:
    """Return the readings in which only the first vector expects a result."""
    before, after = _results(one), _results(two)
    return () if EVERY_OTHER in after else tuple(sorted(before.keys() - after.keys()))


def _results(vector: JsonObject) -> JsonObject:
    by_reading = vector.get("expected_by_reading")
    return by_reading if isinstance(by_reading, dict) else {EVERY_OTHER: vector["expected"]}


def _codes(vector: JsonObject) -> dict[str, str]:
    """Return reading -> the code that the rejection must have, if a run compares codes."""
    return {
        reading: code
        for reading, each in _results(vector).items()
        if isinstance(each, dict) and (code := code_in(each))
    }


def _without_codes(vector: JsonObject) -> JsonObject:
    """Return a vector whose rejections have no codes."""
    plain: dict[str, Json] = {
        reading: {"rejected": {}} if isinstance(each, dict) and "rejected" in each else each
        for reading, each in _results(vector).items()
    }
    if "expected_by_reading" in vector:
        return {**vector, "expected_by_reading": plain}
    return {**vector, "expected": plain[EVERY_OTHER]}


def _expanded(identity: str, vector: JsonObject) -> JsonObject:
    """Return a vector with the values that its recipes stand for."""
    if "recipe" not in vector:
        return vector

    def full(name: str, value: Json) -> Json:
        if name not in _VALUES:
            return value
        check_recipe(value)
        return expand(value)

    try:
        return {name: full(name, value) for name, value in vector.items()}
    except MalformedError as error:
        raise CorpusError(f"{identity}: {error}") from None


def _broken_promises(old: ReleasedCorpus, new: ReleasedCorpus) -> Iterator[str]:
    for identity in sorted(old.vectors.keys() - new.vectors.keys() - new.retired.keys()):
        yield f"{identity} disappeared, and retired.json does not list it"
    for identity in sorted(new.vectors.keys() & {*old.retired, *new.retired}):
        yield f"{identity} is used again after it was retired"
