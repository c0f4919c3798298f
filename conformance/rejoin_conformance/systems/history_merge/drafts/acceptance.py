"""Which messages a session accepts."""

from __future__ import annotations

from typing import Final

from rejoin_conformance.contract.vector import Draft, Topic
from rejoin_conformance.kit.json_types import JsonObject
from rejoin_conformance.systems.history_merge.drafting import query, refused, stated, typed

_FORK: Final = "r : a ; p < r : a b ; q < r : a c"
_CRISS_CROSS: Final = f"{_FORK} ; s < p q : a b c ; t < p q : a b"


def _given(text: str, message: str) -> JsonObject:
    (node,) = stated(message)
    return {"nodes": stated(text), "message": node}


def _accepted(name: str, summary: str, clauses: str, text: str, message: str) -> Draft:
    return query("accept", name, summary, clauses, given=_given(text, message),
                 output={"accepted": True})  # fmt: skip


def _refused(name: str, summary: str, clauses: str, text: str, message: str, mended: str) -> Draft:
    return refused("accept", name, summary, clauses, given=_given(text, message),
                   mended=_given(text, mended))  # fmt: skip


def _refused_after(
    name: str, summary: str, clauses: str, text: str, mended: str, message: str
) -> Draft:
    return refused("accept", name, summary, clauses, given=_given(text, message),
                   mended=_given(mended, message))  # fmt: skip


_ACCEPTED = (
    _accepted("first-message", "The first message has no parents", "HM-ACCEPT-ROOT", "", "r : a"),
    _accepted("second-root", "A later message may have none either", "HM-ACCEPT-ROOT", _FORK,
    "z : d"),
    _accepted("one-parent", "A message after one head", "HM-ACCEPT-PARENTS", _FORK,
    "m < p : a b d"),
    _accepted("parent-no-head", "A message after an inner one makes a fork", "HM-ACCEPT-PARENTS",
              _FORK, "m < r : a d"),
    _accepted("all-heads", "A message that joins the heads", "HM-ACCEPT-ANTI-CHAIN", _FORK,
              "m < p q : a b c"),
    _accepted("some-heads", "A message that joins some of the heads", "HM-ACCEPT-ANTI-CHAIN",
              f"{_FORK} ; s < r : a d", "m < p s : a b d"),
    _accepted("heads-over-a-criss-cross", "A message that joins a criss-cross",
              "HM-ACCEPT-ANTI-CHAIN", _CRISS_CROSS, "m < s t : a b"),
    _accepted("parents-of-different-depth", "Independent parents may be of different depths",
              "HM-ACCEPT-ANTI-CHAIN", f"{_FORK} ; s < p : b", "m < q s : b c"),
    _accepted("parents-of-separate-roots", "Parents need have nothing in common",
              "HM-ACCEPT-ANTI-CHAIN", "r : a ; s : b", "m < r s : a b"),
    _accepted("state-is-the-merge", "The state may be the merge of the parents", "HM-ACCEPT-STATE",
              _FORK, "m < p q : a b c"),
    _accepted("state-is-another", "The state may be any other", "HM-ACCEPT-STATE", _FORK,
              "m < p q : x y"),
    _accepted("state-is-empty", "The state may be empty", "HM-ACCEPT-STATE", _FORK, "m < p q :"),
    _accepted("state-of-the-parent", "A message may change nothing", "HM-ACCEPT-STATE", _FORK,
              "m < p : a b"),
    _accepted("history-listed-backwards", "The accepted messages may be listed in any order",
              "HM-ORDER-LISTING HM-ACCEPT-PARENTS", "q < r : a c ; p < r : a b ; r : a",
              "m < p q : a b c"),
)  # fmt: skip

_ANTI: Final = "HM-ACCEPT-ANTI-CHAIN HM-MERGE-CHECK"

_REFUSED = (
    _refused("unknown-parent", "A parent that was not accepted", "HM-ACCEPT-PARENTS", _FORK,
             "m < z : a", "m < p : a"),
    _refused("unknown-parent-beside-known", "One of two parents was not accepted",
             "HM-ACCEPT-PARENTS", _FORK, "m < p z : a", "m < p q : a"),
    _refused("parent-in-the-empty-session", "A first message with a parent", "HM-ACCEPT-PARENTS",
             "",
             "m < r : a", "m : a"),
    _refused("own-parent", "A message that names itself as its parent", "HM-ACCEPT-PARENTS", _FORK,
             "m < m : a", "m < q : a"),
    _refused("parent-and-grandparent", "A parent and the parent of that parent", _ANTI, _FORK,
             "m < p r : a", "m < p : a"),
    _refused("redundant-third-parent", "Two heads and their common parent", _ANTI, _FORK,
             "m < p q r : a", "m < p q : a"),
    _refused("parent-below-both-others", "A joining message and one of those that it joins", _ANTI,
             _CRISS_CROSS, "m < q s : a", "m < s t : a"),
    _refused("far-ancestor-as-parent", "A parent far up", _ANTI, f"{_CRISS_CROSS} ; u < t : a",
             "m < r u : a", "m < s u : a"),
    _refused("same-message-again", "The same message a second time", "HM-ACCEPT-DUPLICATE", _FORK,
             "p < r : a b", "s < r : a b"),
    _refused("same-id-other-state", "An accepted ID with another state", "HM-ACCEPT-DUPLICATE",
             _FORK,
             "p < r : a z", "s < r : a z"),
    _refused("same-id-other-parents", "An accepted ID with other parents", "HM-ACCEPT-DUPLICATE",
             _FORK, "p < q : a b", "s < q : a b"),
    _refused("same-id-as-the-root", "The ID of the first message", "HM-ACCEPT-DUPLICATE", _FORK,
             "r < p q : a", "s < p q : a"),
    _refused_after("history-with-redundant-parent", "No session holds a message with a redundant "
                   "parent", "HM-ACCEPT-ANTI-CHAIN HM-ERROR-WHOLE",
                   "r : a ; p < r : a b ; q < p r : a c", "r : a ; p < r : a b ; q < p : a c",
                   "m < q : a"),
    _refused_after("history-with-unknown-parent", "No session holds a message without its parents",
                   "HM-ACCEPT-PARENTS HM-ERROR-WHOLE", "r : a ; p < z : a b", "r : a ; p < r : a b",
                   "m < r : a"),
    refused("accept", "conflicting-parents", "Parents whose states conflict cannot be merged",
            "HM-3WAY-CONFLICT HM-ACCEPT-ANTI-CHAIN",
            given={"nodes": typed("r : one ; p < r : two ; q < r : three", "register"),
                   "message": {"id": "m", "parents": ["p", "q"], "state": "two"},
                   "state_type": "register"},
            mended={"nodes": typed("r : one ; p < r : two ; q < r : two", "register"),
                    "message": {"id": "m", "parents": ["p", "q"], "state": "two"},
                    "state_type": "register"}),
)  # fmt: skip

TOPIC: Final = Topic(
    name="acceptance",
    notes="`nodes` are the messages that the session has accepted; `message` is offered to it.",
    drafts=(*_ACCEPTED, *_REFUSED),
)
