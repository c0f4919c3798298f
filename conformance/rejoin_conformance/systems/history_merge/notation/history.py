"""Random histories as text: a line an event, in order, and at the end the seed of their probes.

ann posts m1: found ann
bob hears ann
bob posts m2: join bob cid
ann hears bob, 1 behind
ann posts m3: talk
probe 1234
"""

from __future__ import annotations

from typing import Final, get_args

from rejoin_conformance.contract.history import NotAHistoryError
from rejoin_conformance.contract.notation import word
from rejoin_conformance.kit.json_types import Json, JsonObject
from rejoin_conformance.kit.phrases import NotationError
from rejoin_conformance.systems.history_merge.histories.events import (
    Event,
    History,
    Post,
    PostKind,
    history_from_json,
)
from rejoin_conformance.systems.history_merge.notation.scanner import Scanner, named

_RESERVED: Final = frozenset({"posts", "hears", "behind", "probe"})
_KINDS: Final = get_args(PostKind)
_name: Final = named(_RESERVED)


def render_history(history: History) -> str:
    """Return a history as text."""
    return "\n".join([*map(_line, history.events), f"probe {history.probe}"])


def parse_history(text: str) -> History:
    """Return the history that a text describes. Raises NotationError."""
    lines = text.split("\n")
    scanner = Scanner(lines, _RESERVED)
    events: list[Json] = []
    while not scanner.takes("probe"):
        if not scanner.ends_statement():
            events.append(_event(scanner))
        elif scanner.at_end:
            raise scanner.fault("`probe` and a number")
    probe = scanner.take().text
    scanner.ends_statement()
    if not scanner.at_end:
        raise scanner.fault("the end of the history")
    try:
        return history_from_json({"events": events, "probe": probe})
    except NotAHistoryError as error:
        why = str(error).rpartition(": ")[2]
        raise NotationError(len(lines), f"a history ({why})", lines[-1]) from None


def _line(event: Event) -> str:
    if isinstance(event, Post):
        who = "".join(f" {word(name)}" for name in event.who)
        return f"{_name(event.author)} posts {_name(event.id)}: {event.kind}{who}"
    behind = f", {event.behind} behind" if event.behind else ""
    return f"{_name(event.author)} hears {_name(event.source)}{behind}"


def _event(scanner: Scanner) -> JsonObject:
    author = scanner.name("the name of an author, or `probe`")
    if scanner.takes("hears"):
        source = scanner.name("the name of an author")
        return {"hear": author, "from": source, "behind": _behind(scanner)}
    if not scanner.takes("posts"):
        raise scanner.fault("`posts` or `hears`")
    post = scanner.name("the ID of a message")
    scanner.expect(":")
    kind = scanner.next.text
    if kind not in _KINDS:
        raise scanner.fault(", ".join(f"`{each}`" for each in _KINDS))
    scanner.take()
    who: list[Json] = []
    while scanner.next.kind in ("bare", "quoted"):
        who.append(scanner.take().text)
    return {"post": post, "author": author, "kind": kind, "who": who}


def _behind(scanner: Scanner) -> int:
    if not scanner.takes(","):
        return 0
    text = scanner.next.text
    if not (text.isascii() and text.isdecimal() and len(text) < 10):
        raise scanner.fault("a number of messages")
    scanner.take()
    scanner.expect("behind")
    return int(text)
