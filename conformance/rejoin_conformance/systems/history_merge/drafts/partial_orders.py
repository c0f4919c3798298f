"""Before, ancestors, maximal nodes, anti-chains, transitive reduction."""

from __future__ import annotations

from typing import Final

from rejoin_conformance.contract.vector import Draft, Topic
from rejoin_conformance.systems.history_merge.drafting import names, query, refused, unstated

_CHAIN: Final = "r ; p < r ; q < p ; s < q"
_FORK: Final = "r ; p < r ; q < r"
_DIAMOND: Final = "r ; p < r ; q < r ; m < p q"
_CRISS_CROSS: Final = "r ; p < r ; q < r ; a < p q ; b < p q"
_TWO_ROOTS: Final = "r ; s ; p < r ; q < s ; m < p q"
_REDUNDANT: Final = "r ; p < r ; q < p r"


def _before(name: str, summary: str, text: str, earlier: str, later: str, *, holds: bool) -> Draft:
    return query(
        "before",
        name,
        summary,
        "HM-ORDER-BEFORE",
        given={"nodes": unstated(text), "earlier": earlier, "later": later},
        output={"before": holds},
    )


def _ancestors(
    name: str, summary: str, text: str, of: str, found: str, clauses: str = "HM-ORDER-ANCESTORS"
) -> Draft:
    return query(
        "ancestors",
        name,
        summary,
        clauses,
        given={"nodes": unstated(text), "of": names(of)},
        output={"nodes": names(found)},
    )


def _maximal(name: str, summary: str, text: str, among: str, found: str) -> Draft:
    return query(
        "maximal",
        name,
        summary,
        "HM-ORDER-MAXIMAL",
        given={"nodes": unstated(text), "among": names(among)},
        output={"nodes": names(found)},
    )


def _anti_chain(name: str, summary: str, text: str, among: str, *, holds: bool) -> Draft:
    return query(
        "is-anti-chain",
        name,
        summary,
        "HM-ORDER-ANTI-CHAIN",
        given={"nodes": unstated(text), "among": names(among)},
        output={"anti_chain": holds},
    )


def _reduction(name: str, summary: str, text: str, reduced: str) -> Draft:
    return query(
        "transitive-reduction",
        name,
        summary,
        "HM-ORDER-REDUCTION",
        given={"nodes": unstated(text)},
        output={"nodes": unstated(reduced)},
    )


_BEFORE = (
    _before("before-itself", "A node is <= itself", _CHAIN, "p", "p", holds=True),
    _before("before-child", "A parent is <= its child", _CHAIN, "p", "q", holds=True),
    _before(
        "before-far-descendant", "A root is <= a descendant of its descendants", _CHAIN, "r", "s",
        holds=True,
    ),
    _before("not-before-parent", "A child is not <= its parent", _CHAIN, "q", "p", holds=False),
    _before("not-before-sibling", "A node is not <= its sibling", _FORK, "p", "q", holds=False),
    _before(
        "before-by-second-parent", "One of several parents is enough", _DIAMOND, "q", "m",
        holds=True
    ),
    _before(
        "not-before-in-other-component", "Nodes of separate roots are independent", _TWO_ROOTS,
        "r", "q", holds=False,
    ),
    _before(
        "not-before-cousin", "Sharing a parent does not put one node before the other",
        _CRISS_CROSS, "a", "b", holds=False,
    ),
)  # fmt: skip

_ANCESTORS = (
    _ancestors("ancestors-of-root", "A root has itself for its only ancestor", _CHAIN, "r", "r"),
    _ancestors("ancestors-in-chain", "A chain is collected to its root", _CHAIN, "q", "p q r"),
    _ancestors(
        "ancestors-through-all-parents", "All parents are followed", _DIAMOND, "m", "m p q r"
    ),
    _ancestors(
        "ancestors-are-no-descendants", "Children and siblings are no ancestors", _DIAMOND, "p",
        "p r",
    ),
    _ancestors(
        "ancestors-over-two-roots", "A node that joins two roots has both", _TWO_ROOTS, "m",
        "m p q r s",
    ),
    _ancestors(
        "ancestors-with-redundant-parent", "A redundant parent changes no ancestors", _REDUNDANT,
        "q", "p q r",
    ),
    _ancestors(
        "ancestors-listed-backwards", "Children may be listed ahead of their parents",
        "m < p q ; q < r ; p < r ; r", "m", "m p q r", "HM-ORDER-LISTING HM-ORDER-ANCESTORS",
    ),
    _ancestors(
        "ancestors-of-two-nodes", "The ancestors of a set are those of all its nodes", _CRISS_CROSS,
        "a q", "a p q r", "HM-ORDER-ANCESTORS-OF-ALL",
    ),
    _ancestors(
        "ancestors-of-separate-nodes", "A union, not an intersection", _TWO_ROOTS, "p q", "p q r s",
        "HM-ORDER-ANCESTORS-OF-ALL",
    ),
    _ancestors(
        "ancestors-of-nothing", "No nodes have no ancestors", _CHAIN, "", "",
        "HM-ORDER-ANCESTORS-OF-ALL",
    ),
    _ancestors(
        "ancestors-of-the-empty-history", "The empty history answers for no nodes", "", "", "",
        "HM-ORDER-ANCESTORS-OF-ALL",
    ),
)  # fmt: skip

