"""Histories beyond the sizes of common buffers, whose results depend on every single item."""

from __future__ import annotations

from typing import Final

from rejoin_conformance.contract.drafting import accepted
from rejoin_conformance.contract.vector import Topic
from rejoin_conformance.systems.history_merge.drafts.large_histories import (
    long_ids,
    names,
    one_bit_each,
    own_removals,
    reduced,
    separated,
    two_chains,
)
from rejoin_conformance.systems.history_merge.drafts.limits import LIMITS
from rejoin_conformance.systems.history_merge.drafts.recipes import SESSION
from rejoin_conformance.systems.history_merge.drafts.wide_sessions import WIDE_SESSIONS

_SEPARATED, _SEPARATED_MERGE, _SEPARATED_KEPT = separated(",;:|-+&/._~#'\"\\[]()=@!")
_LONG_NODES, _LONG_MERGE = long_ids(5000)
_CHAINS: Final = two_chains(2150)
_SHORT_CHAINS: Final = two_chains(1300)
_ORIGINS: Final = names("p", 300)


_WIDE: Final = (
    accepted(
        "history-merge/members",
        "130-heads-with-a-removal-each",
        "Each of 130 heads removes an element of its own, and only the last one is kept.",
        "HM-MEMBERS-HEADS HM-MERGE-CONFLICT-FREE",
        given={"nodes": own_removals(130)},
        output={"state": ["kept"]},
    ),
    accepted(
        "history-merge/members",
        "190-heads-with-a-bit-each",
        "Each of 190 heads adds another power of two to a counter.",
        "HM-MEMBERS-HEADS HM-3WAY-COUNTER",
        given={"nodes": one_bit_each(190), "state_type": "counter"},
        output={"state": str((1 << 190) - 1)},
    ),
    accepted(
        "history-merge/merge",
        "ids-joined-by-a-separator",
        "Two sets of origins give the same text if a mark that occurs in their IDs joins them.",
        "HM-MERGE-ORIGIN HM-MERGE-WIDE",
        given={"nodes": _SEPARATED, "merge": _SEPARATED_MERGE},
        output={"state": _SEPARATED_KEPT},
    ),
    accepted(
        "history-merge/merge",
        "ids-of-5001-characters",
        "The last character of the IDs decides the fold order, and the fold order the result.",
        "HM-FOLD-ASCENDING",
        given={"nodes": _LONG_NODES, "merge": _LONG_MERGE},
        output={"state": []},
    ),
)


_ORDERS: Final = (
    accepted(
        "history-merge/ancestors",
        "ancestors-in-4302-nodes",
        "The ancestors of a branch that left early and of the last node of one of two chains.",
        "HM-ORDER-ANCESTORS-OF-ALL HM-ORDER-ANCESTORS",
        given={"nodes": _CHAINS, "of": ["k", "l2149"]},
        output={"nodes": ["k", *(f"l{number:04d}" for number in range(2150)), "r"]},
    ),
    accepted(
        "history-merge/common-ancestors",
        "common-ancestors-in-4302-nodes",
        "The lowest common ancestors of both chains are at the last join.",
        "HM-LCAU-LOWEST",
        given={"nodes": _CHAINS, "of": ["k", "l2149"], "with": "m2149"},
        output={"nodes": ["k", "l2128"]},
    ),
    accepted(
        "history-merge/maximal",
        "maximal-in-2602-nodes",
        "All nodes but the last of each chain are before another node.",
        "HM-ORDER-MAXIMAL",
        given={
            "nodes": _SHORT_CHAINS,
            "among": ["r", "k", *(f"{x}{n:04d}" for x in "lm" for n in range(1300))],
        },
        output={"nodes": ["l1299", "m1299"]},
    ),
    accepted(
        "history-merge/transitive-reduction",
        "reduction-of-2602-nodes",
        "Two chains are joined 13 times, each time with redundant parents far back.",
        "HM-ORDER-REDUCTION",
        given={"nodes": _SHORT_CHAINS},
        output={"nodes": reduced(_SHORT_CHAINS)},
    ),
)

TOPIC: Final = Topic(
    name="large",
    notes="",
    drafts=(*_WIDE, *_ORDERS, *WIDE_SESSIONS, *LIMITS, SESSION),
)
"""The computed vectors of the topic `large`; the others are text."""
