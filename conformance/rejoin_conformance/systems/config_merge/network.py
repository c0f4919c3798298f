"""A small network of clients that ask for their messages: the calls of a history come from it.

A client is only what it knows: messages, bt-encoded in hex. The answers to `update` and `resolve`
are its next messages. So any implementation can play a history, and no state of the reference is
needed. The network is not a model of the protocol: it only has to lead to calls that are worth
asking.
"""

from __future__ import annotations

from functools import cached_property
from typing import Any, Final, NamedTuple

from attrs import define, evolve, field

from rejoin import bencode
from rejoin import config_merge as cm
from rejoin_conformance.contract.history import Ask, Call
from rejoin_conformance.contract.rows import action_of
from rejoin_conformance.kit.json_types import Json, JsonObject
from rejoin_conformance.readings.expressions import reading_of
from rejoin_conformance.systems.config_merge import READINGS
from rejoin_conformance.systems.config_merge.actions import EVENTS
from rejoin_conformance.systems.config_merge.changes import (
    Change,
    Tree,
    carry_out,
    change_of,
    thawed,
)
from rejoin_conformance.systems.config_merge.injections import INJECTIONS, Target, sealed
from rejoin_conformance.systems.config_merge.records import SIGNING_KEY, VERIFY_KEY, History

_KEPT: Final = 2
"""The number of messages that a client still knows besides those that it has not merged."""
_INVALID: Final = ("bad", "bad-in-document")


class Stored(NamedTuple):
    """A ciphertext in the swarm. kind: `store` if `hex` is its plaintext, otherwise `store_raw`."""

    kind: str
    hex: str


@define
class Client:
    """What one client knows.

    seen: the messages that it resolved or made. news: those that it fetched since. head: the
    message on which it works. unpushed: whether the head is a merge that nobody stored. changes:
    those of its application that are not pushed yet. data: what its application then sees, encoded;
    None if that is not known.
    """

    seen: list[str] = field(factory=list)
    news: list[str] = field(factory=list)
    head: str | None = None
    unpushed: bool = False
    changes: list[Change] = field(factory=list)
    data: str | None = None


class Sent(NamedTuple):
    """A push. obsolete: the messages to delete; empty if the push deletes nothing."""

    client: str
    message: str
    obsolete: frozenset[str]


