"""Random choices by integer arithmetic only: the same on every machine and Python version.

The generator is SplitMix64 (Steele, Lea, Flood 2014): a 64-bit counter and a mixing function.

Words are computed `_LANES` at a time, because Python takes about as long for an operation on a long
integer as for one on a short integer. The words are the lower halves of 128-bit lanes of one
integer, so the product of a word and a 64-bit constant stays within its lane.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from struct import Struct
from typing import Final, TypeVar

T = TypeVar("T")

_MASK: Final = (1 << 64) - 1
_GAMMA: Final = 0x9E3779B97F4A7C15
"""The step of the counter."""

_LANES: Final = 32
_ONES: Final = sum(1 << 128 * lane for lane in range(_LANES))
"""The word 1 in each lane."""

_STEPS: Final = sum((_GAMMA * (lane + 1) & _MASK) << 128 * lane for lane in range(_LANES))
"""The sum of the steps up to each lane: one step in the lowest lane."""

_WORDS: Final = _MASK * _ONES
"""All bits of all words."""

_BYTES: Final = Struct(">" + "8xQ" * _LANES)
"""The words of the lanes, from the highest to the lowest."""


def seed_of(*parts: str | int) -> int:
    """Return a 64-bit seed derived from the parts, such as a campaign's seed and an index."""
    text = "\n".join(f"{type(part).__name__}:{part}" for part in parts)
    return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=8).digest(), "big")


class Draw:
    """A stream of choices that is a pure function of its seed."""

    __slots__ = ("_counter", "_words")

    def __init__(self, seed: int) -> None:
        self._counter = seed & _MASK
        self._words: list[int] = []  # the next words, in reverse order

    def word(self) -> int:
        """Return a uniform 64-bit word."""
        return (self._words or self._more_words()).pop()

    def _more_words(self) -> list[int]:
        """Compute the next words, and return them in reverse order."""
        mixed = (self._counter * _ONES + _STEPS) & _WORDS
        mixed = ((mixed ^ (mixed >> 30 & _WORDS)) * 0xBF58476D1CE4E5B9) & _WORDS
        mixed = ((mixed ^ (mixed >> 27 & _WORDS)) * 0x94D049BB133111EB) & _WORDS
        mixed ^= mixed >> 31 & _WORDS
        self._words += _BYTES.unpack(mixed.to_bytes(_BYTES.size, "big"))
        self._counter = (self._counter + _LANES * _GAMMA) & _MASK
        return self._words

    def below(self, bound: int) -> int:
        """Return an integer in 0 .. bound - 1. The bias is below bound / 2^64."""
        return ((self._words or self._more_words()).pop() * bound) >> 64

    def between(self, low: int, high: int) -> int:
        """Return an integer in low .. high, both included."""
        return low + self.below(high - low + 1)

    def chance(self, numerator: int, denominator: int) -> bool:
        """Return True with probability `numerator` / `denominator`."""
        return ((self._words or self._more_words()).pop() * denominator) >> 64 < numerator

    def pick(self, items: Sequence[T]) -> T:
        """Return one of the items, each with the same probability."""
        return items[((self._words or self._more_words()).pop() * len(items)) >> 64]

    def weighted(self, items: Sequence[tuple[int, T]]) -> T:
        """Return one of the items (weight, item), each with a probability given by its weight."""
        total = 0
        for weight, _ in items:
            total += weight
        rest = self.below(total)
        for weight, item in items:
            rest -= weight
            if rest < 0:
                return item
        raise AssertionError("weights are positive")

    def shuffled(self, items: Iterable[T]) -> list[T]:
        """Return the items in a uniformly random order (Fisher-Yates)."""
        result = list(items)
        words = self._words
        for last in range(len(result) - 1, 0, -1):
            other = ((words or self._more_words()).pop() * (last + 1)) >> 64  # below(last + 1)
            result[last], result[other] = result[other], result[last]
        return result

    def sample(self, items: Iterable[T], count: int) -> list[T]:
        """Return `count` different items in random order."""
        return self.shuffled(items)[:count]

    def data(self, size: int) -> bytes:
        """Return `size` uniform bytes."""
        words = (size + 7) // 8
        return b"".join(self.word().to_bytes(8, "big") for _ in range(words))[:size]
