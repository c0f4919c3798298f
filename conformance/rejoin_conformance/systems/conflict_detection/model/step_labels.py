"""Steps of a scenario as steps of the model: for one file, a record with the field `action`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, cast

from rejoin import conflict_detection as cd
from rejoin_conformance.kit.json_types import JsonObject
from rejoin_conformance.kit.tla_values import Function, record
from rejoin_conformance.systems.conflict_detection.model.abstraction import (
    KEEP,
    NOTHING,
    text_of,
)


def begin(design: str, clients: Sequence[str]) -> Function:
    """Return the step that creates a new folder."""
    return record(action="begin", design=design, clients=frozenset(clients))


def labels(said: JsonObject, before: cd.Client[Any] | None, path: str) -> Iterator[Function]:
    """Yield the model's steps for the file `path`, of one step of a scenario; there may be none.

    before: the client that took the step, before the step; None if it joined by this step.
    """
    client = cast("str", said["client"])
    match said:
        case {"offline": True}:
            yield record(action="go-offline", client=client)
        case {"online": True}:
            yield record(action="come-back", client=client)
        case {"join": dict(files)}:
            yield record(action="join", client=client, text=str(files.get(path, NOTHING)))
        case {"upload": True}:
            yield record(action="upload", client=client)
        case {"back_up": True}:
            yield record(action="back-up", client=client)
        case {"set_back": True}:
            yield record(action="set-back", client=client)
        case {"subscribe": str(other)}:
            yield record(action="subscribe", client=client, other=other)
        case {"unsubscribe": str(other)}:
            yield record(action="unsubscribe", client=client, other=other)
        case {"poll_all": str(other)}:
            yield record(action="poll", client=client, other=other)
        case {"file": str(name)} if before is not None:
            yield from _of_a_file(said, before, path, name)


def _of_a_file(
    said: JsonObject, before: cd.Client[Any], path: str, name: str
) -> Iterator[Function]:
    client = before.nickname
    own, nicknames = cd.split_file_name(name)
    if nicknames:
        yield from _of_a_conflict_file(said, before, path, own, nicknames)
        return
    match said:
        case {"poll": str(other)} if own == path:
            action = "poll-and-stop" if "stops" in said else "poll"
            yield record(action=action, client=client, other=other)
        case {"poll": _, "stops": True}:
            yield record(action="go-offline", client=client)
        case {"change": text} if own == path:
            changed = NOTHING if text is None else str(text)
            yield record(action="change", client=client, text=changed)
        case {"edit": str(text)} if own == path:
            yield record(action="edit", client=client, text=text)
        case {"undelete": str(text)} if own == path:
            yield record(action="undelete", client=client, text=text)
        case {"delete": True} if own == path:
            yield record(action="delete", client=client)
        case {"resolve": list(others)} if own == path:
            text = cast("str", said.get("text", KEEP))
            yield _resolve(client, cast("list[str]", others), text)
        case {"rename": str(target)}:
            content = cd.file_of(before, own).content
            if own == path:
                yield record(action="delete", client=client)
            elif target == path and content is not None:
                yield record(action="edit", client=client, text=text_of(content))


def _of_a_conflict_file(
    said: JsonObject, before: cd.Client[Any], path: str, own: str, nicknames: tuple[str, ...]
) -> Iterator[Function]:
    """Yield the steps of an action on a conflict file.

    Deleting or renaming it resolves the conflict. Writing to it changes no version.
    """
    client = before.nickname
    if "delete" in said and own == path:
        yield _resolve(client, nicknames, KEEP)
    elif "rename" in said:
        target = said["rename"]
        held = next(
            each for each in cd.file_of(before, own).conflicts if each.nicknames == nicknames
        )
        content = text_of(held.content or b"")
        if own == path:
            yield _resolve(client, nicknames, content if target == path else KEEP)
        elif target == path:
            yield record(action="edit", client=client, text=content)


def _resolve(client: str, others: Sequence[str], text: str) -> Function:
    return record(action="resolve", client=client, others=frozenset(others), text=text)
