"""The formal model of the history merge, checked against the reference in both directions.

The model is in `spec/history-merge/model/`. `model_replicas` carries out its steps on the
reference, for behaviours and for histories.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, Literal

from rejoin.history_merge import Reading
from rejoin_conformance.contract.model import Configuration, Constants, Model
from rejoin_conformance.readings.expressions import under
from rejoin_conformance.systems.history_merge import READINGS
from rejoin_conformance.systems.history_merge.actions import History
from rejoin_conformance.systems.history_merge.model_replicas import (
    constants,
    history_of,
    replay,
    trace_constants,
    trace_of,
)

_OVER: Final = "over any anti-chains,"
_BOUNDS: Final = {
    "4": f"a root and 4 messages {_OVER} 1 element",
    "4, root": f"a root and 4 messages {_OVER} 1 element, which the root may have",
    "5": f"a root and 5 messages {_OVER} 1 element",
    "xy": f"a root and 3 messages {_OVER} 2 elements",
    "2 of 2": "2 replicas, 2 messages, 1 element",
    "3 of 2": "2 replicas, 3 messages, 1 element",
    "4 of 3": "3 replicas, 4 messages, 1 element",
}
_SMALL: Final = """
order-free | 4 | OrderFree | claim of the document: the fold order makes no difference
associative | 4 | Associative | claim of the document: it makes no difference if some nodes are \
merged first
recurse-fold | 4, root | RecurseFoldAgrees | the variant that the document calls wrong computes \
the same states
under-premise | 4 || if no addition is concurrent with a removal, both claims hold and the last \
operations determine the state; other premises imply this one
counts | 4 || prints for each history whether the claims hold in it, so that a test can count them
symmetric-difference | 4 || the symmetric difference of origin and both sides: the claims of the \
document hold without a premise
symmetric-difference-price | 4 | ConcurrentAdditionsCount | its price: an element that all merged \
messages have is not in their merge
additions-cancel | 4 | OrderFree | if only two additions cancel, the fold order makes a difference
removals-cancel | 4 | OrderFree | if only two removals cancel, the fold order makes a difference
replicas | 2 of 2 || replicas that fold by ascending ID agree for every order of delivery and of \
IDs, and every replica receives every message
"""
_LARGE: Final = """
replicas-3 | 3 of 2 || the same, with three messages
any-order | 4 of 3 | Agree | replicas that fold in any order agree
one-order | 4 of 3 || the same replicas agree if they fold by ascending ID
two-elements | xy || under the premise, with two elements that are merged together
symmetric-difference-6 | 5 || the symmetric difference, with one more message
under-premise-5 | 5 || under the premise, with one more message
"""
"""The checks of TLC that the test suite runs, and those that only `make models` runs.

A line has the name, the bounds, what TLC must find violated, if anything, and a summary.
"""
_SEARCHES: Final = ("counts", "any-order", "one-order")
"""The checks of another root module."""


def _configurations(text: str, size: Literal["small", "large"]) -> Iterator[Configuration]:
    for line in text.split("\n")[1:-1]:
        name, bounds, violates, summary = (part.strip() for part in line.split("|"))
        yield Configuration(
            name=name,
            summary=summary,
            bounds=_BOUNDS[bounds],
            size=size,
            violates=violates or None,
            module="HistoryMergeSearch" if name in _SEARCHES else None,
        )


def _constants(reading: Reading, replicas: str, elements: str, most: int) -> Constants:
    return constants(frozenset(replicas), frozenset(elements), most, reading)


MODEL: Final[Model[History]] = Model(
    module="HistoryMerge",
    configurations=(*_configurations(_SMALL, "small"), *_configurations(_LARGE, "large")),
    simulation_constants=under(READINGS, lambda reading: _constants(reading, "ABCD", "xy", 10)),
    exhaustive_constants=under(READINGS, lambda reading: _constants(reading, "AB", "x", 3)),
    trace_constants=under(READINGS, trace_constants),
    replay=under(READINGS, replay),
    history_of=under(READINGS, history_of),
    trace_of=under(READINGS, trace_of),
    weights={"post": 5, "accept": 8, "merge": 4},
)
"""The model of replicas that post, accept and merge. It specifies every reading: their
merges of sets are a constant."""
