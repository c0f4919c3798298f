"""Convert a history into calls of operations on its messages, merges, diffs and ciphertexts.

Most histories become many small calls, because a small call shows a difference most precisely. Each
of the other histories becomes one call, a scenario.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final, TypeAlias, TypeVar

from attrs import define, field

from rejoin import bencode
from rejoin import config_merge as cm
from rejoin_conformance.contract.history import Call
from rejoin_conformance.contract.rows import action_of
from rejoin_conformance.kit.draw import Draw, seed_of
from rejoin_conformance.kit.json_types import Json, JsonObject
from rejoin_conformance.systems.config_merge.actions import BY_KEY, EVENTS
from rejoin_conformance.systems.config_merge.records import (
    DOMAIN,
    ENCRYPTION_KEY,
    SIGNING_KEY,
    VERIFY_KEY,
    History,
)
from rejoin_conformance.systems.config_merge.run import Run, begun, run_history
from rejoin_conformance.systems.config_merge.typed_tree import tree_of

T = TypeVar("T")

Asking: TypeAlias = tuple[str, JsonObject]
"""(operation, input)."""

WHOLE: Final = 4
"""One history in this many becomes a scenario."""
SIGNED: Final = 8
"""One unsigned history in this many still calls for signatures, which cost more than all other
calls together."""
_OTHER_KEY: Final = bytes(range(32))
_SEALED: Final[JsonObject] = {"key": ENCRYPTION_KEY.hex(), "domain": DOMAIN.hex()}


def calls_of(history: History, reading: cm.Reading) -> Iterator[Call]:
    """Yield the calls of a history under a reading."""
    draw = Draw(seed_of("calls", history.seed))
    if draw.chance(1, WHOLE):
        yield Call("config-merge/scenario", scenario_of(history, reading))
        return
    for operation, given in _Parts(run_history(history, reading), draw).calls():
        yield Call(f"config-merge/{operation}", given)


def scenario_of(history: History, reading: cm.Reading) -> JsonObject:
    """Return a history as the input of a scenario, without the events that the reference refuses.

    A scenario has no partitions and no delays: every fetch returns everything, and every batch
    arrives immediately.
    """
    run = begun(history, reading)
    steps: list[Json] = [step for event in history.events for step in _steps(run, event)]
    scenario: JsonObject = {
        **_SEALED,
        "clients": [*history.names],
        "window": run.history.window,
        "steps": steps,
    }
    if history.signed:
        signers = [name for name in history.names if history.can_sign(name)]
        scenario["verify_key"] = VERIFY_KEY.hex()
        scenario["signing_keys"] = dict.fromkeys(signers, SIGNING_KEY.hex())
    return scenario


def _steps(run: Run, event: JsonObject) -> Iterator[JsonObject]:
    """Carry out an event without its mishaps and yield its step, if it has one."""
    row = BY_KEY[action_of(EVENTS, event).key]
    if not row.subject and row.becomes is None:
        return
    done = run.perform({name: each for name, each in event.items() if name in row.fields})
    if done is None:
        return
    if done.key == "edit":
        data = cm.encode_data(run.clients[done.client].data).hex()
        yield {"client": done.client, "edit": data}
    elif done.client:
        yield {"client": done.client, done.key: True}
    elif run.stored_for("").keys() != done.stored.keys():
        yield _storing(run, done.fields["store_raw"])


def _storing(run: Run, ciphertext: bytes) -> JsonObject:
    """Return the step that stores a ciphertext, given by its plaintext if that reproduces it."""
    plaintext = _opened(run, ciphertext)
    if plaintext is not None:
        settings = run.settings
        key, reading, domain = settings.encryption_key, settings.reading, settings.domain
        if cm.encrypt(plaintext, key, reading=reading, domain=domain) == ciphertext:
            return {"store": plaintext.hex()}
    return {"store_raw": ciphertext.hex()}


def _opened(run: Run, ciphertext: bytes) -> bytes | None:
    """Return the plaintext of a ciphertext, or None if it has none."""
    settings = run.settings
    try:
        return cm.decrypt(
            ciphertext,
            settings.encryption_key,
            reading=settings.reading,
            domain=settings.domain,
        )
    except cm.ConfigMergeError:
        return None


@define
class _Parts:
    """A history that has run, and the ciphertexts and plaintexts that its calls need.

    ciphertexts: name -> each ciphertext of a record or in the swarm at the end. plaintexts: name ->
    the plaintext of each of these ciphertexts that can be decrypted. signed: whether messages must
    be signed, which makes each call of a merge expensive.
    """

    run: Run
    draw: Draw
    ciphertexts: dict[bytes, bytes] = field(init=False)
    plaintexts: dict[bytes, bytes] = field(init=False)
    signed: bool = field(init=False)

    def __attrs_post_init__(self) -> None:
        run = self.run
        self.signed = run.history.signed
        self.ciphertexts = {record.name: record.ciphertext for record in run.records}
        self.ciphertexts |= {n: each for side in run.sides for n, each in side.stored.items()}
        self.plaintexts = {record.name: record.message.encoded for record in run.records}
        for name, ciphertext in self.ciphertexts.items():
            plaintext = None if name in self.plaintexts else _opened(run, ciphertext)
            if plaintext is not None:
                self.plaintexts[name] = plaintext

    def calls(self) -> Iterator[Asking]:
        """Yield the calls, from single ciphertexts to whole merges: (operation, input)."""
        yield from self._stored_forms()
        yield from self._messages()
        if self.signed or self.draw.chance(1, SIGNED):
            yield from self._signatures()
        yield from self._diffs()
        yield from self._merges()
        yield from self._updates()

    def _some(self, items: Iterable[T], count: int) -> list[T]:
        listed = list(items)
        return self.draw.sample(listed, count) if len(listed) > count else listed

    def _context(self, settings: cm.Settings | None = None) -> JsonObject:
        """Return the window and the keys of a call. settings: of a client that makes a message."""
        context: JsonObject = {"window": self.run.history.window}
        if self.signed:
            context["verify_key"] = VERIFY_KEY.hex()
            if settings is not None and settings.signing_key is not None:
                context["signing_key"] = SIGNING_KEY.hex()
        return context

    def _stored_forms(self) -> Iterator[Asking]:
        for name in self._some(self.plaintexts, 1):
            yield "encrypt", {**_SEALED, "plaintext": self.plaintexts[name].hex()}
        unreadable = [name for name in self.ciphertexts if name not in self.plaintexts]
        for name in [*self._some(self.plaintexts, 1), *self._some(unreadable, 2)]:
            yield "decrypt", {**_SEALED, "ciphertext": self.ciphertexts[name].hex()}

    def _messages(self) -> Iterator[Asking]:
        good = {record.name: None for record in self.run.records}
        bad = [name for name in self.ciphertexts if name not in good and name in self.plaintexts]
        for name in [*self._some(bad, 2), *self._some(good, 4)]:
            given = {**self._context(), "message": self.plaintexts[name].hex()}
            yield "parse", given
        for name in [*self._some(bad, 1), *self._some(good, 1)]:
            encoded = self.plaintexts[name]
            yield "decode", {"encoded": encoded.hex()}
            try:
                tree = tree_of(bencode.decode(encoded, lenient=True))
            except bencode.BencodeError:
                continue
            yield "encode", {"value": tree}

    def _signatures(self) -> Iterator[Asking]:
        for name in self._some(self.plaintexts, 1):
            message = self.plaintexts[name].hex()
            yield "sign", {"message": message, "signing_key": SIGNING_KEY.hex()}
        for name in self._some(self.plaintexts, 1):
            message = self.plaintexts[name].hex()
            key = VERIFY_KEY if self.draw.chance(3, 4) else _OTHER_KEY
            yield "verify", {"message": message, "verify_key": key.hex()}

    def _diffs(self) -> Iterator[Asking]:
        messages = [record.message for record in self.run.records]
        for newer in self._some(messages, 3):
            older = self.draw.pick(messages)
            yield "diff", {"old": _data(older), "new": _data(newer)}
        for carrier in self._some(messages, 6):
            source = self.draw.pick(messages) if self.draw.chance(1, 4) else carrier
            diffs = [carrier.diff, *(row.diff for row in carrier.lagged)]
            data = _data(self.draw.pick(messages))
            diff = cm.encode_diff(self.draw.pick(diffs)).hex()
            yield "apply-diff", {"data": data, "diff": diff, "source": _data(source)}

    def _merges(self) -> Iterator[Asking]:
        by_names = {tuple(each.known): each for each in self.run.resolved}
        for names, resolved in self._some(by_names.items(), 1 if self.signed else 2):
            listed = self._listed(names)
            yield "resolve", {**self._context(resolved.settings), "messages": listed}

    def _updates(self) -> Iterator[Asking]:
        for pushed in self._some(self.run.pushed, 1 if self.signed else 2):
            names, settings = [*pushed.before.known], pushed.before.settings
            data = cm.checked_data(pushed.intended, reading=settings.reading)
            given = {
                **self._context(settings),
                "messages": self._listed(names),
                "data": cm.encode_data(data).hex(),
            }
            yield "update", given

    def _listed(self, names: Sequence[bytes]) -> list[Json]:
        return [self.plaintexts[name].hex() for name in names if name in self.plaintexts]


def _data(message: cm.Message) -> str:
    return cm.encode_data(message.data).hex()
