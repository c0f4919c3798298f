"""Where two answers part: the messages, and the replay entries that lead to a value."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, cast

from rejoin import bencode
from rejoin import config_merge as cm
from rejoin_conformance.contract.explanation import Difference
from rejoin_conformance.contract.parting import Parting, Question
from rejoin_conformance.kit.dag_drawing import Drawing
from rejoin_conformance.kit.json_types import Json, JsonObject
from rejoin_conformance.readings.expressions import reading_of
from rejoin_conformance.systems.config_merge import READINGS
from rejoin_conformance.systems.config_merge.histories.evidence import named
from rejoin_conformance.systems.config_merge.notation.data import diff_text
from rejoin_conformance.systems.config_merge.notation.sheet import Sheet
from rejoin_conformance.systems.config_merge.operations.fields import (
    message_list,
    optional_bytes,
    window_field,
)

_LARGEST: Final = 64 * 1024
"""The number of bytes after which a message is not decoded for a drawing."""
_SHOWN: Final = 40
"""The number of characters of a diff in a drawing."""
_DATA: Final = b"&"
_ROWS: Final = b"<"


def _draw(question: Question) -> Iterator[Drawing]:
    if "messages" not in question.input:
        return
    given = [*_given(question)]
    answers = [*_answers(question)]
    nodes: dict[bytes, cm.Message] = {}
    notes: dict[bytes, list[str]] = {}
    for message, note in sorted([*given, *answers], key=lambda pair: pair[0].rank):
        nodes.setdefault(message.hash, message)
        notes.setdefault(message.hash, []).append(note)
    numbers = {each: number for number, each in enumerate(nodes)}
    sheet = _sheet(question)
    made = {message.hash for message, _ in answers}
    parting = _parting_hashes(question) or (made if len(made) > 1 else set())
    if nodes:
        yield Drawing(
            "messages",
            {
                numbers[each]: [numbers[row.rank[1]] for row in _newest_rows(message, nodes)]
                for each, message in nodes.items()
            },
            {numbers[each]: _name(message, sheet) for each, message in nodes.items()},
            {
                numbers[each]: " ".join([*_said(said), *_change(each, sheet)])
                for each, said in notes.items()
            },
            frozenset(numbers[each] for each in parting & {*nodes}),
        )


def _sheet(question: Question) -> dict[bytes, tuple[str, str]]:
    """Return hash -> (name, diff) of the messages of a question, as the notation writes them."""
    messages = message_list(question.input)
    if sum(map(len, messages)) > _LARGEST:
        return {}
    sheet = Sheet(messages)
    return {
        entry.hash: (sheet.name(entry.encoded), diff_text(entry.message.diff))
        for entry in sheet.entries.values()
    }


def _name(message: cm.Message, sheet: Mapping[bytes, tuple[str, str]]) -> str:
    return sheet[message.hash][0] if message.hash in sheet else named(message)


def _said(notes: Sequence[str]) -> Iterator[str]:
    text = ", ".join(filter(None, notes))
    if text:
        yield text


def _change(digest: bytes, sheet: Mapping[bytes, tuple[str, str]]) -> Iterator[str]:
    """Yield the diff of a message, if it has one, cut if it is long."""
    diff = sheet[digest][1] if digest in sheet else "{}"
    if diff != "{}":
        yield diff if len(diff) <= _SHOWN else f"{diff[:_SHOWN]}..."


def _given(question: Question) -> Iterator[tuple[cm.Message, str]]:
    for index, encoded in enumerate(message_list(question.input)):
        message = _message(question, encoded)
        if message is not None:
            yield message, f"message {index}" if question.outputs else ""


def _answers(question: Question) -> Iterator[tuple[cm.Message, str]]:
    """Yield the messages that the outputs contain. The first output is the expected one."""
    for output, name in zip(question.outputs, ("expected", "observed"), strict=False):
        made = output.get("message")
        message = _message(question, bytes.fromhex(made)) if isinstance(made, str) else None
        if message is not None:
            yield message, name


def _message(question: Question, encoded: bytes) -> cm.Message | None:
    if len(encoded) > _LARGEST:
        return None
    try:
        return cm.parse_message(
            encoded,
            window=window_field(question.input),
            reading=reading_of(READINGS, question.reading),
            verify_key=optional_bytes(question.input, "verify_key"),
        )
    except cm.ConfigMergeError:
        return None


def _newest_rows(message: cm.Message, nodes: dict[bytes, cm.Message]) -> list[cm.LaggedDiff]:
    """Return the rows of a message that are in no other message of its rows."""
    rows = [row for row in message.lagged if row.rank[1] in nodes]
    older = {row.rank for each in rows for row in nodes[each.rank[1]].lagged}
    return [row for row in rows if row.rank not in older]


def _parting_hashes(question: Question) -> set[bytes]:
    """Return the hashes of the messages that the parting steps are about."""
    found: set[bytes] = set()
    given = message_list(question.input)
    for step in question.steps:
        for name in ("source", "hash"):
            value = step.get(name)
            if isinstance(value, str):
                found.add(bytes.fromhex(value))
                break
        index = step.get("index")
        if isinstance(index, int) and 0 <= index < len(given):
            found.add(cm.message_hash(given[index]))
    return found


def _leading(difference: Difference, steps: Sequence[JsonObject]) -> Sequence[int]:
    """Return the steps that make what differs: reasons to ignore, data, or rows."""
    expected, observed = difference.expected, difference.observed
    if expected.get("ignored") != observed.get("ignored"):
        indices = _ignored(expected.get("ignored")) ^ _ignored(observed.get("ignored"))
        return [
            place
            for place, each in enumerate(steps)
            if (each["step"] == "ignore" and each["index"] in {index for index, _ in indices})
            or each["step"] == "survivors"
        ]
    left, right = (_decoded(each.get("message")) for each in (expected, observed))
    keys = _differing(_part(left, _DATA), _part(right, _DATA))
    kinds = {"survivors", "base", "result", *(("keep",) if _rows_differ(left, right) else ())}
    return [
        place
        for place, each in enumerate(steps)
        if each["step"] in kinds or (each["step"] == "replay" and keys & _keys(each["diff"]))
    ]


def _ignored(listed: Json) -> set[tuple[Any, Any]]:
    return {(each["index"], each.get("why")) for each in cast("list[Any]", listed)}


def _decoded(message: Json) -> bencode.Value:
    try:
        return bencode.decode(bytes.fromhex(cast("str", message)))
    except bencode.BencodeError:
        return {}


def _part(message: bencode.Value, name: bytes) -> Mapping[Any, Any]:
    part = message.get(name) if isinstance(message, Mapping) else None
    return part if isinstance(part, Mapping) else {}


def _rows_differ(one: bencode.Value, other: bencode.Value) -> bool:
    sides = [each.get(_ROWS) if isinstance(each, Mapping) else None for each in (one, other)]
    return sides[0] != sides[1]


def _differing(one: Mapping[Any, Any], other: Mapping[Any, Any]) -> set[bytes]:
    """Return the top-level keys whose values differ."""
    return {key for key in {*one} | {*other} if one.get(key) != other.get(key)}


def _keys(diff: Json) -> set[bytes]:
    value = _decoded(diff)
    return {*value} if isinstance(value, Mapping) else set()


PARTING: Final = Parting(draw=_draw, leading=_leading)
"""Where two answers of this system part."""
