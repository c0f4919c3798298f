"""Scenarios told step by step, with what each client's user sees afterwards.

A story states, for each step, what the poll finds and the files of those clients for which they
change. All other clients' files stay as they were, and so does whatever else is reported. Where the
reading `literal` differs, the step says what it does there.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, TypeAlias

from rejoin_conformance.kit.json_types import Json, JsonObject

SNAPSHOTS: Final = "snapshots"
MAPS: Final = "version-maps"
SUFFIX: Final = {SNAPSHOTS: "snapshots", MAPS: "maps"}

Files: TypeAlias = Mapping[str, str]
"""Client -> its files, such as `foo=X foo.conflict-B=XB`."""

REPAIRED, LITERAL = "repaired", "literal"


def parsed(files: str) -> JsonObject:
    """Files given as `name=text` with blanks between them."""
    value: JsonObject = {}
    for each in sorted(files.split()):
        name, _, text = each.partition("=")
        value[name] = text
    return value


class Story:
    """A scenario that is being told: its input, and its output in each reading."""

    def __init__(self, design: str, clients: str, **report: Mapping[str, Json]) -> None:
        """Begin with one client for each letter, none of which has a file.

        report: what else is reported of each step, with how it is in the beginning.
        """
        self.design = design
        self.clients = [*clients]
        self.told: list[Json] = []
        self.outputs: dict[str, list[Json]] = {REPAIRED: [], LITERAL: []}
        self._files: dict[str, dict[str, Json]] = {
            reading: {client: {} for client in clients} for reading in self.outputs
        }
        self._reports: dict[str, dict[str, dict[str, Json]]] = {
            reading: {what: dict(value) for what, value in report.items()}
            for reading in self.outputs
        }

    def step(
        self,
        step: JsonObject,
        found: str | None = None,
        files: Files | None = None,
        literal: Files | None = None,
        literal_found: str | None = None,
        literal_operations: JsonObject | None = None,
        **report: Mapping[str, Json],
    ) -> Story:
        """Tell one step.

        found: the classification. files: the files of clients for which they change, in both
        readings. literal: the same where the reading `literal` differs. literal_found: the
        classification there, if another. literal_operations: what the step costs there, if
        something else. report: for each thing that is reported, what changes;
        `operations` and `classifications` are of this step alone.
        """
        self.told.append(step)
        for reading, steps in self.outputs.items():
            is_literal = reading == LITERAL
            changes = {**(files or {}), **((literal or {}) if is_literal else {})}
            self._files[reading].update({name: parsed(each) for name, each in changes.items()})
            said: JsonObject = {
                "classification": (is_literal and literal_found) or found,
                "files": dict(sorted(self._files[reading].items())),
            }
            for what, state in self._reports[reading].items():
                if what != "operations":
                    state.update(report.get(what, {}))
                    said[what] = dict(sorted(state.items()))
            for what in ("operations", "classifications"):
                if what in report:
                    said[what] = dict(report[what])
            if is_literal and literal_operations is not None:
                said["operations"] = dict(literal_operations)
            steps.append(said)
        return self

    @property
    def input(self) -> JsonObject:
        """The scenario's input."""
        clients: list[Json] = [*self.clients]
        value: JsonObject = {"design": self.design, "clients": clients, "steps": [*self.told]}
        reported = sorted(self._reports[REPAIRED])
        if reported:
            listed: list[Json] = [*reported]
            value["report"] = listed
        return value

    @property
    def output(self) -> JsonObject:
        """What the default reading answers."""
        return {"steps": self.outputs[REPAIRED]}

    @property
    def literal_output(self) -> JsonObject:
        """What the reading `literal` answers."""
        return {"steps": self.outputs[LITERAL]}


def edit(client: str, text: str, file: str = "foo") -> JsonObject:
    """A client writes a file."""
    return _step(client, file, edit=text)


def poll(client: str, other: str, file: str = "foo") -> JsonObject:
    """A client looks at what another one links."""
    return _step(client, file, poll=other)


def resolve(client: str, others: str, text: str | None = None, file: str = "foo") -> JsonObject:
    """A client removes the conflict files of others, given as letters."""
    listed: list[Json] = [*others]
    return _step(client, file, resolve=listed, **({} if text is None else {"text": text}))


def delete(client: str, file: str = "foo") -> JsonObject:
    """A client deletes a file."""
    return _step(client, file, delete=True)


def undelete(client: str, text: str, file: str = "foo") -> JsonObject:
    """A client brings a file back."""
    return _step(client, file, undelete=text)


def rename(client: str, file: str, target: str) -> JsonObject:
    """A client renames a file."""
    return _step(client, file, rename=target)


def unsubscribe(client: str, other: str) -> JsonObject:
    """A client stops polling another one."""
    return {"client": client, "unsubscribe": other}


def offline(client: str) -> JsonObject:
    """A client loses the grid."""
    return {"client": client, "offline": True}


def online(client: str) -> JsonObject:
    """A client finds the grid again."""
    return {"client": client, "online": True}


def join(client: str, files: str = "") -> JsonObject:
    """A client joins with files of its own."""
    return {"client": client, "join": parsed(files)}


def changed_at_once(design: str, clients: str = "AB") -> Story:
    """All clients have X, and each of them changed it to its own letter."""
    story = Story(design, clients).step(edit("A", "X"), None, {"A": "foo=X"})
    for client in clients[1:]:
        story.step(poll(client, "A"), "overwrite", {client: "foo=X"})
    for client in clients:
        story.step(edit(client, client.lower()), None, {client: f"foo={client.lower()}"})
    return story


def _step(client: str, file: str, **action: Json) -> JsonObject:
    step: JsonObject = {"client": client, **action}
    if file != "foo":
        step["file"] = file
    return step


def operations(**counts: int) -> JsonObject:
    """Remote operations by kind, with their sum; those that are left out are 0."""
    kinds = (
        "content_uploads",
        "snapshot_uploads",
        "directory_updates",
        "snapshot_downloads",
        "content_downloads",
    )
    value: JsonObject = {kind: counts.get(kind, 0) for kind in kinds}
    return {
        **value,
        "directory_reads": counts.get("directory_reads", 0),
        "total": sum(counts.get(kind, 0) for kind in kinds),
    }
