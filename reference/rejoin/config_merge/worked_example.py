"""Examples: the messages of the document, from 118 to 127, each made from its edit.

>>> messages = worked_example()
>>> messages["127"].hash.hex()
'f589694ca0acf72923c3bcd84c1c415809227044fc194ed44c6b06109472aaf8'
>>> list(messages["127"].diff)
[b'dictA']
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, TypeAlias

from rejoin.config_merge.application_data import EMPTY, Dict, checked_data
from rejoin.config_merge.client_update_behaviour import resolve, update
from rejoin.config_merge.diff_updates import diff
from rejoin.config_merge.messages import Message
from rejoin.config_merge.outer_metadata import make_message

Edit: TypeAlias = "Mapping[bytes, Edit | int | bytes | set[int | bytes] | None]"
"""New values by key, None for a key that is removed, and edits of dicts."""

BASE: Final[Mapping[bytes, object]] = {
    b"dictB": {b"changed": -1, b"foo": 123, b"removed": b"x", b"removed2": b"y"},
    b"dictC": {b"x": {b"y": 1}},
    b"good": {99, 456, b"bar"},
    b"great": {-42, b"omg"},
    b"int0": -9999,
    b"int1": 100,
    b"string1": b"hello",
    b"string2": b"goodbye",
}
"""The data that the document shows for 122."""

EDITS: Final[Mapping[str, tuple[str, Edit]]] = {
    "119": ("118", {}),
    "120": ("119", {}),
    "121": ("120", {}),
    "122": ("121", {}),
    "120b": ("119", {b"too old": b"won't see"}),
    "123": ("122", {b"int0": None, b"int1": 1, b"int2": 2}),
    "124b": (
        "123",
        {
            b"dictA": {b"goodbye": {123, 456}, b"hello": 123},
            b"dictB": {
                b"added": 9999,
                b"changed": 1,
                b"nested": {b"a": 1},
                b"removed": None,
                b"removed2": None,
            },
            b"dictC": {b"x": {b"y": None}},
            b"good": {99, 123, b"Foo", b"bar"},
            b"great": set(),
            b"int1": 42,
            b"string1": None,
            b"string2": b"hello",
            b"string3": b"omg",
        },
    ),
    "124a": ("123", {b"dictB": {b"answer": 42, b"foo": 66}}),
    "125a": ("124b", {b"dictB": {b"foo": None}}),
    "125b": ("124b", {b"int1": 5}),
    "126a": ("125a 125b", {}),
    "126b": ("120b 124a 125a 125b", {}),
    "127": ("126a 126b", {b"dictA": {b"goodbye": {123, 456, 789}}}),
}
"""Each message after 118: the messages that its client sees, and the edit of that client."""


def worked_example() -> dict[str, Message]:
    """Return the messages of the example by their names in the document, with a window of 5.

    Clauses: CM-UPDATE-DIFF, CM-UPDATE-LAGGED, CM-RESOLVE-LOCAL-CHANGE, CM-RESOLVE-LOCAL-NO-CHANGE
    Source: "Examples"
    """
    # 118 stands for the history before the example: it assigns all data that 122 still has.
    base = checked_data(BASE)
    first = make_message(seqno=118, data=base, lagged=(), diff=diff(EMPTY, base))

    messages = {"118": first}
    for name, (seen, edit) in EDITS.items():
        encoded = [messages[each].encoded for each in seen.split()]
        current = resolve(encoded).message
        messages[name] = update(encoded, edited(current.data, edit))
    return messages


def edited(data: Dict, edit: Edit) -> dict[bytes, object]:
    """Return the data after an edit; sets and dicts may have become empty.

    Clauses: CM-UPDATE-OMIT-EMPTY
    Source: "Examples"
    """
    after: dict[bytes, object] = {**data}
    for key, value in edit.items():
        old = data.get(key)
        if isinstance(value, Mapping):
            after[key] = edited(old if isinstance(old, Mapping) else EMPTY, value)
        elif value is None:
            after.pop(key, None)
        else:
            after[key] = value
    return after
