"""An adapter that lets magic-folder answer operations of conflict detection.

Run it with the Python of an environment that has the packages of requirements.txt:

    python conformance/peers/magic_folder/magic_folder_adapter.py
"""

from __future__ import annotations

import base64
import json
import os
import sys
import tempfile
from collections.abc import Callable, Mapping, Sequence
from graphlib import CycleError, TopologicalSorter
from importlib.metadata import version
from pathlib import Path
from typing import Any, BinaryIO

from magic_folder.snapshot import create_local_author, format_filenode, sign_snapshot
from magic_folder.util.capabilities import Capability

from magic_folder_client import MagicFolderClient, done
from magic_folder_grid import Grid

JsonObject = dict[str, Any]

WITHOUT = {
    "conflict-detection/scenario": [
        "version-maps",
        "change",
        "stops",
        "resolve",
        "offline",
        "join",
        "subscribe",
        "back-up",
        "garbage",
        "forged",
        "signing-keys",
        "report-operations",
        "report-versions",
        "report-conflicts",
        "report-cached",
    ],
    "conflict-detection/walk": ["open-caches"],
}


class RejectedError(Exception):
    """The protocol refuses the input."""


# Scenarios --------------------------------------------------------------------------------------


class Scenario:
    """Clients in a temporary folder, and the step that made each of their versions."""

    def __init__(self, clients: Sequence[str], home: Path) -> None:
        self._grid = Grid()
        if len({*clients}) < len(clients) or not all(map(_is_nickname, clients)):
            raise RejectedError("two clients have one name, or a name is not a nickname")
        self.clients = {
            name: MagicFolderClient(self._grid, name, home / str(place))
            for place, name in enumerate(clients)
        }
        self._origins: dict[str, int] = {}

    def step(self, number: int, step: JsonObject, wanted: Sequence[str]) -> JsonObject:
        """Carry out a step and return its report."""
        report = self._act(step)
        for client in self.clients.values():
            for cap in client.versions().values():
                self._origins.setdefault(cap, number)
        reports: dict[str, Callable[[MagicFolderClient], JsonObject]] = {
            "links": self._links,
            "origins": lambda client: self._steps(client.versions()),
            "conflict_origins": self._conflict_origins,
        }
        return {
            "classification": None,
            "files": {name: _texts(client) for name, client in self.clients.items()},
            **{
                what: {name: reports[what](client) for name, client in self.clients.items()}
                for what in wanted
                if what in reports
            },
            **report,
        }

    def _act(self, step: JsonObject) -> JsonObject:
        client, file = self._client(step["client"]), step.get("file", "foo")
        if "poll" in step:
            self._client(step["poll"], other=client)
            _file_name(client, file, new=True)
            return {"classification": _poll(client, self._grid, step["poll"], file)}
        if "poll_all" in step:
            self._client(step["poll_all"], other=client)
            return {"classifications": self._poll_all(client, step["poll_all"])}
        try:
            self._change(client, file, step)
        except (FileExistsError, IsADirectoryError, NotADirectoryError) as error:
            raise RejectedError(f"the file system refuses the change: {error}") from None
        return {}

    def _change(self, client: MagicFolderClient, file: str, step: JsonObject) -> None:
        path = client.path(_file_name(client, file, new="edit" in step))
        if ("delete" in step or "rename" in step) and not path.is_file():
            raise RejectedError("the client has no such file")
        if "delete" in step:
            path.unlink()
            client.remove_empty_folders()
        elif "rename" in step:
            new = client.path(_file_name(client, step["rename"], new=True))
            into_place = file.startswith(f"{step['rename']}.conflict-")
            if new.exists() and not into_place:
                raise RejectedError("there is a file of the new name")
            new.parent.mkdir(parents=True, exist_ok=True)
            path.replace(new)
            client.remove_empty_folders()
            client.changed(step["rename"])
        else:
            if "undelete" in step and (path.exists() or client.version(file) is None):
                raise RejectedError("the file is not deleted")
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(_bytes(step["edit"] if "edit" in step else step["undelete"]))
        if not client.is_conflict_file(file):
            client.changed(file)

    def _client(self, name: str, other: MagicFolderClient | None = None) -> MagicFolderClient:
        if name not in self.clients or self.clients[name] is other:
            raise RejectedError(f"{name!r} is not a client, or polls itself")
        return self.clients[name]

    def _poll_all(self, client: MagicFolderClient, other: str) -> JsonObject:
        found = {
            path: _poll(client, self._grid, other, path)
            for path in sorted(self._grid.directories[other])
        }
        return {path: each for path, each in found.items() if each is not None}

    def _links(self, client: MagicFolderClient) -> JsonObject:
        links = self._grid.directories[client.nickname]
        return {path: self._linked(cap) for path, cap in sorted(links.items())}

    def _linked(self, cap: Any) -> str | None:
        content = json.loads(self._grid.read(cap))["content"][1]["ro_uri"]
        return None if content is None else _text(self._grid.objects[content])

    def _steps(self, versions: Mapping[str, str]) -> JsonObject:
        return {name: self._origins[cap] for name, cap in versions.items()}

    def _conflict_origins(self, client: MagicFolderClient) -> JsonObject:
        held = {path: client.conflicts(path) for path in client.versions()}
        return {path: self._steps(caps) for path, caps in held.items() if caps}


