"""The configurations that TLC checks for the history merge, with their expected results."""

from __future__ import annotations

from typing import Final

from rejoin_conformance.contract.model import Configuration

_SEARCH: Final = "HistoryMergeSearch"
_FOUR: Final = "a root and 4 messages over any anti-chains, 1 element"

CONFIGURATIONS: Final = (
    Configuration(
        name="order-free",
        summary="claim of the document: the fold order makes no difference",
        bounds=_FOUR,
        violates="OrderFree",
    ),
    Configuration(
        name="associative",
        summary="claim of the document: it makes no difference if some nodes are merged first",
        bounds=_FOUR,
        violates="Associative",
    ),
    Configuration(
        name="recurse-fold",
        summary="the variant that the document calls wrong computes the same states",
        bounds=f"{_FOUR}, which the root may have",
        violates="RecurseFoldAgrees",
    ),
    Configuration(
        name="under-premise",
        summary="if no addition is concurrent with a removal, both claims hold and the last "
        "operations determine the state; other premises imply this one",
        bounds=_FOUR,
    ),
    Configuration(
        name="counts",
        module=_SEARCH,
        summary="prints for each history whether the claims hold in it, so that a test can count "
        "them",
        bounds=_FOUR,
    ),
    Configuration(
        name="symmetric-difference",
        summary="the symmetric difference of origin and both sides: the claims of the document "
        "hold without a premise",
        bounds=_FOUR,
    ),
    Configuration(
        name="symmetric-difference-price",
        summary="its price: an element that all merged messages have is not in their merge",
        bounds=_FOUR,
        violates="ConcurrentAdditionsCount",
    ),
    Configuration(
        name="additions-cancel",
        summary="if only two additions cancel, the fold order makes a difference",
        bounds=_FOUR,
        violates="OrderFree",
    ),
    Configuration(
        name="removals-cancel",
        summary="if only two removals cancel, the fold order makes a difference",
        bounds=_FOUR,
        violates="OrderFree",
    ),
    Configuration(
        name="replicas",
        summary="replicas that fold by ascending ID agree for every order of delivery and of IDs, "
        "and every replica receives every message",
        bounds="2 replicas, 2 messages, 1 element",
    ),
    Configuration(
        name="replicas-3",
        summary="the same, with three messages",
        bounds="2 replicas, 3 messages, 1 element",
        size="large",
    ),
    Configuration(
        name="any-order",
        module=_SEARCH,
        summary="replicas that fold in any order agree",
        bounds="3 replicas, 4 messages, 1 element",
        size="large",
        violates="Agree",
    ),
    Configuration(
        name="one-order",
        module=_SEARCH,
        summary="the same replicas agree if they fold by ascending ID",
        bounds="3 replicas, 4 messages, 1 element",
        size="large",
    ),
    Configuration(
        name="two-elements",
        summary="under the premise, with two elements that are merged together",
        bounds="a root and 3 messages over any anti-chains, 2 elements",
        size="large",
    ),
    Configuration(
        name="symmetric-difference-6",
        summary="the symmetric difference, with one more message",
        bounds="a root and 5 messages over any anti-chains, 1 element",
        size="large",
    ),
    Configuration(
        name="under-premise-5",
        summary="under the premise, with one more message",
        bounds="a root and 5 messages over any anti-chains, 1 element",
        size="large",
    ),
)
"""The configurations, in the order of the table."""
