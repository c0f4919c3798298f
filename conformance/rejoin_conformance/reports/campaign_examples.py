"""The first example of each law that a campaign broke: reproduced, shrunk and drawn."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import Final

from rejoin_conformance.campaigns.findings.law_findings import LawFinding, shrink_class
from rejoin_conformance.campaigns.summary import Found, Summary
from rejoin_conformance.contract.spread import ReportProgress
from rejoin_conformance.corpus.load import load_system, load_topic_file
from rejoin_conformance.corpus.paragraph_text import render_paragraph
from rejoin_conformance.kit.document import Block, Code, Fold, Heading, Span, Text
from rejoin_conformance.kit.text import counted
from rejoin_conformance.reports.campaign import NONE, Minimal, run_minimal

MOST: Final = 40
"""The maximum number of laws with an example."""


def minimal_of(status: Summary, folder: Path) -> dict[tuple[str, str, str], Path]:
    """Return (reading, law, kind) -> the file with its minimal vector, of an adapter's campaign.

    folder: where the campaign wrote its vectors; they can be missing. Raises CorpusError.
    """
    if status.plan.adapter is None or not folder.is_dir():
        return {}
    found: dict[tuple[str, str, str], Path] = {}
    for each in load_system(status.plan.system, folder):
        path = folder / f"{status.plan.system}/{each.id.rpartition('/')[2]}.json"
        if (lineage := each.lineage) is not None:
            names = product(lineage.readings, [lineage.law], lineage.kinds)
            found |= dict.fromkeys(names, path)
    return found


def examples_of(
    status: Summary, tries: int, progress: ReportProgress, minimal: Minimal = NONE
) -> dict[tuple[str, str, str], list[Block]]:
    """Return (reading, law, kind) -> its example, for the first class of each law.

    minimal: the minimal vectors of differences, which come before the histories.
    """
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
        vector = [*_minimal(status, minimal[each.name])] if each.name in minimal else []
        found[each.name] = [*vector, *_example(status, each, shrunk, is_open=not number)]
    progress(len(wanted), len(wanted), "")
    return found


def _minimal(status: Summary, path: Path) -> Iterator[Block]:
    """Yield the minimal vector of a difference, and the command that runs it."""
    yield Heading("Minimal vector", level=4)
    for each in load_topic_file(path):
        text = render_paragraph(status.system, each) or json.dumps(each.to_json(), indent=2)
        yield Code(text.rstrip("\n"))
    yield Text(("To run it: ", Span(run_minimal(status.plan, path), "code")))


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
