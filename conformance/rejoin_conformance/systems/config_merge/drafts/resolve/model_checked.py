"""Counterexamples that a model checker found: the smallest histories in which an update is lost.

In each, two clients begin without knowing of each other; one of them puts something in and takes it
out again. Nobody ever removes what the other has put in. The hash of its message has to be the
lower one of the two with seqno 1.
"""

from __future__ import annotations

from rejoin_conformance.contract.vector import Draft
from rejoin_conformance.systems.config_merge.drafts.by_hand.bt import Tree
from rejoin_conformance.systems.config_merge.drafts.by_hand.fork import below
from rejoin_conformance.systems.config_merge.drafts.by_hand.messages import Message, merge_of
from rejoin_conformance.systems.config_merge.drafts.resolve.resolving import merged


def drafts() -> tuple[Draft, ...]:
    """A set and a dict that are lost with what came and went in them."""
    return (
        _lost(
            "addition-lost-to-an-older-addition",
            "What was added and removed again takes with it what somebody else added",
            "CM-DIFF-APPLY-SET CM-RESOLVE-REPLAY-SOURCE CM-RESOLVE-LATER-WINS",
            ([1], [[1], []], [[], [1]]),
            ([2], [[2], []]),
        ),
        _lost(
            "assignment-lost-to-an-older-assignment",
            "The same with two keys of a dict",
            "CM-DIFF-APPLY-DICT CM-RESOLVE-REPLAY-SOURCE CM-RESOLVE-LATER-WINS",
            ({"x": 1}, {"x": ""}, {"x": "-"}),
            ({"y": 1}, {"y": ""}),
        ),
    )


def _lost(
    name: str,
    summary: str,
    clauses: str,
    transient: tuple[Tree, Tree, Tree],
    lasting: tuple[Tree, Tree],
) -> Draft:
    """transient: a value of `k`, its diff, the diff that takes it away. lasting: the other one."""
    value, put_in, taken_out = transient
    first = Message(seqno=1, data={"k": value}, diff={"k": put_in})
    second = first.followed_by({}, {"k": taken_out})
    kept, added = lasting
    other = below(
        first,
        lambda attempt: Message(
            seqno=1, data={"k": kept, "n": attempt}, diff={"k": added, "n": ""}
        ),
    )
    number = other.data["n"]
    return merged(
        name,
        summary,
        clauses,
        [second, other],
        merge_of(second, other, data={"k": kept, "n": number}),
        libsession=merge_of(second, other, data={"n": number}),
    )
