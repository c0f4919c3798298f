"""Histories and answers for people: text, drawings, and why an output is wrong.

A history has the DAG of its messages, then its events and their results. The observed output comes
from an adapter: its hex may decode to any value, or may be invalid.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

from rejoin import bencode
from rejoin import config_merge as cm
from rejoin_conformance.contract.differences import first_difference
from rejoin_conformance.contract.explanation import difference_text
from rejoin_conformance.contract.history import Pictures
from rejoin_conformance.contract.operation import Asked
from rejoin_conformance.kit.dag_drawing import Drawing
from rejoin_conformance.kit.json_types import Json, JsonObject
from rejoin_conformance.kit.text import counted
from rejoin_conformance.readings.expressions import reading_of, under
from rejoin_conformance.systems.config_merge import READINGS
from rejoin_conformance.systems.config_merge.changes import Change, place_of
from rejoin_conformance.systems.config_merge.data_text import diff_text
from rejoin_conformance.systems.config_merge.history_text import event_text
from rejoin_conformance.systems.config_merge.message_text import Sheet
from rejoin_conformance.systems.config_merge.operations import ROWS
from rejoin_conformance.systems.config_merge.records import History, Record, named
from rejoin_conformance.systems.config_merge.run import Run, begun, run_history

_TELLING: Final = (
    *("steps", "seqno", "ignored", "merged", "message", "data", "diff", "lagged", "hash"),
    *("encoded", "heads"),
)
"""The fields of outputs, the most informative first."""

_MESSAGES: Final = ("message", "heads")
_ENCODED: Final = (*_MESSAGES, "data", "diff", "encoded")
"""The fields with bt-encoding in hex, also of clients and of rows."""

_PARTS: Final = {"#": "seqno", "&": "data", "<": "rows", "=": "diff", "~": "signature"}
_LARGEST: Final = 64 * 1024
"""The number of bytes after which a message is not decoded for a drawing."""
_SHOWN: Final = 40
"""The number of characters of a diff in a drawing."""


def explain(asked: Asked) -> str | None:
    """Return the first place at which two outputs differ, with messages and data decoded.

    Returns None if the outputs differ elsewhere.
    """
    one, other = asked.expected_output, asked.observed_output
    for name in _TELLING:
        if one.get(name) != other.get(name):
            sides = ({name: _told(name, each.get(name))} for each in (one, other))
            found = first_difference(*sides)
            return None if found is None else difference_text(found).render(asked.labels)
    return None


def _told(name: str, value: Json) -> Json:
    """Return a field of an output with the bytes in it decoded, also for each client."""
    if isinstance(value, list):
        return [_told(name, each) for each in value]
    if isinstance(value, dict):
        by_client = name in ("data", "heads")
        return {
            key: _told(name if by_client and isinstance(each, str) else key, each)
            for key, each in value.items()
        }
    if not isinstance(value, str) or name not in _ENCODED:
        return value
    try:
        tree = _for_people(bencode.decode(bytes.fromhex(value)))
    except bencode.BencodeError as error:
        return f"not valid bt-encoding: {error}"
    if name in _MESSAGES and isinstance(tree, dict):
        return {_PARTS.get(key, f"unknown key {key}"): each for key, each in tree.items()}
    return tree


def _for_people(value: bencode.Value) -> Json:
    if isinstance(value, int):
        return value
    if isinstance(value, bytes):
        return _text(value)
    if isinstance(value, Mapping):
        return {_text(key): _for_people(inner) for key, inner in value.items()}
    return [_for_people(each) for each in value]


def _text(value: bytes) -> str:
    text = value.decode("latin-1")
    return text if text.isascii() and text.isprintable() else f"0x{value.hex()}"


def draw(asked: Asked, steps: Sequence[JsonObject]) -> Iterator[Drawing]:
    """Yield the drawing of a question's messages, with those at which steps or answers part."""
    given: Any = asked.input.get("messages", ())
    listed = [(each, f"message {n}" if asked.outputs else "") for n, each in enumerate(given)]
    made: list[Any] = [output.get("message") for output in asked.outputs]
    listed += zip(made, asked.labels, strict=False)
    nodes: dict[bytes, cm.Message] = {}
    notes: dict[bytes, list[str]] = {}
    received: list[cm.Message] = []
    for number, (encoded, note) in enumerate(listed):
        message = _message(asked, encoded)
        if message is not None:
            received += [message] if number < len(given) else []
            nodes[message.hash] = message
            notes.setdefault(message.hash, []).append(note)
    ranked = sorted(nodes.values(), key=lambda each: each.rank)
    place = {each.hash: number for number, each in enumerate(ranked)}
    entries = _entries(given)
    window: Any = asked.input.get("window", cm.DEFAULT_WINDOW)
    survivors, why = cm.set_aside(received, window=window)
    old = [each for each, reason in zip(received, why, strict=True) if reason == "stale"]
    parting = _parting(given, steps) or ({*map(_hash, made)} if len({*made}) > 1 else set())
    if nodes:
        dag = {place[each.hash]: [place[row] for row in _newest(each, nodes)] for each in ranked}
        yield Drawing(
            "messages",
            dag,
            {place[each.hash]: entries.get(each.hash, (named(each),))[0] for each in ranked},
            {place[each.hash]: _note(notes[each.hash], entries.get(each.hash)) for each in ranked},
            frozenset(place[each] for each in parting if each in place),
            _bases(
                [*dag.values(), [place[each.hash] for each in survivors]],
                {place[each.hash]: each.rank for each in ranked},
            ),
            frozenset(place[each.hash] for each in old),
        )