_MAXIMAL = (
    _maximal("maximal-of-all", "The maximal nodes of a history are its heads", _FORK, "r p q",
    "p q"),
    _maximal("maximal-of-chain", "Of a chain the last node is maximal", _CHAIN, "r p q s", "s"),
    _maximal("maximal-of-one", "A single node is maximal", _CHAIN, "p", "p"),
    _maximal("maximal-of-nothing", "No nodes have no maximal ones", _CHAIN, "", ""),
    _maximal(
        "maximal-over-a-gap", "A node between two others need not be in the set", _CHAIN, "r s", "s"
    ),
    _maximal(
        "maximal-of-anti-chain", "All nodes of an anti-chain are maximal", _CRISS_CROSS, "a b",
        "a b"
    ),
    _maximal(
        "maximal-among-three", "Each node is held against all others", _CRISS_CROSS, "p a q r", "a"
    ),
    _maximal(
        "maximal-not-of-the-whole", "Nodes outside of the set do not count", _DIAMOND, "p q r",
        "p q"
    ),
)  # fmt: skip

_ANTI_CHAINS = (
    _anti_chain("anti-chain-of-nothing", "No nodes are an anti-chain", _CHAIN, "", holds=True),
    _anti_chain("anti-chain-of-one", "One node is an anti-chain", _CHAIN, "q", holds=True),
    _anti_chain("anti-chain-of-siblings", "Siblings are one", _FORK, "p q", holds=True),
    _anti_chain("anti-chain-of-cousins", "So are nodes with the same two parents", _CRISS_CROSS,
                "a b", holds=True),
    _anti_chain("no-anti-chain-of-parent-and-child", "A parent with its child is none", _CHAIN,
                "p q", holds=False),
    _anti_chain("no-anti-chain-over-a-gap", "Nor is a far ancestor with its descendant", _CHAIN,
                "r s", holds=False),
    _anti_chain("no-anti-chain-of-three", "One comparable pair spoils it", _CRISS_CROSS, "a b q",
                holds=False),
    _anti_chain("no-anti-chain-of-a-node-twice", "A node that stands twice is <= itself", _FORK,
                "p p", holds=False),
    _anti_chain("anti-chain-over-two-roots", "Separate roots are independent", _TWO_ROOTS, "r q",
                holds=True),
)  # fmt: skip

_REDUCTIONS = (
    _reduction("reduction-of-reduced", "A reduced history stays", _DIAMOND,
    "m < p q ; p < r ; q < r ; r"),
    _reduction("reduction-drops-grandparent", "A grandparent goes", _REDUNDANT,
    "p < r ; q < p ; r"),
    _reduction(
        "reduction-drops-far-ancestor", "A far ancestor goes", "r ; p < r ; q < p ; s < q r",
        "p < r ; q < p ; r ; s < q",
    ),
    _reduction(
        "reduction-keeps-independent-parents", "Independent parents stay, redundant ones go",
        "r ; p < r ; q < r ; m < p q r", "m < p q ; p < r ; q < r ; r",
    ),
    _reduction(
        "reduction-of-several-nodes", "Every node is reduced", "a ; b < a ; c < a b ; d < a b c",
        "a ; b < a ; c < b ; d < c",
    ),
    _reduction("reduction-of-nothing", "The empty history is reduced", "", ""),
)  # fmt: skip


def _unknown(operation: str, name: str, field: str) -> Draft:
    return refused(
        operation,
        name,
        f"A node in `{field}` that the history does not hold is refused",
        "HM-ORDER-KNOWN-NODES",
        given={"nodes": unstated(_FORK), field: names("p z")},
        mended={"nodes": unstated(_FORK), field: names("p q")},
    )


_UNKNOWN = (
    _unknown("ancestors", "ancestors-of-unknown", "of"),
    _unknown("maximal", "maximal-among-unknown", "among"),
    _unknown("is-anti-chain", "anti-chain-with-unknown", "among"),
    _unknown("common-to-all", "common-to-unknown", "of"),
    refused(
        "before",
        "before-unknown",
        "An unknown later node is refused, not answered with false",
        "HM-ORDER-KNOWN-NODES",
        given={"nodes": unstated(_FORK), "earlier": "r", "later": "z"},
        mended={"nodes": unstated(_FORK), "earlier": "r", "later": "q"},
    ),
)

TOPIC: Final = Topic(
    name="partial-orders",
    notes=(
        "Queries on the order that parents generate. Lists of IDs in inputs may be in any order; "
        "outputs are sorted by ID."
    ),
    drafts=(*_BEFORE, *_ANCESTORS, *_MAXIMAL, *_ANTI_CHAINS, *_REDUCTIONS, *_UNKNOWN),
)
