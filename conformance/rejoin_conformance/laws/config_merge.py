"""The machine of config merge: messages that compete, and vectors in other orders.

The oracle is the page "Conflict resolution" of the spec as a naive replay over dicts and lists. It
decodes only messages that are valid by construction.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from hashlib import blake2b
from typing import Any, TypeAlias

from hypothesis import event
from hypothesis import strategies as st
from hypothesis.stateful import initialize, rule

from rejoin_conformance.laws.asking import Answer, LawMachine, shuffled

Data: TypeAlias = dict[bytes, Any]
"""Values by key: an integer, bytes, a list (a set) or a dict."""

Rank: TypeAlias = tuple[int, bytes]
"""The seqno and the hash of a message."""


def ordered(elements: Iterable[int | bytes]) -> list[int | bytes]:
    """Return set elements in the order of bt-encoded data: integers, then bytes."""
    return sorted(elements, key=lambda each: (isinstance(each, bytes), each))


FAR = 2**61
"""Messages of vectors with a larger seqno are not used: no seqno could be left."""

SCALARS = st.one_of(st.integers(-2, 2), st.sampled_from([b"", b"-", b"1"]))
SETS = st.sets(SCALARS, min_size=1, max_size=3).map(ordered)
LEAVES = st.one_of(SCALARS, SETS)
KEYS = st.sampled_from([b"a", b"b", b"c"])
VALUES = st.one_of(LEAVES, st.dictionaries(KEYS, LEAVES, min_size=1, max_size=2))
CHANGES = st.dictionaries(KEYS, st.one_of(st.none(), VALUES), min_size=1, max_size=2)
BAD = st.sampled_from([b"", b"i1e", b"d1:#i1ee", b"d1:#i9e1:&de1:<le1:=dee0"])


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


def rank(text: bytes) -> Rank:
    """Return the rank of a message."""
    return decode(text)[0][b"#"], blake2b(text, digest_size=32).digest()


def difference(old: Any, new: Any) -> Data:
    """Return the diff between two dicts; a value that is no dict counts as an empty one."""
    changes: Data = {}
    old = old if isinstance(old, dict) else {}
    for key in {**old, **new}:
        before, after = old.get(key), new.get(key)
        what: Any = None
        if isinstance(after, dict) or (after is None and isinstance(before, dict)):
            what = difference(before, after or {}) or None
        elif isinstance(after, list) or (after is None and isinstance(before, list)):
            was = set(before) if isinstance(before, list) else set()
            added, removed = set(after or ()) - was, was - set(after or ())
            what = [ordered(added), ordered(removed)] if added or removed else None
        elif after is None:
            what = b"-"
        elif after != before:
            what = b""
        changes |= {} if what is None else {key: what}
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
            elements = set(there) if isinstance(there, list) else set()
            now[key] = ordered((elements | {*what[0]}) - {*what[1]})
        else:
            inside = value if isinstance(value, dict) else {}
            now[key] = applied(there if isinstance(there, dict) else {}, what, inside)
    return {key: value for key, value in now.items() if value not in ([], {})}


def set_aside(texts: Sequence[bytes], window: int) -> dict[int, str]:
    """Return which of some valid messages are ignored, and why: index -> reason."""
    top = max(rank(text) for text in texts)[0]
    named = {(row[0], row[1]) for text in texts for row in decode(text)[0][b"<"]}
    reasons = {}
    for place, text in enumerate(texts):
        if text in texts[:place]:
            reasons[place] = "duplicate"
        elif rank(text)[0] <= top - window:
            reasons[place] = "stale"
        elif rank(text) in named:
            reasons[place] = "included"
    return reasons


def made(texts: Sequence[bytes], window: int, new: Data | None = None) -> bytes:
    """Return the message that stands for some: a survivor, a merge, or an update to new data."""
    gone = set_aside(texts, window) if texts else {}
    survivors = sorted((t for n, t in enumerate(texts) if n not in gone), key=rank, reverse=True)
    if len(survivors) == 1 and new is None:
        return survivors[0]
    if not survivors:
        return encode({b"#": 1, b"&": new, b"<": [], b"=": difference({}, new)})
    bodies = [decode(text)[0] for text in survivors]
    seqno, replay = rank(survivors[0])[0] + 1, {}
    for text, body in zip(survivors, bodies, strict=True):
        replay[rank(text)] = (body[b"="], body[b"&"])
    for body in bodies:
        for row in body[b"<"]:
            if row[0] >= seqno - window:
                replay.setdefault((row[0], row[1]), (row[2], body[b"&"]))
    data = bodies[0][b"&"]
    if len(survivors) > 1:
        event(f"{len(survivors)} survivors")
        for each in sorted(replay):
            data = applied(data, *replay[each])
    rows = [[*each, replay[each][0]] for each in sorted(replay) if each[0] > seqno - window]
    new = data if new is None else new
    known = {b"#": seqno, b"&": new, b"<": rows, b"=": difference(data, new)}
    return encode({**bodies[0], **known})


def resolving(texts: Sequence[bytes], window: int) -> dict[str, Any]:
    """Return messages as `resolve` takes them."""
    return {"messages": [text.hex() for text in texts], "window": window}


def resolved(texts: Sequence[bytes], window: int) -> Answer:
    """Return what `resolve` must answer."""
    gone = set_aside(texts, window)
    ignored: list[Any] = [{"index": place, "why": why} for place, why in gone.items()]
    merged = len(texts) - len(gone) > 1
    message = made(texts, window).hex()
    return {"output": {"message": message, "merged": merged, "ignored": ignored}}


class ConfigMerge(LawMachine):
    """The messages that clients have made, in whatever order they meet them."""

    @initialize(data=st.data(), window=st.integers(1, 6), fresh=st.booleans())
    def begin(self, data: st.DataObject, window: int, fresh: bool) -> None:  # noqa: FBT001 - drawn
        """Begin with no message, or with the messages of a vector."""
        self.window, self.messages = window, list[bytes]()
        for vector in [] if fresh else self.drawn(data, "resolve", count=1):
            if not {"verify_key", "signing_key"} & {*vector.input}:
                self.messages = self._valid(vector.input, self.expected(vector))
                self.window = int(str(vector.input.get("window", 5)))

    @rule(data=st.data(), changes=CHANGES, key=st.sampled_from([b"", b"", b"$", b">"]))
    def edit(self, data: st.DataObject, changes: Mapping[bytes, Any], key: bytes) -> None:
        """A client that knows some messages changes the data; a newer client adds a key."""
        known = self._some(data)
        before = decode(made(known, self.window))[0][b"&"] if known else {}
        new = {name: each for name, each in {**before, **changes}.items() if each is not None}
        value = {**resolving(known, self.window), "data": encode(new).hex()}
        message = made(known, self.window, new)
        answer: Answer = {"output": {"message": message.hex()}}
        self.asking.expect("update-form", "update", value, answer)
        if key:
            message = encode({**decode(message)[0], key: [1]})
        self.messages.append(message)

    @rule(data=st.data())
    def commutativity(self, data: st.DataObject) -> None:
        """A client meets some messages in a drawn order; others are lost, or late."""
        self._resolve(self._some(data), "order-independence")

    @rule(data=st.data())
    def idempotence(self, data: st.DataObject) -> None:
        """A client meets messages again, and the merge of them."""
        if known := self._some(data):
            self._resolve(shuffled(data, [*known, *known[:2]]), "repeats-change-nothing")
            self._resolve(shuffled(data, [*known, made(known, self.window)]), "idempotence")

    @rule(data=st.data())
    def convergence(self, data: st.DataObject) -> None:
        """Two clients publish what they made of their messages, and both meet everything."""
        for known in (self._some(data), self._some(data)):
            self.messages += [made(known, self.window)] if known else []
        self.messages = [*dict.fromkeys(self.messages)]
        self._resolve(shuffled(data, self.messages), "same-messages-same-bytes")

    @rule(data=st.data(), bad=BAD)
    def a_bad_message_spoils_nothing(self, data: st.DataObject, bad: bytes) -> None:
        """A message that cannot be parsed is set aside; the others count as before."""
        if known := self._some(data):
            answer: Any = resolved(known, self.window)
            answer["output"]["ignored"].append({"index": len(known), "why": "invalid"})
            value = resolving([*known, bad], self.window)
            self.asking.expect("bad-messages-spoil-nothing", "resolve", value, answer)

    @rule(old=st.dictionaries(KEYS, VALUES), new=st.dictionaries(KEYS, VALUES))
    def a_diff_leads_from_old_to_new(self, old: Data, new: Data) -> None:
        """Make a diff, and apply it."""
        texts = {"old": encode(old).hex(), "new": encode(new).hex()}
        diff = encode(difference(old, new)).hex()
        self.asking.expect("diff-and-apply", "diff", {**texts}, {"output": {"diff": diff}})
        value = {"data": texts["old"], "diff": diff, "source": texts["new"]}
        answer = {"output": {"data": encode(applied(old, difference(old, new), new)).hex()}}
        self.asking.expect("diff-and-apply", "apply-diff", {**value}, {**answer})

    @rule(data=st.data())
    def determinism(self, data: st.DataObject) -> None:
        """Ask two processes the same question."""
        if known := self._some(data):
            self.asking.expect("determinism", "resolve", resolving(known, self.window))

    @rule(data=st.data())
    def commutativity_of_vectors(self, data: st.DataObject) -> None:
        """Give the messages of a vector in another order; of equal ones, the first counts."""
        for vector in self.drawn(data, "resolve", "update"):
            texts: Any = vector.input["messages"]
            order = shuffled(data, range(len(texts))) if len({*texts}) == len(texts) else None
            answer: Any = self.expected(vector)
            ignored = {each["index"] for each in answer.get("output", {}).get("ignored", ())}
            if order is not None and ignored:
                places = [{"index": n} for n, place in enumerate(order) if place in ignored]
                answer = {"output": {**answer["output"], "ignored": places}}
            turned = texts if order is None else [texts[place] for place in order]
            value = {**vector.input, "messages": turned}
            self.ask_turned("order-independence", vector, value, answer)

    def _resolve(self, known: Sequence[bytes], law: str) -> None:
        if known:
            answer = resolved(known, self.window)
            self.asking.expect(law, "resolve", resolving(known, self.window), answer)

    def _some(self, data: st.DataObject) -> list[bytes]:
        """Return some of the messages, in a drawn order."""
        lost = data.draw(st.sets(st.integers(0, 12), max_size=3))
        met = [text for place, text in enumerate(self.messages[-12:]) if place not in lost]
        return shuffled(data, met)

    @staticmethod
    def _valid(value: Mapping[str, Any], answer: Any) -> list[bytes]:
        ignored = answer.get("output", {}).get("ignored")
        if ignored is None:
            return []
        bad = {each["index"] for each in ignored if each["why"] == "invalid"}
        texts = [bytes.fromhex(text) for n, text in enumerate(value["messages"]) if n not in bad]
        return [text for text in dict.fromkeys(texts) if rank(text)[0] < FAR]
