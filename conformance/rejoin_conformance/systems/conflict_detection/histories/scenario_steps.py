"""Events as steps of the operation `scenario`, given the current state of the folder.

So a history that was run is a scenario, which can become a vector.
"""

from __future__ import annotations

from typing import Final, TypeVar

from attrs import frozen

from rejoin import conflict_detection as cd
from rejoin_conformance.kit.json_types import JsonObject
from rejoin_conformance.systems.conflict_detection.histories.events import (
    NICKNAMES,
    Collect,
    ComeBack,
    Delete,
    Discard,
    Edit,
    Event,
    GoOffline,
    Join,
    Move,
    Poll,
    PollAll,
    Rename,
    Resolve,
    Subscribe,
    Touch,
    Undelete,
    Unsubscribe,
)

V = TypeVar("V")

COLLECT: Final[JsonObject] = {"collect": True}
"""The step of a garbage collection. The operation `scenario` does not have it."""


@frozen
class Step:
    """One step of a run.

    said: the step as JSON of a scenario. client: the client that takes it, None for a garbage
    collection. removed: a path, and the clients whose conflict files the user removes there.
    """

    said: JsonObject
    client: str | None
    removed: tuple[str, tuple[str, ...]] | None = None


_BESIDE: Final = (Resolve, Touch, Discard, Move)
_POLLS: Final = (Poll, PollAll)


def step_of(folder: cd.Folder[V], event: Event) -> Step | str:
    """Return the step of an event in a folder, or the reason why there is nothing to do."""
    if isinstance(event, Collect):
        return Step(COLLECT, None)
    nickname = NICKNAMES[event.client]
    client = folder.clients.get(nickname)
    if isinstance(event, Join):
        if client is not None:
            return "there-already"
        files: JsonObject = {path: str(text) for path, text in event.files}
        return Step({"client": nickname, "join": files}, nickname)
    if client is None:
        return "not-there"
    if isinstance(event, _BESIDE):
        return _beside(client, event)
    if isinstance(event, _POLLS) and not client.online:
        return "offline"
    return Step(_said(nickname, event), nickname)


def _said(
    client: str,
    event: Edit
    | Poll
    | PollAll
    | Rename
    | Delete
    | Undelete
    | GoOffline
    | ComeBack
    | Subscribe
    | Unsubscribe,
) -> JsonObject:
    match event:
        case Edit(_, path, text):
            return {"client": client, "file": path, "edit": str(text)}
        case Poll(_, other, path):
            return {"client": client, "file": path, "poll": NICKNAMES[other]}
        case PollAll(_, other):
            return {"client": client, "poll_all": NICKNAMES[other]}
        case Rename(_, path, target):
            return {"client": client, "file": path, "rename": target}
        case Delete(_, path):
            return {"client": client, "file": path, "delete": True}
        case Undelete(_, path, text):
            return {"client": client, "file": path, "undelete": str(text)}
        case GoOffline():
            return {"client": client, "offline": True}
        case ComeBack():
            return {"client": client, "online": True}
        case Subscribe(_, other):
            return {"client": client, "subscribe": NICKNAMES[other]}
        case Unsubscribe(_, other):
            return {"client": client, "unsubscribe": NICKNAMES[other]}


def _beside(client: cd.Client[V], event: Resolve | Touch | Discard | Move) -> Step | str:
    """Return the step of an event on conflict files, or the reason why there is nothing to do."""
    file = client.files.get(event.path)
    held = file.conflicts if file is not None else ()
    if isinstance(event, Resolve):
        chosen = _picked(held, event.pick)
        if not chosen:
            return "no-conflict"
        others = sorted({nickname for each in chosen for nickname in each.nicknames})
        said: JsonObject = {"client": client.nickname, "file": event.path, "resolve": [*others]}
        if event.text is not None:
            said["text"] = str(event.text)
        return Step(said, client.nickname, (event.path, tuple(others)))
    there = _picked(tuple(each for each in held if each.content is not None), event.pick)
    if not there:
        return "no-conflict-file"
    nicknames = there[0].nicknames
    said = {"client": client.nickname, "file": cd.conflict_file_name(event.path, nicknames)}
    match event:
        case Touch():
            return Step({**said, "edit": str(event.text)}, client.nickname)
        case Discard():
            return Step({**said, "delete": True}, client.nickname, (event.path, nicknames))
        case Move():
            moved: JsonObject = {**said, "rename": event.target}
            return Step(moved, client.nickname, (event.path, nicknames))


def _picked(held: tuple[cd.ConflictFile[V], ...], pick: int) -> tuple[cd.ConflictFile[V], ...]:
    chosen = tuple(each for number, each in enumerate(held) if pick >> number & 1)
    return chosen or held
