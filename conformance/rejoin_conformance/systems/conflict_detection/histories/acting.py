"""Carry out the steps of a run with the reference's own functions.

The operation `scenario` does the same with a step as JSON; a test compares both.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final, TypeVar

from rejoin import conflict_detection as cd
from rejoin_conformance.systems.conflict_detection.histories import events as ev
from rejoin_conformance.systems.conflict_detection.histories.scenario_steps import Step
from rejoin_conformance.systems.conflict_detection.operations.scenario import content_of

V = TypeVar("V")

_NOTHING_FOUND: Final[Mapping[str, cd.Classification]] = MappingProxyType({})


def act(folder: cd.Folder[V], step: Step) -> tuple[cd.Outcome[V], Mapping[str, cd.Classification]]:
    """Carry out the step of a client.

    Returns the outcome, and path -> classification for the files that a poll found.
    """
    assert step.client is not None
    client, event = step.client, step.event
    match event:
        case ev.Poll(_, other, path):
            return _found(path, cd.poll(folder, client, ev.NICKNAMES[other], path))
        case ev.PollAll(_, other):
            polled = cd.poll_all(folder, client, ev.NICKNAMES[other])
            outcome = cd.Outcome(polled.folder, None, polled.operations)
            return outcome, polled.classifications
        case ev.PollAndStop(_, other, path):
            return _found(path, cd.poll(folder, client, ev.NICKNAMES[other], path, stops=True))
        case ev.Edit(_, path, text):
            return cd.edit(folder, client, path, content_of(str(text))), _NOTHING_FOUND
        case ev.Resolve() | ev.Touch() | ev.Discard() | ev.Move():
            return _act_beside(folder, client, event, step.nicknames), _NOTHING_FOUND
        case _:
            return _act_alone(folder, client, event), _NOTHING_FOUND


def _found(
    path: str, outcome: cd.Outcome[V]
) -> tuple[cd.Outcome[V], Mapping[str, cd.Classification]]:
    if outcome.classification is None:
        return outcome, _NOTHING_FOUND
    return outcome, {path: outcome.classification}


def _act_beside(
    folder: cd.Folder[V],
    client: str,
    event: ev.Resolve | ev.Touch | ev.Discard | ev.Move,
    nicknames: tuple[str, ...],
) -> cd.Outcome[V]:
    """Carry out a step on the conflict files of the clients `nicknames`."""
    if isinstance(event, ev.Resolve):
        content = None if event.text is None else content_of(str(event.text))
        return cd.resolve(folder, client, event.path, nicknames, content)
    name = cd.conflict_file_name(event.path, nicknames)
    match event:
        case ev.Touch():
            return cd.edit(folder, client, name, content_of(str(event.text)))
        case ev.Discard():
            return cd.delete(folder, client, name)
        case ev.Move():
            return cd.rename(folder, client, name, event.target)


def _act_alone(folder: cd.Folder[V], client: str, event: ev.Event) -> cd.Outcome[V]:
    """Carry out a step that neither polls nor is about conflict files."""
    match event:
        case ev.Delete(_, path):
            return cd.delete(folder, client, path)
        case ev.Undelete(_, path, text):
            return cd.undelete(folder, client, path, content_of(str(text)))
        case ev.Change(_, path, change):
            content = None if change is None else content_of(str(change))
            return cd.change_unnoticed(folder, client, path, content)
        case ev.Rename(_, path, target):
            return cd.rename(folder, client, path, target)
        case ev.GoOffline():
            return cd.go_offline(folder, client)
        case ev.ComeBack():
            return cd.come_back(folder, client)
        case ev.Upload():
            return cd.upload_changes(folder, client)
        case ev.Join(_, files):
            contents = {path: content_of(str(text)) for path, text in files}
            return cd.join_folder(folder, client, contents)
        case ev.Subscribe(_, other):
            return cd.Outcome(cd.subscribe(folder, client, ev.NICKNAMES[other]))
        case ev.Unsubscribe(_, other):
            return cd.Outcome(cd.unsubscribe(folder, client, ev.NICKNAMES[other]))
        case ev.BackUp():
            return cd.back_up(folder, client)
        case ev.SetBack():
            return cd.set_back(folder, client)
        case _:
            raise AssertionError(f"{event} cannot be carried out by one client alone")
