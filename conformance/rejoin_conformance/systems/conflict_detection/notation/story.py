"""The state after each step of a scenario, as changes to the state that the notation assumes.

The notation assumes that a step changes only the files of its own client: they show at once what
the user writes, deletes or renames. An `Observation` contains exactly the other changes.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from attrs import define, field, frozen

from rejoin_conformance.kit.json_types import Json, JsonObject
from rejoin_conformance.systems.conflict_detection.notation.steps import file_of

SNAPSHOTS: Final = "snapshots"
STATES: Final = ("links", "versions", "conflicts", "cached", "origins", "conflict_origins")
"""The reports of a state; the report `operations` counts the operations of a step instead."""
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
"""Kind of remote operation -> its number; 0 for a missing kind."""
States = dict[str, JsonObject]
"""Client -> path or file name -> its value in a report."""


@frozen
class Observation:
    """The observations of one step that the text states.

    found: the classification, or None. each: for a poll of all files, path -> classification.
    files: client -> its files, for each client whose files differ from the assumed ones.
    states: report -> client -> its state, for each state that differs from the assumed one.
    costs: the remote operations; None if they are the usual ones of such a step.
    """

    found: str | None = None
    each: JsonObject | None = None
    files: Mapping[str, JsonObject] = field(factory=dict)
    states: Mapping[str, Mapping[str, JsonObject]] = field(factory=dict)
    costs: Mapping[str, int] | None = None


ObservedStep = tuple[JsonObject, Observation]
"""A step and its observation."""


@define
class Story:
    """The state of a scenario, updated step by step. reports: the requested reports."""

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
        """Apply a step with its observation, and return the report of the step."""
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
        """Apply a step with its report. Return the observation, or None if none can express it."""
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
        """Update the state. Return the changes by client, or None if a client is missing."""
        if not isinstance(now, dict) or not now.keys() >= state.keys():
            return None
        changes = {client: value for client, value in now.items() if state.get(client) != value}
        state.update(changes)
        return changes

    def _assume(self, step: JsonObject) -> None:
        """Apply the assumed effects of a step: on the client's own files, and on who is online."""
        if "collect_garbage" in step:
            return
        client = str(step["client"])
        if "join" in step:
            for state in self.states.values():
                state.setdefault(client, {})
        if "offline" in step or "stops" in step:
            self.offline.add(client)
        if "online" in step:
            self.offline.discard(client)
        self.files[client] = own_files(self.files.get(client, {}), step)

    def usual_costs(self, step: JsonObject) -> Costs:
        """Return the remote operations that the notation assumes for a step.

        A poll reads one directory. A change uploads its content and, in the design of snapshots, a
        snapshot, and updates the directory. There are none if the client is offline, or if the step
        writes a conflict file.
        """
        client, file = str(step.get("client")), file_of(step)
        if "stops" in step:
            return {"directory_reads": 1}
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
    """Return the number of each kind of operation, and the total without directory reads."""
    counts: JsonObject = {kind: costs.get(kind, 0) for kind in _KINDS}
    counts["directory_reads"] = costs.get("directory_reads", 0)
    counts["total"] = sum(costs.get(kind, 0) for kind in _KINDS)
    return counts


def own_files(files: JsonObject, step: Any) -> JsonObject:
    """Return the files of a client after a step of its user."""
    after, file = {**files}, file_of(step)
    match step:
        case {"edit": text} | {"undelete": text}:
            after[file] = text
        case {"delete": _} | {"change": None}:
            after.pop(file, None)
        case {"change": text}:
            after[file] = text
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
) -> list[ObservedStep]:
    """Return the steps in which a client writes a file and all other clients poll it.

    step: the edit of the maker. seen: whether the maker then polls each of the other clients.
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
    shared: list[ObservedStep] = [(step, Observation(states=_each(story, states, maker, file)))]
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
        shared.append(({"client": client, "poll": maker, **named}, overwrite))
        if seen:
            shared.append(({"client": maker, "poll": client, **named}, Observation("same")))
    return shared


def _each(
    story: Story, states: Mapping[str, Json], client: str, file: str
) -> dict[str, dict[str, JsonObject]]:
    """Return the requested reports of a client that has a new version of a file."""
    return {
        what: {client: {**story.states[what].get(client, {}), file: value}}
        for what, value in states.items()
        if what in story.reports
    }
