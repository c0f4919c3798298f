"""The operations of config merge: each one is a row of `operations.txt`.

A text states the options of a question in the order of the row, and the answers of some operations
in words of their own (`text`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from rejoin import bencode
from rejoin import config_merge as cm
from rejoin_conformance.contract.rows import Row
from rejoin_conformance.kit.locations import table, text_beside
from rejoin_conformance.kit.phrases import Kind
from rejoin_conformance.readings.tracing import operations
from rejoin_conformance.systems.config_merge import READINGS
from rejoin_conformance.systems.config_merge.features import (
    DELETION,
    SIGNATURES,
    STORES,
    WHY,
    WINDOWS,
)
from rejoin_conformance.systems.config_merge.kinds import KINDS, WHOLE_DATA
from rejoin_conformance.systems.config_merge.scenario import KINDS as SCENARIO_KINDS
from rejoin_conformance.systems.config_merge.scenario import play, step_words
from rejoin_conformance.systems.config_merge.steps import HOOKED, STEPS, steps_of

SYSTEM: Final = "config-merge"


def _parsed(given: Any, reading: cm.Reading) -> cm.Message:
    return cm.parse_message(given["message"], window=given["window"], reading=reading)


def _called(function: Callable[..., Any], *first: str) -> Callable[[Any, cm.Reading], Any]:
    """Return a call of a function. first: the fields that are not given by name."""

    def call(given: dict[str, Any], reading: cm.Reading) -> Any:
        named = {name: value for name, value in given.items() if name not in first}
        return function(*(given[name] for name in first), **named, reading=reading)

    return call


_DOES: Final[Mapping[str, Callable[[Any, cm.Reading], Any]]] = {
    "decode": lambda a, reading: bencode.decode(a["encoded"], lenient=not reading.strict_encoding),
    "encode": lambda a, _: bencode.encode(a["value"]),
    "parse": _called(cm.parse_message, "message"),
    "diff": lambda a, _: cm.diff(a["old"], a["new"]),
    "apply-diff": _called(cm.apply_diff, "data", "diff", "source"),
    "resolve": _called(cm.resolve, "messages"),
    "resolve-steps": _called(cm.resolve, "messages"),
    "update": _called(cm.update, "messages", "data"),
    "sign": lambda a, reading: cm.sign(_parsed(a, reading), a["signing_key"]),
    "verify": lambda a, reading: cm.verify(_parsed(a, reading), a["verify_key"]),
    "encrypt": _called(cm.encrypt, "plaintext", "key"),
    "decrypt": _called(cm.decrypt, "ciphertext", "key"),
    "scenario": play,
}
_STEPS: Final = Kind(schema=STEPS, words="The steps in order.")
_MORE: Final[Mapping[str, Mapping[str, Any]]] = {
    "parse": {"features": (SIGNATURES, WINDOWS)},
    "resolve": {"features": (SIGNATURES, WINDOWS, WHY)},
    "resolve-steps": {"features": (SIGNATURES, WINDOWS), "kinds": {**KINDS, "steps": _STEPS}},
    "update": {"features": (SIGNATURES, WINDOWS), "kinds": {**KINDS, "data": WHOLE_DATA}},
    "sign": {"features": (WINDOWS,)},
    "verify": {"features": (WINDOWS,)},
    "scenario": {
        "features": (SIGNATURES, WINDOWS, DELETION, STORES),
        "step_words": step_words,
        "kinds": SCENARIO_KINDS,
    },
}
"""What further fields of rows say about some operations."""

ROWS: Final[Mapping[str, Row]] = {
    name: Row(name, template, does=_DOES[name], **fields, **{"kinds": KINDS, **_MORE.get(name, {})})
    for name, template, fields in table(text_beside(__name__))
}
OPERATIONS: Final = operations(SYSTEM, ROWS.values(), READINGS, HOOKED, steps_of)
