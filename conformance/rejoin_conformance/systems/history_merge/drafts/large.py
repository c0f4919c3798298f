"""Histories beyond the sizes of common buffers, whose results depend on every single item."""

from __future__ import annotations

from typing import Final

from rejoin_conformance.contract.drafting import accepted, refused
from rejoin_conformance.contract.vector import Draft, Topic
from rejoin_conformance.systems.history_merge.drafts.far_nodes import FAR_NODES
from rejoin_conformance.systems.history_merge.drafts.large_histories import (
    after,
    alternating,
    alternating_question,
    alternating_steps,
    by_case,
    eighths,
    elements,
    long_ids,
    many_origins,
    names,
    node,
    one_bit_each,
    ordered_units,
    own_elements,
    own_removals,
    reduced,
    separated,
    two_chains,
)
from rejoin_conformance.systems.history_merge.drafts.limits import LIMITS
from rejoin_conformance.systems.history_merge.drafts.recipes import RECIPES
from rejoin_conformance.systems.history_merge.drafts.wide_sessions import WIDE_SESSIONS

_NOTES: Final = (
    "Histories with hundreds or thousands of nodes, heads, parents or elements. Most results "
    "depend on every one of them, so a limit, a lost item or a wrong origin changes them."
)

_ORDERED_NODES, _ORDER = ordered_units(60)
_SEPARATED, _SEPARATED_MERGE, _SEPARATED_KEPT = separated(",;:|-+&/._~#'\"\\[]()=@!")
_LONG_NODES, _LONG_MERGE = long_ids(5000)
_CHAINS: Final = two_chains(2150)
_SHORT_CHAINS: Final = two_chains(1300)
_ORIGINS: Final = names("p", 300)


def _deep() -> tuple[Draft, ...]:
    merges = [
        accepted(
            "history-merge/merge",
            f"alternating-ladder-{rows}-rows",
            f"Each of {rows} rows replaces the only element of the merge of the row before: a "
            "recursion that is cut anywhere ends with another element, here or one row further.",
            "HM-MERGE-DEEP HM-MERGE-ORIGIN",
            given=alternating_question(rows),
            output=after(rows),
        )
        for rows in (4, 5, 8, 9, 16, 17, 64, 65, 400, 401, 1052)
    ]
    variants = [
        accepted(
            f"history-merge/{operation}",
            f"{name}-alternating-ladder-{rows}-rows",
            f"{variant} of two nodes goes down {rows} rows, each of which replaces the only "
            "element of the row before.",
            clause,
            given=alternating_question(rows),
            output=after(rows),
        )
        for operation, name, variant, clause, rows in (
            ("merge-temporary-nodes", "fold-recurse", "merge-fold-recurse", "HM-TEMP-AGREES", 401),
            ("merge-recurse-fold", "recurse-fold", "merge-recurse-fold", "HM-RECURSE-FOLD", 401),
            ("merge-recurse-fold", "recurse-fold", "merge-recurse-fold", "HM-RECURSE-FOLD", 1052),
        )
    ]
    session = accepted(
        "history-merge/session",
        "session-of-an-alternating-ladder",
        "A session takes 130 rows, and the state after each row differs from the one before.",
        "HM-MEMBERS-HEADS HM-ACCEPT-ANY-ORDER",
        given={"messages": alternating(130)},
        output={"steps": alternating_steps(130)},
    )
    return (*merges, *variants, session)


_WIDE: Final = (
    accepted(
        "history-merge/members",
        "2104-heads-with-an-element-each",
        "Each of 2,104 heads adds an element of its own, and the state has all of them.",
        "HM-MEMBERS-HEADS HM-MERGE-CONFLICT-FREE",
        given={"nodes": own_elements(2104)},
        output={"state": [*elements(2104)]},
    ),
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
        "300-origins",
        "Two nodes have 300 origins; s removes every second element, and t every third one.",
        "HM-MERGE-ORIGIN HM-LCAU-LOWEST",
        given={"nodes": many_origins(300), "merge": ["s", "t"]},
        output={
            "state": [
                name for number, name in enumerate(names("e", 300)) if number % 2 and number % 3
            ]
        },
    ),
    refused(
        "history-merge/accept",
        "300-parents-and-one-before-another",
        "A session refuses a message whose 301 parents include one that is before another.",
        "HM-ACCEPT-ANTI-CHAIN HM-MERGE-CHECK",
        given={
            "nodes": [*many_origins(300)[:-2], node("z", ["p0299"], [])],
            "message": node("m", [*_ORIGINS, "z"], []),
        },
        mended={
            "nodes": [*many_origins(300)[:-2], node("z", ["p0299"], [])],
            "message": node("m", [*_ORIGINS[:-1], "z"], []),
        },
    ),
    accepted(
        "history-merge/merge",
        "180-nodes-in-a-fold-order",
        "The fold order of each three of 180 nodes decides about an element of their own.",
        "HM-FOLD-RANKED HM-MERGE-FOLD",
        given={"nodes": _ORDERED_NODES, "merge": [*sorted(map(str, _ORDER))], "order": _ORDER},
        output={"state": [f"x{number:03d}" for number in range(1, 60, 2)]},
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

_STATES: Final = (
    accepted(
        "history-merge/three-way-merge",
        "4200-elements-in-all-cases",
        "Each of the eight cases of an element occurs 525 times.",
        "HM-3WAY-SET HM-3WAY-ELEMENT",
        given={
            "origin": eighths(4200, 2),
            "left": eighths(4200, 1),
            "right": eighths(4200, 0),
        },
        output={"state": by_case(4200, 1, 2, 3, 7)},
    ),
    accepted(
        "history-merge/diff",
        "2100-elements-changed",
        "Of 2,800 elements, a quarter each is inserted, deleted, kept, and in neither set.",
        "HM-3WAY-DIFF",
        given={"origin": eighths(2800, 1), "changed": eighths(2800, 0)},
        output={"inserted": by_case(2800, 1, 5), "deleted": by_case(2800, 2, 6)},
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
    notes=_NOTES,
    drafts=(
        *_deep(),
        *_WIDE,
        *_STATES,
        *_ORDERS,
        *FAR_NODES,
        *WIDE_SESSIONS,
        *LIMITS,
        *RECIPES,
    ),
)
