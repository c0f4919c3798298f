"""The steps of a resolution: each is a row of `steps.txt`.

    ignore 10 as included
    survivors 11a 12
    seqno 13
    base 12 = {b: 1, c: 1, k: 1}
    replay 10 {=k} from 12 = as before
    replay 11a {=a} = {a: 1, b: 1, c: 1, k: 1}
    keep 10 11a 11b 12
    message 13 {a: 1, b: 1, c: 1, k: 1} rows 10 11a 11b 12

Messages have the names of the question. A message that is known only from the row of another one
is its seqno and hash in parentheses. An entry without `from` is a message's own change, and the
message supplies its own values. `as before` stands for the data after the step before.

The steps come from the calls of named functions of the reference (`readings/tracing.py`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from attrs import define, evolve, field

from rejoin_conformance.contract.notation import Example, WriteStep, WrittenStep
from rejoin_conformance.contract.rows import dumped, step_rows
from rejoin_conformance.contract.step import step_json
from rejoin_conformance.kit import schemas as s
from rejoin_conformance.kit.bt import bt
from rejoin_conformance.kit.json_types import Json, JsonObject
from rejoin_conformance.kit.locations import text_beside
from rejoin_conformance.kit.phrases import Kind
from rejoin_conformance.readings.tracing import Call
from rejoin_conformance.systems.config_merge.bytes_text import read_hash, read_integer
from rejoin_conformance.systems.config_merge.data_text import value_text
from rejoin_conformance.systems.config_merge.kinds import KINDS as OF_OPERATIONS
from rejoin_conformance.systems.config_merge.kinds import hex_by, records_of
from rejoin_conformance.systems.config_merge.message_text import Sheet, decoded
from rejoin_conformance.systems.config_merge.messages import plaintext, read_any_data, read_message

_DIGITS: Final = 8
"""The number of hex digits of a hash that is known from a row."""


@define(slots=False)
class StepNames(Sheet):
    """The names of the messages of a resolution.

    before: the data after the step before. seqno: of the message that is written next.
    """

    before: str = field(default="", init=False)
    seqno: str = field(default="", init=False)
    listed: Sequence[str] = field(default=(), init=False)

    def comes(self, seqno: str) -> str:
        """Keep the seqno of the message that is written next, whose name tells it."""
        self.seqno = seqno
        return ""

    def rank(self, digest: str) -> str:
        """Return the name of a message, or its seqno and hash in parentheses."""
        return self.by_hash.get(digest) or f"({self.seqno} {digest[:_DIGITS]})"

    def ranks(self, messages: Sequence[Mapping[str, str]]) -> str:
        """Return the names of messages."""
        names = [self.comes(each["seqno"]) + self.rank(each["hash"]) for each in messages]
        return " ".join(names) or "nothing"

    def data(self, encoded: str) -> str:
        """Return the data after a step."""
        before, self.before = self.before, encoded
        return "as before" if encoded == before else value_text(decoded(encoded))


def _read_rank(text: Any) -> JsonObject:
    """Take a message by its name, or by its seqno and hash in parentheses."""
    if text.takes("("):
        seqno, digest = read_integer(text), read_hash(text, "a hash: 64 hex digits")
        text.need(")")
        return {"seqno": str(seqno), "hash": digest.hex()}
    message = text.book.message(text)
    return {"seqno": str(message.seqno), "hash": message.hash.hex()}


def _read_seqno_of_next(text: Any) -> Json:
    """Return the seqno of the message whose hash is read next, and take nothing."""
    start = text.place
    seqno = _read_rank(text)["seqno"]
    text.place = start
    return seqno


def _read_ranks(text: Any) -> list[Json]:
    found: list[Json] = []
    while not text.at_end and not text.takes("nothing"):
        found.append(_read_rank(text))
    return found


def _read_data(text: Any) -> str:
    if not text.takes("as", "before"):
        text.book.before = bt(read_any_data(text)).hex()
    return str(text.book.before)


def _index(text: Any) -> int:
    return index_of(text, text.book.asked)


def index_of(text: Any, names: Sequence[str]) -> int:
    """Take a message of a list: `NAME`, or `NAME/2` for the second one of that name."""
    name = text.take() if text.next.kind == "bare" else text.fail("the name of a message")
    number = read_integer(text) if text.takes("/") else 1
    places = [index for index, each in enumerate(names) if each == name]
    if not 0 < number <= len(places):
        text.refuse(f"the name of a message of the question ({', '.join(names)})")
    return places[number - 1]


KINDS: Final[Mapping[str, Kind]] = {
    **OF_OPERATIONS,
    "index": evolve(
        OF_OPERATIONS["index"],
        read=_index,
        write=lambda value, names: names.listed[value],
        words="The index of the ignored message in the input, from 0.",
    ),
    "why": evolve(
        OF_OPERATIONS["why"],
        read=lambda text: text.name("the reason"),
        write=lambda value, _: value,
        words="The reason.",
    ),
    "ranks": evolve(
        records_of("seqno", "hash"),
        read=_read_ranks,
        write=lambda value, names: names.ranks(value),
    ),
    "of": evolve(
        OF_OPERATIONS["seqno"],
        read=_read_seqno_of_next,
        write=lambda value, names: names.comes(value),
    ),
    "named": evolve(
        OF_OPERATIONS["hash"],
        read=lambda text: _read_rank(text)["hash"],
        write=lambda value, names: names.rank(value),
    ),
    "number": evolve(
        OF_OPERATIONS["seqno"],
        read=lambda text: str(read_integer(text)),
        write=lambda value, _: value,
    ),
    "before": evolve(
        OF_OPERATIONS["data"], read=_read_data, write=lambda value, names: names.data(value)
    ),
    "result": Kind(
        schema=s.HEX,
        read=hex_by(lambda text: plaintext(read_message(text), text)),
        write=lambda value, names: names.text(bytes.fromhex(value)),
        dump=lambda value, _: value.hex(),
        words="The merge, bt-encoded.",
    ),
}


ROWS: Final = step_rows(text_beside(__name__), KINDS)
STEPS: Final = s.list_of(s.any_of(*(row.schema() for row in ROWS.values())))
"""The schema of the steps of a resolution."""


def _step(kind: str, fields: JsonObject, before: Sequence[JsonObject]) -> JsonObject:
    """Return a step with its clause. before: the steps before it."""
    clause = ROWS[kind].clauses
    match kind:
        case "ignore":
            clause = f"CM-IGNORE-{str(fields['why']).upper()}"
        case "result":
            survivors: Any = before[-1]["messages"]
            clause = "CM-RESOLVE-SINGLE" if len(survivors) == 1 else "CM-SIGN-CANNOT-MERGE"
        case "replay":
            own = fields["source"] == fields["hash"]
            clause = f"CM-RESOLVE-REPLAY-{'OWN' if own else 'LAGGED'}"
    return step_json(kind, clause, **fields)


def read_steps(statements: Sequence[Any]) -> list[Json]:
    """Return the steps that statements list."""
    found: list[JsonObject] = []
    for text in statements:
        kind = text.take()
        if kind not in ROWS:
            text.refuse(f"the type of a step: {', '.join(ROWS)}")
        if kind == "result" and (not found or "messages" not in found[-1]):
            text.refuse("`survivors` before `result`")
        fields = ROWS[kind].phrase.read(text)
        text.done()
        if kind == "replay":
            order = ("seqno", "hash", "diff", "source", "data")
            fields = {name: fields.get(name, fields["hash"]) for name in order}
        found.append(_step(kind, fields, found))
    return [*found]


def step_writer(example: Example, known: Mapping[bytes, str] | None = None) -> WriteStep:
    """Return the function that writes the steps of a resolution.

    known: further messages, with their names.
    """
    given: Any = example.input["messages"]
    messages = [bytes.fromhex(each) for each in given]
    names = StepNames([*messages, *(known or {})], names=known or {})
    names.listed = names.named(messages)

    def write(step: JsonObject) -> WrittenStep:
        own = step.get("source") == step.get("hash")
        fields = {name: each for name, each in step.items() if name != "source" or not own}
        return WrittenStep(ROWS[str(step["step"])].write(fields, names))

    return write


# The steps of a resolution, from the calls of the reference.

_MERGE: Final = "rejoin.config_merge.conflict_resolution"
HOOKED: Final = (
    "rejoin.config_merge.client_update_behaviour.resolve_messages",
    "rejoin.config_merge.ignored_updates.set_aside",
    *(f"{_MERGE}.{each}" for each in ("merge", "replay_set", "process_entry", "prune")),
)
"""The functions whose calls tell the steps."""


def steps_of(_value: JsonObject, calls: Sequence[Call]) -> list[Json]:
    """Return the steps of a resolution from the calls of the hooked functions."""
    steps: list[JsonObject] = []

    def add(kind: str, **fields: Any) -> None:
        steps.append(_step(kind, dumped(fields, ROWS[kind].phrase.fields), steps))

    for call in calls:
        is_step = call.within is not None and call.within.name == "merge"
        match call.name:
            case "set_aside":
                survivors, reasons = call.result
                for index, why in enumerate(reasons):
                    if why is not None:
                        add("ignore", index=index, why=why)
                add("survivors", messages=survivors)
            case "replay_set":
                highest, entries = call["ranked"][-1], iter(call.result)
                add("seqno", seqno=call["new_seqno"])
            case "process_entry" if is_step:  # it also calls itself for dicts inside dicts
                row, source = next(entries)
                if steps[-1]["step"] == "seqno":
                    add("base", seqno=highest.seqno, hash=highest.hash, data=call["data"])
                entry = {"seqno": row.seqno, "hash": row.hash, "diff": call["diff"]}
                add("replay", **entry, source=source.hash, data=call.result)
            case "prune" if is_step:
                add("prune", data=call.result)
            case "merge":
                add("keep", rows=call.result.lagged)
                add("message", message=call.result.encoded)
            case "resolve_messages" if not call.result.merged:
                add("result", seqno=call.result.message.seqno, hash=call.result.message.hash)
    return [*steps]
