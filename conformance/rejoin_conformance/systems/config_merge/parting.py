"""The drawing of a question: its messages, with those at which two answers part."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from rejoin import config_merge as cm
from rejoin_conformance.contract.asked import Asked
from rejoin_conformance.kit.dag_drawing import Drawing
from rejoin_conformance.kit.json_types import JsonObject
from rejoin_conformance.readings.expressions import reading_of
from rejoin_conformance.systems.config_merge import READINGS
from rejoin_conformance.systems.config_merge.data_text import diff_text
from rejoin_conformance.systems.config_merge.fields import (
    message_list,
    optional_bytes,
    window_field,
)
from rejoin_conformance.systems.config_merge.message_text import Sheet
from rejoin_conformance.systems.config_merge.records import named

_LARGEST: Final = 64 * 1024
"""The number of bytes after which a message is not decoded for a drawing."""
_SHOWN: Final = 40
"""The number of characters of a diff in a drawing."""


def draw(asked: Asked, steps: Sequence[JsonObject]) -> Iterator[Drawing]:
    """Yield the drawing of a question's messages."""
    if "messages" not in asked.input:
        return
    given = [*_given(asked)]
    answers = [*_answers(asked)]
    nodes: dict[bytes, cm.Message] = {}
    notes: dict[bytes, list[str]] = {}
    for message, note in sorted([*given, *answers], key=lambda pair: pair[0].rank):
        nodes.setdefault(message.hash, message)
        notes.setdefault(message.hash, []).append(note)
    numbers = {each: number for number, each in enumerate(nodes)}
    sheet = _sheet(asked)
    made = {message.hash for message, _ in answers}
    parting = _parting_hashes(asked, steps) or (made if len(made) > 1 else set())
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


def _sheet(asked: Asked) -> dict[bytes, tuple[str, str]]:
    """Return hash -> (name, diff) of the messages of a question, as the notation writes them."""
    messages = message_list(asked.input)
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


def _given(asked: Asked) -> Iterator[tuple[cm.Message, str]]:
    for index, encoded in enumerate(message_list(asked.input)):
        message = _message(asked, encoded)
        if message is not None:
            yield message, f"message {index}" if asked.outputs else ""


def _answers(asked: Asked) -> Iterator[tuple[cm.Message, str]]:
    """Yield the messages that the outputs contain. The first output is the expected one."""
    for output, name in zip(asked.outputs, ("expected", "observed"), strict=False):
        made = output.get("message")
        message = _message(asked, bytes.fromhex(made)) if isinstance(made, str) else None
        if message is not None:
            yield message, name


def _message(asked: Asked, encoded: bytes) -> cm.Message | None:
    if len(encoded) > _LARGEST:
        return None
    try:
        return cm.parse_message(
            encoded,
            window=window_field(asked.input),
            reading=reading_of(READINGS, asked.reading),
            verify_key=optional_bytes(asked.input, "verify_key"),
        )
    except cm.ConfigMergeError:
        return None


def _newest_rows(message: cm.Message, nodes: dict[bytes, cm.Message]) -> list[cm.LaggedDiff]:
    """Return the rows of a message that are in no other message of its rows."""
    rows = [row for row in message.lagged if row.rank[1] in nodes]
    older = {row.rank for each in rows for row in nodes[each.rank[1]].lagged}
    return [row for row in rows if row.rank not in older]


def _parting_hashes(asked: Asked, steps: Sequence[JsonObject]) -> set[bytes]:
    """Return the hashes of the messages that the parting steps are about."""
    found: set[bytes] = set()
    given = message_list(asked.input)
    for step in steps:
        for name in ("source", "hash"):
            value = step.get(name)
            if isinstance(value, str):
                found.add(bytes.fromhex(value))
                break
        index = step.get("index")
        if isinstance(index, int) and 0 <= index < len(given):
            found.add(cm.message_hash(given[index]))
    return found
