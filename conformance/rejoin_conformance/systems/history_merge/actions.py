"""The actions of a random history: authors post messages, and hear from each other.

    ann posts m1: found ann
    bob hears ann
    ann hears bob, 1 behind
    probe 1234

Any sequence of actions is a history. A message follows the newest messages that its author has
seen, and an action that delivers no new message has no effect. So any action can be removed, and
the rest is still a history. A history contains no states, because the merge computes them: a post
contains only the change of its author.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from typing import Any, Final, TypeAlias

from attrs import evolve, frozen

from rejoin_conformance.contract.history import NotAHistoryError
from rejoin_conformance.contract.notation import word
from rejoin_conformance.contract.rows import Action, action_of, actions_schema, read_action
from rejoin_conformance.kit.json_forms import BigInt
from rejoin_conformance.kit.json_types import Json, JsonObject
from rejoin_conformance.kit.phrases import Kind, NotationError, Scanner, scanner
from rejoin_conformance.kit.schemas import DECIMAL, integer, list_of, one_of_texts, record
from rejoin_conformance.kit.validation import schema_fault, validator
from rejoin_conformance.systems.history_merge.states import WORDS

ADDING: Final = ("found", "join", "reinvite")
REMOVING: Final = ("kick", "leave")
POST_KINDS: Final = ("found", "talk", "join", "kick", "leave", "reinvite")
"""The kinds of post: some add members, some remove them, and `talk` changes nothing."""

_WORDS: Final = evolve(WORDS, reserved=frozenset({"posts", "hears", "behind", "probe"}))
_NAME: Final[JsonObject] = {"type": "string", "minLength": 1}


Event: TypeAlias = dict[str, Any]
"""An action in JSON."""


@frozen
class History:
    """A history: its actions in order, and the seed for the random choices of its examination."""

    events: tuple[Event, ...]
    probe: BigInt


def _name(expected: str, words: str) -> Kind:
    return Kind(
        schema=_NAME,
        read=lambda text: text.name(expected),
        write=lambda name, _: _WORDS.spelled(name),
        words=words,
    )


def _read_kind(text: Scanner) -> Json:
    known = text.next.text in POST_KINDS
    return text.take() if known else text.fail(", ".join(f"`{each}`" for each in POST_KINDS))


def _read_who(text: Scanner) -> Json:
    found: list[Json] = []
    while text.next.kind in ("bare", "quoted"):
        found.append(text.take())
    return found


def _read_number(text: Scanner) -> Json:
    number = text.next.text
    fits = number.isascii() and number.isdecimal() and len(number) < 10
    return int(text.take()) if fits else text.fail("a number of messages")


_AUTHOR: Final = "the name of an author, or `probe`"
_action: Final = partial(
    Action,
    kinds={
        "author": _name(_AUTHOR, "The author, a member."),
        "hear": _name(_AUTHOR, "The author who hears."),
        "from": _name("the name of an author", "The author who is heard."),
        "post": _name("the ID of a message", "The ID of the message, unique in the history."),
        "kind": Kind(
            schema=one_of_texts(*POST_KINDS),
            read=_read_kind,
            write=lambda kind, _: str(kind),
            words="The change: some kinds add members, some remove members.",
        ),
        "who": Kind(
            schema=list_of(_NAME),
            read=_read_who,
            write=lambda who, _: " ".join(map(word, who)),
            words="The members that are added or removed, sorted.",
        ),
        "behind": Kind(
            schema=integer(0),
            read=_read_number,
            write=lambda behind, _: str(behind),
            words="How many of the latest messages, by time of posting, are not delivered yet.",
        ),
    },
)


ACTIONS: Final = (
    _action(
        "post",
        "posts {post}: {kind} {who}",
        lambda run, event: run.post(event),
        subject="author",
    ),
    _action(
        "hear",
        "hears {from}[, {behind} behind]",
        lambda run, event: run.views.hear(event["hear"], event["from"], event["behind"]),
        subject="hear",
        missing={"behind": 0},
    ),
)
_HISTORY: Final = validator(
    record(
        {
            "events": list_of(actions_schema(ACTIONS)),
            "probe": {**DECIMAL, "maxLength": 101},
        }
    )
)


def post(author: str, message: str, kind: str, who: Iterable[str] = ()) -> Event:
    """Return the action of an author who posts a message. who: sorted."""
    return {"author": author, "post": message, "kind": kind, "who": [*who]}


def hear(author: str, source: str, behind: int = 0) -> Event:
    """Return the action of an author who hears from another one."""
    return {"hear": author, "from": source, "behind": behind}


def act(run: Any, event: Event) -> None:
    """Carry out an action in a run (`run.Run`)."""
    does = action_of(ACTIONS, event).does
    assert does is not None
    does(run, event)


def posts_in(history: History) -> list[Event]:
    """Return the posts of a history."""
    return [event for event in history.events if "post" in event]


def history_from_json(value: JsonObject) -> History:
    """Return the history that `value` is as JSON. Raises NotAHistoryError for anything else."""
    fault = schema_fault(_HISTORY, value)
    if fault is not None:
        raise NotAHistoryError(fault)
    events: Any = value["events"]
    history = History(tuple(events), int(str(value["probe"])))
    posts = posts_in(history)
    for event in posts:
        if not event["post"].isalnum():
            raise NotAHistoryError(f"the ID {event['post']!r} is not of letters and digits")
        if event["who"] != sorted({*event["who"]}):
            raise NotAHistoryError(f"the names in {event['post']} are not sorted, each once")
    if len({event["post"] for event in posts}) < len(posts):
        raise NotAHistoryError("two messages have the same ID")
    return history


def render_history(history: History) -> str:
    """Return a history as text: an action on each line, and at the end the seed."""
    lines = [action_of(ACTIONS, event).write(event) for event in history.events]
    return "\n".join([*lines, f"probe {history.probe}"])


def parse_history(source: str) -> History:
    """Return the history that a text describes. Raises NotationError."""
    lines = source.split("\n")
    text = scanner(_WORDS, lines)
    events: list[Json] = []
    while not text.takes("probe"):
        if not text.ends_statement():
            events.append(read_action(ACTIONS, text))
        elif text.at_end:
            text.fail("`probe` and a number")
    probe = text.take()
    text.ends_statement()
    text.done("the end of the history")
    try:
        return history_from_json({"events": events, "probe": probe})
    except NotAHistoryError as error:
        raise NotationError(len(lines), f"a history ({error})", lines[-1]) from None
