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
`stored also` and those that are new).
`end` states the data that applications see if it is not the data of their client's head. The first
line can continue with `, window 4`, `, verify key alice`, `, signing key alice for A B`,
`, deletion forbidden`, `, key histories` and `, domain "Rejoin"` or `, no domain`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from attrs import Factory, define

from rejoin import config_merge as cm
from rejoin.errors import RejoinError
from rejoin_conformance.contract.notation import Example
from rejoin_conformance.kit.json_types import Json, JsonObject
from rejoin_conformance.systems.config_merge.body import Body
from rejoin_conformance.systems.config_merge.bytes_text import (
    ENCRYPTION,
    PUBLICS,
    SEEDS,
    key_name,
    read_bytes,
    read_integer,
    read_key_by_name,
    string_text,
)
from rejoin_conformance.systems.config_merge.data_text import value_text, wrapped
from rejoin_conformance.systems.config_merge.drafts.by_hand.bt import Tree, bt, unbt
from rejoin_conformance.systems.config_merge.drafts.by_hand.keys import (
    DOMAIN,
    KEY,
    stored_form,
    stored_form_in_domain,
)
from rejoin_conformance.systems.config_merge.drafts.by_hand.messages import (
    Message,
    blake2b,
    message_of,
)
from rejoin_conformance.systems.config_merge.message_text import Sheet, UnsayableError, decoded
from rejoin_conformance.systems.config_merge.messages import Book, Content, Stored, read_any_data
from rejoin_conformance.systems.config_merge.scenario import heads_of
from rejoin_conformance.systems.config_merge.statements import Statement

OPERATION: Final = "config-merge/scenario"
FIRST_WORD: Final = "clients"
_FIRST: Final = ("clients", "key", "domain")
_OPTIONS: Final = ("window", "deletion_permitted", "verify_key", "signing_keys")
_VERBS: Final[Mapping[str, str]] = {"pushes": "push", "fetches": "fetch", "resolves": "resolve"}
_CLIENT: Final = "the name of a client"


def begins(lines: Sequence[str]) -> bool:
    """Return whether a text is the body of a scenario."""
    return bool(lines) and lines[0].split()[:1] == [FIRST_WORD]


def _form(given: JsonObject, plaintext: bytes, reading: cm.Reading) -> bytes:
    """Return the stored form of a plaintext in a scenario."""
    key = bytes.fromhex(str(given["key"]))
    if not reading.nonce_domain_separated:
        return stored_form(plaintext, key)
    return stored_form_in_domain(plaintext, key, bytes.fromhex(str(given.get("domain", ""))))


def _rank(message: Message | None) -> JsonObject | None:
    if message is None:
        return None
    return {"seqno": str(message.seqno), "hash": message.hash.hex()}


@define
class _Stage:
    """The heads of all clients and the names of what is stored, as the text states them.

    seen: the data that an application sees at the end, if it is not that of the head.
    """

    book: Book
    given: JsonObject
    reading: cm.Reading
    heads: dict[str, Message | None]
    stored: list[str] = Factory(list)
    seen: dict[str, Tree] = Factory(dict)

    def moment(self) -> JsonObject:
        """Return the heads and the names of the stored forms after a step."""
        names: list[Json] = [*sorted(blake2b(form).hex() for form in self.forms())]
        return {
            "heads": {client: _rank(head) for client, head in self.heads.items()},
            "stored": names,
        }

    def forms(self) -> set[bytes]:
        """Return the stored forms."""
        return {self._form(self.book.content(name)) for name in self.stored}

    def _form(self, content: Content) -> bytes:
        if isinstance(content, Stored):
            return content.ciphertext
        return _form(self.given, content.encoded, self.reading)

    def end(self) -> JsonObject:
        """Return the heads, the data that applications see, and the stored forms at the end."""
        stored: list[Json] = [*sorted(form.hex() for form in self.forms())]
        data = {
            client: self.seen.get(client, head.data if head else {})
            for client, head in self.heads.items()
        }
        return {
            "heads": {
                client: None if head is None else head.hex for client, head in self.heads.items()
            },
            "data": {client: bt(each).hex() for client, each in data.items()},
            "stored": stored,
        }


