"""Checks of the laws on sessions: the order of delivery, refusals, the views of authors."""

from __future__ import annotations

from collections.abc import Sequence

from rejoin.history_merge import HistoryMergeError, Node, Session
from rejoin_conformance.contract.ledger import Ledger
from rejoin_conformance.kit.draw import Draw
from rejoin_conformance.systems.history_merge import laws
from rejoin_conformance.systems.history_merge.outcome import shown
from rejoin_conformance.systems.history_merge.run import Message, Run, State

Departed = dict[str, State]


def check_sessions(run: Run, ledger: Ledger, draw: Draw) -> None:
    """Check every law about sessions."""
    other = run.new_session(2 if draw.chance(1, 2) else None)
    departed = deliver(other, draw.shuffled(run.messages))
    _same_outcome(run, ledger, other, departed)
    _refusals(run, ledger, draw, other)
    _views(run, ledger, draw)


def deliver(session: Session[State], messages: Sequence[Message]) -> Departed:
    """Accept messages as they arrive; a message waits until all its parents are accepted.

    Returns message ID -> the merge of its parents.
    """
    departed: Departed = {}
    waiting: dict[str, list[Message]] = {}  # missing parent -> messages that wait for it
    for arriving in messages:
        ready = [arriving]
        while ready:
            message = ready.pop()
            for parent in message.parents:
                if parent not in departed:
                    waiting.setdefault(parent, []).append(message)
                    break
            else:
                departed[message.id] = session.accept(message.node)
                ready += waiting.pop(message.id, ())
    return departed


def _same_outcome(run: Run, ledger: Ledger, other: Session[State], departed: Departed) -> None:
    wrong = sorted(
        message.id for message in run.messages if departed.get(message.id) != message.departed
    )
    ledger.expect(
        laws.DELIVERY_ORDER,
        "departed-elsewhere",
        holds=not wrong,
        detail=lambda: (
            f"in another order, these messages have another merge of parents: {' '.join(wrong)}"
        ),
    )
    ours, theirs = run.session.members(), other.members()
    ledger.observe(shown(ours))
    ledger.expect(
        laws.DELIVERY_ORDER,
        "other-members",
        holds=ours == theirs,
        detail=lambda: f"the members are {shown(ours)}, in another order {shown(theirs)}",
    )
    if len(other.graph.heads()) > 1:
        ledger.decide("HM-ACCEPT-ANY-ORDER", "HM-MEMBERS-HEADS")


def _refusals(run: Run, ledger: Ledger, draw: Draw, session: Session[State]) -> None:
    known = draw.pick(run.messages)
    before = len(session.graph), session.members()
    _refused(ledger, session, before, known.node, "duplicate-node", (known.id,))
    changed = Node(known.id, frozenset[str](), frozenset(["?"]))
    _refused(ledger, session, before, changed, "duplicate-node", (known.id,))
    orphan = Node("~", frozenset([known.id, "?"]), known.state)
    _refused(ledger, session, before, orphan, "unknown-parent", ("~", "?"))
    older = [each for each in run.in_past(known.past) if each is not known]
    if older:
        old = draw.pick(older).id
        redundant = Node("~", frozenset([known.id, old]), known.state)
        _refused(ledger, session, before, redundant, "not-an-anti-chain", (old, known.id))
        ledger.decide("HM-ACCEPT-ANTI-CHAIN")
    ledger.decide("HM-ACCEPT-DUPLICATE", "HM-ACCEPT-PARENTS", "HM-ACCEPT-UNCHANGED")


def _refused(
    ledger: Ledger,
    session: Session[State],
    before: tuple[int, State],
    message: Node[State],
    code: str,
    nodes: tuple[str, ...],
) -> None:
    """Offer a message that the session must refuse with a code and nodes.

    before: the session's size and members before any message was refused.
    """
    try:
        session.accept(message)
    except HistoryMergeError as error:
        found, named = error.code, error.nodes
    else:
        found, named = "accepted", ()
    ledger.expect(
        laws.REFUSALS,
        code,
        holds=(found, named) == (code, nodes),
        detail=lambda: f"{message.id}: {found} {named}, expected {code} {nodes}",
    )
    ledger.expect(
        laws.REFUSALS,
        "changed",
        holds=before == (len(session.graph), session.members()),
        detail=lambda: f"{message.id} was refused, and the session changed",
    )


def _views(run: Run, ledger: Ledger, draw: Draw) -> None:
    """Compare the view of a drawn author with a session of only the messages in it."""
    author = draw.pick(sorted(run.views.seen))
    view = run.views.seen[author]
    heads = run.ids(run.views.heads(view))
    session = run.new_session()
    for message in run.in_past(view):
        session.accept(message.node)
    merged, members = run.session.merge(heads), session.members()
    ledger.expect(
        laws.SAME_VIEW,
        "other-members",
        holds=merged == members,
        detail=lambda: (
            f"{author} has seen the heads {' '.join(heads)}, which merge to {shown(merged)};"
            f" a session of these messages has the members {shown(members)}"
        ),
    )
    departed = session.accept(Node("~", frozenset(heads), members))
    ledger.expect(
        laws.SAME_VIEW,
        "merge-node-changes",
        holds=departed == members == session.members(),
        detail=lambda: f"a message over {' '.join(heads)} changes the members {shown(members)}",
    )
    ledger.decide("HM-MEMBERS-NO-MERGE-NODE" if len(heads) > 1 else "HM-MEMBERS-ONE-HEAD")
