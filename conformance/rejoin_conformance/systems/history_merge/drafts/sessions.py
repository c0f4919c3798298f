"""Whole sessions: messages in the order of their arrival, and the state after each."""

from __future__ import annotations

from typing import Final

from rejoin_conformance.contract.vector import Draft, Topic
from rejoin_conformance.kit.json_types import Json
from rejoin_conformance.systems.history_merge.drafting import in_scenario, query, stated


def _step(text: str) -> Json:
    """A step from `+ a b` (accepted, the state is then {a, b}) or `- a b` (refused)."""
    verdict, *state = text.split()
    return {"accepted": verdict == "+", "state": [*sorted(state)]}


def _session(name: str, summary: str, clauses: str, text: str, *steps: str) -> Draft:
    return query("session", name, summary, clauses, given={"messages": stated(text)},
                 output={"steps": [_step(each) for each in steps]})  # fmt: skip


_UNCHANGED: Final = "HM-ACCEPT-UNCHANGED"
_ANY: Final = "HM-ACCEPT-ANY-ORDER HM-MEMBERS-HEADS"

_REFUSALS = (
    _session("nothing", "No messages, no steps", "HM-MEMBERS-EMPTY", ""),
    _session("chain", "Each message in turn", "HM-MEMBERS-ONE-HEAD",
             "r : a ; p < r : a b ; q < p : b", "+ a", "+ a b", "+ b"),
    _session("fork-and-join", "A fork opens and closes", "HM-MEMBERS-HEADS",
             "r : a ; p < r : a b ; q < r : c ; m < p q : b c d", "+ a", "+ a b", "+ b c",
             "+ b c d"),
    _session("early-child", "A child comes before its parent, and again after it",
             "HM-ACCEPT-PARENTS HM-ACCEPT-UNCHANGED",
             "r : a ; q < p : b ; p < r : a b ; q < p : b", "+ a", "- a", "+ a b", "+ b"),
    _session("replay", "A message comes twice", "HM-ACCEPT-DUPLICATE HM-ACCEPT-UNCHANGED",
             "r : a ; p < r : a b ; p < r : a b ; q < p : c", "+ a", "+ a b", "- a b", "+ c"),
    _session("replay-of-an-old-message", "An old message comes once more and takes nothing back",
             "HM-ACCEPT-DUPLICATE HM-ACCEPT-UNCHANGED",
             "r : a ; p < r : b ; q < p : c ; p < r : b", "+ a", "+ b", "+ c", "- c"),
    _session("forged-id", "Another message under an accepted ID", "HM-ACCEPT-DUPLICATE "
             "HM-ACCEPT-UNCHANGED", "r : a ; p < r : b ; p < r : x ; q < p : b c", "+ a", "+ b",
             "- b", "+ b c"),
    _session("redundant-parents", "A message with a redundant parent, and the same without it",
             "HM-ACCEPT-ANTI-CHAIN HM-ACCEPT-UNCHANGED",
             "r : a ; p < r : b ; m < p r : x ; m < p : x", "+ a", "+ b", "- b", "+ x"),
    _session("refused-id-stays-free", "The ID of a refused message may be used by another",
             _UNCHANGED, "r : a ; m < z : x ; m < r : y", "+ a", "- a", "+ y"),
    _session("child-of-a-refused-message", "A message after a refused one lacks its parent",
             "HM-ACCEPT-UNCHANGED HM-ACCEPT-PARENTS", "r : a ; m < z : x ; q < m : y ; p < r : b",
             "+ a", "- a", "- a", "+ b"),
    _session("first-message-refused", "A session may begin with a refusal", _UNCHANGED,
             "p < r : b ; r : a ; p < r : b", "-", "+ a", "+ b"),
    _session("second-root", "A second beginning", "HM-ACCEPT-ROOT", "r : a ; s : b ; m < r s : c",
             "+ a", "+ a b", "+ c"),
)  # fmt: skip

_FIVE: Final = {"r": "r :", "p": "p < r : x", "q": "q < r : x", "s": "s < p :", "t": "t < p : x"}
_CROSS: Final = {
    "r": "r : a", "p": "p < r : a b", "q": "q < r : c", "s": "s < p q : b c d", "t": "t < p q : c"
}  # fmt: skip


def _arrival(name: str, messages: dict[str, str], order: str, *steps: str) -> Draft:
    text = " ; ".join(messages[node] for node in order.split())
    return in_scenario(
        _session(f"{name}-{order.replace(' ', '-')}", f"The same messages arriving as {order}",
                 _ANY, text, *steps),
        name, order,
    )  # fmt: skip


_ARRIVALS = (
    _arrival("five-nodes", _FIVE, "r p q s t", "+", "+ x", "+ x", "+ x", "+ x"),
    _arrival("five-nodes", _FIVE, "r q p t s", "+", "+ x", "+ x", "+ x", "+ x"),
    _arrival("five-nodes", _FIVE, "r p s t q", "+", "+ x", "+", "+", "+ x"),
    _arrival("five-nodes", _FIVE, "r p t s q", "+", "+ x", "+ x", "+", "+ x"),
    _arrival("criss-cross", _CROSS, "r p q s t", "+ a", "+ a b", "+ b c", "+ b c d", "+ c d"),
    _arrival("criss-cross", _CROSS, "r q p t s", "+ a", "+ c", "+ b c", "+ c", "+ c d"),
)  # fmt: skip

TOPIC: Final = Topic(
    name="sessions",
    notes=(
        "Each step says whether the message was accepted, and the state of the session after it. "
        "Vectors of one scenario have the same messages; their last states are equal."
    ),
    drafts=(*_REFUSALS, *_ARRIVALS),
)