def read_scenario(body: Body, reading: cm.Reading) -> Example:
    """Return the question and the answer of a body whose first statement begins with `clients`."""
    first, *rest = body.said
    if first.answer is not None:
        first.answer.fail("a step before the first answer")
    given = _opening(first.question)
    window, clients = given.get("window", body.book.window), given["clients"]
    assert isinstance(window, int)
    assert isinstance(clients, list)
    body.make(window)
    stage = _Stage(body.book, given, reading, dict.fromkeys(map(str, clients)))
    steps: list[Json] = []
    moments: list[Json] = []
    for said in rest:
        if said.question.takes("end"):
            said.question.done()
            if said.answer is None:
                said.question.fail("`=` and the data that applications see at the end")
            _read_end(stage, said.answer)
            continue
        made = _read_steps(stage, said.question)
        moments += [stage.moment() for _ in made[:-1]]
        if said.answer is not None:
            _read_changes(stage, said.answer)
        moments.append(stage.moment())
        steps += made
    output = {"steps": moments, **stage.end()} if body.has_answer else None
    ordered = {name: given.pop(name) for name in _FIRST if name in given} | {"steps": steps}
    return Example(operation=OPERATION, input=ordered | given, output=output)


def _opening(text: Statement) -> JsonObject:
    """Return the input without its steps."""
    text.need(FIRST_WORD)
    found: JsonObject = {"clients": _clients(text), "key": KEY.hex(), "domain": DOMAIN.hex()}
    signing: JsonObject = {}
    while text.takes(","):
        if text.takes("key"):
            found["key"] = read_key_by_name(text, ENCRYPTION).hex()
        elif text.takes("domain"):
            found["domain"] = read_bytes(text).hex()
        elif text.takes("no", "domain"):
            del found["domain"]
        elif text.takes("window"):
            found["window"] = read_integer(text)
        elif text.takes("deletion", "permitted"):
            found["deletion_permitted"] = True
        elif text.takes("deletion", "forbidden"):
            found["deletion_permitted"] = False
        elif text.takes("verify", "key"):
            found["verify_key"] = read_key_by_name(text, PUBLICS).hex()
        elif text.takes("signing", "key"):
            key = read_key_by_name(text, SEEDS).hex()
            text.need("for")
            signing |= dict.fromkeys(map(str, _clients(text)), key)
        else:
            text.fail("a property of the scenario, such as `window 4`")
    text.done()
    found |= {"signing_keys": signing} if signing else {}
    return {name: found[name] for name in (*_FIRST, *_OPTIONS) if name in found}


def _clients(text: Statement) -> list[Json]:
    found: list[Json] = []
    while not found or text.next.kind == "bare":
        found.append(text.take() if text.next.kind == "bare" else text.fail(_CLIENT))
    return found


def _read_steps(stage: _Stage, text: Statement) -> list[Json]:
    """Return the steps of one line: at least one."""
    found: list[Json] = []
    if text.takes("store"):
        content = stage.book.named(text)
        stored = isinstance(content, Stored)
        encoded = content.ciphertext if isinstance(content, Stored) else content.encoded
        found.append({"store_raw" if stored else "store": encoded.hex()})
    else:
        client = _client(stage, text)
        found.append(_step(client, text))
        while text.takes(","):
            found.append(_step(client, text))
    text.done()
    return found


def _client(stage: _Stage, text: Statement) -> str:
    name = text.take() if text.next.kind == "bare" else text.fail(f"`store`, `end` or {_CLIENT}")
    if name not in stage.heads:
        text.refuse(f"`store`, `end` or {_CLIENT} ({', '.join(stage.heads)})")
    return name


def _step(client: str, text: Statement) -> JsonObject:
    if text.takes("edits"):
        return {"client": client, "edit": bt(read_any_data(text)).hex()}
    for verb, name in _VERBS.items():
        if text.takes(verb):
            return {"client": client, name: True}
    return text.fail(f"`edits` and data, or {', '.join(f'`{verb}`' for verb in _VERBS)}")


def _read_changes(stage: _Stage, text: Statement) -> None:
    """Read the changes of a step: new heads, and the stored messages."""
    while True:
        if text.takes("stored", "also"):
            stage.stored = [*stage.stored, *_stored(stage, text)]
        elif text.takes("stored"):
            stage.stored = [] if text.takes("nothing") else _stored(stage, text)
        else:
            client = _client(stage, text)
            stage.heads[client] = stage.book.message(text)
        if text.at_end:
            return
        text.need(",")


def _stored(stage: _Stage, text: Statement) -> list[str]:
    return stage.book.names(text) or text.fail(
        "the names of messages that are stored, or `nothing`"
    )


def _read_end(stage: _Stage, text: Statement) -> None:
    """Read the final data of applications that do not see the data of their client's head."""
    if text.takes("data", "of", "the", "heads"):
        text.done()
        return
    while True:
        client = _client(stage, text)
        text.need("sees")
        stage.seen[client] = read_any_data(text)
        if text.at_end:
            return
        text.need(",")


