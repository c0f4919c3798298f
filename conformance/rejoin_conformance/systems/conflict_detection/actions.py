"""The actions of users and clients: rows of `actions.txt`, for scenarios, histories and searches.

An action in JSON is a step of the operation `scenario`: `{"client": "A", "file": "foo", "edit":
"1"}`. A random history is a list of actions. Four rows depend on the state: their user removes,
edits or moves one of the conflict files that there are when the history runs. So they become other
actions.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from itertools import starmap
from typing import Any, Final, TypeAlias, TypeVar, cast

from attrs import evolve, field, frozen

from rejoin import conflict_detection as cd
from rejoin_conformance.contract import rows
from rejoin_conformance.kit.json_types import JsonObject
from rejoin_conformance.kit.locations import table, text_beside
from rejoin_conformance.kit.phrases import Kind, Scanner
from rejoin_conformance.kit.schemas import any_of, one_of_texts
from rejoin_conformance.systems.conflict_detection.kinds import KINDS, is_client

Becomes: TypeAlias = Callable[[cd.Client[Any], Any], JsonObject | str]
"""(the client, an action) -> the action that it becomes, or why it has no effect."""


def _picked(client: cd.Client[Any], event: Any, *, there: bool) -> Sequence[cd.ConflictFile[Any]]:
    """Return the conflict files that an event picks: file k if bit k is set, all if none is.

    there: whether to leave out the conflicts without a file.
    """
    file = client.files.get(event["file"])
    held = file.conflicts if file is not None else ()
    if there:
        held = tuple(each for each in held if each.content is not None)
    return [each for place, each in enumerate(held) if event["pick"] >> place & 1] or held


def resolution(client: cd.Client[Any], event: Any) -> JsonObject | str:
    """Return the resolution that an event becomes."""
    names = {name for each in _picked(client, event, there=False) for name in each.nicknames}
    rest = {name: each for name, each in event.items() if name not in ("pick", "resolve_held")}
    return {**rest, "resolve": [*sorted(names)]} if names else "no-conflict"


def beside(key: str, action: str) -> Becomes:
    """Return what an event on one conflict file becomes: an action on the file of that name."""

    def becomes(client: cd.Client[Any], event: Any) -> JsonObject | str:
        held = _picked(client, event, there=True)
        if not held:
            return "no-conflict-file"
        name = cd.conflict_file_name(event["file"], held[0].named_after)
        return {"client": event["client"], "file": name, action: event[key]}

    return becomes


V = TypeVar("V")


@frozen
class _ForgingDesign(cd.SnapshotDesign):
    """Leif's design, with uploads whose signatures have one changed bit."""

    def upload(
        self,
        grid: cd.Grid,
        maker: cd.Maker,
        current: bytes | None,
        removed: cd.Conflicts[bytes],
        conflict_map: cd.VersionMap,
        content: bytes | None,
        cache: cd.Cache,
    ) -> cd.Uploaded[bytes]:
        """Upload a snapshot as usual, and link a copy with a bad signature in its place."""
        made = cd.SnapshotDesign.upload(
            self, grid, maker, current, removed, conflict_map, content, cache
        )
        snapshot = cd.fetch_snapshot(made.grid, made.version)
        signature = snapshot.signature or b""
        forged = evolve(snapshot, signature=bytes([signature[0] ^ 1]) + signature[1:])
        forged_grid, version = cd.store_snapshot(made.grid, forged)
        return evolve(
            made,
            grid=forged_grid,
            version=version,
            entry=cd.Entry(version),
            cache=cd.remember(cache, version, forged),
        )


def edit_with_forged_signature(
    folder: cd.Folder[V], nickname: str, path: str, content: bytes
) -> cd.Outcome[V]:
    """Write a file and upload a snapshot whose signature has a changed lowest bit in byte 0.

    Raises ConflictDetectionError "bad-key" if the client does not sign snapshots.
    """
    signs = cd.client_named(folder, nickname).signing_key is not None
    if folder.design.name != "snapshots" or not signs:
        raise cd.ConflictDetectionError("bad-key", f"{nickname} signs no snapshots")
    forging = cast("cd.Design[V]", _ForgingDesign(folder.design.reading))
    outcome = cd.edit(evolve(folder, design=forging), nickname, path, content)
    return evolve(outcome, folder=evolve(outcome.folder, design=folder.design))


