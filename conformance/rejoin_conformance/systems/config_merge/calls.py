"""A history as calls of operations: what a network of clients asks, and calls on what it made.

A small call shows a difference most precisely. One history in some is also a whole scenario.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from rejoin_conformance.contract.history import Ask, Call
from rejoin_conformance.kit.draw import Draw, seed_of
from rejoin_conformance.kit.json_types import JsonObject
from rejoin_conformance.systems.config_merge.network import Network
from rejoin_conformance.systems.config_merge.records import (
    DOMAIN,
    ENCRYPTION_KEY,
    SIGNING_KEY,
    VERIFY_KEY,
    History,
)

WHOLE: Final = 4
"""One history in this many has no mishaps, and becomes a scenario too."""
SIGNED: Final = 8
"""One unsigned history in this many still calls for signatures, which cost more than all other
calls together."""
MERGES: Final = 24
"""The most calls of `resolve` and `update`."""
_OTHER_KEY: Final = bytes(range(32))
_SEALED: Final[JsonObject] = {"key": ENCRYPTION_KEY.hex(), "domain": DOMAIN.hex()}


def calls_of(history: History, ask: Ask) -> Iterator[Call]:
    """Yield the calls of a history."""
    draw = Draw(seed_of("calls", history.seed))
    network = Network(history, ask, mishaps=not draw.chance(1, WHOLE))
    network.play()
    yield from draw.sample(network.asked, MERGES)
    if not network.mishaps:
        yield Call("config-merge/scenario", _scenario(network))
    for part in (_stored_forms, _messages, _signatures, _diffs):
        yield from part(network, draw)


def scenario_of(history: History, ask: Ask) -> JsonObject:
    """Return a history as the input of a scenario, without the events that are refused.

    A scenario has no partitions and no delays: every fetch returns everything, and every batch
    arrives immediately.
    """
    network = Network(history, ask, mishaps=False)
    network.play()
    return _scenario(network)


def _scenario(network: Network) -> JsonObject:
    history = network.history
    scenario: JsonObject = {
        **_SEALED,
        "clients": [*history.names],
        "window": history.window,
        "steps": network.steps,
    }
    if history.signed:
        signers = [name for name in history.names if history.can_sign(name)]
        scenario["verify_key"] = VERIFY_KEY.hex()
        scenario["signing_keys"] = dict.fromkeys(signers, SIGNING_KEY.hex())
    return scenario


def _stored_forms(network: Network, draw: Draw) -> Iterator[Call]:
    plaintexts = [*network.messages, *network.invalid]
    for plaintext in draw.sample(plaintexts, 1):
        sealing = Call("config-merge/encrypt", {**_SEALED, "plaintext": plaintext})
        yield sealing
        sealed = network.ask.output(sealing)
        if sealed is not None:
            yield Call("config-merge/decrypt", {**_SEALED, "ciphertext": sealed["ciphertext"]})
    for ciphertext in draw.sample(network.raw, 2):
        yield Call("config-merge/decrypt", {**_SEALED, "ciphertext": ciphertext})


def _messages(network: Network, draw: Draw) -> Iterator[Call]:
    for invalid in draw.sample(network.invalid, 2):
        yield _parse(network, invalid)
    for encoded in (*draw.sample(network.invalid, 1), *draw.sample(network.messages, 1)):
        decoding = Call("config-merge/decode", {"encoded": encoded})
        yield decoding
        decoded = network.ask.output(decoding)
        if decoded is not None:
            yield Call("config-merge/encode", decoded)


def _parse(network: Network, message: str) -> Call:
    return Call("config-merge/parse", {**network.context(), "message": message})


def _signatures(network: Network, draw: Draw) -> Iterator[Call]:
    if not network.history.signed and not draw.chance(1, SIGNED):
        return
    plaintexts = [*network.messages, *network.invalid]
    for message in draw.sample(plaintexts, 1):
        signing: JsonObject = {"message": message, "signing_key": SIGNING_KEY.hex()}
        yield Call("config-merge/sign", signing)
    for message in draw.sample(plaintexts, 1):
        key = VERIFY_KEY if draw.chance(3, 4) else _OTHER_KEY
        yield Call("config-merge/verify", {"message": message, "verify_key": key.hex()})


def _diffs(network: Network, draw: Draw) -> Iterator[Call]:
    """Parse some messages, and compare and apply their diffs and data."""
    datas, carried = [*network.datas], []
    for message in draw.sample(network.messages, 4):
        parsing = _parse(network, message)
        yield parsing
        parsed: Any = network.ask.output(parsing)
        if parsed is not None:
            datas.append(parsed["data"])
            diffs = [parsed["diff"], *(row["diff"] for row in parsed["lagged"])]
            carried.append((parsed["data"], diffs))
    for newer in draw.sample(datas, 3):
        yield Call("config-merge/diff", {"old": draw.pick(datas), "new": newer})
    for own, diffs in (draw.pick(carried) for _ in range(6 if carried else 0)):
        source = draw.pick(datas) if draw.chance(1, 4) else own
        given: JsonObject = {"data": draw.pick(datas), "diff": draw.pick(diffs), "source": source}
        yield Call("config-merge/apply-diff", given)
