"""The failures of a page: for each, what was asked, expected and observed, and what explains it."""

from __future__ import annotations

import html
import shlex
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import Final

from rejoin_conformance.adapters.results.records import Key, key_of
from rejoin_conformance.adapters.results.summary import Record
from rejoin_conformance.adapters.runner.known_failures import KnownFailure
from rejoin_conformance.contract.notation import Notation, answer_text, question_text
from rejoin_conformance.contract.registry import system_named, system_names
from rejoin_conformance.corpus.clauses import Clause, clauses_of
from rejoin_conformance.kit.json_types import Json
from rejoin_conformance.kit.untrusted import shown_line
from rejoin_conformance.reports.columns import Column
from rejoin_conformance.reports.junit import volatile
from rejoin_conformance.reports.values import (
    escaped,
    observed_text,
    pre,
    prose,
    text_of,
    text_shown,
    value_block,
    value_text,
)

IN_FULL: Final = 500
"""How many failures of a run are told in full; the others are named."""

Anchors = Mapping[tuple[int, Key], str]
"""(place of the column, vector and reading) -> the ID of the failure's element."""


def anchors_of(columns: Sequence[Column]) -> Anchors:
    """Where each failure stands on the page."""
    return {
        (place, key_of(record)): f"failure-{place + 1}-{number}"
        for place, column in enumerate(columns)
        for number, (record, _) in enumerate(column.failures(), start=1)
    }


def failures(columns: Sequence[Column], anchors: Anchors) -> Iterator[str]:
    """A `details` element for each failure, run by run."""
    for place, column in enumerate(columns):
        left_out: list[str] = []
        for number, (record, known) in enumerate(column.failures()):
            anchor = anchors[place, key_of(record)]
            if number < IN_FULL:
                yield from _failure(column, place, record, known, anchor)
            else:
                name = escaped(f"{record['id']} [{record['reading']}]")
                left_out.append(f'<li id="{anchor}"><code>{name}</code> {record["verdict"]}</li>')
        if left_out:
            label = html.escape(column.label)
            yield f"<p>{label}: {len(left_out):,} more, told in full in the results file:</p>"
            yield '<ul class="left-out">'
            yield from left_out
            yield "</ul>"


@cache
def clause_of(system: str, name: str) -> Clause | None:
    """The clause of that ID, where the spec has it."""
    if system not in system_names():
        return None
    return next((clause for clause in clauses_of(system) if clause.id == name), None)


def _failure(
    column: Column, place: int, record: Record, known: KnownFailure | None, anchor: str
) -> Iterator[str]:
    system = record["id"].partition("/")[0]
    search = " ".join(
        (record["id"], record["reading"], record["operation"], record["verdict"],
         text_of(record, "fault"), *record["clauses"])
    ).lower()  # fmt: skip
    explanation = text_of(record, "explanation")
    gist = explanation.partition("\n")[0]
    mark = (
        '<span class="mark known">! known failure</span>'
        if known
        else f'<span class="mark fail">✗ {record["verdict"]}</span>'
    )
    yield (
        f'<details class="failure" id="{anchor}" data-column="{place}" data-failing="{place}" '
        f'data-system="{escaped(system)}" data-search="{escaped(search, 1000)}">'
    )
    yield f"<summary>{mark} <code>{escaped(record['id'])}</code>"
    yield f'<span class="quiet small">{escaped(record["reading"])}</span>'
    yield f'<span class="quiet small">{html.escape(column.label)}</span>'
    yield f'<span class="gist">{escaped(gist)}</span></summary>'
    yield '<div class="body">'
    if text_of(record, "summary"):
        yield f"<p>{escaped(text_of(record, 'summary'), 1000)}</p>"
    if known is not None:
        yield f"<p><strong>Known:</strong> {escaped(known.reason, 1000)} {_link(known.link)}</p>"
    yield f"<h4>What happened</h4>{pre(explanation)}"
    yield '<div class="sides">'
    yield f"<div><h4>Expected</h4>{value_block(_expected(record))}</div>"
    yield f"<div><h4>Observed</h4>{value_block(_observed(record))}</div>"
    yield "</div>"
    yield f"<h4>Input of <code>{escaped(record['operation'])}</code></h4>"
    yield value_block(_input(record))
    yield "<h4>What the spec says</h4>"
    yield from (_clause(system, name, record["level"]) for name in record["clauses"])
    yield from _circumstances(column, record)
    yield "</div></details>"


def _input(record: Record) -> str:
    """The input in the system's notation if it can say it, else as JSON."""
    value = record.get("input")
    text = None
    if isinstance(value, dict):
        text = question_text(_notation_of(record), record["operation"], value)
    return value_text(value) if text is None else text_shown(text)


def _expected(record: Record) -> str:
    text = _answer(record, record.get("expected"))
    return value_text(record.get("expected")) if text is None else text


def _observed(record: Record) -> str:
    text = _answer(record, record.get("observed"))
    return observed_text(record.get("observed")) if text is None else text


def _answer(record: Record, said: Json) -> str | None:
    """An answer in the system's notation, or None if it cannot say it."""
    value, output = record.get("input"), said.get("output") if isinstance(said, dict) else None
    if not isinstance(value, dict) or not isinstance(output, dict):
        return None
    text = answer_text(_notation_of(record), record["operation"], value, output)
    return None if text is None else text_shown(text)


def _notation_of(record: Record) -> Notation | None:
    system = record["id"].partition("/")[0]
    return system_named(system).notation if system in system_names() else None


def _clause(system: str, name: str, level: str) -> str:
    clause = clause_of(system, name)
    if clause is None:
        return f'<p class="clause"><code>{escaped(name)}</code> ({escaped(level.upper())})</p>'
    file = f"spec/{system}/{clause.file}"
    return (
        f'<p class="clause"><code>{clause.id}</code> ({clause.level}) {prose(clause.text)} '
        f'<span class="quiet small">{html.escape(file)}</span></p>'
    )


def _circumstances(column: Column, record: Record) -> Iterator[str]:
    """How to run it alone, how it was asked first, and the end of standard error."""
    choice = shlex.join(["--id", record["id"], "--reading", record["reading"]])
    command = f"rejoin run --adapter {shlex.quote(column.command or 'CMD')} {choice}"
    yield f"<h4>Run it alone</h4>{pre(shown_line(command, 1000))}"
    first = text_of(volatile(record), "first_attempt")
    if first:
        yield f"<h4>When it was asked first, among others</h4>{pre(first)}"
    stderr = text_of(volatile(record), "stderr").strip()
    if stderr:
        yield f"<h4>Its standard error ends</h4>{pre(stderr)}"


def _link(link: str) -> str:
    """A link where it leads into the web, and text otherwise."""
    if link.startswith(("https://", "http://")):
        return f'<a href="{html.escape(link)}" rel="noreferrer">{escaped(link)}</a>'
    return escaped(link)
