"""What is observed after each step of a scenario, as changes against what goes without saying.

After a step everything is as it was, but for the client's own files: what its user writes, deletes
or renames shows in them at once. Whatever else changes is said: an `Observation` holds no more.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from attrs import define, field, frozen

from rejoin_conformance.kit.json_types import Json, JsonObject
from rejoin_conformance.systems.conflict_detection.notation.steps import file_of

SNAPSHOTS: Final = "snapshots"
STATES: Final = ("links", "versions", "conflicts", "cached")
"""The reports that say how things are; `operations` says what was done."""
OPERATIONS: Final = "operations"
MARK: Final = ".conflict-"

_KINDS: Final = (
    "content_uploads",
    "snapshot_uploads",
    "directory_updates",
    "snapshot_downloads",
    "content_downloads",
)
_UPLOADS: Final = frozenset({"edit", "undelete", "resolve", "delete"})

Costs = dict[str, int]
"""Remote operations by kind; those that are left out are 0."""
States = dict[str, JsonObject]
"""Client -> path or file name -> what is reported of it."""


@frozen
class Observation:
    """What is said of one step.

    found: the classification; None if there is none. each: of a poll of all files, path ->
    classification. files, states: what is not as it goes without saying, client by client; the
    states by report. costs: None if they are what such a step costs.
    """

    found: str | None = None
    each: JsonObject | None = None
    files: Mapping[str, JsonObject] = field(factory=dict)
    states: Mapping[str, Mapping[str, JsonObject]] = field(factory=dict)
    costs: Mapping[str, int] | None = None


Told = tuple[JsonObject, Observation]
"""A step, and what is said of it."""


@define
class Story:
    """How things are, step by step. reports: what is reported beside the files."""

    design: str
    clients: Sequence[str]
    reports: Sequence[str]
    files: States = field(init=False)
    states: dict[str, States] = field(init=False)
    offline: set[str] = field(factory=set)

    def __attrs_post_init__(self) -> None:
        self.files = {client: {} for client in self.clients}
        self.states = {
            what: {client: {} for client in self.clients} for what in self.reports if what in STATES
        }

    def take(self, step: JsonObject, observation: Observation) -> JsonObject:
        """Go on by a step; the report of it."""
        self._assume(step)
        self.files.update(observation.files)
        report: JsonObject = {
            "classification": observation.found,
            "files": {**self.files},
        }
        for what, state in self.states.items():
            state.update(observation.states.get(what, {}))
            report[what] = {**state}
        if OPERATIONS in self.reports:
            costs = self.usual_costs(step) if observation.costs is None else observation.costs
            report[OPERATIONS] = with_total(costs)
        if "poll_all" in step:
            report["classifications"] = {**(observation.each or {})}
        return report

    def observe(self, step: JsonObject, report: Any) -> Observation | None:
        """Go on by a step and its report; what has to be said of it, None if nothing can say it."""
        fields = {"classification", "files", *self.reports}
        fields |= {"classifications"} if "poll_all" in step else set()
        self._assume(step)
        files, states = self._changes(self.files, report.get("files")), {}
        for what, state in self.states.items():
            states[what] = self._changes(state, report.get(what))
        if report.keys() != fields or files is None or None in states.values():
            return None
        costs = None
        if OPERATIONS in self.reports:
            found = {kind: count for kind, count in report[OPERATIONS].items() if count}
            found.pop("total", None)
            if with_total(found) != report[OPERATIONS]:
                return None
            costs = None if found == self.usual_costs(step) else found
        return Observation(
            report["classification"],
            report.get("classifications"),
            files,
            {what: changes for what, changes in states.items() if changes},
            costs,
        )

    @staticmethod
    def _changes(state: States, now: Any) -> Mapping[str, JsonObject] | None:
        """Take over how things are now; what changed, None if clients went."""
        if not isinstance(now, dict) or not now.keys() >= state.keys():
            return None
        changes = {client: value for client, value in now.items() if state.get(client) != value}
        state.update(changes)
        return changes

    def _assume(self, step: JsonObject) -> None:
        """What goes without saying: a user's own files, and that a client is there or away."""
        client = str(step["client"])
        if "join" in step:
            for state in self.states.values():
                state.setdefault(client, {})
        if "offline" in step:
            self.offline.add(client)
        if "online" in step:
            self.offline.discard(client)
        self.files[client] = own_files(self.files.get(client, {}), step)

    def usual_costs(self, step: JsonObject) -> Costs:
        """The remote operations of a step of which nothing is said about them.

        A poll reads one directory. A change uploads its content, a snapshot in the design that has
        them, and updates the directory. Offline nothing is done, nor for writing a conflict file.
        """
        client, file = str(step["client"]), file_of(step)
        if client in self.offline:
            return {}
        if {"poll", "poll_all"} & {*step}:
            return {"directory_reads": 1}
        if not _UPLOADS & {*step} or ("edit" in step and MARK in file):
            return {}
        costs: Costs = {"content_uploads": 1, "snapshot_uploads": 1, "directory_updates": 1}
        if "delete" in step and MARK not in file:
            del costs["content_uploads"]
        if self.design != SNAPSHOTS:
            del costs["snapshot_uploads"]
        return costs