def write_scenario(example: Example, reading: cm.Reading) -> str:
    """Return the text of a scenario with its answer in a reading.

    Raises UnsayableError if there is none.
    """
    written = _Written.of(example, reading)
    lines = [_opening_text(example.input), *written.sheet.definitions(), *written.steps()]
    return "\n".join(line for each in lines for line in wrapped(each))


def _opening_text(given: Any) -> str:
    """Return the first line: the clients, the keys and the other properties."""
    text = f"clients {' '.join(given['clients'])}"
    if given["key"] != KEY.hex():
        text += f", key {key_name(bytes.fromhex(given['key']), ENCRYPTION)}"
    if "domain" not in given:
        text += ", no domain"
    elif given["domain"] != DOMAIN.hex():
        text += f", domain {string_text(bytes.fromhex(given['domain']))}"
    if "window" in given:
        text += f", window {given['window']}"
    if "deletion_permitted" in given:
        text += f", deletion {'permitted' if given['deletion_permitted'] else 'forbidden'}"
    if "verify_key" in given:
        text += f", verify key {key_name(bytes.fromhex(given['verify_key']), PUBLICS)}"
    for name, key in given.get("signing_keys", {}).items():
        text += f", signing key {key_name(bytes.fromhex(key), SEEDS)} for {name}"
    return text


@define
class _Written:
    """A scenario that is written step by step.

    plaintexts: hash -> the plaintexts that a head can be. names: hash of a stored form -> the name.
    """

    given: Any
    output: Any
    sheet: Sheet
    plaintexts: Mapping[str, bytes]
    names: Mapping[str, str]

    @classmethod
    def of(cls, example: Example, reading: cm.Reading) -> _Written:
        """Return a scenario, with names for all that it stores and for all heads."""
        given: Any = example.input
        stored = [bytes.fromhex(step["store"]) for step in given["steps"] if "store" in step]
        raw = [bytes.fromhex(step["store_raw"]) for step in given["steps"] if "store_raw" in step]
        try:
            heads = [*heads_of(given, reading)] if example.output is not None else []
        except RejoinError:
            raise UnsayableError("a scenario with a step that is refused") from None
        sheet = Sheet([*stored, *heads], raw)
        names = {
            blake2b(_form(given, each, reading)).hex(): sheet.name(each)
            for each in sheet.plaintexts
        }
        names |= {blake2b(each).hex(): sheet.name_of_stored(each) for each in raw}
        plaintexts = {blake2b(each).hex(): each for each in sheet.plaintexts}
        return cls(given, example.output, sheet, plaintexts, names)

    def steps(self) -> Iterator[str]:
        """Yield each step with the changes that it makes, and what is seen at the end."""
        steps = self.given["steps"]
        moments: Any = [None] * len(steps) if self.output is None else self.output["steps"]
        before: Any = {"heads": {}, "stored": []}
        quiet = True
        for step, moment in zip(steps, moments, strict=True):
            changes = "" if moment is None else self._changes(before, moment)
            before = moment or before
            quiet = quiet and not changes
            yield f"{self._step(step)} = {changes}" if changes else self._step(step)
        end = "" if self.output is None else self._end(self.output)
        if end or (quiet and self.output is not None):
            yield f"end = {end or 'data of the heads'}"

    def _step(self, step: Mapping[str, str]) -> str:
        if "store_raw" in step:
            return f"store {self.sheet.name_of_stored(bytes.fromhex(step['store_raw']))}"
        if "store" in step:
            return f"store {self.sheet.name(bytes.fromhex(step['store']))}"
        if "edit" in step:
            return f"{step['client']} edits {value_text(decoded(step['edit']))}"
        verb = next(verb for verb, name in _VERBS.items() if name in step)
        return f"{step['client']} {verb}"

    def _changes(self, before: Any, after: Any) -> str:
        parts = [
            f"{client} {self._head(head['hash'])}"
            for client, head in after["heads"].items()
            if head is not None and head != before["heads"].get(client)
        ]
        if after["stored"] != before["stored"]:
            if not {*after["stored"]} <= {*self.names}:
                raise UnsayableError("something stored that the reference does not store")
            names = sorted((self.names[each] for each in after["stored"]), key=_by_number)
            parts.append(f"stored {' '.join(names) or 'nothing'}")
        return ", ".join(parts)

    def _head(self, digest: str) -> str:
        if digest not in self.plaintexts:
            raise UnsayableError("a head that the reference does not make")
        return self.sheet.name(self.plaintexts[digest])

    def _end(self, output: Any) -> str:
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