def _bases(merges: Iterable[Sequence[int]], ranks: Mapping[int, cm.Rank]) -> frozenset[int]:
    """Return the messages at which merges begin: the highest-ranked of those that are merged.

    merges: the messages of each merge. ranks: message -> its rank.
    """
    return frozenset(max(each, key=ranks.__getitem__) for each in merges if len(each) > 1)


def _hash(encoded: str) -> bytes:
    return cm.message_hash(bytes.fromhex(encoded))


def _entries(given: Sequence[str]) -> Mapping[bytes, tuple[str, str]]:
    """Return hash -> (name, diff) of the messages of a question, as the notation writes them."""
    messages = [bytes.fromhex(each) for each in given]
    sheet = Sheet(messages if sum(map(len, messages)) <= _LARGEST else ())
    return {
        each.hash: (sheet.name(each.encoded), diff_text(each.diff))
        for each in sheet.messages.values()
    }


def _note(notes: Sequence[str], entry: tuple[str, str] | None) -> str:
    """Return what a message is in the question, and its diff, cut if it is long."""
    said = [", ".join(filter(None, notes))]
    if entry is not None and entry[1] != "{}":
        said.append(entry[1] if len(entry[1]) <= _SHOWN else f"{entry[1][:_SHOWN]}...")
    return " ".join(filter(None, said))


def _message(asked: Asked, encoded: Any) -> cm.Message | None:
    if not isinstance(encoded, str) or len(encoded) > 2 * _LARGEST:
        return None
    row, reading = ROWS["parse"], reading_of(READINGS, asked.reading)
    context = {name: asked.input[name] for name in row.asks.optional if name in asked.input}
    try:
        message: cm.Message = row.does(
            row.loaded({"message": encoded, **context}, reading), reading
        )
    except cm.ConfigMergeError:
        return None
    return message


def _newest(message: cm.Message, nodes: Mapping[bytes, cm.Message]) -> list[bytes]:
    """Return the hashes of a message's rows that are in no other message of its rows."""
    rows = [row for row in message.lagged if row.hash in nodes]
    older = {row.rank for each in rows for row in nodes[each.hash].lagged}
    return [row.hash for row in rows if row.rank not in older]


def _parting(given: Sequence[str], steps: Sequence[JsonObject]) -> set[bytes]:
    """Return the hashes of the messages that the parting steps are about."""
    found: set[bytes] = set()
    for step in steps:
        named_by, index = step.get("source", step.get("hash")), step.get("index")
        if isinstance(named_by, str):
            found.add(bytes.fromhex(named_by))
        if isinstance(index, int) and 0 <= index < len(given):
            found.add(_hash(given[index]))
    return found


CHANGES_SHOWN: Final = 4
WIDEST: Final = 100
"""The number of characters after which the text of an event is cut."""

_SIGNS: Final = {"assign": "= ", "remove": "removed", "add": "gains ", "discard": "loses "}


