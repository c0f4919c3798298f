"""The first example of each law that a campaign broke: reproduced, shrunk and drawn."""

from __future__ import annotations

from typing import Final

from attrs import frozen

from rejoin_conformance.campaigns.findings.law_findings import ShrunkHistory, shrink_class
from rejoin_conformance.campaigns.summary import Found, Summary
from rejoin_conformance.contract.spread import ReportProgress
from rejoin_conformance.kit.dag_drawing import Drawing

MOST: Final = 40
"""The maximum number of laws with an example."""


@frozen
class ShownExample:
    """One history that shows a class of violations.

    size: its number of events, if they are listed. smaller: whether it is smaller than the history
    that the campaign found. minimal: whether no event can be removed from it.
    """

    detail: str
    events_text: str
    drawings: tuple[Drawing, ...]
    size: int | None
    smaller: bool
    minimal: bool


def examples_of(
    status: Summary, tries: int, progress: ReportProgress
) -> dict[tuple[str, str, str], ShownExample]:
    """Return (reading, law, kind) -> its example, for the first class of each law."""
    plan = status.plan
    # Reproducing a difference needs the adapter or the changed rule.
    shrinks = tries and plan.adapter is None and plan.rule is None
    found: dict[tuple[str, str, str], ShownExample] = {}
    # Under an adapter, all differences break one law.
    kinds = plan.adapter is not None
    first = {each.kind if kinds else each.law: each for each in reversed(status.found())}
    wanted = [each for each in status.found() if each in first.values()][:MOST]
    for number, each in enumerate(wanted):
        progress(number, len(wanted), each.law)
        tried = shrinks and not each.quarantined
        shrunk = shrink_class(plan, each, tries) if tried else None
        found[each.name] = _shown(status, each, shrunk)
    progress(len(wanted), len(wanted), "")
    return found


def _shown(status: Summary, found: Found, shrunk: ShrunkHistory | None) -> ShownExample:
    histories = status.system.histories
    detail = found.detail
    if found.quarantined:
        return ShownExample(detail, "", (), None, smaller=False, minimal=False)
    try:
        if shrunk is None:
            history = status.plan.history(found.index)
        else:
            history, detail = histories.from_json(shrunk.history), shrunk.detail
        events = histories.to_json(history).get("events")
        events_text = status.system.describe(history, found.reading)
        drawings = tuple(status.system.pictures.drawings(history, found.reading))
    except Exception:  # noqa: BLE001 - an error in the suite itself cannot be explained
        return ShownExample(detail, "", (), None, smaller=False, minimal=False)
    return ShownExample(
        detail,
        events_text,
        drawings,
        len(events) if isinstance(events, list) else None,
        smaller=shrunk is not None,
        minimal=shrunk is not None and shrunk.minimal,
    )
