"""Profiles: the integer weights from which random histories are drawn."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, TypeAlias

from attrs import evolve, frozen

Weights: TypeAlias = tuple[tuple[int, int], ...]
"""(weight, value) pairs."""


@frozen(kw_only=True)
class Profile:
    """The weights of a kind of random history. Only their proportions within a group matter.

    summary: a description of the histories in one line.
    uniform: whether events are drawn one by one, all kinds equally likely (see `uniform`). If so,
        the weights of the scenes have no meaning.
    edits_low, edits_high: the range of the minimum number of pushed edits; scenes may add a few.
    clients, windows: weights of the number of clients and of N.
    signed: the percentage of histories in which messages must be signed.
    first_keys_low, first_keys_high: the range of the number of leaves in the first edit.

    Scenes: solo: a client catches up and edits. race: several clients catch up, then all edit and
    push. straggle: a client edits without catching up first. merge: clients catch up, resolve, and
    push their merges. merge_and_edit: the same, with edits on top. rebase: a client resolves while
    it has an edit that it has not pushed. powerless: a client that cannot sign edits and pushes.
    cut, heal: the network splits, or its parts join again. deliver: delayed batches arrive. noise:
    the swarm gets a ciphertext that no client pushed.

    Changes: assign, remove, add, discard: a change of the usual kind for the path. reshape: a value
    of an unusual kind for the path. clear: the removal of a whole dict.

    Percentages: partial: fetches that leave some ciphertexts out. unresolved: fetches after which
    the client continues without resolving. refused: pushes that may not delete.
    delayed: pushes whose batch is delayed. repeated_value: assignments of a value from a small
    pool. extreme_value: assignments of the smallest and largest values and of unusual bytes.

    Noise: again, other_nonce, outsider, newer_version and signed_copy come from honest programs;
    the other kinds do not. See `injections`.
    """

    summary: str
    uniform: bool = False
    edits_low: int = 12
    edits_high: int = 12
    clients: Weights = ((3, 2), (4, 3), (3, 4), (1, 5), (1, 6))
    windows: Weights = ((1, 1), (3, 2), (4, 3), (2, 4), (5, 5), (1, 7))
    signed: int = 6
    first_keys_low: int = 3
    first_keys_high: int = 6

    solo: int = 8
    race: int = 6
    straggle: int = 4
    merge: int = 3
    merge_and_edit: int = 2
    rebase: int = 2
    powerless: int = 0
    cut: int = 1
    heal: int = 2
    deliver: int = 1
    noise: int = 4

    assign: int = 6
    remove: int = 3
    add: int = 4
    discard: int = 3
    reshape: int = 1
    clear: int = 1

    partial: int = 20
    unresolved: int = 8
    refused: int = 25
    delayed: int = 6
    repeated_value: int = 20
    extreme_value: int = 6

    again: int = 6
    other_nonce: int = 3
    outsider: int = 4
    newer_version: int = 3
    signed_copy: int = 1
    bad_ciphertext: int = 4
    bad_plaintext: int = 8
    bad_signature: int = 2
    forged_rows: int = 1
    forged_diff: int = 1
    leap: int = 0
    last_seqno: int = 0


DEFAULT: Final = Profile(
    summary="2 to 6 clients, at least 12 messages, every kind of event",
)

PROFILES: Final[Mapping[str, Profile]] = {
    "default": DEFAULT,
    "uniform": Profile(
        summary="events drawn one by one, every kind equally likely: the baseline of coverage",
        uniform=True,
    ),
    "tiny": Profile(
        summary="2 or 3 clients and a few messages, small enough to read",
        edits_low=3,
        edits_high=5,
        clients=((3, 2), (1, 3)),
        windows=((1, 1), (2, 2), (2, 3), (3, 5)),
        first_keys_low=2,
        first_keys_high=3,
    ),
    "racing": evolve(
        DEFAULT,
        summary="3 to 6 clients that edit and merge at the same time",
        clients=((1, 3), (2, 4), (3, 5), (3, 6)),
        solo=1,
        race=10,
        merge=3,
        merge_and_edit=8,
        rebase=4,
        cut=0,
    ),
    "partitioned": evolve(
        DEFAULT,
        summary="long partitions of the network, late fetches and delayed batches",
        windows=((2, 1), (3, 2), (3, 3), (3, 5)),
        solo=8,
        straggle=6,
        cut=5,
        heal=1,
        partial=50,
        delayed=25,
    ),
    "adversarial": evolve(
        DEFAULT,
        summary="forged rows and diffs, leaps of the seqno, many invalid messages",
        powerless=3,
        noise=14,
        extreme_value=20,
        bad_ciphertext=6,
        bad_plaintext=14,
        bad_signature=6,
        forged_rows=8,
        forged_diff=8,
        leap=2,
        last_seqno=1,
    ),
    "long": evolve(
        DEFAULT,
        summary="at least 60 messages and large data",
        edits_low=60,
        edits_high=90,
        windows=((2, 2), (3, 3), (6, 5), (2, 10), (1, 20)),
        first_keys_low=10,
        first_keys_high=20,
    ),
    "large": evolve(
        DEFAULT,
        summary="6 to 8 clients, at least 120 messages, and windows of up to 200 seqnos",
        edits_low=120,
        edits_high=160,
        clients=((1, 6), (2, 8)),
        windows=((1, 5), (2, 20), (2, 60), (2, 200)),
        first_keys_low=20,
        first_keys_high=40,
        solo=3,
        race=10,
        straggle=8,
        merge=2,
        refused=60,
    ),
}
"""Every profile by its name."""
