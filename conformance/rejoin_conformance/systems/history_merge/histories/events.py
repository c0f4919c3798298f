"""What happens in a history: authors post messages, and hear of each other's.

Any sequence of events is a history: a message follows the newest ones that its author has seen, and
hearing nothing new is no event to speak of. So an event can be left out, and the rest still makes
sense. States are not part of it, since they are the merge's to say: a post says what its author
does to the members.
"""

from __future__ import annotations

from typing import Any, Final, Literal, TypeAlias, get_args

from attrs import frozen

from rejoin_conformance.kit.event_fields import (
    NotAHistoryError,
    decimal,
    fields_of,
    list_in,
    name,
    one_of,
    text,
    whole,
)
from rejoin_conformance.kit.json_types import Json, JsonObject

PostKind: TypeAlias = Literal["found", "talk", "join", "kick", "leave", "reinvite"]

ADDING: Final = ("found", "join", "reinvite")
REMOVING: Final = ("kick", "leave")


@frozen
class Post:
    """An author posts a message, with the members as this author knows them, changed.

    author: a member's name.
    id: of the message; unique in the history.
    kind: what the author does to the members: found, join and reinvite add, kick and leave remove.
    who: the members that are added or removed, sorted.
    """

    author: str
    id: str
    kind: PostKind
    who: tuple[str, ...]


@frozen
class Hear:
    """An author hears of all that another one has seen, but for its latest messages.

    behind: how many messages are still on their way, the latest ones by time of posting.
    """

    author: str
    source: str
    behind: int


Event: TypeAlias = Post | Hear


@frozen
class History:
    """A history: what happens, in order, and the seed of the choices that its examination makes."""

    events: tuple[Event, ...]
    probe: int


def history_to_json(history: History) -> JsonObject:
    """The history as data."""
    events: list[Json] = [_event_to_json(event) for event in history.events]
    return {"events": events, "probe": str(history.probe)}


def _event_to_json(event: Event) -> JsonObject:
    if isinstance(event, Post):
        who: list[Json] = list(event.who)
        return {"post": event.id, "author": event.author, "kind": event.kind, "who": who}
    return {"hear": event.author, "from": event.source, "behind": event.behind}


def history_from_json(value: JsonObject) -> History:
    """The inverse of `history_to_json`; NotAHistoryError for anything else."""
    known = fields_of(value, "events", "probe")
    events = tuple(map(_event_from_json, list_in(known["events"])))
    ids = [event.id for event in events if isinstance(event, Post)]
    if len(ids) != len(set(ids)):
        raise NotAHistoryError("two messages have one ID")
    return History(events, decimal(known["probe"]))


def _event_from_json(value: Json) -> Event:
    if isinstance(value, dict) and "post" in value:
        fields = fields_of(value, "post", "author", "kind", "who")
        who = tuple(map(name, list_in(fields["who"])))
        if who != tuple(sorted(set(who))):
            raise NotAHistoryError("the members of a post are sorted, each once")
        if not text(fields["post"]).isalnum():
            raise NotAHistoryError("the ID of a message is made of letters and digits")
        kind: Any = one_of(fields["kind"], get_args(PostKind))
        return Post(name(fields["author"]), text(fields["post"]), kind, who)
    fields = fields_of(value, "hear", "from", "behind")
    return Hear(name(fields["hear"]), name(fields["from"]), whole(fields["behind"]))
