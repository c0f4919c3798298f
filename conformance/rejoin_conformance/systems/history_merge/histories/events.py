"""The events of a history: authors post messages, and receive the messages of other authors.

Any sequence of events is a history. A message follows the newest messages that its author has seen,
and an event that delivers no new message has no effect. So any event can be removed, and the rest
is still a history. A history contains no states, because the merge computes them: a post contains
only the change of its author.
"""

from __future__ import annotations

from typing import Annotated, Any, Final, Literal, TypeAlias

from attrs import field, frozen

from rejoin_conformance.contract.history import NotAHistoryError
from rejoin_conformance.kit.codec import plain, read, strict_converter
from rejoin_conformance.kit.json_forms import NOT_EMPTY, BigInt, Where, named, within
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
    """An author posts a message that changes the members.

    author: a member's name.
    id: the ID of the message, unique in the history.
    kind: the change: found, join and reinvite add members, kick and leave remove members.
    who: the members that are added or removed, sorted.
    """

    author: Name
    id: MessageId = field(metadata=named("post"))
    kind: PostKind
    who: Members


@frozen
class Hear:
    """An author receives the messages that another author has seen, except the latest ones.

    behind: the number of messages not yet delivered: the latest ones by time of posting.
    """

    author: Name = field(metadata=named("hear"))
    source: Name = field(metadata=named("from"))
    behind: Annotated[int, within(0)]


Event: TypeAlias = Post | Hear


@frozen
class History:
    """A history: its events in order, and the seed for the random choices of its examination."""

    events: tuple[Event, ...]
    probe: BigInt


def history_to_json(history: History) -> JsonObject:
    """Return the history as data."""
    return plain(history, _CONVERTER)


def history_from_json(value: JsonObject) -> History:
    """Return the inverse of `history_to_json`; NotAHistoryError for anything else."""
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