def describe_history(history: History, reading: cm.Reading) -> str:
    """Return the history as text."""
    run = begun(history, reading)
    events = [f"{run.event:>4}  {_event(run, event)}" for event in history.events]
    run.exchange()
    context = "signed" if history.signed else "unsigned"
    readers = [name for name in history.names if not history.can_sign(name)]
    heads = {client.head for client in run.clients.values()}
    lines = [
        f"{counted(history.clients, 'client')}, N = {run.history.window}, "
        f"{counted(len(run.records), f'{context} message')}, reading {reading.name}"
        + (f"; these clients cannot sign: {', '.join(readers)}" if readers else ""),
        "",
        "messages: seqno-hash <- the messages that it updates",
        _drawing(run).text(),
        "",
        "events",
        *events,
        f" end  after {counted(run.rounds, 'round')} of exchange nothing changes, and clients hold "
        + ", ".join(sorted("nothing" if head is None else named(head) for head in heads)),
    ]
    return "\n".join(lines)


def _drawing(run: Run) -> Drawing:
    """Return the DAG of the messages, each with its author, its kind and its changes."""
    records = sorted(run.records, key=lambda record: (record.message.seqno, record.index))
    dag = {record.index: record.parents for record in records}
    names = {record.index: named(record.message) for record in records}
    notes = {record.index: _made(record) for record in records}
    ranks = {record.index: record.message.rank for record in records}
    return Drawing("messages", dag, names, notes, bases=_bases(dag.values(), ranks))


def _made(record: Record) -> str:
    who = "injected" if record.by is None else f"client {record.by}"
    kind = record.kind.replace("-", " ")
    forged = "" if record.honest or record.by is None else ", after a forged message"
    shown = ", ".join(_change(change) for change in record.changes[:CHANGES_SHOWN])
    more = len(record.changes) - CHANGES_SHOWN
    changes = f": {shown}{f', and {more} more' if more > 0 else ''}" if shown else ""
    return f"[{kind}, {who}{forged}{changes}]"


def _change(change: Change) -> str:
    text = "" if change.value is None else repr(change.value)
    short = text if len(text) <= 24 else f"{text[:20]}... of {len(text)}"
    return f"{place_of(change.path)} {_SIGNS[change.kind]}{short}"


def _event(run: Run, event: JsonObject) -> str:
    """Carry out an event and return one line with the event and its result."""
    text = event_text(event)
    result = _result(run, event)
    return (text if len(text) <= WIDEST else f"{text[:WIDEST]}...") + (result and f": {result}")


def _result(run: Run, event: JsonObject) -> str:
    client = str(event.get("client", ""))
    pushed, records, waiting = len(run.pushed), len(run.records), len(run.on_the_way)
    known = len(run.clients[client].known) if client else 0
    done = run.perform(event)
    if "fetch" in event:
        return counted(len(run.clients[client].known) - known, "new message")
    if "resolve" in event:
        return _resolution(None if done is None else done.made)
    if "push" in event:
        return _push(run) if len(run.pushed) > pushed else "nothing to push"
    if "inject" in event:
        return named(run.records[-1].message) if len(run.records) > records else "no message"
    if "deliver" in event:
        return counted(waiting, "delayed push", "delayed pushes")
    return "" if done is not None else "refused"


def _push(run: Run) -> str:
    pushed = run.pushed[-1]
    count = len(pushed.batch.delete)
    refused = "" if pushed.permitted else " (deletion refused)"
    return named(run.records[pushed.record].message) + (
        f", {count} obsolete{refused}" * bool(count)
    )


def _resolution(resolution: cm.Resolution | None) -> str:
    if resolution is None:
        return "it has no valid message"
    ignored = Counter(each.why for each in resolution.ignored)
    why = ", ".join(f"{count} {each}" for each, count in sorted(ignored.items()))
    text = named(resolution.message)
    if resolution.merged:
        text = f"merges {', '.join(map(named, resolution.survivors))} into {text}"
    return f"{text} ({why})" if why else text


PICTURES: Final[Pictures[History]] = Pictures(
    describe=under(READINGS, describe_history),
    drawings=under(READINGS, lambda history, reading: (_drawing(run_history(history, reading)),)),
)
"""The functions that show this system's histories to people."""
