"""Scenarios as text.

    clients A B
    7:  7 {a: 1} diff {=a}
    8a: after 7 {a: 1, b: 2} diff {=b}
    store 7               = stored 7
    A fetches, resolves   = A 7
    A edits {a: 1, b: 2}
    A pushes              = A 8a, stored 8a
    end = A sees {a: 1, b: 2}

A line contains one step, or several steps of one client. After `=` come the changes by the last of
these steps: the new heads of clients, and all stored messages (`stored nothing` if there are none,
`stored also` and those that are new). `end` states the data that applications see if it is not the
data of their client's head. The first line can continue with `, key histories`,
`, domain "Rejoin"` or `, no domain`, `, window 4`, `, deletion forbidden`, `, verify key alice` and
`, signing key alice for A B`, in this order.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from attrs import Factory, define, frozen

from rejoin import config_merge as cm
from rejoin.errors import RejoinError
from rejoin_conformance.contract.notation import Example
from rejoin_conformance.contract.rows import TRUE, action_of
from rejoin_conformance.kit.bt import Tree, blake2b, bt, unbt
from rejoin_conformance.kit.json_types import Json, JsonObject
from rejoin_conformance.kit.phrases import Phrase
from rejoin_conformance.systems.config_merge.actions import STEPS, read_actions
from rejoin_conformance.systems.config_merge.body import Body, Book
from rejoin_conformance.systems.config_merge.by_hand.keys import (
    DOMAIN,
    KEY,
    stored_form,
    stored_form_in_domain,
)
from rejoin_conformance.systems.config_merge.by_hand.messages import Message, message_of
from rejoin_conformance.systems.config_merge.data_text import value_text, wrapped
from rejoin_conformance.systems.config_merge.message_text import Sheet, UnsayableError, decoded
from rejoin_conformance.systems.config_merge.messages import Stored, read_any_data
from rejoin_conformance.systems.config_merge.operations import ROWS
from rejoin_conformance.systems.config_merge.scenario import KINDS, end, moment, stages
from rejoin_conformance.systems.config_merge.statements import Statement

OPERATION: Final = "config-merge/scenario"
FIRST_WORD: Final = "clients"
_FIELDS: Final = (
    *("clients", "key", "domain", "steps", "window", "deletion_permitted", "verify_key"),
    "signing_keys",
)
_STORED: Final = "the names of messages that are stored, or `nothing`"


def begins(lines: Sequence[str]) -> bool:
    """Return whether a text is the body of a scenario."""
    return bool(lines) and lines[0].split()[:1] == [FIRST_WORD]


_OPENING: Final = Phrase(
    "clients {clients}[, key {key}][, domain {domain}][, no domain{no_domain:flag}]"
    "[, window {window}][, deletion {deletion_permitted:permitted}][, verify key {verify_key}]"
    "[, signing key {signing_keys}]",
    {**KINDS, "flag": TRUE},
)


def _read_opening(text: Statement) -> JsonObject:
    """Return the input without its steps."""
    given = {"key": KEY.hex(), "domain": DOMAIN.hex(), "steps": [], **_OPENING.read(text)}
    if text.takes(","):
        text.fail("a property of the scenario, such as `window 4`, each at most once and in order")
    text.done()
    if given.pop("no_domain", False):
        del given["domain"]
    return {name: given[name] for name in _FIELDS if name in given}


def _opening_text(given: JsonObject) -> str:
    usual = {"key": KEY.hex(), "domain": DOMAIN.hex()}
    said = {name: each for name, each in given.items() if each != usual.get(name)}
    if "domain" not in given:
        said["no_domain"] = True
    return _OPENING.write(said)


def _form(given: JsonObject, plaintext: bytes, reading: cm.Reading) -> bytes:
    """Return the stored form of a plaintext in a scenario."""
    key = bytes.fromhex(str(given["key"]))
    if not reading.nonce_domain_separated:
        return stored_form(plaintext, key)
    return stored_form_in_domain(plaintext, key, bytes.fromhex(str(given.get("domain", ""))))


@define
class _Told:
    """The heads of all clients and what is stored, as the text states them.

    stored: the stored forms by the names of their contents. seen: the data that an application sees
    at the end, if it is not that of the head.
    """

    book: Book
    given: JsonObject
    reading: cm.Reading
    heads: dict[str, Message | None]
    stored: dict[str, bytes] = Factory(dict)
    seen: dict[str, Tree] = Factory(dict)

    def moment(self) -> JsonObject:
        """Return the heads and the names of the stored forms after a step."""
        return moment(self.heads, map(blake2b, self.stored.values()))

    def end(self) -> JsonObject:
        """Return the heads, the data that applications see, and the stored forms at the end."""
        of_heads = {client: head.data if head else {} for client, head in self.heads.items()}
        data = {client: bt(each) for client, each in {**of_heads, **self.seen}.items()}
        return end(self.heads, data, self.stored.values())

    def read_steps(self, text: Statement) -> list[Json]:
        """Take the steps of one line: at least one."""
        if not text.takes("store"):
            return [*read_actions(text, STEPS, [*self.heads], ["end"])]
        content = self.book.named(text)
        text.done()
        if isinstance(content, Stored):
            return [{"store_raw": content.ciphertext.hex()}]
        return [{"store": content.encoded.hex()}]

    def read_changes(self, text: Statement, *, ends: bool) -> None:
        """Take the changes of a step: new heads, and the stored messages.

        ends: whether the data that applications see at the end come instead.
        """
        while True:
            if not ends and text.takes("stored"):
                also = text.takes("also")
                names = [] if text.takes("nothing") else self.book.names(text) or text.fail(_STORED)
                self.stored = dict(self.stored) if also else {}
                self.stored |= {name: self._form_of(name) for name in names}
            elif text.next.kind != "bare" or text.next.text not in self.heads:
                instead = "" if ends else ", or `stored`"
                text.fail(f"the name of a client ({', '.join(self.heads)}){instead}")
            elif ends:
                client = text.take()
                text.need("sees")
                self.seen[client] = read_any_data(text)
            else:
                client = text.take()
                self.heads[client] = self.book.message(text)
            if text.at_end:
                return
            text.need(",")

    def _form_of(self, name: str) -> bytes:
        content = self.book.content(name)
        if isinstance(content, Stored):
            return content.ciphertext
        return _form(self.given, content.encoded, self.reading)


def read_scenario(body: Body, reading: cm.Reading) -> Example:
    """Return the question and the answer of a body whose first statement begins with `clients`."""
    first, *rest = body.said
    if first.answer is not None:
        first.answer.fail("a step before the first answer")
    given: Any = _read_opening(first.question)
    body.make(given.get("window", body.book.window))
    told = _Told(body.book, given, reading, dict.fromkeys(given["clients"]))
    moments: list[Json] = []
    for said in rest:
        if said.question.takes("end"):
            said.question.done()
            if said.answer is None:
                said.question.fail("`=` and the data that applications see at the end")
            if not said.answer.takes("data", "of", "the", "heads"):
                told.read_changes(said.answer, ends=True)
            said.answer.done()
            continue
        steps = told.read_steps(said.question)
        given["steps"] += steps
        moments += [told.moment() for _ in steps[:-1]]
        if said.answer is not None:
            told.read_changes(said.answer, ends=False)
        moments.append(told.moment())
    output = {"steps": moments, **told.end()} if body.has_answer else None
    return Example(operation=OPERATION, input=given, output=output)


# Writing.


def _heads_of(value: JsonObject, reading: cm.Reading) -> Iterator[bytes]:
    """Yield the plaintexts of all clients' heads after each step of a scenario.

    Raises RejoinError if a step is refused.
    """
    for stage in stages(ROWS["scenario"].loaded(value, reading), reading):
        for client in stage.clients.values():
            if client.head is not None:
                yield client.head.encoded


@frozen
class _Names:
    """The names in the text of a scenario. stored: hash of a stored form -> the name."""

    sheet: Sheet
    stored: Mapping[str, str]

    @classmethod
    def of(cls, given: Any, reading: cm.Reading, *, with_heads: bool) -> _Names:
        """Return names for all that a scenario stores, and for all heads."""
        stored = [bytes.fromhex(step["store"]) for step in given["steps"] if "store" in step]
        raw = [bytes.fromhex(step["store_raw"]) for step in given["steps"] if "store_raw" in step]
        try:
            heads = [*_heads_of(given, reading)] if with_heads else []
        except RejoinError:
            raise UnsayableError("a scenario with a step that is refused") from None
        sheet = Sheet([*stored, *heads], raw)
        forms = {_form(given, each, reading): sheet.name(each) for each in sheet.plaintexts}
        forms |= {each: sheet.name_of_stored(each) for each in raw}
        return cls(sheet, {blake2b(each).hex(): name for each, name in forms.items()})

    def changes(self, before: Any, after: Any) -> str:
        """Return the changes by a step. before, after: the moments around it."""
        heads = {
            client: head["hash"]
            for client, head in after["heads"].items()
            if head is not None and head != before["heads"].get(client)
        }
        known = self.sheet.by_hash
        if not known.keys() >= {*heads.values()} or not self.stored.keys() >= {*after["stored"]}:
            raise UnsayableError("a head or something stored that the reference does not make")
        parts = [f"{client} {known[digest]}" for client, digest in heads.items()]
        if after["stored"] != before["stored"]:
            names = sorted((self.stored[each] for each in after["stored"]), key=_by_number)
            parts.append(f"stored {' '.join(names) or 'nothing'}")
        return ", ".join(parts)


def write_scenario(example: Example, reading: cm.Reading) -> str:
    """Return the text of a scenario with its answer in a reading.

    Raises UnsayableError if there is none.
    """
    names = _Names.of(example.input, reading, with_heads=example.output is not None)
    lines = [_opening_text(example.input), *names.sheet.definitions(), *_steps(example, names)]
    return "\n".join(line for each in lines for line in wrapped(each))


def _steps(example: Example, names: _Names) -> Iterator[str]:
    """Yield each step with the changes that it makes, and what is seen at the end."""
    steps: Any = example.input["steps"]
    output: Any = example.output
    said = [action_of(STEPS, step).write(step, names.sheet) for step in steps]
    if output is None:
        yield from said
        return
    moments = [{"heads": {}, "stored": []}, *output["steps"]]
    changes = [*map(names.changes, moments, output["steps"])]
    for step, change in zip(said, changes, strict=True):
        yield f"{step} = {change}" if change else step
    seen = _seen(output)
    if seen or not any(changes):
        yield f"end = {seen or 'data of the heads'}"


def _seen(output: Any) -> str:
    parts = []
    for client, text in output["data"].items():
        head = output["heads"].get(client)
        message = None if head is None else message_of(bytes.fromhex(head))
        if unbt(bytes.fromhex(text)) != ({} if message is None else message.data):
            parts.append(f"{client} sees {value_text(decoded(text))}")
    return ", ".join(parts)


def _by_number(name: str) -> tuple[int, str]:
    """Return the key that sorts names by their seqnos, then by letters; others come last."""
    digits = name.rstrip("abcdefghijklmnopqrstuvwxyz")
    return (len(digits), name) if digits.isdecimal() else (len(name) + 100, name)
