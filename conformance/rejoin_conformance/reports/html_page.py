"""A page of results: one HTML file that needs nothing else, neither network nor JavaScript.

All text is escaped. Should an escape ever be missing, the page's own policy refuses every script
and every request but the page's two inline parts, which it names by their digests.
"""

from __future__ import annotations

import base64
import hashlib
import html
from collections.abc import Iterable, Iterator, Sequence
from importlib.resources import files
from typing import Final

from rejoin_conformance.reports.columns import Column, worst
from rejoin_conformance.reports.html_failures import Anchors, anchors_of, clause_of, failures
from rejoin_conformance.reports.matrix import Cell, Row, by_clause, by_operation
from rejoin_conformance.reports.values import escaped, prose

_SIGNS: Final = {
    "conformant": ("pass", "✓"),
    "not conformant": ("fail", "✗"),
    "incomplete": ("known", "!"),
}
_STATES: Final = {
    "pass": ("pass", "✓"),
    "fail": ("fail", "✗"),
    "known": ("known", "!"),
    "not-declared": ("none", "○"),
    "absent": ("none", "○"),
}
_CLAUSE_SHOWN: Final = 160


def html_page(columns: Sequence[Column]) -> str:
    """The report of all runs as one file."""
    style, script = _part("page.css"), _part("page.js")
    anchors = anchors_of(columns)
    policy = (
        f"default-src 'none'; style-src {_digest(style)}; script-src {_digest(script)}; "
        "img-src data:; base-uri 'none'; form-action 'none'"
    )
    lines = (
        "<!doctype html>",
        '<html lang="en">',
        "<head>",
        '<meta charset="utf-8">',
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        "<title>Rejoin conformance</title>",
        '<link rel="icon" href="data:,">',
        f"<style>{style}</style>",
        "</head>",
        "<body>",
        "<h1>Rejoin conformance</h1>",
        "<main>",
        '<section class="runs" aria-label="Runs">',
        *(line for column in columns for line in _run(column)),
        "</section>",
        *_filter(columns),
        *_table("Clauses", "clause", by_clause(columns), columns, anchors),
        *_table("Operations", "operation", by_operation(columns), columns, anchors),
        *_failures(columns, anchors),
        "</main>",
        f"<script>{script}</script>",
        "</body>",
        "</html>",
    )
    return "\n".join(lines) + "\n"


def _run(column: Column) -> Iterator[str]:
    kind, sign = _SIGNS[column.conclusion]
    yield '<article class="run">'
    yield f"<h3>{html.escape(column.label)}</h3>"
    why = (
        f' <span class="quiet small">{column.why_incomplete}</span>'
        if column.why_incomplete
        else ""
    )
    yield f'<p><span class="mark {kind}">{sign} {column.conclusion}</span>{why}</p>'
    yield _bar(column)
    yield f'<p class="small">{column.counts()}</p>'
    yield "<dl>"
    for name, text in column.details:
        yield f"<dt>{html.escape(name)}</dt><dd>{html.escape(text)}</dd>"
    yield "</dl>"
    mended = column.summary.mended
    if mended:
        yield f"<p>{len(mended):,} known failures pass; take them off the list:</p><ul>"
        yield from (f"<li><code>{escaped(each['id'])}</code></li>" for each, _ in mended[:20])
        yield "</ul>"
    yield "</article>"


