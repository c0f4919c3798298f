"""The same histories, read as data of both kinds."""

from __future__ import annotations

from typing import Final

from rejoin_conformance.contract.vector import Draft, Topic
from rejoin_conformance.systems.history_merge.drafting import in_scenario, names, query, stated


def _both(name: str, summary: str, text: str, union: str, state: str) -> tuple[Draft, Draft]:
    nodes = stated(text)
    return (
        in_scenario(
            query("union-of-events", f"union-{name}", f"{summary}: the union", "HM-UNION-OF-EVENTS",
                  given={"nodes": nodes}, output={"union": names(union)}), name, "union"),
        in_scenario(
            query("members", f"state-{name}", f"{summary}: the dynamic state", "HM-DYNAMIC-STATE",
                  given={"nodes": nodes}, output={"state": names(state)}), name, "dynamic state"),
    )  # fmt: skip


_DRAFTS = (
    *_both("chain-with-removal", "An element that was removed", "r : a b ; p < r : b", "a b", "b"),
    *_both("fork", "Two branches add and remove", "r : a b ; p < r : a b c ; q < r : a", "a b c",
           "a c"),
    *_both("removed-again", "An element that was added and removed", "r : ; p < r : x ; q < p :",
           "x", ""),
    *_both("merged-and-overruled", "A node that joins a fork and removes what one branch had added",
           "r : a ; p < r : a b ; q < r : a c ; m < p q : a c", "a b c", "a c"),
    *_both("one-event", "A single event", "r : a b", "a b", "a b"),
    *_both("no-events", "No event at all", "", "", ""),
)  # fmt: skip

TOPIC: Final = Topic(
    name="union-and-dynamic-state",
    notes="Type 1 is what all events carry; type 2 is one state that events change.",
    drafts=_DRAFTS,
)
