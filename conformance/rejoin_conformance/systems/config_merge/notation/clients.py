"""Read scenarios.

    clients A B
    7:  7 {a: 1} diff {=a}
    8a: after 7 {a: 1, b: 2} diff {=b}
    store 7               = stored 7
    A fetches, resolves   = A 7
    A edits {a: 1, b: 2}
    A pushes              = A 8a, stored 8a
    end = A sees {a: 1, b: 2}

A line contains one step, or several steps of one client. After `=` come the changes by the last of
these steps: the new heads of clients, and all stored messages (`stored nothing` if there are none).
`end` states the data that applications see if it is not the data of their client's head. The first
line can continue with `, window 4`, `, verify key alice`, `, signing key alice for A B`,
`, deletion forbidden`, `, key histories` and `, domain "Rejoin"` or `, no domain`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final, TypeAlias

from attrs import Factory, define

from rejoin import config_merge as cm
from rejoin_conformance.contract.notation import Example
from rejoin_conformance.kit.json_types import Json, JsonObject
from rejoin_conformance.kit.phrases import NotationError
from rejoin_conformance.systems.config_merge.drafts.by_hand.bt import Tree, bt
from rejoin_conformance.systems.config_merge.drafts.by_hand.keys import (
    DOMAIN,
    KEY,
    stored_form,
    stored_form_in_domain,
)
from rejoin_conformance.systems.config_merge.drafts.by_hand.messages import Message, blake2b
from rejoin_conformance.systems.config_merge.notation.body import Body, Said
from rejoin_conformance.systems.config_merge.notation.contents import (
    Content,
    Stored,
)
from rejoin_conformance.systems.config_merge.notation.data import (
    read_integer,
    read_string,
    read_value,
)
from rejoin_conformance.systems.config_merge.notation.keys import (
    ENCRYPTION,
    PUBLICS,
    SEEDS,
    read_key_by_name,
)
from rejoin_conformance.systems.config_merge.notation.messages import (
    Book,
)
from rejoin_conformance.systems.config_merge.notation.statements import Reader

OPERATION: Final = "config-merge/scenario"
FIRST_WORD: Final = "clients"

Seal: TypeAlias = Callable[[bytes], bytes]
"""A plaintext -> its stored form."""

_FIRST: Final = ("clients", "key", "domain")
VERBS: Final[Mapping[str, str]] = {"pushes": "push", "fetches": "fetch", "resolves": "resolve"}


@define
class _Stage:
    """The heads of all clients and the stored messages, as the text states them."""

    book: Book
    seal: Seal
    heads: dict[str, str | None]
    stored: list[str] = Factory(list)
    seen: dict[str, Tree] = Factory(dict)

    def moment(self) -> JsonObject:
        """Return the heads and the names of the stored forms after a step."""
        names: list[Json] = [*sorted(blake2b(form).hex() for form in self.forms())]
        shown: JsonObject = {}
        for client in self.heads:
            head = self.head(client)
            if head is None:
                shown[client] = None
            else:
                shown[client] = {"seqno": str(head.seqno), "hash": head.hash.hex()}
        return {"heads": shown, "stored": names}

    def head(self, client: str) -> Message | None:
        """Return the head of a client, if it has one."""
        name = self.heads[client]
        content = None if name is None else self.book.content(name)
        assert content is None or isinstance(content, Message)
        return content

    def forms(self) -> set[bytes]:
        """Return the stored forms."""
        return {self.form(self.book.content(name)) for name in self.stored}

    def form(self, content: Content) -> bytes:
        """Return the stored form of a content."""
        if isinstance(content, Stored):
            return content.ciphertext
        return self.seal(content.encoded)

    def end(self) -> JsonObject:
        """Return the heads, the data that applications see, and the stored forms at the end."""
        heads: JsonObject = {}
        data: JsonObject = {}
        for client in self.heads:
            head = self.head(client)
            heads[client] = None if head is None else head.hex
            data[client] = bt(self.seen.get(client, head.data if head else {})).hex()
        stored: list[Json] = [*sorted(form.hex() for form in self.forms())]
        return {"heads": heads, "data": data, "stored": stored}


def is_scenario(lines: Sequence[str]) -> bool:
    """Return whether a text is the body of a scenario."""
    return bool(lines) and lines[0].split()[:1] == [FIRST_WORD]


def read_scenario(body: Body, reading: cm.Reading) -> Example:
    """Return the question and the answer of a body whose first statement begins with `clients`."""
    given = _opening(body.said[0])
    book = body.book
    window = given.get("window", book.window)
    assert isinstance(window, int)
    book.window = window if body.window is None else body.window
    book.make_all()
    clients = given["clients"]
    assert isinstance(clients, list)
    stage = _Stage(book, _sealing(given, reading), dict.fromkeys(map(str, clients)))
    steps: list[Json] = []
    moments: list[Json] = []
    for said in body.said[1:]:
        if _is_end(said):
            _read_end(stage, said)
            continue
        made = _read_steps(stage, Reader(said.question))
        moments += [stage.moment() for _ in made[:-1]]
        if said.answer is not None:
            _read_changes(stage, Reader(said.answer))
        moments.append(stage.moment())
        steps += made
    output = {"steps": moments, **stage.end()} if body.has_answer else None
    asked: JsonObject = {name: given.pop(name) for name in _FIRST if name in given}
    asked |= {"steps": steps, **given}
    return Example(operation=OPERATION, input=asked, output=output)


def _sealing(given: JsonObject, reading: cm.Reading) -> Seal:
    key = bytes.fromhex(str(given["key"]))
    domain = bytes.fromhex(str(given.get("domain", "")))
    if reading.nonce_domain_separated:
        return lambda plaintext: stored_form_in_domain(plaintext, key, domain)
    return lambda plaintext: stored_form(plaintext, key)


def _opening(said: Said) -> JsonObject:
    """Return the input without its steps."""
    if said.answer is not None:
        raise Reader(said.answer).missing("a step before the first answer")
    reader = Reader(said.question)
    reader.expect(FIRST_WORD)
    found: JsonObject = {"clients": [*_words(reader, "the name of a client")]}
    found |= {"key": KEY.hex(), "domain": DOMAIN.hex()}
    options: JsonObject = {}
    signing: JsonObject = {}
    while reader.take(","):
        if reader.take("key"):
            found["key"] = read_key_by_name(reader, ENCRYPTION).hex()
        elif reader.take("domain"):
            found["domain"] = read_string(reader).hex()
        elif reader.take("no", "domain"):
            del found["domain"]
        elif reader.take("window"):
            options["window"] = read_integer(reader)
        elif reader.take("deletion", "permitted"):
            options["deletion_permitted"] = True
        elif reader.take("deletion", "forbidden"):
            options["deletion_permitted"] = False
        elif reader.take("verify", "key"):
            options["verify_key"] = read_key_by_name(reader, PUBLICS).hex()
        elif reader.take("signing", "key"):
            key = read_key_by_name(reader, SEEDS).hex()
            reader.expect("for")
            signing |= dict.fromkeys(_words(reader, "the name of a client"), key)
        else:
            raise reader.missing("a property of the scenario, such as `window 4`")
    reader.end()
    order = ("window", "deletion_permitted", "verify_key")
    found |= {name: options[name] for name in order if name in options}
    return {**found, "signing_keys": signing} if signing else found


def _words(reader: Reader, expected: str) -> list[str]:
    found = [reader.next("word", expected).text]
    while reader.sees_kind("word"):
        found.append(reader.next("word", expected).text)
    return found


def _is_end(said: Said) -> bool:
    return Reader(said.question).sees("end")


def _read_steps(stage: _Stage, reader: Reader) -> list[Json]:
    """Return the steps of one line: at least one."""
    if reader.take("store"):
        content = stage.book.named(reader)
        reader.end()
        if isinstance(content, Stored):
            return [{"store_raw": content.ciphertext.hex()}]
        return [{"store": content.encoded.hex()}]
    client = _client(stage, reader)
    found: list[Json] = [_step(stage, client, reader)]
    while reader.take(","):
        found.append(_step(stage, client, reader))
    reader.end()
    return found


def _client(stage: _Stage, reader: Reader) -> str:
    name = reader.next("word", "`store`, `end` or the name of a client").text
    if name not in stage.heads:
        raise reader.wrong(f"`store`, `end` or the name of a client ({', '.join(stage.heads)})")
    return name


def _step(stage: _Stage, client: str, reader: Reader) -> JsonObject:
    if reader.take("edits"):
        if reader.take("data", "of"):
            return {"client": client, "edit": bt(stage.book.message(reader).data).hex()}
        return {"client": client, "edit": bt(read_value(reader)).hex()}
    for verb, name in VERBS.items():
        if reader.take(verb):
            return {"client": client, name: True}
    raise reader.missing(f"`edits` and data, or {', '.join(f'`{verb}`' for verb in VERBS)}")


def _read_changes(stage: _Stage, reader: Reader) -> None:
    """Read the changes of a step: new heads, and the stored messages."""
    while True:
        if reader.take("stored"):
            stage.stored = [] if reader.take("nothing") else _stored(stage, reader)
        else:
            client = _client(stage, reader)
            stage.book.message(Reader(reader.statement, reader.place))
            stage.heads[client] = stage.book.name(reader)
        if reader.at_end:
            return
        reader.expect(",")


def _stored(stage: _Stage, reader: Reader) -> list[str]:
    names = stage.book.names(reader)
    if not names:
        raise reader.missing("the names of messages that are stored, or `nothing`")
    return names


def _read_end(stage: _Stage, said: Said) -> None:
    """Read the final data of applications that do not see the data of their client's head."""
    question = Reader(said.question)
    question.expect("end")
    question.end()
    if said.answer is None:
        raise NotationError(
            said.question[0].line, "`=` and the data that applications see at the end", ""
        )
    reader = Reader(said.answer)
    if reader.take("data", "of", "the", "heads"):
        reader.end()
        return
    while True:
        client = _client(stage, reader)
        reader.expect("sees")
        if reader.take("data", "of"):
            stage.seen[client] = stage.book.message(reader).data
        else:
            stage.seen[client] = read_value(reader)
        if reader.at_end:
            return
        reader.expect(",")
