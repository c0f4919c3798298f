"""Write questions about messages and data; the inverse of `questions`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import groupby
from types import MappingProxyType
from typing import Any, Final, TypeAlias

from attrs import evolve

from rejoin_conformance.contract.notation import Example
from rejoin_conformance.kit.json_types import JsonObject
from rejoin_conformance.systems.config_merge.drafts.by_hand.bt import Tree, bt, unbt
from rejoin_conformance.systems.config_merge.drafts.by_hand.messages import Message, Row
from rejoin_conformance.systems.config_merge.notation.contents import (
    DEFAULT_WINDOW,
)
from rejoin_conformance.systems.config_merge.notation.data import (
    WIDTH,
    integer_text,
    value_text,
    wrapped,
)
from rejoin_conformance.systems.config_merge.notation.keys import (
    PUBLICS,
    SEEDS,
    bytes_text,
    key_text,
)
from rejoin_conformance.systems.config_merge.notation.sheet import (
    Entry,
    Sheet,
    UnsayableError,
    entry_of,
)

Known: TypeAlias = Mapping[bytes, str]
"""Messages that have a name already -> the name."""

_NONE: Final[Known] = MappingProxyType({})

Written: TypeAlias = tuple[Sheet, str, str | None]
"""The messages that a text names, the question, and the answer."""


def write_question(example: Example) -> str:
    """Return the text of a question and its answer. Raises UnsayableError if there is none."""
    sheet, question, answer = _written(example)
    return "\n".join(joined([*sheet.definitions()], question, answer))


def write_answer(example: Example) -> str:
    """Return the text of the answer alone, as `write_question` names messages.

    Raises UnsayableError if there is none.
    """
    *_, answer = _written(example)
    return "\n".join(wrapped(f"= {answer}"))


def write_with_names(example: Example, known: Known) -> str:
    """Return the text of a question and its answer without definitions.

    known: the messages that have names already. Raises UnsayableError if there is no text, or if it
    needs another name.
    """
    sheet, question, answer = _written(example, known)
    if any(each not in known for each in sheet.plaintexts):
        raise UnsayableError("a message without a name")
    return "\n".join(joined((), question, answer))


def _written(example: Example, known: Known = _NONE) -> Written:
    write = _WRITERS.get(example.operation.removeprefix("config-merge/"))
    if write is None:
        raise UnsayableError(f"{example.operation} has no text")
    return write(example.input, example.output, known)


def joined(definitions: Sequence[str], question: str, answer: str | None) -> Iterator[str]:
    """Yield the lines of a body: definitions, then question and answer on one line if they fit."""
    for definition in definitions:
        yield from wrapped(definition)
    whole = question if answer is None else f"{question} = {answer}"
    if len(whole) <= WIDTH or answer is None:
        yield from wrapped(whole)
    else:
        yield from wrapped(question)
        yield from wrapped(f"= {answer}")


def _bytes(value: JsonObject, name: str) -> bytes:
    text: Any = value[name]
    return bytes.fromhex(text)


def _tree(value: JsonObject, name: str) -> Tree:
    try:
        return unbt(_bytes(value, name))
    except ValueError:
        raise UnsayableError(f"{name} is not a canonical encoding") from None


def _options_text(given: JsonObject) -> str:
    text = f", window {integer_text(_window(given))}" if "window" in given else ""
    if "verify_key" in given:
        text += f", verify key {key_text(_bytes(given, 'verify_key'), PUBLICS)}"
    if "signing_key" in given:
        text += f", signing key {key_text(_bytes(given, 'signing_key'), SEEDS)}"
    return text


def _window(given: JsonObject) -> int:
    window: Any = given.get("window", DEFAULT_WINDOW)
    return int(window)


def _diff(given: JsonObject, output: JsonObject | None, known: Known = _NONE) -> Written:
    sheet = Sheet((*known,), names=known)
    old, new = (any_data_text(sheet, _tree(given, name)) for name in ("old", "new"))
    answer = None if output is None else sheet.diff_text(_tree(output, "diff"))
    return sheet, f"diff {old} -> {new}", answer


def _apply(given: JsonObject, output: JsonObject | None, known: Known = _NONE) -> Written:
    sheet = Sheet((*known,), names=known)
    data, source = (any_data_text(sheet, _tree(given, name)) for name in ("data", "source"))
    question = f"apply {sheet.diff_text(_tree(given, 'diff'))} to {data}, source {source}"
    answer = None if output is None else any_data_text(sheet, _tree(output, "data"))
    return sheet, question, answer


def any_data_text(sheet: Sheet, data: Tree) -> str:
    """Return the text of data, valid or not."""
    return sheet.data_text(data) if isinstance(data, Mapping) else value_text(data)


def sheet_of(given: JsonObject, known: Known = _NONE) -> tuple[Sheet, list[bytes]]:
    """Return the messages of a question with names for them, and the list of them.

    known: further messages, with their names.
    """
    texts: Any = given["messages"]
    messages = [bytes.fromhex(text) for text in texts]
    return Sheet([*messages, *known], _window(given), names=known), messages


def _resolve(given: JsonObject, output: JsonObject | None, known: Known = _NONE) -> Written:
    sheet, messages = sheet_of(given, known)
    question = " ".join(["resolve", *map(sheet.name, messages)]) + _options_text(given)
    answer = None if output is None else resolved_text(sheet, messages, output)
    return sheet, question, answer


def resolved_text(sheet: Sheet, messages: Sequence[bytes], output: JsonObject) -> str:
    """Return the answer to `resolve`."""
    ignored: Any = output["ignored"]
    why = {each["index"]: each["why"] for each in ignored}
    if [*why] != sorted(why) or any(index >= len(messages) for index in why):
        raise UnsayableError("ignored messages that are out of order or do not exist")
    result = _bytes(output, "message")
    survivors = [each for index, each in enumerate(messages) if index not in why]
    if output["merged"]:
        text = f"merge {merge_text(sheet, survivors, result)}"
    elif sheet.knows(result):
        text = sheet.name(result)
    else:
        raise UnsayableError("a message that is not merged and is not in the question")
    return text + _ignoring_text(sheet, messages, why)


def merge_text(sheet: Sheet, survivors: Sequence[bytes], result: bytes) -> str:
    """Return a merge of survivors: its name, or its data and its other parts."""
    if sheet.knows(result):
        return sheet.name(result)
    entry = _entry(result)
    parents = [sheet.entries[each].message for each in survivors if each in sheet.entries]
    after = sheet.after(parents, entry.message, sheet.window)
    if after is None:
        return sheet.text(entry)
    return f"{sheet.data_text(entry.message.data)}{after}"


def _entry(encoded: bytes) -> Entry:
    entry = entry_of(encoded)
    if entry is None:
        raise UnsayableError("a result that is not a message")
    return entry


def _ignoring_text(sheet: Sheet, messages: Sequence[bytes], why: Mapping[int, str]) -> str:
    names = names_in(sheet, messages)
    by_why = sorted(why, key=lambda index: (_REASONS.index(why[index]), index))
    groups = [
        f"{reason} {' '.join(names[index] for index in group)}"
        for reason, group in groupby(by_why, key=lambda index: why[index])
    ]
    return f", ignoring {', '.join(groups)}" if groups else ""


def names_in(sheet: Sheet, messages: Sequence[bytes]) -> list[str]:
    """Return a name for each message of a question: `NAME`, and `NAME/2` if it comes again."""
    names = []
    times: Counter[bytes] = Counter()
    for encoded in messages:
        times[encoded] += 1
        again = f"/{times[encoded]}" if times[encoded] > 1 else ""
        names.append(sheet.name(encoded) + again)
    return names


_REASONS: Final = ("invalid", "stale", "included", "duplicate")


def _update(given: JsonObject, output: JsonObject | None, known: Known = _NONE) -> Written:
    sheet, messages = sheet_of(given, known)
    data = _tree(given, "data")
    question = " ".join(["update", *map(sheet.name, messages), "to", any_data_text(sheet, data)])
    question += _options_text(given)
    answer = None if output is None else updated_text(sheet, messages, data, output)
    return sheet, question, answer


def updated_text(sheet: Sheet, messages: Sequence[bytes], data: Tree, output: JsonObject) -> str:
    """Return the answer to `update`."""
    result = _bytes(output, "message")
    if sheet.knows(result):
        return sheet.name(result)
    entry = _entry(result)
    message = entry.message
    if message.data == data:
        parents = [each.message for each in map(sheet.entries.get, messages) if each is not None]
        if not messages:
            stated = evolve(Message(seqno=1, data=message.data), diff=message.diff)
            if evolve(stated, seed=message.seed).encoded == result:
                return _from_diff(sheet.tail(message, {}))
        after = sheet.after(parents, message, sheet.window)
        if after is not None:
            return _from_diff(after)
        after = sheet.after_any(entry, with_data=False)
        if after is not None:
            return after
    return sheet.text(entry)


def _from_diff(tail: str) -> str:
    """Return the parts of a message, an empty diff included."""
    text = tail.strip()
    return text if text.startswith("diff ") else f"diff {{}} {text}".strip()


def _inline(given: JsonObject, known: Known) -> tuple[Sheet, Entry]:
    """Return the only message of a question, without a name unless it is known."""
    encoded = _bytes(given, "message")
    entry = entry_of(encoded)
    if entry is None:
        raise UnsayableError("bytes that are not a message")
    return Sheet((*known,), _window(given), names=known), entry


def _message_text(sheet: Sheet, entry: Entry) -> str:
    return sheet.name(entry.encoded) if sheet.knows(entry.encoded) else sheet.text(entry)


def _parse(given: JsonObject, output: JsonObject | None, known: Known = _NONE) -> Written:
    sheet, entry = _inline(given, known)
    question = f"parse {_message_text(sheet, entry)}{_options_text(given)}"
    return sheet, question, None if output is None else _parsed_text(sheet, entry, output)


def _parsed_text(sheet: Sheet, entry: Entry, output: JsonObject) -> str:
    message = entry.message
    lagged: Any = output["lagged"]
    rows: list[Row] = [
        [int(row["seqno"]), bytes.fromhex(row["hash"]), _tree(row, "diff")] for row in lagged
    ]
    text = "as given"
    if bt(rows) != bt(message.rows):
        text += f",{sheet.rows_text(rows) or ' rows none'}"
    digest = _bytes(output, "hash")
    return text if digest == entry.hash else f"{text}, hash {bytes_text(digest)}"


def _sign(given: JsonObject, output: JsonObject | None, known: Known = _NONE) -> Written:
    sheet, entry = _inline(given, known)
    question = f"sign {_message_text(sheet, entry)}{_options_text(given)}"
    if output is None:
        return sheet, question, None
    signed = _entry(_bytes(output, "message"))
    seed = signed.message.seed
    if seed is not None and evolve(entry.message, seed=seed).encoded == signed.encoded:
        return sheet, question, f"signed by {key_text(seed, SEEDS)}"
    return sheet, question, sheet.text(signed)


def _verify(given: JsonObject, output: JsonObject | None, known: Known = _NONE) -> Written:
    sheet, entry = _inline(given, known)
    question = f"verify {_message_text(sheet, entry)}{_options_text(given)}"
    return sheet, question, None if output is None else str(output["valid"]).lower()


_Write: TypeAlias = Callable[[JsonObject, JsonObject | None, Known], Written]
_WRITERS: Final[Mapping[str, _Write]] = MappingProxyType(
    {
        "diff": _diff,
        "apply-diff": _apply,
        "resolve": _resolve,
        "update": _update,
        "parse": _parse,
        "sign": _sign,
        "verify": _verify,
    }
)