NICKNAMES: Final = "ABCDEFGH"
"""The names of the clients of histories and searches. A history has at most this many."""
FOO: Final = "foo"
"""The file of an action that names none."""


@frozen(slots=False)
class Action(rows.Action):
    """An action of this system; see `contract/rows.py`.

    does: (folder, client, fields as values of the reference) -> the outcome.
    name: in coverage and in the formal model; the key if empty. covers: the clauses it decides.
    effect: its effect as the drawing of histories assumes it.
    """

    becomes: Becomes | None = field(default=None, kw_only=True)
    name: str = field(default="", kw_only=True)
    covers: str = field(default="", kw_only=True)
    effect: str = field(default="", kw_only=True)
    optional: tuple[str, ...] = field(default=("file",), kw_only=True)
    kinds: Mapping[str, Kind] = field(default=KINDS, kw_only=True, repr=False)

    @cached_property
    def is_event(self) -> bool:
        """Return whether random histories have it."""
        return self.key not in ("forged", "resolve")

    def event_schema(self) -> JsonObject:
        """Return the schema of its JSON in a random history, where it names its file."""
        schema: Any = self.schema()
        client = one_of_texts(*NICKNAMES)
        schema["properties"] |= {n: client for n, k in self.fields.items() if is_client(k)}
        if "file" in self.fields and "file" not in schema["required"]:
            schema["required"].append("file")
        return schema  # type: ignore[no-any-return]  # it is a JSON object


def _collected(folder: cd.Folder[Any], _client: object, _fields: object) -> cd.Outcome[Any]:
    """Let all clients renew their leases, and remove the objects without a lease."""
    leases: dict[bytes, int] = {}
    for nickname in sorted(folder.clients):
        leases = cd.renew_leases(folder, leases, nickname, 1)
    return cd.Outcome(cd.collect_garbage(folder, leases, 0))


_DOES: Final[Mapping[str, Callable[..., Any]]] = {
    "forged": lambda f, c, a: edit_with_forged_signature(f, c, a["file"], a["edit"]),
    "edit": lambda f, c, a: cd.edit(f, c, a["file"], a["edit"]),
    "change": lambda f, c, a: cd.change_unnoticed(f, c, a["file"], a["change"]),
    "upload": lambda f, c, _: cd.upload_changes(f, c),
    "poll": lambda f, c, a: cd.poll(f, c, a["poll"], a["file"], stops="stops" in a),
    "poll_all": lambda f, c, a: cd.poll_all(f, c, a["poll_all"]),
    "resolve": lambda f, c, a: cd.resolve(f, c, a["file"], a["resolve"], a.get("text")),
    "delete": lambda f, c, a: cd.delete(f, c, a["file"]),
    "undelete": lambda f, c, a: cd.undelete(f, c, a["file"], a["undelete"]),
    "rename": lambda f, c, a: cd.rename(f, c, a["file"], a["rename"]),
    "offline": lambda f, c, _: cd.go_offline(f, c),
    "online": lambda f, c, _: cd.come_back(f, c),
    "join": lambda f, c, a: cd.join_folder(f, c, a["join"]),
    "subscribe": lambda f, c, a: cd.Outcome(cd.subscribe(f, c, a["subscribe"])),
    "unsubscribe": lambda f, c, a: cd.Outcome(cd.unsubscribe(f, c, a["unsubscribe"])),
    "back_up": lambda f, c, _: cd.back_up(f, c),
    "set_back": lambda f, c, _: cd.set_back(f, c),
    "collect_garbage": _collected,
}
_BECOMES: Final[Mapping[str, Becomes]] = {
    "resolve_held": resolution,
    "touch": beside("touch", "edit"),
    "discard": beside("discard", "delete"),
    "move": beside("move", "rename"),
}