def _poll(client: MagicFolderClient, grid: Grid, other: str, file: str) -> str | None:
    """Let a client poll one file of another one, and return its decision."""
    if file not in grid.directories[other]:
        return None
    theirs = grid.directories[other][file].danger_real_capability_string()
    ours = client.version(file)
    client.poll(other, file)
    if ours == theirs:
        return "same"
    if client.version(file) == theirs:
        return "overwrite"
    if ours is not None and _follows(client, ours, theirs):
        return "stale"
    return "conflict"


def _follows(client: MagicFolderClient, later: str, earlier: str) -> bool:
    caps = Capability.from_string(earlier), Capability.from_string(later)
    return bool(client.cache.is_ancestor_of(*caps))


def _file_name(client: MagicFolderClient, name: str, *, new: bool) -> str:
    """Return a name that a user can give. new: whether the user makes a file of this name."""
    if not name or "\0" in name or any(part in {"", ".", ".."} for part in name.split("/")):
        raise RejectedError(f"{name!r} is not a file name")
    if new and client.is_conflict_file(name) and not client.path(name).exists():
        raise RejectedError(f"{name!r} is the name of a conflict file")
    return name


def _is_nickname(name: str) -> bool:
    return bool(name) and not {*name} & {*",/\0"}


def _texts(client: MagicFolderClient) -> JsonObject:
    return {name: _text(content) for name, content in client.files().items()}


def _text(content: bytes) -> str:
    return content.decode("utf-8", "surrogatepass")


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


def scenario(value: JsonObject, home: Path) -> JsonObject:
    """Answer `scenario`."""
    played = Scenario(value["clients"], home)
    wanted = value.get("report", [])
    return {
        "steps": [played.step(number, step, wanted) for number, step in enumerate(value["steps"])]
    }


# Graphs -----------------------------------------------------------------------------------------