def with_total(costs: Mapping[str, int]) -> JsonObject:
    """Every kind of remote operation, and the sum of all but the reading of directories."""
    counts: JsonObject = {kind: costs.get(kind, 0) for kind in _KINDS}
    counts["directory_reads"] = costs.get("directory_reads", 0)
    counts["total"] = sum(costs.get(kind, 0) for kind in _KINDS)
    return counts


def own_files(files: JsonObject, step: Any) -> JsonObject:
    """A client's files after what its user did."""
    after, file = {**files}, file_of(step)
    match step:
        case {"edit": text} | {"undelete": text}:
            after[file] = text
        case {"delete": _}:
            after.pop(file, None)
        case {"rename": target}:
            if file in after:
                after[target] = after.pop(file)
        case {"resolve": others}:
            for name in _conflict_files(files, file, others):
                del after[name]
            if "text" in step:
                after[file] = step["text"]
        case {"join": joined}:
            after = {**joined}
    return after


def _conflict_files(files: JsonObject, file: str, others: Sequence[str]) -> Iterator[str]:
    for name in files:
        path, mark, nicknames = name.rpartition(MARK)
        if mark and path == file and {*nicknames.split(",")} & {*others}:
            yield name


def sharing(
    clients: Sequence[str], maker: str, step: JsonObject, story: Story, *, seen: bool
) -> list[Told]:
    """A client writes a file, and all others take it over.

    step: what the maker does. seen: whether the maker then looks at each of the others.
    """
    file, text = file_of(step), step["edit"]
    assert isinstance(text, str)
    named = {"file": step["file"]} if "file" in step else {}
    states: dict[str, Json] = {"links": text}
    costs: Costs = {
        "snapshot_downloads": 1,
        "content_downloads": 1,
        "directory_updates": 1,
        "directory_reads": 1,
    }
    if story.design == SNAPSHOTS:
        states["cached"] = 1
    else:
        del costs["snapshot_downloads"]
    told: list[Told] = [(step, Observation(states=_each(story, states, maker, file)))]
    for client in clients:
        if client == maker:
            continue
        files: JsonObject = {**story.files.get(client, {}), file: text}
        overwrite = Observation(
            "overwrite",
            files={client: files},
            states=_each(story, states, client, file),
            costs=costs if OPERATIONS in story.reports else None,
        )
        told.append(({"client": client, "poll": maker, **named}, overwrite))
        if seen:
            told.append(({"client": maker, "poll": client, **named}, Observation("same")))
    return told


def _each(
    story: Story, states: Mapping[str, Json], client: str, file: str
) -> dict[str, dict[str, JsonObject]]:
    """What the reports that are asked for say of a client that has a new version of a file."""
    return {
        what: {client: {**story.states[what].get(client, {}), file: value}}
        for what, value in states.items()
        if what in story.reports
    }
