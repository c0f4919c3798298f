"""The first example of each law that a campaign broke: reproduced, shrunk and drawn."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from rejoin_conformance.campaigns.findings.law_findings import LawFinding, shrink_class
from rejoin_conformance.campaigns.summary import Found, Summary
from rejoin_conformance.contract.spread import ReportProgress
from rejoin_conformance.kit.document import Block, Code, Fold, Heading
from rejoin_conformance.kit.text import counted

MOST: Final = 40
"""The maximum number of laws with an example."""


def examples_of(
    status: Summary, tries: int, progress: ReportProgress
) -> dict[tuple[str, str, str], list[Block]]:
    """Return (reading, law, kind) -> its example, for the first class of each law."""
    plan = status.plan
    # Reproducing a difference needs the adapter or the changed rule.
    shrinks = tries and plan.adapter is None and plan.rule is None
    found: dict[tuple[str, str, str], list[Block]] = {}
    # Under an adapter, all differences break one law.
    kinds = plan.adapter is not None
    first = {each.kind if kinds else each.law: each for each in reversed(status.found())}
    wanted = [each for each in status.found() if each in first.values()][:MOST]
    for number, each in enumerate(wanted):
        progress(number, len(wanted), each.law)
        tried = shrinks and not each.quarantined
        shrunk = shrink_class(plan, each, tries) if tried else None
        found[each.name] = [*_example(status, each, shrunk, is_open=not number)]
    progress(len(wanted), len(wanted), "")
    return found


def _example(
    status: Summary, found: Found, shrunk: LawFinding | None, *, is_open: bool
) -> Iterator[Block]:
    """Yield a history that shows a class of violations. A quarantined one is not run again."""
    histories, events, shown = status.system.histories, "", list[Block]()
    how = "not shrunk"
    try:
        if not found.quarantined:
            if shrunk is None:
                history = status.plan.history(found.index)
            else:
                history = histories.from_json(shrunk.kept.history)
                how = "shrunk, but perhaps not minimal"
                how = "no event can be removed" if shrunk.minimal else how
            listed = histories.to_json(history).get("events")
            text = Code(status.system.describe(history, found.reading))
            shown += status.system.pictures.drawings(history, found.reading)
            shown.append(Fold("Events and text", [text], is_open=is_open))
            events = f" of {counted(len(listed), 'event')}" if isinstance(listed, list) else ""
    except Exception:  # noqa: BLE001 - an error in the suite itself cannot be explained
        shown.clear()
    yield Heading(f"Example{events}, {how}", level=4)
    yield Code(found.detail if shrunk is None else shrunk.detail)
    yield from shown
