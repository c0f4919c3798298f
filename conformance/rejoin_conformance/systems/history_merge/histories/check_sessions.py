"""Hold sessions to the laws: the order of delivery, refusals, what authors have seen."""

from __future__ import annotations

from collections.abc import Sequence

from rejoin.history_merge import SETS, HistoryMergeError, MergeCache, Node, Session, session_of
from rejoin_conformance.kit.draw import Draw
from rejoin_conformance.systems.history_merge import laws
from rejoin_conformance.systems.history_merge.histories.findings import Findings, shown
from rejoin_conformance.systems.history_merge.histories.run import Message, Run, State

Departed = dict[str, State]


def check_sessions(run: Run, findings: Findings, draw: Draw) -> None:
    """Every law that speaks of sessions."""
    cache = MergeCache[State](capacity=2) if draw.chance(1, 2) else MergeCache[State]()
    other = Session(SETS, run.reading, cache)
    departed = deliver(other, draw.shuffled(run.messages))
    _same_outcome(run, findings, other, departed)
    _refusals(run, findings, draw, other)
    _views(run, findings, draw)


def deliver(session: Session[State], messages: Sequence[Message]) -> Departed:
    """Accept messages as they arrive; one of which a parent is missing waits until it is there.

    Returns from which state each one departed.
    """
    departed: Departed = {}
    waiting: dict[str, list[Message]] = {}  # by a parent that is missing
    for arriving in messages:
        ready = [arriving]
        while ready:
            message = ready.pop()
            missing = next((each for each in message.parents if each not in departed), None)
            if missing is None:
                departed[message.post.id] = session.accept(message.node)
                ready += waiting.pop(message.post.id, ())
            else:
                waiting.setdefault(missing, []).append(message)
    return departed


def _same_outcome(run: Run, findings: Findings, other: Session[State], departed: Departed) -> None:
    wrong = sorted(
        message.post.id
        for message in run.messages
        if departed.get(message.post.id) != message.departed
    )
    findings.check(
        laws.DELIVERY_ORDER,
        "departed-elsewhere",
        holds=not wrong,
        detail=lambda: f"in another order, these depart from another state: {' '.join(wrong)}",
    )
    ours, theirs = run.session.members(), other.members()
    findings.observed.append(shown(ours))
    findings.check(
        laws.DELIVERY_ORDER,
        "other-members",
        holds=ours == theirs,
        detail=lambda: f"the members are {shown(ours)}, in another order {shown(theirs)}",
    )
    if len(other.graph.heads()) > 1:
        findings.decided("HM-ACCEPT-ANY-ORDER", "HM-MEMBERS-HEADS", "HM-ACCEPT-CACHE")


def _refusals(run: Run, findings: Findings, draw: Draw, session: Session[State]) -> None:
    known = draw.pick(run.messages)
    before = len(session.graph), session.members()
    _refused(findings, session, before, known.node, "duplicate-node", (known.post.id,))
    changed = Node(known.post.id, frozenset[str](), frozenset(["?"]))
    _refused(findings, session, before, changed, "duplicate-node", (known.post.id,))
    orphan = Node("~", frozenset([known.post.id, "?"]), known.state)
    _refused(findings, session, before, orphan, "unknown-parent", ("~", "?"))
    older = [each for each in run.in_past(known.past) if each is not known]
    if older:
        old = draw.pick(older).post.id
        redundant = Node("~", frozenset([known.post.id, old]), known.state)
        _refused(findings, session, before, redundant, "not-an-anti-chain", (old, known.post.id))
        findings.decided("HM-ACCEPT-ANTI-CHAIN")
    findings.decided("HM-ACCEPT-DUPLICATE", "HM-ACCEPT-PARENTS", "HM-ACCEPT-UNCHANGED")


def _refused(
    findings: Findings,
    session: Session[State],
    before: tuple[int, State],
    message: Node[State],
    code: str,
    nodes: tuple[str, ...],
) -> None:
    """Offer a message; before: the session's size and members before anything was refused."""
    try:
        session.accept(message)
    except HistoryMergeError as error:
        found, named = error.code, error.nodes
    else:
        found, named = "accepted", ()
    findings.check(
        laws.REFUSALS,
        code,
        holds=(found, named) == (code, nodes),
        detail=lambda: f"{message.id}: {found} {named}, not {code} {nodes}",
    )
    findings.check(
        laws.REFUSALS,
        "changed",
        holds=before == (len(session.graph), session.members()),
        detail=lambda: f"{message.id} was refused, and the session is another",
    )


def _views(run: Run, findings: Findings, draw: Draw) -> None:
    """What one of the authors has seen, as a session of its own."""
    author = draw.pick(sorted(run.views.seen))
    view = run.views.seen[author]
    heads = run.ids(run.views.heads(view))
    session = session_of((each.node for each in run.in_past(view)), SETS, run.reading)
    merged, members = run.session.merge(heads), session.members()
    findings.check(
        laws.SAME_VIEW,
        "other-members",
        holds=merged == members,
        detail=lambda: (
            f"what {author} has seen has the heads {' '.join(heads)} and the members"
            f" {shown(merged)}; as a session it has {shown(members)}"
        ),
    )
    departed = session.accept(Node("~", frozenset(heads), members))
    findings.check(
        laws.SAME_VIEW,
        "merge-node-changes",
        holds=departed == members == session.members(),
        detail=lambda: f"a message over {' '.join(heads)} changes the members {shown(members)}",
    )
    findings.decided("HM-MEMBERS-NO-MERGE-NODE" if len(heads) > 1 else "HM-MEMBERS-ONE-HEAD")
