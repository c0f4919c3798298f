"""Write scenarios; the inverse of `clients`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final, TypeAlias

from attrs import define, field

from rejoin import config_merge as cm
from rejoin.errors import RejoinError
from rejoin_conformance.contract.notation import Example
from rejoin_conformance.kit.json_types import JsonObject
from rejoin_conformance.systems.config_merge.drafts.by_hand.bt import Tree, unbt
from rejoin_conformance.systems.config_merge.drafts.by_hand.keys import (
    DOMAIN,
    KEY,
    stored_form,
    stored_form_in_domain,
)
from rejoin_conformance.systems.config_merge.drafts.by_hand.messages import blake2b
from rejoin_conformance.systems.config_merge.notation.clients import VERBS
from rejoin_conformance.systems.config_merge.notation.contents import (
    DEFAULT_WINDOW,
)
from rejoin_conformance.systems.config_merge.notation.data import (
    WIDTH,
    integer_text,
    string_text,
    wrapped,
)
from rejoin_conformance.systems.config_merge.notation.keys import (
    ENCRYPTION,
    PUBLICS,
    SEEDS,
    key_text,
)
from rejoin_conformance.systems.config_merge.notation.question_texts import any_data_text
from rejoin_conformance.systems.config_merge.notation.sheet import Sheet, UnsayableError
from rejoin_conformance.systems.config_merge.operations.scenario import heads_of

_WIDEST: Final = 32
"""The column of `=`, if some steps are long."""

Line: TypeAlias = tuple[str, str]
"""Steps, and the changes by the last of them; empty if there are none."""


def write_scenario(example: Example, reading: cm.Reading) -> str:
    """Return the text of a scenario with its answer in a reading.

    Raises UnsayableError if there is none.
    """
    written = _Written(example.input, example.output, reading)
    lines = [*written.lines()]
    columns = [len(steps) for steps, changes in lines if changes and len(steps) <= _WIDEST]
    column = max(columns, default=0)
    text = wrapped(written.opening())
    for definition in written.sheet.definitions():
        text += wrapped(definition)
    for steps, changes in lines:
        line = f"{steps:<{column}} = {changes}" if changes else steps
        text += [line] if len(line) <= WIDTH else wrapped(line)
    return "\n".join(text)


@define
class _Written:
    """A scenario that is written line by line.

    plaintexts: hash -> the plaintexts that a head can be. names: hash of a stored form -> the name.
    """

    given: JsonObject
    output: JsonObject | None
    reading: cm.Reading
    sheet: Sheet = field(init=False)
    plaintexts: dict[str, bytes] = field(init=False)
    names: dict[str, str] = field(init=False)

    def __attrs_post_init__(self) -> None:
        steps: Any = self.given["steps"]
        stored = [bytes.fromhex(step["store"]) for step in steps if "store" in step]
        raw = [bytes.fromhex(step["store_raw"]) for step in steps if "store_raw" in step]
        try:
            heads = [*heads_of(self.given, self.reading)] if self.output is not None else []
        except RejoinError:
            raise UnsayableError("a scenario with a step that is refused") from None
        self.plaintexts = {blake2b(each).hex(): each for each in (*stored, *heads)}
        self.sheet = Sheet([*stored, *heads], self._window, raw)
        self.names = {blake2b(each).hex(): self.sheet.name_of_stored(each) for each in raw}
        for each in self.plaintexts.values():
            self.names.setdefault(blake2b(self._form(each)).hex(), self.sheet.name(each))

    @property
    def _window(self) -> int:
        window: Any = self.given.get("window", DEFAULT_WINDOW)
        return int(window)

    def _form(self, plaintext: bytes) -> bytes:
        key = bytes.fromhex(str(self.given["key"]))
        if self.reading.nonce_domain_separated:
            domain = bytes.fromhex(str(self.given.get("domain", "")))
            return stored_form_in_domain(plaintext, key, domain)
        return stored_form(plaintext, key)

    def opening(self) -> str:
        """Return the first line: the clients, the keys and the other properties."""
        given: Any = self.given
        text = f"clients {' '.join(given['clients'])}"
        if given["key"] != KEY.hex():
            text += f", key {key_text(bytes.fromhex(given['key']), ENCRYPTION)}"
        if "domain" not in given:
            text += ", no domain"
        elif given["domain"] != DOMAIN.hex():
            text += f", domain {string_text(bytes.fromhex(given['domain']))}"
        if "window" in given:
            text += f", window {integer_text(self._window)}"
        if "deletion_permitted" in given:
            text += f", deletion {'permitted' if given['deletion_permitted'] else 'forbidden'}"
        if "verify_key" in given:
            text += f", verify key {key_text(bytes.fromhex(given['verify_key']), PUBLICS)}"
        signing: Mapping[str, str] = given.get("signing_keys", {})
        for key in dict.fromkeys(signing.values()):
            signers = " ".join(name for name, each in signing.items() if each == key)
            text += f", signing key {key_text(bytes.fromhex(key), SEEDS)} for {signers}"
        return text

    def lines(self) -> Iterator[Line]:
        """Yield the steps, those of one client together as long as they change nothing."""
        open_client: str | None = None
        open_steps = ""
        quiet = True
        for client, step, changes in self._steps():
            if client is not None and client == open_client:
                open_steps += f", {step}"
            else:
                if open_steps:
                    yield open_steps, ""
                open_client, open_steps = client, f"{client or 'store'} {step}"
            if changes or client is None:
                yield open_steps, changes
                open_client, open_steps = None, ""
            quiet = quiet and not changes
        if open_steps:
            yield open_steps, ""
        end = "" if self.output is None else self._end(self.output)
        if end or (quiet and self.output is not None):
            yield "end", end or "data of the heads"

    def _steps(self) -> Iterator[tuple[str | None, str, str]]:
        """Yield each step: its client, its text, and the changes that it makes."""
        steps: Any = self.given["steps"]
        moments: Any = [None] * len(steps) if self.output is None else self.output["steps"]
        before: Any = {"heads": {}, "stored": []}
        for step, moment in zip(steps, moments, strict=True):
            changes = "" if moment is None else self._changes(before, moment)
            before = moment or before
            yield step.get("client"), self._step(step), changes

    def _step(self, step: Mapping[str, str]) -> str:
        if "store_raw" in step:
            return self.sheet.name_of_stored(bytes.fromhex(step["store_raw"]))
        if "store" in step:
            return self.sheet.name(bytes.fromhex(step["store"]))
        if "edit" in step:
            return f"edits {self._data(step['edit'])}"
        return next(verb for verb, name in VERBS.items() if name in step)

    def _data(self, text: str) -> str:
        try:
            data: Tree = unbt(bytes.fromhex(text))
        except ValueError:
            raise UnsayableError("data that are not a canonical encoding") from None
        return any_data_text(self.sheet, data)

    def _changes(self, before: Any, after: Any) -> str:
        parts = []
        for client, head in after["heads"].items():
            if head is not None and head != before["heads"].get(client):
                parts.append(f"{client} {self._head(head)}")
        if after["stored"] != before["stored"]:
            names = sorted((self._stored(each) for each in after["stored"]), key=_by_number)
            parts.append(f"stored {' '.join(names) or 'nothing'}")
        return ", ".join(parts)

    def _head(self, head: Mapping[str, str]) -> str:
        if head["hash"] not in self.plaintexts:
            raise UnsayableError("a head that the reference does not make")
        return self.sheet.name(self.plaintexts[head["hash"]])

    def _stored(self, name: str) -> str:
        if name not in self.names:
            raise UnsayableError("something stored that the reference does not store")
        return self.names[name]

    def _end(self, output: JsonObject) -> str:
        data: Any = output["data"]
        heads: Any = output["heads"]
        parts = []
        for client, text in data.items():
            head = heads.get(client)
            entry = None if head is None else self.sheet.entries.get(bytes.fromhex(head))
            seen = {} if entry is None else entry.message.data
            if unbt(bytes.fromhex(text)) != seen:
                parts.append(f"{client} sees {self._data(text)}")
        return ", ".join(parts)


def _by_number(name: str) -> tuple[int, str]:
    """Return the key that sorts names by their seqnos, then by letters; others come last."""
    digits = name.rstrip("abcdefghijklmnopqrstuvwxyz")
    return (len(digits), name) if digits.isdecimal() else (len(name) + 100, name)