def _action(key: str, says: str, fields: dict[str, Any]) -> Action:
    """Return the row of an action. The field `words` describes the action in the schema."""
    words = {key: fields.pop("words")} if "words" in fields else {}
    who = "" if key == "collect_garbage" else "client"
    does, becomes = _DOES.get(key), _BECOMES.get(key)
    return Action(key, says, does, becomes=becomes, subject=who, words=words, **fields)


_ALL: Final = (*starmap(_action, table(text_beside(__name__))),)
ROWS: Final[Mapping[str, Action]] = {row.key: row for row in _ALL}
"""Key -> action. The first rows are the steps of scenarios, in the order of their schema."""


def _step_schema(row: Action) -> JsonObject:
    schema: Any = row.schema()
    if row.key == "edit":  # an edit with the field `forged` is a row of its own
        schema["properties"]["forged"] = KINDS["forged"].described()
    return schema  # type: ignore[no-any-return]  # it is a JSON object


STEP: Final = any_of(
    *(_step_schema(row) for row in _ALL if row.does is not None and row.key != "forged")
)
"""The schema of a step of a scenario. If `file` is missing, it is `foo`."""


FEATURES: Final = {
    "change": "Changes that the client does not notice until `upload`.",
    "poll-all": "Polls of all files of another client.",
    "stops": "Polls in which the client stops before the end.",
    "resolve": "Resolutions of conflicts by the user.",
    "delete": "Deletions.",
    "undelete": "Files that come back after a deletion.",
    "rename": "Renames.",
    "offline": "Clients that go offline and come back.",
    "join": "Clients that join with files of their own.",
    "subscribe": "Changes of the subscriptions.",
    "back-up": "Clients that are set back to a backup.",
    "garbage": "The collection of garbage in the grid.",
    "forged": "Snapshots with a wrong signature.",
}
"""The features that an action can need, each with its summary."""


def fields_needing(feature: str) -> frozenset[str]:
    """Return the fields of actions that need a feature; a field of its name if no row names it."""
    return frozenset(row.key for row in _ALL if row.feature == feature) or frozenset({feature})


def row_of(action: JsonObject) -> Action:
    """Return the row of an action. Raises KeyError if there is none."""
    if "forged" in action:
        return ROWS["forged"]
    for name in action:
        if name in ROWS:
            return ROWS[name]
    raise KeyError("no action")


def event_name(event: JsonObject) -> str:
    """Return the name of an action in coverage and in the formal model."""
    row = row_of(event)
    name = row.name or row.key.replace("_", "-")
    return f"{name}-and-stop" if "stops" in event else name


def polled_by(action: JsonObject) -> str | None:
    """Return the client that an action polls, or None if it polls no client."""
    other = action.get("poll", action.get("poll_all"))
    return None if other is None else str(other)


def spelled_action(action: JsonObject, *, named: bool = False) -> str:
    """Return an action as a sentence. named: whether it names the file even if that is foo."""
    row = row_of(action)
    value = {"file": FOO, **action}
    if row.key == "poll" and value["file"] == FOO and not named:
        del value["file"]
    if not action.get("join", True):
        del value["join"]
    return row.write(value)


def read_action(text: Scanner, *, named: bool = False, event: bool = False) -> JsonObject:
    """Take an action. Raises NotationError.

    named: whether each action has the field `file`. event: whether it is part of a random history.
    """
    action = rows.read_action(_EVENTS if event else _STEPS, text)
    row = row_of(action)
    if "file" in row.fields:
        file = action.pop("file", FOO)
        if named or event or file != FOO:
            action["file"] = file
    if action.get("join") is True:
        action["join"] = {}
    key = "edit" if row.key == "forged" else row.key
    first = [name for name in ("client", key) if name in action]
    return {**{name: action[name] for name in first}, **action}


def _in_order(listed: Iterable[Action]) -> tuple[Action, ...]:
    """Return rows with those first whose text begins with more words."""
    return tuple(sorted(listed, key=lambda row: -len(row.lead)))


_EVENTS: Final = _in_order(row for row in _ALL if row.is_event)
_STEPS: Final = _in_order(row for row in _ALL if row.does is not None)
