"""Random histories as text: the number of clients, then one event on each line.

3 clients, settled at the end
A edits foo=1
B polls foo of A
A resolves foo=5 against conflict files 1 3
garbage is collected
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from rejoin_conformance.kit.phrases import NotationError
from rejoin_conformance.systems.conflict_detection.histories import events as ev
from rejoin_conformance.systems.conflict_detection.notation.words import (
    Segment,
    spelled,
    statements,
)

_SETTLED: Final = ", settled at the end"
_COLLECTED: Final = "garbage is collected"
_CLIENT: Final = f"a client: a letter from {ev.NICKNAMES[0]} to {ev.NICKNAMES[-1]}"
_MOST_FILES: Final = 1000


def parse_history(text: str) -> ev.History:
    """Return the history that a text describes. Raises NotationError."""
    listed = statements(text.split("\n"))
    if not listed:
        raise NotationError(1, "the number of clients, such as `3 clients`", "")
    head = listed[0][0]
    clients = head.whole("the number of clients")
    if not 0 < clients <= len(ev.NICKNAMES):
        head.place = 0
        head.fail(f"1 to {len(ev.NICKNAMES)} clients")
    settled = head.reads("clients,", "settled", "at", "the", "end") or head.reads(
        "client,", "settled", "at", "the", "end"
    )
    if not settled and not head.reads("clients") and not head.reads("client"):
        head.fail("`clients`")
    events: list[ev.Event] = []
    for segment, *rest in (listed[0][1:], *listed[1:]) if listed[0][1:] else listed[1:]:
        events.append(_event(segment))
        segment.end("nothing more")
        if rest:
            rest[0].fail("the next event on a line of its own")
    head.end("`settled at the end`, or the first event on the next line")
    return ev.History(clients, tuple(events), settled)


def _event(segment: Segment) -> ev.Event:
    if segment.reads(*_COLLECTED.split()):
        return ev.Collect()
    client = _client(segment)
    for verb, take in _VERBS.items():
        if segment.reads(*verb.split()):
            return take(segment, client)
    return segment.fail(f"the action of the client: {', '.join(_VERBS)}")


def _client(segment: Segment) -> int:
    place = segment.place
    name = segment.word(_CLIENT)
    if len(name) != 1 or name not in ev.NICKNAMES:
        segment.place = place
        segment.fail(_CLIENT)
    return ev.NICKNAMES.index(name)


def _other(segment: Segment, client: int) -> int:
    place = segment.place
    other = _client(segment)
    if other == client:
        segment.place = place
        segment.fail("another client")
    return other


def _path(segment: Segment) -> str:
    return segment.word("a file")


def _equals(segment: Segment) -> int:
    if not segment.glued() or not segment.reads("=") or not segment.glued():
        segment.fail("`=` and a number right after the file")
    return _number(segment)


def _number(segment: Segment) -> int:
    place = segment.place
    number = segment.whole("a number as the text")
    if number < 0:
        segment.place = place
        segment.fail("a number that is not negative")
    return number


def _edit(segment: Segment, client: int) -> ev.Event:
    return ev.Edit(client, _path(segment), _equals(segment))


def _undelete(segment: Segment, client: int) -> ev.Event:
    return ev.Undelete(client, _path(segment), _equals(segment))


def _poll(segment: Segment, client: int) -> ev.Event:
    if segment.reads("all", "of"):
        return ev.PollAll(client, _other(segment, client))
    path = _path(segment)
    segment.need("of")
    return ev.Poll(client, _other(segment, client), path)


def _stop(segment: Segment, client: int) -> ev.Event:
    path = _path(segment)
    segment.need("of")
    return ev.PollAndStop(client, _other(segment, client), path)


def _change(segment: Segment, client: int) -> ev.Event:
    return ev.Change(client, _path(segment), _equals(segment))


def _removal(segment: Segment, client: int) -> ev.Event:
    return ev.Change(client, _path(segment), None)


def _resolve(segment: Segment, client: int) -> ev.Event:
    path = _path(segment)
    text = _equals(segment) if segment.glued() else None
    return ev.Resolve(client, path, _pick(segment, "against"), text)


def _touch(segment: Segment, client: int) -> ev.Event:
    path, text = _path(segment), _equals(segment)
    return ev.Touch(client, path, _pick(segment, "in"), text)


def _discard(segment: Segment, client: int) -> ev.Event:
    return ev.Discard(client, _path(segment), _pick(segment, "in"))


def _move(segment: Segment, client: int) -> ev.Event:
    path, pick = _path(segment), _pick(segment, "in")
    segment.need("to")
    return ev.Move(client, path, pick, _path(segment))


def _pick(segment: Segment, before: str) -> int:
    """Consume the conflict files; return a bit for each one, or 0 for any conflict file."""
    segment.need(before)
    if segment.reads("any", "conflict", "file"):
        return 0
    if not segment.reads("conflict", "files"):
        segment.fail("`any conflict file`, or `conflict files` and their numbers")
    pick = 0
    while pick == 0 or not (segment.ended or segment.tokens[segment.place].text == "to"):
        number = segment.whole("the number of a conflict file, from 1")
        if not 0 < number <= _MOST_FILES:
            segment.place -= 1
            segment.fail(f"the number of a conflict file, from 1 to {_MOST_FILES}")
        pick |= 1 << number - 1
    return pick


def _rename(segment: Segment, client: int) -> ev.Event:
    path = _path(segment)
    segment.need("to")
    return ev.Rename(client, path, _path(segment))


def _join(segment: Segment, client: int) -> ev.Event:
    files = segment.items("a file", _number) if segment.reads("with") else {}
    return ev.Join(client, tuple(sorted(files.items())))


_VERBS: Final[Mapping[str, Callable[[Segment, int], ev.Event]]] = {
    "edits": _edit,
    "changes": _change,
    "removes": _removal,
    "uploads": lambda _, client: ev.Upload(client),
    "stops polling": _stop,
    "backs up": lambda _, client: ev.BackUp(client),
    "is set back": lambda _, client: ev.SetBack(client),
    "polls": _poll,
    "resolves": _resolve,
    "touches": _touch,
    "discards": _discard,
    "moves": _move,
    "renames": _rename,
    "deletes": lambda segment, client: ev.Delete(client, _path(segment)),
    "brings back": _undelete,
    "goes offline": lambda _, client: ev.GoOffline(client),
    "comes back": lambda _, client: ev.ComeBack(client),
    "joins": _join,
    "subscribes to": lambda segment, client: ev.Subscribe(client, _other(segment, client)),
    "unsubscribes from": lambda segment, client: ev.Unsubscribe(client, _other(segment, client)),
}


_WITHOUT_MORE: Final[Mapping[type[ev.Event], str]] = {
    ev.GoOffline: "goes offline",
    ev.ComeBack: "comes back",
    ev.Upload: "uploads",
    ev.BackUp: "backs up",
    ev.SetBack: "is set back",
}
"""Kind of event -> its whole sentence, if it has no more words."""


def render_history(history: ev.History) -> str:
    """Return the text of a history."""
    clients = "1 client" if history.clients == 1 else f"{history.clients} clients"
    head = clients + (_SETTLED if history.settles else "")
    return "\n".join([head, *map(spelled_event, history.events)])


def spelled_event(event: ev.Event) -> str:
    """Return the sentence of an event."""
    if isinstance(event, ev.Collect):
        return _COLLECTED
    return f"{ev.NICKNAMES[event.client]} {_done(event)}"


def _done(event: ev.Event) -> str:
    match event:
        case ev.Edit(_, path, text):
            return f"edits {spelled(path)}={text}"
        case ev.Poll(_, other, path):
            return f"polls {spelled(path)} of {ev.NICKNAMES[other]}"
        case ev.PollAll(_, other):
            return f"polls all of {ev.NICKNAMES[other]}"
        case ev.Resolve(_, path, pick, text):
            written = "" if text is None else f"={text}"
            return f"resolves {spelled(path)}{written} against {_picked(pick)}"
        case ev.Touch(_, path, pick, text):
            return f"touches {spelled(path)}={text} in {_picked(pick)}"
        case ev.Discard(_, path, pick):
            return f"discards {spelled(path)} in {_picked(pick)}"
        case ev.Move(_, path, pick, target):
            return f"moves {spelled(path)} in {_picked(pick)} to {spelled(target)}"
        case ev.Rename(_, path, target):
            return f"renames {spelled(path)} to {spelled(target)}"
        case ev.Delete(_, path):
            return f"deletes {spelled(path)}"
        case ev.Undelete(_, path, text):
            return f"brings back {spelled(path)}={text}"
        case ev.Join(_, files):
            items = " ".join(f"{spelled(path)}={text}" for path, text in files)
            return f"joins with {items}" if items else "joins"
        case ev.Subscribe(_, other):
            return f"subscribes to {ev.NICKNAMES[other]}"
        case ev.Unsubscribe(_, other):
            return f"unsubscribes from {ev.NICKNAMES[other]}"
        case ev.Change(_, path, None):
            return f"removes {spelled(path)}"
        case ev.Change(_, path, text):
            return f"changes {spelled(path)}={text}"
        case ev.PollAndStop(_, other, path):
            return f"stops polling {spelled(path)} of {ev.NICKNAMES[other]}"
        case _:
            return _WITHOUT_MORE[type(event)]


def _picked(pick: int) -> str:
    numbers = [str(place + 1) for place in range(pick.bit_length()) if pick >> place & 1]
    return f"conflict files {' '.join(numbers)}" if numbers else "any conflict file"