def _bar(column: Column) -> str:
    """Passed, known, failed and not declared as parts of a line; the figures stand below it."""
    summary = column.summary
    passed = summary.verdicts["pass"] - len(summary.mended)
    parts = (
        ("pass", passed),
        ("known", len(summary.known)),
        ("fail", column.failed),
        ("none", summary.verdicts["not-declared"]),
    )
    total = max(1, sum(count for _, count in parts))
    drawn, place = [], 0
    for kind, count in parts:
        # Where there is anything, it can be seen.
        width = max(8, 1000 * count // total) if count else 0
        drawn.append(f'<rect class="{kind}" x="{place}" width="{width}" height="10"/>')
        place += width
    return (
        f'<svg class="bar" viewBox="0 0 {max(1, place)} 10" preserveAspectRatio="none" '
        f'aria-hidden="true">{"".join(drawn)}</svg>'
    )


def _filter(columns: Sequence[Column]) -> Iterator[str]:
    systems = sorted(
        {record["id"].partition("/")[0] for each in columns for record in each.summary.records}
    )
    yield '<form class="filter" id="filter" hidden>'
    yield (
        '<input type="search" name="text" aria-label="Filter by text" '
        'placeholder="Clause, operation, vector, verdict ...">'
    )
    yield _select("system", "every system", [(each, each) for each in systems])
    labels = [(str(place), column.label) for place, column in enumerate(columns)]
    yield _select("column", "every implementation", labels)
    yield '<label><input type="checkbox" name="failing"> only what fails</label>'
    yield '<button type="reset">Clear</button>'
    yield "</form>"


def _select(name: str, everything: str, options: Iterable[tuple[str, str]]) -> str:
    listed = list(options)
    choices = "".join(
        f'<option value="{escaped(value)}">{escaped(text, 60)}</option>' for value, text in listed
    )
    hidden = " hidden" if len(listed) < 2 else ""
    return (
        f'<select name="{name}" aria-label="Filter by {name}"{hidden}>'
        f'<option value="">{everything}</option>{choices}</select>'
    )


def _table(
    title: str, first: str, rows: Sequence[Row], columns: Sequence[Column], anchors: Anchors
) -> Iterator[str]:
    # The roles stay where a narrow screen lays the table out as blocks.
    yield f'<section data-part><h2>{title} <span class="quiet small" data-count></span></h2>'
    yield '<div class="wide"><table role="table"><thead role="rowgroup"><tr role="row">'
    yield f'<th role="columnheader" scope="col">{first}</th>'
    for place, column in enumerate(columns):
        label = html.escape(column.label)
        yield f'<th role="columnheader" scope="col" data-column="{place}">{label}</th>'
    yield '</tr></thead><tbody role="rowgroup">'
    for row in rows:
        yield from _row(row, columns, anchors)
    yield "</tbody></table></div></section>"


def _row(row: Row, columns: Sequence[Column], anchors: Anchors) -> Iterator[str]:
    clause = clause_of(row.system, row.name)
    says = "" if clause is None else clause.text
    failing = " ".join(
        str(place) for place, cell in enumerate(row.cells) if cell.state in {"fail", "known"}
    )
    search = " ".join((row.name, *row.related, says)).lower()
    yield (
        f'<tr role="row" data-system="{escaped(row.system)}" data-failing="{failing}" '
        f'data-search="{escaped(search, 4000)}">'
    )
    level = "" if clause is None else f' <span class="quiet small">{clause.level}</span>'
    shown = f'<span class="says">{prose(says, _CLAUSE_SHOWN)}</span>' if says else ""
    yield f'<th role="rowheader" scope="row"><code>{escaped(row.name)}</code>{level}{shown}</th>'
    for place, (column, cell) in enumerate(zip(columns, row.cells, strict=True)):
        label = html.escape(column.label)
        mark = _cell(row, place, cell, anchors)
        yield f'<td role="cell" data-column="{place}" data-label="{label}">{mark}</td>'
    yield "</tr>"


def _cell(row: Row, place: int, cell: Cell, anchors: Anchors) -> str:
    kind, sign = _STATES[cell.state]
    mark = f'<span class="mark {kind}">{sign} {cell.text}</span>'
    if cell.first is None:
        return mark
    return (
        f'<a href="#{anchors[place, cell.first]}" data-choose="{escaped(row.name)}" '
        f'data-in="{place}">{mark}</a>'
    )


def _failures(columns: Sequence[Column], anchors: Anchors) -> Iterator[str]:
    if anchors:
        yield (
            '<section data-part id="failures"><h2>Failures '
            '<span class="quiet small" data-count></span></h2>'
        )
        yield from failures(columns, anchors)
        yield "</section>"
    else:
        said = "Nothing failed." if worst(columns) == "conformant" else "No failure is recorded."
        yield f"<section><h2>Failures</h2><p>{said}</p></section>"


def _part(name: str) -> str:
    return files(__package__).joinpath(name).read_text(encoding="utf-8")


def _digest(text: str) -> str:
    digest = hashlib.sha256(text.encode("utf-8")).digest()
    return f"'sha256-{base64.b64encode(digest).decode('ascii')}'"
