"""Events as steps of the operation `scenario`, given the current state of the folder.

So a history that was run is a scenario, which can become a vector.
"""

from __future__ import annotations

from typing import Final, TypeVar

from attrs import frozen

from rejoin import conflict_detection as cd
from rejoin_conformance.kit.json_types import JsonObject
from rejoin_conformance.systems.conflict_detection.histories import events as ev

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


_BESIDE: Final = (ev.Resolve, ev.Touch, ev.Discard, ev.Move)
_POLLS: Final = (ev.Poll, ev.PollAll, ev.PollAndStop)


def step_of(folder: cd.Folder[V], event: ev.Event) -> Step | str:
    """Return the step of an event in a folder, or the reason why there is nothing to do."""
    if isinstance(event, ev.Collect):
        return Step(COLLECT, None)
    nickname = ev.NICKNAMES[event.client]
    client = folder.clients.get(nickname)
    if isinstance(event, ev.Join):
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
    event: ev.Edit
    | ev.Poll
    | ev.PollAll
    | ev.Rename
    | ev.Delete
    | ev.Undelete
    | ev.GoOffline
    | ev.ComeBack
    | ev.Subscribe
    | ev.Unsubscribe
    | ev.Change
    | ev.Upload
    | ev.PollAndStop
    | ev.BackUp
    | ev.SetBack,
) -> JsonObject:
    match event:
        case ev.Edit(_, path, text):
            return {"client": client, "file": path, "edit": str(text)}
        case ev.Poll(_, other, path):
            return {"client": client, "file": path, "poll": ev.NICKNAMES[other]}
        case ev.PollAll(_, other):
            return {"client": client, "poll_all": ev.NICKNAMES[other]}
        case ev.Rename(_, path, target):
            return {"client": client, "file": path, "rename": target}
        case ev.Delete(_, path):
            return {"client": client, "file": path, "delete": True}
        case ev.Undelete(_, path, text):
            return {"client": client, "file": path, "undelete": str(text)}
        case ev.GoOffline():
            return {"client": client, "offline": True}
        case ev.ComeBack():
            return {"client": client, "online": True}
        case ev.Subscribe(_, other):
            return {"client": client, "subscribe": ev.NICKNAMES[other]}
        case ev.Unsubscribe(_, other):
            return {"client": client, "unsubscribe": ev.NICKNAMES[other]}
        case ev.Change(_, path, text):
            content = None if text is None else str(text)
            return {"client": client, "file": path, "change": content}
        case ev.Upload():
            return {"client": client, "upload": True}
        case ev.PollAndStop(_, other, path):
            polled = ev.NICKNAMES[other]
            return {"client": client, "file": path, "poll": polled, "stops": True}
        case ev.BackUp():
            return {"client": client, "back_up": True}
        case ev.SetBack():
            return {"client": client, "set_back": True}


def _beside(
    client: cd.Client[V], event: ev.Resolve | ev.Touch | ev.Discard | ev.Move
) -> Step | str:
    """Return the step of an event on conflict files, or the reason why there is nothing to do."""
    file = client.files.get(event.path)
    held = file.conflicts if file is not None else ()
    if isinstance(event, ev.Resolve):
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
        case ev.Touch():
            return Step({**said, "edit": str(event.text)}, client.nickname)
        case ev.Discard():
            return Step({**said, "delete": True}, client.nickname, (event.path, nicknames))
        case ev.Move():
            moved: JsonObject = {**said, "rename": event.target}
            return Step(moved, client.nickname, (event.path, nicknames))


def _picked(held: tuple[cd.ConflictFile[V], ...], pick: int) -> tuple[cd.ConflictFile[V], ...]:
    chosen = tuple(each for number, each in enumerate(held) if pick >> number & 1)
    return chosen or held
