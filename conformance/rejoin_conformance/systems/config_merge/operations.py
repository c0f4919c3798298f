"""The operations of config merge: each one is a row of `operations.txt`.

A text states the options of a question in the order of the row, and the answers of some operations
in words of their own (`text`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from rejoin import bencode
from rejoin import config_merge as cm
from rejoin_conformance.contract.operation import Feature
from rejoin_conformance.contract.rows import Row
from rejoin_conformance.kit.json_types import Json, JsonObject
from rejoin_conformance.kit.locations import table, text_beside
from rejoin_conformance.kit.phrases import Kind
from rejoin_conformance.readings.tracing import operations
from rejoin_conformance.systems.config_merge import READINGS
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


def _without_why(output: JsonObject) -> JsonObject:
    ignored: Any = output["ignored"]
    without: list[Json] = [{key: each[key] for key in each if key != "why"} for each in ignored]
    return {**output, "ignored": without}


def _stores(value: JsonObject) -> bool:
    steps: Any = value["steps"]
    return any("client" not in step for step in steps)


_SIGNATURES: Final = Feature(
    name="signatures",
    summary="Keys that sign or verify messages: `signing_key`, `signing_keys`, `verify_key`.",
    needed_by=lambda value: not {"signing_key", "signing_keys", "verify_key"}.isdisjoint(value),
)
_WINDOWS: Final = Feature(
    name="windows",
    summary=f"A `window` other than {cm.DEFAULT_WINDOW}.",
    needed_by=lambda value: value.get("window", cm.DEFAULT_WINDOW) != cm.DEFAULT_WINDOW,
)
_WHY: Final = Feature(
    name="ignored-why",
    summary="The field `why` of each ignored message. It is not compared, and can be omitted.",
    dropped=_without_why,
)
_DELETION: Final = Feature(
    name="deletion-not-permitted",
    summary="A swarm in which clients cannot delete: `deletion_permitted` is false.",
    needed_by=lambda value: value.get("deletion_permitted") is False,
)
_STORES: Final = Feature(
    name="store",
    summary="Steps that store bytes in the swarm: `store` and `store_raw`.",
    needed_by=_stores,
)
_LISTED: Final = Kind(schema=STEPS, words="The steps in order.")
_MORE: Final[Mapping[str, Mapping[str, Any]]] = {
    "parse": {"features": (_SIGNATURES, _WINDOWS)},
    "resolve": {"features": (_SIGNATURES, _WINDOWS, _WHY)},
    "resolve-steps": {"features": (_SIGNATURES, _WINDOWS), "kinds": {**KINDS, "steps": _LISTED}},
    "update": {"features": (_SIGNATURES, _WINDOWS), "kinds": {**KINDS, "data": WHOLE_DATA}},
    "sign": {"features": (_WINDOWS,)},
    "verify": {"features": (_WINDOWS,)},
    "scenario": {
        "features": (_SIGNATURES, _WINDOWS, _DELETION, _STORES),
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
