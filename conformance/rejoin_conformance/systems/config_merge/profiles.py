"""Profiles: the integer weights from which random histories are drawn."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, TypeAlias

from attrs import frozen

Weights: TypeAlias = tuple[tuple[int, int], ...]
"""(weight, value) pairs."""

SCENES: Final[Mapping[str, int]] = {
    "solo": 8,
    "race": 6,
    "straggle": 4,
    "merge": 3,
    "merge_and_edit": 2,
    "rebase": 2,
    "powerless": 0,
    "cut": 1,
    "heal": 2,
    "deliver": 1,
    "noise": 4,
}
"""The methods of `Drawing` that draw a scene, each with its usual weight."""

CHANGES: Final[Mapping[str, int]] = {
    "assign": 6,
    "remove": 3,
    "add": 4,
    "discard": 3,
    "reshape": 1,
    "clear": 1,
}
"""Changes of the usual kind for a path, a value of an unusual kind (reshape), and the removal of a
whole dict or set (clear)."""

NOISE: Final[Mapping[str, int]] = {
    "again": 6,
    "other-nonce": 3,
    "outsider": 4,
    "newer-version": 3,
    "signed-copy": 1,
    "bad-ciphertext": 4,
    "bad-plaintext": 8,
    "bad-signature": 2,
    "forged-rows": 1,
    "forged-diff": 1,
    "leap": 0,
    "last-seqno": 0,
}
"""Injections. Those up to `signed-copy` come from honest programs."""

PERCENTAGES: Final[Mapping[str, int]] = {
    "signed": 6,
    "partial": 20,
    "unresolved": 8,
    "refused": 25,
    "delayed": 6,
    "repeated_value": 20,
    "extreme_value": 6,
}
"""signed: histories in which messages must be signed. partial: fetches that leave some ciphertexts
out. unresolved: fetches after which the client continues without resolving. refused: pushes that
may not delete. delayed: pushes whose batch is delayed. repeated_value: assignments of a value from
a small pool. extreme_value: assignments of the smallest and largest values and of unusual bytes."""


@frozen
class Profile:
    """The weights of a kind of random history. Only their proportions within a group matter.

    summary: a description of the histories in one line. others: the weights that are not as usual.
    edits: the range of the minimum number of pushed edits; scenes may add a few. clients, windows:
    weights of the number of clients and of N. first_keys: the range of the number of leaves in the
    first edit. uniform: whether events are drawn one by one, all kinds equally likely.
    """

    summary: str
    others: Mapping[str, int] = {}
    edits: tuple[int, int] = (12, 12)
    clients: Weights = ((3, 2), (4, 3), (3, 4), (1, 5), (1, 6))
    windows: Weights = ((1, 1), (3, 2), (4, 3), (2, 4), (5, 5), (1, 7))
    first_keys: tuple[int, int] = (3, 6)
    uniform: bool = False

    def weights(self, usual: Mapping[str, int]) -> tuple[tuple[int, str], ...]:
        """Return the weights of a group: (weight, name)."""
        return tuple((self.others.get(name, weight), name) for name, weight in usual.items())


PROFILES: Final[Mapping[str, Profile]] = {
    "default": Profile("2 to 6 clients, at least 12 messages, every kind of event"),
    "uniform": Profile(
        "events drawn one by one, every kind equally likely: the baseline of coverage",
        uniform=True,
    ),
    "tiny": Profile(
        "2 or 3 clients and a few messages, small enough to read",
        edits=(3, 5),
        clients=((3, 2), (1, 3)),
        windows=((1, 1), (2, 2), (2, 3), (3, 5)),
        first_keys=(2, 3),
    ),
    "racing": Profile(
        "3 to 6 clients that edit and merge at the same time",
        {"solo": 1, "race": 10, "merge": 3, "merge_and_edit": 8, "rebase": 4, "cut": 0},
        clients=((1, 3), (2, 4), (3, 5), (3, 6)),
    ),
    "partitioned": Profile(
        "long partitions of the network, late fetches and delayed batches",
        {"solo": 8, "straggle": 6, "cut": 5, "heal": 1, "partial": 50, "delayed": 25},
        windows=((2, 1), (3, 2), (3, 3), (3, 5)),
    ),
    "adversarial": Profile(
        "forged rows and diffs, leaps of the seqno, many invalid messages",
        {
            "powerless": 3,
            "noise": 14,
            "extreme_value": 20,
            "bad-ciphertext": 6,
            "bad-plaintext": 14,
            "bad-signature": 6,
            "forged-rows": 8,
            "forged-diff": 8,
            "leap": 2,
            "last-seqno": 1,
        },
    ),
    "long": Profile(
        "at least 60 messages and large data",
        edits=(60, 90),
        windows=((2, 2), (3, 3), (6, 5), (2, 10), (1, 20)),
        first_keys=(10, 20),
    ),
    "large": Profile(
        "6 to 8 clients, at least 120 messages, and windows of up to 200 seqnos",
        {"solo": 3, "race": 10, "straggle": 8, "merge": 2, "refused": 60},
        edits=(120, 160),
        clients=((1, 6), (2, 8)),
        windows=((1, 5), (2, 20), (2, 60), (2, 200)),
        first_keys=(20, 40),
    ),
}
"""Every profile by its name."""
