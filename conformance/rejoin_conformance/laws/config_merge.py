"""The machine of config merge: messages that compete, and vectors in other orders.

The oracle is the page "Conflict resolution" of the spec as a naive replay over dicts and lists. It
decodes only messages that are valid by construction.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from hashlib import blake2b
from typing import Any, TypeAlias

from hypothesis import strategies as st
from hypothesis.stateful import rule

from rejoin_conformance.contract.vector import Vector
from rejoin_conformance.laws.machine import LawMachine, Question

Data: TypeAlias = dict[bytes, Any]
"""Values by key: an integer, bytes, a list (a set) or a dict."""


def ordered(elements: Iterable[int | bytes]) -> list[int | bytes]:
    """Return set elements in the order of bt-encoded data: integers, then bytes."""
    return sorted(elements, key=lambda each: (isinstance(each, bytes), each))


FAR = 2**61
"""Messages of vectors with a larger seqno are not used: no seqno could be left."""

SCALARS = st.one_of(st.integers(-2, 2), st.sampled_from([b"", b"-", b"1"]))
LEAVES = st.one_of(SCALARS, st.sets(SCALARS, min_size=1, max_size=3).map(ordered))
KEYS = st.sampled_from([b"a", b"b", b"c"])
VALUES = st.one_of(LEAVES, st.dictionaries(KEYS, LEAVES, min_size=1, max_size=2))
CHANGES = st.dictionaries(KEYS, st.one_of(st.none(), VALUES), min_size=1, max_size=2)
MORE = st.sampled_from([{}, {}, {b"$": [1]}, {b">": [1]}, {b"~": bytes(64)}])
"""Unknown keys, and a signature that nobody requires."""
BAD = (b"", b"i1e", b"d1:#i1ee", b"d1:#i9e1:&de1:<le1:=dee0")
"""Texts that are no messages."""


def encode(value: Any) -> bytes:
    """Return a value in bt-encoding."""
    if isinstance(value, int):
        return b"i%de" % value
    if isinstance(value, bytes):
        return b"%d:%s" % (len(value), value)
    if isinstance(value, list):
        return b"l" + b"".join(map(encode, value)) + b"e"
    return b"d" + b"".join(encode(key) + encode(value[key]) for key in sorted(value)) + b"e"


def decode(text: bytes, start: int = 0) -> tuple[Any, int]:
    """Return the value that begins at a place of valid bt-encoding, and where it ends."""
    kind = text[start : start + 1]
    if kind == b"i":
        end = text.index(b"e", start)
        return int(text[start + 1 : end]), end + 1
    if kind not in b"ld":
        colon = text.index(b":", start)
        end = colon + 1 + int(text[start:colon])
        return text[colon + 1 : end], end
    values, place = [], start + 1
    while text[place : place + 1] != b"e":
        value, place = decode(text, place)
        values.append(value)
    pairs = zip(values[::2], values[1::2], strict=False)
    return values if kind == b"l" else dict(pairs), place + 1


@cache
def body(text: bytes) -> Data:
    """Return the keys of a message, which nobody changes."""
    found: Data = decode(text)[0]
    return found


@cache
def rank(text: bytes) -> tuple[int, bytes]:
    """Return the seqno and the hash of a message."""
    return body(text)[b"#"], blake2b(text, digest_size=32).digest()


def part(value: Any, kind: type) -> Any:
    """Return a value of a kind; an empty one in the place of any other value."""
    return value if isinstance(value, kind) else kind()


def difference(old: Data, new: Data) -> Data:
    """Return the diff between two dicts."""
    changes: Data = {}
    for key in {**old, **new}:
        before, after = old.get(key), new.get(key)
        kind = type(before if after is None else after)
        was, now = part(before, kind), part(after, kind)
        if before == after:
            continue
        if kind is dict:
            changes[key] = difference(was, now)
        elif kind is list:
            changes[key] = [ordered({*now} - {*was}), ordered({*was} - {*now})]
        else:
            changes[key] = b"-" if after is None else b""
    return changes


def _adds(what: Any) -> bool:
    if isinstance(what, dict):
        return any(map(_adds, what.values()))
    return bool(what[0]) if isinstance(what, list) else what == b""


def applied(data: Data, diff: Data, source: Data) -> Data:
    """Return data after the changes of a diff, with the new values of the source."""
    now = dict(data)
    for key, what in diff.items():
        there, value = now.get(key), source.get(key)
        if what == b"" and isinstance(value, int | bytes):
            now[key] = value
        elif isinstance(what, bytes):
            now.pop(key, None)
        elif not (there is None or type(there) is type(what) or _adds(what)):
            continue
        elif isinstance(what, list):
            now[key] = ordered({*part(there, list), *what[0]} - {*what[1]})
        else:
            now[key] = applied(part(there, dict), what, part(value, dict))
    return {key: value for key, value in now.items() if value not in ([], {})}


def set_aside(texts: Sequence[bytes], window: int) -> dict[int, str]:
    """Return which of some messages are ignored, and why: index -> reason."""
    good = [text for text in texts if text not in BAD]
    oldest = max(map(rank, good))[0] - window
    named = {(row[0], row[1]) for text in good for row in body(text)[b"<"]}
    reasons = {}
    for place, text in enumerate(texts):
        if text in BAD:
            reasons[place] = "invalid"
        elif text in texts[:place]:
            reasons[place] = "duplicate"
        elif rank(text)[0] <= oldest:
            reasons[place] = "stale"
        elif rank(text) in named:
            reasons[place] = "included"
    return reasons


def made(texts: Sequence[bytes], window: int, new: Data | None = None) -> bytes:
    """Return the message that stands for some: a survivor, a merge, or an update to new data."""
    if not texts:
        return encode({b"#": 1, b"&": new, b"<": [], b"=": difference({}, new or {})})
    gone = set_aside(texts, window)
    survivors = sorted((t for n, t in enumerate(texts) if n not in gone), key=rank, reverse=True)
    if len(survivors) == 1 and new is None:
        return survivors[0]
    seqno, replay = rank(survivors[0])[0] + 1, {}
    for text in survivors:
        replay[rank(text)] = (body(text)[b"="], body(text)[b"&"])
    for text in survivors:
        for row in body(text)[b"<"]:
            if row[0] >= seqno - window:
                replay.setdefault((row[0], row[1]), (row[2], body(text)[b"&"]))
    data = body(survivors[0])[b"&"]
    for each in sorted(replay) if len(survivors) > 1 else ():
        data = applied(data, *replay[each])
    rows = [[*each, replay[each][0]] for each in sorted(replay) if each[0] > seqno - window]
    new = data if new is None else new
    unknown = {key: value for key, value in body(survivors[0]).items() if key != b"~"}
    known = {b"#": seqno, b"&": new, b"<": rows, b"=": difference(data, new)}
    return encode({**unknown, **known})


class ConfigMerge(LawMachine):
    """The messages that clients have made, in whatever order they meet them."""

    operations = ("resolve", "update")

    def begun_with(self, vector: Vector | None) -> bool:
        """Begin with the valid messages of a vector."""
        self.messages, self.window = list[bytes](), 5
        value: Any = {} if vector is None else vector.input
        if vector is None or {"verify_key", "signing_key"} & {*value}:
            return False
        answer = self.expected(vector).get("output", {})
        bad = {each["index"] for each in answer.get("ignored", ()) if each["why"] == "invalid"}
        texts = [bytes.fromhex(each) for n, each in enumerate(value["messages"]) if n not in bad]
        if "ignored" in answer:
            self.messages = [text for text in dict.fromkeys(texts) if rank(text)[0] < FAR]
            self.window = value.get("window", 5)
        return bool(self.messages)

    def users_work(self) -> None:
        """Choose a window, and make some edits."""
        self.window = self.draw(st.integers(1, 6))
        for changes in self.draw(st.lists(CHANGES, max_size=3)):
            self.edit(changes, {})

    @rule(changes=CHANGES, more=MORE)
    def edit(self, changes: Data, more: Data) -> None:
        """A client that knows some messages changes the data; a newer client adds a key."""
        known = self._some()
        before = body(made(known, self.window))[b"&"] if known else {}
        new = {name: each for name, each in {**before, **changes}.items() if each is not None}
        message = made(known, self.window, new)
        value = {**self._asked(known), "data": encode(new).hex()}
        self.expect("update-form", "update", value, {"output": {"message": message.hex()}})
        self.messages.append(encode({**body(message), **more}))

    @rule(old=st.dictionaries(KEYS, VALUES), new=st.dictionaries(KEYS, VALUES))
    def diff(self, old: Data, new: Data) -> None:
        """Make a diff, and apply it."""
        before, after = encode(old).hex(), encode(new).hex()
        diff = {"diff": encode(difference(old, new)).hex()}
        value = {"data": before, **diff, "source": after}
        self.expect("diff-and-apply", "apply-diff", value, {"output": {"data": after}})
        self.expect("diff-and-apply", "diff", {"old": before, "new": after}, {"output": diff})

    @rule(bad=st.lists(st.sampled_from(BAD), max_size=1))
    def commutativity(self, bad: list[bytes]) -> None:
        """A client meets some messages in a drawn order; others are lost or late; one is bad."""
        if known := self._some():
            law = "bad-messages-spoil-nothing" if bad else "order-independence"
            self._resolve(law, [*known, *bad])

    @rule()
    def idempotence(self) -> None:
        """A client meets messages again, and the merge of them."""
        if known := self._some():
            self._resolve("repeats-change-nothing", [*known, *known[:2]])
            self._resolve("idempotence", [*known, made(known, self.window)])

    @rule()
    def convergence(self) -> None:
        """Two clients publish what they made of their messages, and both meet everything."""
        for known in (self._some(), self._some()):
            self.messages += [made(known, self.window)] if known else []
        self.messages = [*dict.fromkeys(self.messages)]
        if self.messages:
            self._resolve("same-messages-same-bytes", self.messages)

    def turned(self, vector: Vector) -> Question:
        """Give the messages of a vector in another order; of equal ones, the first counts."""
        texts: Any = vector.input["messages"]
        order = [*range(len(texts))]
        order = self.shuffled(order) if len({*texts}) == len(texts) else order
        answer = self.expected(vector)
        if ignored := answer.get("output", {}).get("ignored"):
            why = {each["index"]: each["why"] for each in ignored}
            moved = [{"index": n, "why": why[at]} for n, at in enumerate(order) if at in why]
            answer = {"output": {**answer["output"], "ignored": moved}}
        value = {**vector.input, "messages": [texts[place] for place in order]}
        return "order-independence", vector.operation.partition("/")[2], value, answer

    def _asked(self, texts: Sequence[bytes]) -> dict[str, Any]:
        return {"messages": [text.hex() for text in texts], "window": self.window}

    def _resolve(self, law: str, known: Sequence[bytes]) -> None:
        """Ask what some messages resolve to, in a drawn order."""
        texts = self.shuffled(known)
        gone = set_aside(texts, self.window)
        ignored = [{"index": place, "why": why} for place, why in gone.items()]
        count = len(texts) - len(gone)
        self.asking.saw(f"{count} survivors" if count > 1 else "1 survivor")
        output = {"message": made(texts, self.window).hex(), "merged": count > 1}
        self.expect(law, "resolve", self._asked(texts), {"output": {**output, "ignored": ignored}})

    def _some(self) -> list[bytes]:
        """Return some of the newest messages, in a drawn order."""
        recent = self.messages[-10:]
        return self.shuffled(self.some(recent) or recent)
