"""What happens in a history: authors post messages, and hear of each other's.

Any sequence of events is a history: a message follows the newest ones that its author has seen, and
hearing nothing new is no event to speak of. So an event can be left out, and the rest still makes
sense. States are not part of it, since they are the merge's to say: a post says what its author
does to the members.
"""

from __future__ import annotations

from typing import Annotated, Any, Final, Literal, TypeAlias

from attrs import field, frozen

from rejoin_conformance.contract.history import NotAHistoryError
from rejoin_conformance.kit.codec import (
    NOT_EMPTY,
    BigInt,
    Where,
    named,
    plain,
    read,
    strict_converter,
    within,
)
from rejoin_conformance.kit.json_types import JsonObject

Name: TypeAlias = Annotated[str, NOT_EMPTY]
MessageId: TypeAlias = Annotated[str, Where(str.isalnum, "an ID of letters and digits")]
Members: TypeAlias = Annotated[
    tuple[Name, ...], Where(lambda who: [*who] == sorted({*who}), "sorted names, each once")
]

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

    author: Name
    id: MessageId = field(metadata=named("post"))
    kind: PostKind
    who: Members


@frozen
class Hear:
    """An author hears of all that another one has seen, but for its latest messages.

    behind: how many messages are still on their way, the latest ones by time of posting.
    """

    author: Name = field(metadata=named("hear"))
    source: Name = field(metadata=named("from"))
    behind: Annotated[int, within(0)]


Event: TypeAlias = Post | Hear


@frozen
class History:
    """A history: what happens, in order, and the seed of the choices that its examination makes."""

    events: tuple[Event, ...]
    probe: BigInt


def history_to_json(history: History) -> JsonObject:
    """The history as data."""
    return plain(history, _CONVERTER)


def history_from_json(value: JsonObject) -> History:
    """The inverse of `history_to_json`; NotAHistoryError for anything else."""
    history = read(value, History, _CONVERTER, NotAHistoryError)
    ids = [event.id for event in history.events if isinstance(event, Post)]
    if len(ids) != len(set(ids)):
        raise NotAHistoryError("two messages have the same ID")
    return history


def _event_to_json(event: Event) -> JsonObject:
    fields = plain(event, _CONVERTER)
    return {"post": event.id, **fields} if isinstance(event, Post) else fields


def _event_from_json(value: Any, _: object) -> Event:
    kind: type[Event] = Post if isinstance(value, dict) and "post" in value else Hear
    return _CONVERTER.structure(value, kind)


_CONVERTER: Final = strict_converter()
_CONVERTER.register_structure_hook(Event, _event_from_json)
_CONVERTER.register_unstructure_hook(Event, _event_to_json)
