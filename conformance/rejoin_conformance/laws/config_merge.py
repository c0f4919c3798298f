"""The machine of config merge: messages that compete, and vectors in other orders.

The oracle is the page "Conflict resolution" of the spec as a naive replay over dicts and lists. It
reads only messages that are valid by construction, by the encoder of vectors written by hand.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from hashlib import blake2b
from typing import Any, TypeAlias

from hypothesis import strategies as st
from hypothesis.stateful import rule

from rejoin_conformance.kit.bt import bt, elements, unbt
from rejoin_conformance.laws.machine import LawMachine

Data: TypeAlias = dict[bytes, Any]
"""Values by key: an integer, bytes, a list (a set in order) or a dict."""

SCALARS = st.one_of(st.integers(-2, 2), st.sampled_from([b"", b"-", b"1"]))
LEAVES = st.one_of(SCALARS, st.sets(SCALARS, min_size=1, max_size=3).map(elements))
KEYS = st.sampled_from([b"a", b"b", b"c"])
VALUES = st.one_of(LEAVES, st.dictionaries(KEYS, LEAVES, min_size=1, max_size=2))
CHANGES = st.dictionaries(KEYS, st.one_of(st.none(), VALUES), min_size=1, max_size=2)
EDITS = st.lists(CHANGES, min_size=1, max_size=4)
MORE = st.sampled_from([{}, {}, {b"$": [1]}, {b">": [1]}, {b"~": bytes(64)}])
"""Unknown keys, and a signature that nobody requires."""
JUNK = (b"", b"i1e", b"d1:#i1ee", b"d1:#i9e1:&de1:<le1:=dee0")


body: Callable[[bytes], Any] = cache(unbt)
"""Returns the keys of a message, which nobody changes."""


def rank(text: bytes) -> tuple[int, bytes]:
    """Return the seqno and the hash of a message."""
    return body(text)[b"#"], blake2b(text, digest_size=32).digest()


def part(value: Any, kind: type) -> Any:
    """Return a value of a kind; an empty one in the place of any other value."""
    return value if isinstance(value, kind) else kind()


def difference(old: Any, new: Any) -> Any:
    """Return the diff between two values; None stands for no value."""
    kind = type(old if new is None else new)
    was, now = part(old, kind), part(new, kind)
    if kind is dict:
        changed = [key for key in {**was, **now} if was.get(key) != now.get(key)]
        return {key: difference(was.get(key), now.get(key)) for key in changed}
    if kind is list:
        return [elements({*now} - {*was}), elements({*was} - {*now})]
    return b"-" if new is None else b""


def _adds(what: Any) -> bool:
    if isinstance(what, dict):
        return any(map(_adds, what.values()))
    return bool(what[0]) if isinstance(what, list) else what == b""


def applied(there: Any, what: Any, source: Any) -> Any:
    """Return a value after a diff, with the new values of the source; None stands for no value."""
    if isinstance(what, bytes):
        return source if what == b"" and isinstance(source, int | bytes) else None
    if not (there is None or type(there) is type(what) or _adds(what)):
        return there
    if isinstance(what, list):
        return elements({*part(there, list), *what[0]} - {*what[1]}) or None
    now, values = dict(part(there, dict)), part(source, dict)
    now |= {key: applied(now.get(key), each, values.get(key)) for key, each in what.items()}
    return {key: value for key, value in now.items() if value is not None} or None


def set_aside(texts: Sequence[bytes], window: int) -> dict[int, str]:
    """Return which of some messages are ignored, and why: index -> reason."""
    good = [text for text in texts if text not in JUNK]
    oldest = max((rank(text)[0] for text in good), default=0) - window
    named = {(row[0], row[1]) for text in good for row in body(text)[b"<"]}
    why = dict.fromkeys((text for text in good if rank(text) in named), "included")
    why |= dict.fromkeys((text for text in good if rank(text)[0] <= oldest), "stale")
    why |= dict.fromkeys(JUNK, "invalid")
    again = [n for n, text in enumerate(texts) if text in texts[:n] and text not in JUNK]
    reasons = {n: why[text] for n, text in enumerate(texts) if text in why}
    return reasons | dict.fromkeys(again, "duplicate")


def made(texts: Sequence[bytes], window: int, new: Data | None = None) -> bytes:
    """Return the message that stands for some: a survivor, a merge, or an update to new data."""
    gone = set_aside(texts, window)
    survivors = sorted((t for n, t in enumerate(texts) if n not in gone), key=rank, reverse=True)
    if len(survivors) == 1 and new is None:
        return survivors[0]
    first: Data = body(survivors[0]) if survivors else {b"#": 0, b"&": {}}
    data, seqno = first[b"&"], first[b"#"] + 1
    rows = [(*rank(text), body(text)[b"="], text) for text in survivors]
    rows += [(*row, text) for text in survivors for row in body(text)[b"<"]]
    ranked = {row[:2]: row for row in rows[::-1] if row[0] >= seqno - window}
    replay = [ranked[each] for each in sorted(ranked)]
    for _, _, diff, text in replay if len(survivors) > 1 else ():
        data = applied(data, diff, body(text)[b"&"]) or {}
    lagged = [[*row[:3]] for row in replay if row[0] > seqno - window]
    new = data if new is None else new
    known = {b"#": seqno, b"&": new, b"<": lagged, b"=": difference(data, new)}
    return bt({key: value for key, value in {**first, **known}.items() if key != b"~"})


class ConfigMerge(LawMachine):
    """The messages that clients have made, in whatever order they meet them."""

    operations = ("resolve", "update")

    def begin_with(self, value: Any, output: Any) -> None:
        """Begin with the valid messages of a vector that leave a seqno, or with some edits."""
        self.messages = list[bytes]()
        if "ignored" in output and not {"verify_key", "signing_key"} & {*value}:
            bad = {each["index"] for each in output["ignored"] if each["why"] == "invalid"}
            texts = [bytes.fromhex(t) for n, t in enumerate(value["messages"]) if n not in bad]
            self.messages = [text for text in dict.fromkeys(texts) if rank(text)[0] < 2**61]
        self.window = value.get("window", 5) if self.messages else self.one(range(1, 7))
        for changes in () if self.messages else self.draw(EDITS):
            self.edit(changes, {})

    @rule(changes=CHANGES, more=MORE)
    def edit(self, changes: Data, more: Data) -> None:
        """A client that knows few messages changes the data; a newer client adds a key."""
        known = self.some(self.messages, most=2)
        before = body(made(known, self.window))[b"&"] if known else {}
        new = {name: each for name, each in {**before, **changes}.items() if each is not None}
        message = made(known, self.window, new)
        old, data, diff = bt(before).hex(), bt(new).hex(), bt(body(message)[b"="]).hex()
        value = {"messages": [*map(bytes.hex, known)], "window": self.window, "data": data}
        self.expect("update-form", "update", value, message=message.hex())
        self.expect("diff-and-apply", "diff", {"old": old, "new": data}, diff=diff)
        value = {"data": old, "diff": diff, "source": data}
        self.expect("diff-and-apply", "apply-diff", value, data=data)
        self.messages.append(bt({**body(message), **more}))

    @rule(bad=st.lists(st.sampled_from(JUNK), max_size=1))
    def commutativity(self, bad: list[bytes]) -> None:
        """A client meets some messages in a drawn order; others are lost or late; one is bad."""
        law = "bad-messages-spoil-nothing" if bad else "order-independence"
        self._resolve(law, [*self.some(self.messages, least=3), *bad])

    @rule()
    def idempotence(self) -> None:
        """A client meets messages again, and the merge of them."""
        known = self.some(self.messages, least=1)
        self._resolve("repeats-change-nothing", [*known, *known[:2]])
        self._resolve("idempotence", [*known, made(known, self.window)])

    @rule()
    def convergence(self) -> None:
        """Two clients publish what they made of their messages, and both meet everything."""
        published = [made(self.some(self.messages, least=2), self.window) for _ in range(2)]
        self.messages = [*dict.fromkeys(self.messages + published)]
        self._resolve("same-messages-same-bytes", self.messages)

    def turn_round(self, operation: str, value: Any, output: Any) -> None:
        """Give the messages of a vector in another order; of equal ones, the first counts."""
        texts = value["messages"]
        order = [*range(len(texts))]
        order = self.shuffled(order) if len({*texts}) == len(texts) else order
        if "ignored" in output:
            why = {each["index"]: each["why"] for each in output["ignored"]}
            moved = [{"index": n, "why": why[at]} for n, at in enumerate(order) if at in why]
            output = {**output, "ignored": moved}
        value = {**value, "messages": [texts[place] for place in order]}
        self.expect("order-independence", operation, value, **output)

    def _resolve(self, law: str, known: Sequence[bytes]) -> None:
        """Ask what some messages resolve to, in a drawn order."""
        texts = self.shuffled(known)
        gone = set_aside(texts, self.window)
        ignored = [{"index": place, "why": why} for place, why in sorted(gone.items())]
        message, count = made(texts, self.window).hex(), len(texts) - len(gone)
        self.asking.saw(f"{count} survivors" if count > 1 else "1 survivor")
        value = {"messages": [*map(bytes.hex, texts)], "window": self.window}
        self.expect(law, "resolve", value, message=message, merged=count > 1, ignored=ignored)