class Graph:
    """Snapshots of one file in a grid, with a client that has none of them."""

    def __init__(self, snapshots: Sequence[JsonObject], home: Path) -> None:
        self.grid = Grid()
        self.client = MagicFolderClient(self.grid, "A", home)
        self.grid.directories["B"] = {}
        parents = {each["id"]: each["parents"] for each in snapshots}
        named = {parent for each in snapshots for parent in each["parents"]}
        if len(parents) < len(snapshots) or not parents.keys() >= named:
            raise RejectedError("two snapshots have one ID, or a parent is unknown")
        self.cap: dict[str, str] = {}
        author = create_local_author("B")
        try:
            for name in TopologicalSorter(parents).static_order():
                self.cap[name] = self._store(author, name, parents[name])
        except CycleError:
            raise RejectedError("the parents form a cycle") from None
        self.name = {cap: name for name, cap in self.cap.items()}

    def _store(self, author: Any, name: str, parents: Sequence[str]) -> str:
        metadata = {
            "snapshot_version": 1,
            "relpath": "foo",
            "author": author.to_remote_author().to_json(),
            "modification_time": 1,
            "parents": [self.cap[parent] for parent in parents],
        }
        content = self.grid.store("CHK", _bytes(name))
        described = self.grid.store("CHK", json.dumps(metadata).encode())
        signed = sign_snapshot(author, "foo", content, described).signature
        signature = {"author_signature": base64.b64encode(signed).decode()}
        children = {
            "content": format_filenode(content, {}),
            "metadata": format_filenode(described, {"magic_folder": signature}),
        }
        cap = done(self.client.tahoe.create_immutable_directory(children))
        return str(cap.danger_real_capability_string())

    def of(self, name: str) -> str:
        """Return the capability of a snapshot."""
        if name not in self.cap:
            raise RejectedError(f"{name!r} is not a snapshot")
        return self.cap[name]

    def cache(self, name: str) -> None:
        """Put a snapshot and its ancestors into the client's cache."""
        done(self.client.cache.get_snapshot_from_capability(Capability.from_string(self.of(name))))

    def classify(self, local: str | None, remote: str) -> str | None:
        """Return the client's decision on another client's snapshot."""
        if local is not None:
            self.client.take("foo", self.of(local))
        self.grid.directories["B"]["foo"] = Capability.from_string(self.of(remote))
        return _poll(self.client, self.grid, "B", "foo")


def follows(value: JsonObject, home: Path) -> JsonObject:
    """Answer `follows`."""
    graph = Graph(value["versions"], home)
    later, earlier = graph.of(value["later"]), graph.of(value["earlier"])
    graph.cache(value["later"])
    return {"follows": later != earlier and _follows(graph.client, later, earlier)}


def classify_snapshot(value: JsonObject, home: Path) -> JsonObject:
    """Answer `classify-snapshot`."""
    graph = Graph(value["snapshots"], home)
    return {"classification": graph.classify(value["local"], value["remote"])}


def walk(value: JsonObject, home: Path) -> JsonObject:
    """Answer `walk`."""
    graph = Graph(value["snapshots"], home)
    for name in value["cached"]:
        graph.cache(name)
    if value["local"] is not None:
        graph.cache(value["local"])
    graph.client.tahoe.downloaded.clear()
    classification = graph.classify(value["local"], value["remote"])
    downloaded = {graph.name[cap] for cap in graph.client.tahoe.downloaded}
    return {"downloaded": sorted(downloaded), "classification": classification}


# The adapter ------------------------------------------------------------------------------------

OPERATIONS: dict[str, Callable[[JsonObject, Path], JsonObject]] = {
    "conflict-detection/scenario": scenario,
    "conflict-detection/follows": follows,
    "conflict-detection/classify-snapshot": classify_snapshot,
    "conflict-detection/walk": walk,
}


def answer(request: JsonObject) -> JsonObject:
    """Return the reply to a request to run an operation."""
    perform = OPERATIONS.get(request["operation"])
    if perform is None:
        return {"id": request["id"], "error": {"message": "unsupported operation"}}
    try:
        with tempfile.TemporaryDirectory(prefix="magic-folder-peer-") as home:
            return {"id": request["id"], "output": perform(request["input"], Path(home))}
    except RejectedError as error:
        return {"id": request["id"], "rejected": {"reason": str(error)}}
    except Exception as error:  # noqa: BLE001 - a fault of magic-folder is not a rejection
        return {"id": request["id"], "error": {"message": f"{type(error).__name__}: {error}"}}


def main() -> None:
    """Answer each line. End at bye or at the end of the input."""
    hello = {
        "type": "hello",
        "protocol": 1,
        "name": "magic-folder",
        "version": version("magic-folder"),
        "language": "Python",
        "operations": list(OPERATIONS),
        "readings": {"conflict-detection": "repaired"},
        "max_in_flight": 1,
        "without": WITHOUT,
    }
    replies: BinaryIO = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # magic-folder may print
    for line in sys.stdin.buffer:
        request = json.loads(line)
        if request["type"] == "bye":
            return
        reply = hello if request["type"] == "hello" else answer(request)
        replies.write(json.dumps(reply).encode() + b"\n")
        replies.flush()


if __name__ == "__main__":
    main()