@define(slots=False)
class Network:
    """The clients of a history, the swarm, and what was made so far.

    mishaps: whether the network splits, delays and leaves out. asked: the calls of `update` and
    `resolve`. steps: the events as steps of a scenario. messages: the valid messages in order.
    invalid: plaintexts of injections that are no valid messages. raw: the ciphertexts that cannot
    be decrypted. datas: the data of pushed updates. trees: the hex digits of a
    message, or of data alone -> the data.
    """

    history: History
    ask: Ask
    mishaps: bool = True
    clients: dict[str, Client] = field(init=False)
    sides: list[dict[Stored, None]] = field(factory=lambda: [{}])
    far: frozenset[str] = frozenset()
    on_the_way: list[Sent] = field(factory=list)
    asked: list[Call] = field(factory=list)
    steps: list[Json] = field(factory=list)
    messages: dict[str, None] = field(factory=dict)
    invalid: list[str] = field(factory=list)
    raw: list[str] = field(factory=list)
    datas: list[str] = field(factory=list)
    trees: dict[str, Any] = field(factory=dict)

    def __attrs_post_init__(self) -> None:
        self.clients = {name: Client() for name in self.history.names}

    def play(self) -> None:
        """Carry out all events, and let all clients meet at the end."""
        for event in self.history.events:
            key = action_of(EVENTS, event).key
            getattr(self, f"_{key}")(event)
        self._heal({})
        self._deliver({})
        for name in self.clients:
            self._fetch({"client": name})
            self._resolve({"client": name})

    def context(self, name: str | None = None) -> JsonObject:
        """Return the window and the keys of a call. name: of a client that makes a message."""
        context: JsonObject = {"window": self.history.window}
        if self.history.signed:
            context["verify_key"] = VERIFY_KEY.hex()
            if name is not None and self.history.can_sign(name):
                context["signing_key"] = SIGNING_KEY.hex()
        return context

    # the events, by their keys

    def _changes(self, event: Any) -> None:
        client = self.clients[event["client"]]
        before = [*client.changes]
        client.changes += map(change_of, event["changes"])
        client.data = self._data_of(client)
        if client.data is None:
            client.changes = before
        else:
            self.steps.append({"client": event["client"], "edit": client.data})

    def _push(self, event: Any) -> None:
        name = event["client"]
        client = self.clients[name]
        if client.changes:
            if not self.history.can_sign(name):
                return
            data = client.data or self._data_of(client) or ""
            made = self._made("update", name, messages=[*client.seen], data=data)
            if made is None:
                return
            client.head = str(made["message"])
            self.datas.append(data)
            self.trees[client.head] = self.trees[data]
        elif not client.unpushed:
            return
        assert client.head is not None, "it was made now, or is a merge"
        obsolete = [] if self.mishaps and "deletes_nothing" in event else client.seen
        sent = Sent(name, client.head, frozenset(obsolete) - {client.head})
        client.seen = [client.head, *client.seen[:_KEPT]]
        client.unpushed, client.changes, client.data = False, [], None
        self.messages[client.head] = None
        self.steps.append({"client": name, "push": True})
        if self.mishaps and "delayed" in event:
            self.on_the_way.append(sent)
        else:
            self._execute(sent)

    def _fetch(self, event: Any) -> None:
        client = self.clients[event["client"]]
        skip = event.get("skip", 0) if self.mishaps else 0
        client.news += [
            each.hex
            for place, each in enumerate(self._side(event["client"]))
            if each.kind == "store" and not skip >> (place & 15) & 1
            if each.hex not in client.seen and each.hex not in client.news
        ]
        self.steps.append({"client": event["client"], "fetch": True})

    def _resolve(self, event: Any) -> None:
        name = event["client"]
        client = self.clients[name]
        known = [*client.seen, *client.news]
        if not client.news:
            return
        made = self._made("resolve", name, messages=known)
        if made is None:
            return
        ignored: Any = made["ignored"]
        left = dict.fromkeys(known[each["index"]] for each in ignored)
        client.seen = [each for each in known if each not in left] + [*left][:_KEPT]
        client.seen = [*dict.fromkeys(each for each in client.seen if each not in self.invalid)]
        client.news, client.data, client.head = [], None, str(made["message"])
        client.unpushed = bool(made["merged"])
        self.messages[client.head] = None
        self.steps.append({"client": name, "resolve": True})

    def _inject(self, event: Any) -> None:
        if not self.messages:
            return
        sent = [*self.messages]
        target = sent[-1 - event["target"] % len(sent)]
        others = (self._parsed(each) for each in reversed(sent) if each != target)
        ciphertext = sealed(bytes.fromhex(target), self._settings)
        try:
            context = Target(self._parsed(target), ciphertext, others, self._settings)
            made = INJECTIONS[event["inject"]](context, event["salt"])
        except cm.ConfigMergeError:  # no seqno is left, or the target is refused
            return
        stored = Stored("store_raw", made.ciphertext.hex())
        plaintext = self._opened(made.ciphertext)
        if plaintext is None:
            self.raw.append(made.ciphertext.hex())
        else:
            if made.truth in _INVALID:
                self.invalid.append(plaintext.hex())
            else:
                self.messages[plaintext.hex()] = None
            if sealed(plaintext, self._settings) == made.ciphertext:
                stored = Stored("store", plaintext.hex())
        self.sides[event["salt"] % len(self.sides)][stored] = None
        self.steps.append({stored.kind: stored.hex})

    def _partition(self, event: Any) -> None:
        self._heal(event)
        far = frozenset(event["partition"])
        if self.mishaps and 0 < len(far) < len(self.clients):
            self.sides, self.far = [self.sides[0], dict(self.sides[0])], far

    def _heal(self, _: object) -> None:
        both = dict.fromkeys(each for side in self.sides for each in side)
        self.sides, self.far = [both], frozenset()

    def _deliver(self, _: object) -> None:
        for sent in self.on_the_way:
            self._execute(sent)
        self.on_the_way.clear()

    # parts of events

    def _made(self, operation: str, name: str, **given: Any) -> JsonObject | None:
        """Ask for the message that a client makes. Returns None if that is rejected."""
        call = Call(f"config-merge/{operation}", {**self.context(name), **given})
        self.asked.append(call)
        return self.ask.output(call)

    def _side(self, name: str) -> dict[Stored, None]:
        return self.sides[name in self.far]

    def _execute(self, sent: Sent) -> None:
        side = self._side(sent.client)
        side[Stored("store", sent.message)] = None
        for each in sent.obsolete:
            side.pop(Stored("store", each), None)

    def _data_of(self, client: Client) -> str | None:
        """Return the data that the client's application sees, or None if it cannot be sent."""
        tree = {} if client.head is None else self._data_in(client.head)
        carry_out(tree, client.changes)
        try:
            data = cm.checked_data(tree, reading=self._settings.reading)
            text = cm.encode_data(data).hex()
        except cm.ConfigMergeError:
            return None
        self.trees[text] = data
        return text

    def _data_in(self, message: str) -> Tree:
        """Return the data of a message as a tree that can be changed."""
        if message not in self.trees:
            outer: Any = bencode.decode(bytes.fromhex(message), lenient=True)
            self.trees[message] = outer[b"&"]
        return thawed(self.trees[message])

    def _opened(self, ciphertext: bytes) -> bytes | None:
        settings = self._settings
        key, reading = settings.encryption_key, settings.reading
        try:
            return cm.decrypt(ciphertext, key, reading=reading, domain=settings.domain)
        except cm.ConfigMergeError:
            return None

    def _parsed(self, message: str) -> cm.Message:
        settings = self._settings
        return cm.parse_message(
            bytes.fromhex(message),
            window=settings.window,
            reading=settings.reading,
            verify_key=settings.verify_key,
        )

    @cached_property
    def _settings(self) -> cm.Settings:
        """Return the settings of the first client, with the N that applies."""
        reading = reading_of(READINGS, self.ask.reading)
        settings = next(iter(self.history.settings(reading).values()))
        return evolve(settings, window=cm.applied_window(settings.window, reading))
