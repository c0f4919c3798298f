"""Events as steps, given the current state of the folder, and steps as those of a scenario.

So a history that was run is a scenario, which can become a vector. Most runs never need the
scenario, so a step becomes JSON only on request.
"""

from __future__ import annotations

from typing import Final, NamedTuple, TypeVar

from rejoin import conflict_detection as cd
from rejoin_conformance.kit.json_types import JsonObject
from rejoin_conformance.systems.conflict_detection.histories import events as ev

V = TypeVar("V")

COLLECT: Final[JsonObject] = {"collect": True}
"""The step of a garbage collection. The operation `scenario` does not have it."""


class Step(NamedTuple):
    """One step of a run.

    client: the client that takes it, None for a garbage collection. nicknames: the clients whose
    conflict files the user of an event removes, edits or renames.
    """

    event: ev.Event
    client: str | None
    nicknames: tuple[str, ...] = ()

    @property
    def said(self) -> JsonObject:
        """Return the step as JSON of a scenario."""
        if self.client is None:
            return COLLECT
        return _said(self.client, self.event, self.nicknames)

    @property
    def removed(self) -> tuple[str, tuple[str, ...]] | None:
        """Return a path, and the clients whose conflict files the user removes there, or None."""
        if isinstance(self.event, _REMOVES):
            return self.event.path, self.nicknames
        return None


_BESIDE: Final = (ev.Resolve, ev.Touch, ev.Discard, ev.Move)
_REMOVES: Final = (ev.Resolve, ev.Discard, ev.Move)
_POLLS: Final = (ev.Poll, ev.PollAll, ev.PollAndStop)


def step_of(folder: cd.Folder[V], event: ev.Event) -> Step | str:
    """Return the step of an event in a folder, or the reason why there is nothing to do."""
    if isinstance(event, ev.Collect):
        return Step(event, None)
    nickname = ev.NICKNAMES[event.client]
    client = folder.clients.get(nickname)
    if client is not None and isinstance(event, _POLLS):
        return Step(event, nickname) if client.online else "offline"
    if isinstance(event, ev.Join):
        return "there-already" if client is not None else Step(event, nickname)
    if client is None:
        return "not-there"
    if isinstance(event, _BESIDE):
        return _beside(client, event)
    return Step(event, nickname)


def polled_by(event: ev.Event) -> str | None:
    """Return the client that an event polls, or None if it polls no client."""
    return ev.NICKNAMES[event.other] if isinstance(event, _POLLS) else None


def _said(client: str, event: ev.Event, nicknames: tuple[str, ...]) -> JsonObject:
    match event:
        case ev.Poll(_, other, path):
            return {"client": client, "file": path, "poll": ev.NICKNAMES[other]}
        case ev.PollAll(_, other):
            return {"client": client, "poll_all": ev.NICKNAMES[other]}
        case ev.Edit(_, path, text):
            return {"client": client, "file": path, "edit": str(text)}
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
        case ev.Join(_, files):
            return {"client": client, "join": {path: str(text) for path, text in files}}
        case ev.Subscribe(_, other):
            return {"client": client, "subscribe": ev.NICKNAMES[other]}
        case ev.Unsubscribe(_, other):
            return {"client": client, "unsubscribe": ev.NICKNAMES[other]}
        case ev.Change(_, path, change):
            content = None if change is None else str(change)
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
        case ev.Collect():
            return COLLECT
        case ev.Resolve() | ev.Touch() | ev.Discard() | ev.Move():
            return _said_beside(client, event, nicknames)


def _said_beside(
    client: str,
    event: ev.Resolve | ev.Touch | ev.Discard | ev.Move,
    nicknames: tuple[str, ...],
) -> JsonObject:
    if isinstance(event, ev.Resolve):
        said: JsonObject = {"client": client, "file": event.path, "resolve": [*nicknames]}
        return said if event.text is None else {**said, "text": str(event.text)}
    said = {"client": client, "file": cd.conflict_file_name(event.path, nicknames)}
    match event:
        case ev.Touch():
            return {**said, "edit": str(event.text)}
        case ev.Discard():
            return {**said, "delete": True}
        case ev.Move():
            return {**said, "rename": event.target}


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
        return Step(event, client.nickname, tuple(others))
    there = _picked(tuple(each for each in held if each.content is not None), event.pick)
    if not there:
        return "no-conflict-file"
    return Step(event, client.nickname, there[0].nicknames)


def _picked(held: tuple[cd.ConflictFile[V], ...], pick: int) -> tuple[cd.ConflictFile[V], ...]:
    chosen = tuple(each for number, each in enumerate(held) if pick >> number & 1)
    return chosen or held
