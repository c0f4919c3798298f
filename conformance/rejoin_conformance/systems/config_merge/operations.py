"""The operations of config merge: one row each.

A text states the options of a question in the order of the row, and the answers of some operations
in words of their own (`text`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from attrs import evolve, field, frozen

from rejoin import bencode
from rejoin import config_merge as cm
from rejoin_conformance.contract import rows
from rejoin_conformance.contract.operation import Operation, Perform
from rejoin_conformance.kit.phrases import Kind
from rejoin_conformance.readings.expressions import under
from rejoin_conformance.readings.tracing import steps_by
from rejoin_conformance.systems.config_merge import READINGS
from rejoin_conformance.systems.config_merge.features import SIGNATURES, WHY, WINDOWS
from rejoin_conformance.systems.config_merge.kinds import KINDS, WHOLE_DATA
from rejoin_conformance.systems.config_merge.scenario import SCENARIO
from rejoin_conformance.systems.config_merge.steps import HOOKED, STEPS, steps_of

_WINDOW: Final = "[, window {window}]"
_KEYS: Final = "[, verify key {verify_key}][, signing key {signing_key}]"
_CONTEXT: Final = "window signing_key verify_key"


@frozen(slots=False)
class Row(rows.Row):
    """An operation. order: the fields of its input, if they are not in the order of the text."""

    order: str = field(default="", kw_only=True)
    kinds: Mapping[str, Kind] = field(default=KINDS, kw_only=True, repr=False)

    @property
    def takes(self) -> Mapping[str, Kind]:
        """Return the fields of the input in order."""
        return {name: self.kinds[name] for name in self.order.split()} or self.asks.fields


def _parsed(given: Any, reading: cm.Reading) -> cm.Message:
    return cm.parse_message(given["message"], window=given["window"], reading=reading)


def _called(function: Callable[..., Any], *first: str) -> Callable[[Any, cm.Reading], Any]:
    """Return a call of a function. first: the fields that are not given by name."""

    def call(given: dict[str, Any], reading: cm.Reading) -> Any:
        named = {name: value for name, value in given.items() if name not in first}
        return function(*(given[name] for name in first), **named, reading=reading)

    return call


def _under(answer: rows.Answer) -> Perform:
    return under(READINGS, answer)


PARSE: Final = Row(
    "parse",
    f"parse {{message}}{_WINDOW}[, verify key {{verify_key}}] = "
    "{seqno} {hash} {data} {diff} {lagged}",
    "Parse the plaintext of a message. The output has data and diffs as canonical bt-encoding. "
    "`lagged` omits the rows that are not within N of the message. If `verify_key` is given, "
    "the message must have a valid signature by this key.",
    _called(cm.parse_message, "message"),
    (SIGNATURES, WINDOWS),
)
RESOLVE: Final = Row(
    "resolve",
    f"resolve {{messages}}{_WINDOW}{_KEYS} = {{message}} {{merged}} {{ignored}}",
    "Resolve the messages of a client: ignore messages by the rules of the protocol, and return "
    "the message that survives, or merge several survivors into a new message (`merged`). "
    "`ignored` is sorted by index. `signing_key` signs a new message. If `verify_key` is given, "
    "unsigned messages are invalid.",
    _called(cm.resolve, "messages"),
    (SIGNATURES, WINDOWS, WHY),
    order=f"messages {_CONTEXT}",
)
UPDATE: Final = Row(
    "update",
    f"update {{messages}} to {{data}}{_WINDOW}{_KEYS} = {{message}}",
    "Make the message by which a client changes the config to `data` (bt-encoded, the whole "
    "new data), on top of its messages. If one message survives, it is an ordinary update of "
    "this message. If several survive, it merges them and makes the change in one message. If "
    "the list is empty, it is the first message.",
    _called(cm.update, "messages", "data"),
    (SIGNATURES, WINDOWS),
    order=f"messages data {_CONTEXT}",
    kinds={**KINDS, "data": WHOLE_DATA},
)
ROWS: Final = (
    Row(
        "decode",
        "decode {encoded} = {value}",
        "Decode bt-encoded bytes to a typed tree: integers as decimal strings, strings and keys as "
        "hex, the pairs of a dict in the order of their keys.",
        lambda given, reading: bencode.decode(
            given["encoded"], lenient=not reading.strict_encoding
        ),
    ),
    Row(
        "encode",
        "encode {value} = {encoded}",
        "Encode a typed tree in its only canonical form. The pairs of a dict can be listed in any "
        "order and are sorted. A list keeps its order. A key that occurs twice is rejected, and so "
        "is a node of another form.",
        lambda given, _: bencode.encode(given["value"]),
    ),
    PARSE,
    Row(
        "diff",
        "diff {old} -> {new} = {diff}",
        "Return the diff that turns `old` into `new`. All three are bt-encoded.",
        lambda given, _: cm.diff(given["old"], given["new"]),
    ),
    Row(
        "apply-diff",
        "apply {diff} to {data}, source {source} = {data}",
        "Apply a diff to `data` as the replay of one entry does, and remove empty sets and dicts. "
        "The values that the diff assigns come from `source`, the data of the message that carries "
        "the diff.",
        _called(cm.apply_diff, "data", "diff", "source"),
        order="data diff source",
    ),
    RESOLVE,
    Row(
        "resolve-steps",
        f"steps of {{messages}}{_WINDOW}{_KEYS} = {{steps}}",
        "List the steps of the operation `resolve`. This operation is optional. The steps say "
        "which messages are ignored and which survive, where a merge starts, which diff it "
        "applies next and from which message, and what it keeps.",
        RESOLVE.does,
        (SIGNATURES, WINDOWS),
        steps_of="resolve",
        order=f"messages {_CONTEXT}",
        kinds={
            **KINDS,
            "steps": Kind(schema=STEPS, words="The steps in order."),
        },
    ),
    UPDATE,
    Row(
        "sign",
        f"sign {{message}}, signing key {{signing_key}}{_WINDOW} = {{message}}",
        "Sign a well-formed message. The new signature replaces an existing one. The key is the "
        "32-byte seed.",
        lambda given, reading: cm.sign(_parsed(given, reading), given["signing_key"]),
        (WINDOWS,),
    ),
    Row(
        "verify",
        f"verify {{message}}, verify key {{verify_key}}{_WINDOW} = {{valid}}",
        "Return whether a well-formed message has a valid signature by a key. A message without a "
        "signature gives false.",
        lambda given, reading: cm.verify(_parsed(given, reading), given["verify_key"]),
        (WINDOWS,),
    ),
    Row(
        "encrypt",
        "encrypt {plaintext}, key {key}[, domain {domain}] = {ciphertext}",
        "Encrypt any plaintext to its stored form: ciphertext, 16-byte tag, 24-byte nonce. The "
        "reading `document` ignores `domain`. The reading `libsession` requires it.",
        _called(cm.encrypt, "plaintext", "key"),
    ),
    Row(
        "decrypt",
        "decrypt {ciphertext}, key {key}[, domain {domain}] = {plaintext}",
        "Decrypt a stored form. Reject it if it is not authentic under the key.",
        _called(cm.decrypt, "ciphertext", "key"),
    ),
)


def _operation(row: Row) -> Operation:
    operation = row.operation("config-merge", _under)
    if not operation.steps_of:
        return operation
    return evolve(operation, perform=steps_by(operation.steps_of, HOOKED, steps_of))


OPERATIONS: Final[tuple[Operation, ...]] = (
    *map(_operation, ROWS),
    SCENARIO,
)
"""The suite for config merge: operations, vectors, random histories, laws."""
