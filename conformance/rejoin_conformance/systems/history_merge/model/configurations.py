"""What TLC checks of the history merge, and what shall come of it."""

from __future__ import annotations

from typing import Final

from rejoin_conformance.contract.model import Configuration

_SEARCH: Final = "HistoryMergeSearch"
_FOUR: Final = "a root and 4 messages over any anti-chains, 1 element"

CONFIGURATIONS: Final = (
    Configuration(
        name="order-free",
        summary="The document's claim: no fold order makes a difference.",
        bounds=_FOUR,
        violates="OrderFree",
    ),
    Configuration(
        name="associative",
        summary="The document's claim: merging some nodes first makes no difference.",
        bounds=_FOUR,
        violates="Associative",
    ),
    Configuration(
        name="recurse-fold",
        summary="The document's wrong variant gives the same states.",
        bounds=f"{_FOUR}, which the root may have",
        violates="RecurseFoldAgrees",
    ),
    Configuration(
        name="under-premise",
        summary="Where no addition is concurrent with a removal, both claims hold, and the last "
        "operations tell the state; other premises imply this one.",
        bounds=_FOUR,
    ),
    Configuration(
        name="counts",
        module=_SEARCH,
        summary="Prints of each history whether the claims hold in it, to be counted.",
        bounds=_FOUR,
    ),
    Configuration(
        name="replicas",
        summary="Replicas that fold by ascending ID agree, whatever the order of delivery and of "
        "IDs, and everybody hears everything.",
        bounds="2 replicas, 2 messages, 1 element",
    ),
    Configuration(
        name="replicas-3",
        summary="The same.",
        bounds="2 replicas, 3 messages, 1 element",
        size="large",
    ),
    Configuration(
        name="any-order",
        module=_SEARCH,
        summary="Replicas that fold in any order agree all the same.",
        bounds="3 replicas, 4 messages, 1 element",
        size="large",
        violates="Agree",
    ),
    Configuration(
        name="one-order",
        module=_SEARCH,
        summary="The same replicas agree if they fold by ascending ID.",
        bounds="3 replicas, 4 messages, 1 element",
        size="large",
    ),
    Configuration(
        name="two-elements",
        summary="Under the premise, with two elements, which are merged together.",
        bounds="a root and 3 messages over any anti-chains, 2 elements",
        size="large",
    ),
    Configuration(
        name="under-premise-5",
        summary="Under the premise, one message more.",
        bounds="a root and 5 messages over any anti-chains, 1 element",
        size="large",
    ),
)
"""The configurations, in the order of the table."""
