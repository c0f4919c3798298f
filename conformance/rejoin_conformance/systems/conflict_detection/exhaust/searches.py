"""The searches and their states: what makes states different, and what a step does to them.

The searches have two designs and their readings, and a client links a downloaded version or not. A
step never changes other clients. So it depends only on the versions, on the client's own state and,
for a poll, on the version that the other client links.
"""

from __future__ import annotations

import json
from functools import cached_property
from itertools import product
from typing import Any, Final, TypeAlias

from attrs import evolve, frozen

from rejoin import conflict_detection as cd
from rejoin_conformance.kit.json_types import Json, JsonObject
from rejoin_conformance.systems.conflict_detection.actions import FOO, NICKNAMES
from rejoin_conformance.systems.conflict_detection.ground_truth import FileTruth, extend_closure
from rejoin_conformance.systems.conflict_detection.run import Run, Taken


@frozen
class Search:
    """One design under one reading, in one of two variants.

    The variant is the reading's `links_downloads`: whether a client that downloads a version links
    it in its own directory. If not, a directory links the last upload of its owner.
    """

    design: str
    reading: cd.Reading

    @property
    def variant(self) -> str:
        """Return the name of the variant in reports."""
        return "linked" if self.reading.links_downloads else "not-linked"


_LATER_SECTION: Final = evolve(
    cd.LITERAL, name="literal+followed_version=stale", followed_version="stale"
)
"""The rule for snapshots of the section on the detection of conflicts (CD-E04)."""

SEARCHES: Final = tuple(
    Search(design, evolve(reading, links_downloads=links))
    for design, readings in (
        ("snapshots", (*cd.READINGS.values(), _LATER_SECTION)),
        ("version-maps", cd.READINGS.values()),
    )
    for reading, links in product(readings, (True, False))
)
"""The searches of `rejoin exhaust`, in the order of its report."""


@frozen(slots=False)
class Bounds:
    """The bounds of a search: the number of clients, and of uploads in all."""

    clients: int
    uploads: int

    @property
    def nicknames(self) -> str:
        """Return the names of the clients."""
        return NICKNAMES[: self.clients]

    @cached_property
    def steps(self) -> tuple[JsonObject, ...]:
        """Return all steps in the order in which traces are compared, without their texts.

        A trace has one byte for each step: its place in this list.
        """
        names = self.nicknames
        some: list[list[Json]] = [
            [name for place, name in enumerate(names) if bits >> place & 1]
            for bits in range(1, 1 << self.clients)
        ]
        edits: list[JsonObject] = [{"client": name, "edit": ""} for name in names]
        polls: list[JsonObject] = [
            {"client": name, "poll": other} for name in names for other in names if other != name
        ]
        resolutions: list[JsonObject] = [
            {"client": name, "resolve": others, "text": ""}
            for name in names
            for others in some
            if name not in others
        ]
        return (*edits, *polls, *resolutions)


Pair: TypeAlias = tuple[cd.Classification, cd.Classification]
"""(classification by the follows relation, classification by the design)."""

_OWN_NAMES: Final = {
    (cd.Classification.OVERWRITE, cd.Classification.CONFLICT): "false conflict",
    (cd.Classification.CONFLICT, cd.Classification.OVERWRITE): "false overwrite",
}
KINDS: Final = {
    pair: _OWN_NAMES.get(pair, "{} taken for {}".format(*pair))
    for pair in product(cd.Classification, cd.Classification)
    if pair[0] is not pair[1]
}
"""The kinds of mismatches, in the order of reports: classifications that differ -> their name."""

Key: TypeAlias = str
"""Part of a state as text: all versions, or the own state of one client."""

NOTHING: Final[Key] = "[null,[],[]]"
"""The own state of a client without a version."""


def take(run: Run[Any], step: JsonObject) -> Taken[Any]:
    """Carry out a step. Each upload writes the name of its version."""
    made = sum(name.startswith(str(step["client"])) for name in run.truth(FOO).names)
    name = f"{step['client']}{made + 1}"
    written: JsonObject = {each: name for each in ("edit", "text") if each in step}
    return run.take({**step, **written, "file": FOO})


def forked(run: Run[Any]) -> Run[Any]:
    """Return a copy of a run, which goes its own way; its steps are not copied."""
    truth = run.truth(FOO)
    copy = FileTruth(
        {**truth.numbers},
        [*truth.names],
        truth.follows,
        [*truth.contents],
        {**truth.had},
        {**truth.current},
    )
    return Run(run.folder, run.first_clients, {FOO: copy})


def versions_of(run: Run[Any]) -> Key:
    """Return all versions: the versions that each follows, and its form in the design.

    The form is its version map, or the parents of its snapshot without those parents that are
    ancestors of another parent.
    """
    truth = run.truth(FOO)
    made: dict[str, Any] = {}
    for key, number in truth.numbers.items():
        form: list[Any] = [] if isinstance(key, bytes) else sorted(key)
        if isinstance(key, bytes):
            snapshot = cd.fetch_snapshot(run.folder.grid, key)
            parents = {truth.numbers[each] for each in snapshot.parents}
            behind = {
                each for each in parents if any(truth.follows[p] >> each & 1 for p in parents)
            }
            form = sorted(truth.names[each] for each in parents - behind)
        made[truth.names[number]] = [_named(run, truth.follows[number]), form]
    return _text(made)


def own_of(run: Run[Any], nickname: str) -> Key:
    """Return a client's own state: its version, what its next one follows, what it holds."""
    truth, file = run.truth(FOO), cd.file_of(run.folder.clients[nickname], FOO)
    behind = extend_closure(truth.follows, truth.had.get(nickname, 0))[-1]
    current = None if file.version is None else run.name(FOO, file.version)
    held = sorted(
        (name, run.name(FOO, each.version)) for each in file.conflicts for name in each.nicknames
    )
    return _text([current, _named(run, behind), held])


def linked_by(run: Run[Any], nickname: str) -> str | None:
    """Return the name of the version that a client's directory links, or None."""
    capability = cd.read_capability(run.folder.clients[nickname].write_capability)
    entry: Any = cd.read_directory(run.folder.grid, capability).entries.get(FOO)
    if entry is None:
        return None
    return run.name(FOO, entry.version_map or entry.capability)


def can_take(run: Run[Any], bounds: Bounds, step: JsonObject) -> bool:
    """Return whether a client can make an upload: an edit, or a resolution of whole conflicts."""
    if "poll" in step or len(run.truth(FOO).names) == bounds.uploads:
        return False
    others: Any = step.get("resolve", [])
    file = cd.file_of(run.folder.clients[str(step["client"])], FOO)
    removed = cd.naming(file.conflicts, others)
    return bool(sorted(name for each in removed for name in each.nicknames) == others)


def _named(run: Run[Any], bits: int) -> list[str]:
    return sorted(name for n, name in enumerate(run.truth(FOO).names) if bits >> n & 1)


def _text(value: Any) -> Key:
    return json.dumps(value, sort_keys=True, separators=(",", ":"))
