"""Convert a history into calls of operations on its messages, merges, diffs and ciphertexts.

Most histories become many small calls, because a small call shows a difference most precisely. Each
of the other histories becomes one call, a scenario.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from typing import Any, Final, TypedDict, TypeVar

from attrs import define, field

from rejoin import bencode
from rejoin import config_merge as cm
from rejoin_conformance.contract.history import Call
from rejoin_conformance.kit.draw import Draw, seed_of
from rejoin_conformance.kit.json_types import Json, JsonObject
from rejoin_conformance.systems.config_merge.histories.events import History
from rejoin_conformance.systems.config_merge.histories.run import Run, run_history
from rejoin_conformance.systems.config_merge.histories.scenario_input import scenario_of
from rejoin_conformance.systems.config_merge.histories.settings import (
    DOMAIN,
    ENCRYPTION_KEY,
    SIGNING_KEY,
    VERIFY_KEY,
)
from rejoin_conformance.systems.config_merge.operations import PARSE, RESOLVE, UPDATE
from rejoin_conformance.systems.config_merge.typed_tree import tree_of

T = TypeVar("T")

WHOLE: Final = 4
"""One history in this many becomes a scenario."""
SIGNED: Final = 8
"""One unsigned history in this many still calls for signatures, which cost more than all other
calls together."""
_OTHER_KEY: Final = bytes(range(32))


def calls_of(history: History, reading: cm.Reading) -> Iterator[Call]:
    """Yield the calls of a history under a reading."""
    draw = Draw(seed_of("calls", history.seed))
    if draw.chance(1, WHOLE):
        yield Call("config-merge/scenario", scenario_of(history, reading))
        return
    yield from _Parts(run_history(history, reading), draw).calls()


class _Settings(TypedDict):
    """The arguments of the reference that stand for the context of a call."""

    window: int
    reading: cm.Reading
    verify_key: bytes | None
    signing_key: bytes | None


@define
class _Parts:
    """A history that has run, and the ciphertexts and plaintexts that its calls need.

    ciphertexts: name -> each ciphertext of a record or in the swarm at the end. plaintexts: name ->
    the plaintext of each of these ciphertexts that can be decrypted.
    """

    run: Run
    draw: Draw
    ciphertexts: dict[bytes, bytes] = field(init=False)
    plaintexts: dict[bytes, bytes] = field(init=False)

    def __attrs_post_init__(self) -> None:
        records = self.run.records
        self.ciphertexts = {
            **{record.name: record.ciphertext for record in records},
            **{n: each for side in self.run.network.sides for n, each in side.stored.items()},
        }
        self.plaintexts = {record.name: record.message.encoded for record in records}
        settings = self.run.clients[0].settings
        for name, ciphertext in self.ciphertexts.items():
            if name not in self.plaintexts:
                try:
                    self.plaintexts[name] = cm.decrypt(
                        ciphertext,
                        settings.encryption_key,
                        reading=settings.reading,
                        domain=settings.domain,
                    )
                except cm.ConfigMergeError:
                    continue

    def calls(self) -> Iterator[Call]:
        """Yield the calls, from single ciphertexts to whole merges."""
        yield from self._stored_forms()
        yield from self._messages()
        if self._signed or self.draw.chance(1, SIGNED):
            yield from self._signatures()
        yield from self._diffs()
        yield from self._merges()
        yield from self._updates()

    @property
    def _signed(self) -> bool:
        """Return whether messages must be signed, which makes each call of a merge expensive."""
        return self.run.history.signed

    def _some(self, items: Sequence[T], count: int) -> list[T]:
        return self.draw.sample(items, count) if len(items) > count else list(items)

    def _context(self, *, signs: bool = False) -> JsonObject:
        context: JsonObject = {"window": self.run.history.window}
        if self._signed:
            context["verify_key"] = VERIFY_KEY.hex()
            if signs:
                context["signing_key"] = SIGNING_KEY.hex()
        return context

    def _bad(self) -> list[bytes]:
        """Return the names of the stored ciphertexts that are not valid messages."""
        good = {record.name for record in self.run.records}
        return [name for name in self.ciphertexts if name not in good]

    def _stored_forms(self) -> Iterator[Call]:
        sealed: JsonObject = {"key": ENCRYPTION_KEY.hex(), "domain": DOMAIN.hex()}
        for name in self._some(list(self.plaintexts), 1):
            yield Call("config-merge/encrypt", {**sealed, "plaintext": self.plaintexts[name].hex()})
        unreadable = [name for name in self.ciphertexts if name not in self.plaintexts]
        for name in [*self._some(list(self.plaintexts), 1), *self._some(unreadable, 2)]:
            ciphertext = self.ciphertexts[name].hex()
            yield Call("config-merge/decrypt", {**sealed, "ciphertext": ciphertext})

    def _messages(self) -> Iterator[Call]:
        bad = [name for name in self._bad() if name in self.plaintexts]
        good = [record.name for record in self.run.records]
        for name in [*self._some(bad, 2), *self._some(good, 4)]:
            message = self.plaintexts[name].hex()
            yield Call(
                "config-merge/parse",
                {**self._context(), "message": message},
                partial(self._known_parse, name),
            )
        for name in [*self._some(bad, 1), *self._some(good, 1)]:
            encoded = self.plaintexts[name]
            yield Call("config-merge/decode", {"encoded": encoded.hex()})
            try:
                tree = tree_of(bencode.decode(encoded, lenient=True))
            except bencode.BencodeError:
                continue
            yield Call("config-merge/encode", {"value": tree})

    def _signatures(self) -> Iterator[Call]:
        for name in self._some(list(self.plaintexts), 1):
            message: JsonObject = {"message": self.plaintexts[name].hex()}
            yield Call("config-merge/sign", {**message, "signing_key": SIGNING_KEY.hex()})
        for name in self._some(list(self.plaintexts), 1):
            message = {"message": self.plaintexts[name].hex()}
            key = VERIFY_KEY if self.draw.chance(3, 4) else _OTHER_KEY
            yield Call("config-merge/verify", {**message, "verify_key": key.hex()})

    def _diffs(self) -> Iterator[Call]:
        messages = [record.message for record in self.run.records]
        for newer in self._some(messages, 3):
            older = self.draw.pick(messages)
            yield Call("config-merge/diff", {"old": _data(older), "new": _data(newer)})
        for carrier in self._some(messages, 6):
            source = self.draw.pick(messages) if self.draw.chance(1, 4) else carrier
            diffs = [carrier.diff, *(row.diff for row in carrier.lagged)]
            yield Call(
                "config-merge/apply-diff",
                {
                    "data": _data(self.draw.pick(messages)),
                    "diff": cm.encode_diff(self.draw.pick(diffs)).hex(),
                    "source": _data(source),
                },
            )

    def _merges(self) -> Iterator[Call]:
        by_names = {tuple(each.known): each for each in self.run.resolved}
        for names, resolved in self._some(list(by_names.items()), 1 if self._signed else 2):
            context = self._context(signs=resolved.settings.signing_key is not None)
            yield Call(
                "config-merge/resolve",
                {**context, "messages": self._listed(names)},
                partial(self._known_resolve, names, resolved.settings),
            )

    def _updates(self) -> Iterator[Call]:
        for pushed in self._some(self.run.pushed, 1 if self._signed else 2):
            settings = pushed.before.settings
            data = cm.checked_data(pushed.intended, reading=settings.reading)
            yield Call(
                "config-merge/update",
                {
                    **self._context(signs=settings.signing_key is not None),
                    "messages": self._listed(pushed.before.known),
                    "data": cm.encode_data(data).hex(),
                },
                partial(self._known_update, pushed.before.known, data, settings),
            )

    def _known_parse(self, name: bytes) -> JsonObject:
        """Answer `parse` with what the clients parsed."""
        (content,) = self._parsed([name])
        if isinstance(content, cm.ConfigMergeError):
            raise content
        return PARSE.answered(content, None)

    def _known_resolve(self, names: Iterable[bytes], settings: cm.Settings) -> JsonObject:
        """Answer `resolve` with what the clients parsed."""
        given = self._settings(settings.signing_key)
        return RESOLVE.answered(cm.resolve_messages(self._parsed(names), **given), None)

    def _known_update(
        self, names: Iterable[bytes], data: cm.Dict, settings: cm.Settings
    ) -> JsonObject:
        """Answer `update` with what the clients parsed."""
        given = self._settings(settings.signing_key)
        return UPDATE.answered(cm.update_messages(self._parsed(names), data, **given), None)

    def _parsed(self, names: Iterable[bytes]) -> list[cm.Parsed]:
        """Return the messages that a call lists. The clients have parsed most of them."""
        return [
            self.run.open(name, self.ciphertexts[name]).content
            for name in names
            if name in self.plaintexts
        ]

    def _settings(self, signing_key: bytes | None) -> _Settings:
        """Return the arguments of the reference for the context of a call."""
        return {
            "window": self.run.history.window,
            "reading": self.run.reading,
            "verify_key": VERIFY_KEY if self._signed else None,
            "signing_key": SIGNING_KEY if self._signed and signing_key is not None else None,
        }

    def _listed(self, names: Any) -> list[Json]:
        return [self.plaintexts[name].hex() for name in names if name in self.plaintexts]


def _data(message: cm.Message) -> str:
    return cm.encode_data(message.data).hex()
