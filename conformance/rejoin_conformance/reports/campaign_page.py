"""A campaign as a page: one HTML file that needs nothing else, neither network nor JavaScript."""

from __future__ import annotations

import base64
import hashlib
import html
import shlex
from collections.abc import Iterator, Mapping
from importlib.resources import files
from typing import Final

from rejoin_conformance.campaigns.block import NO_CRASH, SUITE_LAWS
from rejoin_conformance.campaigns.status import Found, Status
from rejoin_conformance.corpus.clauses import clauses_of
from rejoin_conformance.kit.untrusted import shown
from rejoin_conformance.reports.campaign_examples import ShownExample
from rejoin_conformance.reports.campaign_plots import histograms, throughput
from rejoin_conformance.reports.campaign_profiles import Measured, profiles_compared
from rejoin_conformance.reports.dag_svg import dag_svg
from rejoin_conformance.reports.values import escaped, pre, prose

Examples = Mapping[tuple[str, str, str], ShownExample]

_TEXT: Final = 12_000


def campaign_page(status: Status, examples: Examples, profiles: Measured | None = None) -> str:
    """The report of a campaign. profiles: what they reach, where that was measured."""
    style = _part("page.css") + _part("campaign.css")
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode("ascii")
    policy = (
        f"default-src 'none'; style-src 'sha256-{digest}'; img-src data:; "
        "base-uri 'none'; form-action 'none'"
    )
    title = f"Campaign: {status.system.title}"
    lines = (
        "<!doctype html>",
        '<html lang="en">',
        "<head>",
        '<meta charset="utf-8">',
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        f"<title>{html.escape(title)}</title>",
        '<link rel="icon" href="data:,">',
        f"<style>{style}</style>",
        "</head>",
        "<body>",
        f"<h1>{html.escape(title)}</h1>",
        "<main>",
        *_head(status),
        *throughput(status.timeline),
        *_violations(status, examples),
        *_laws(status),
        *_shapes(status),
        *_clauses(status),
        *(profiles_compared(profiles) if profiles is not None else ()),
        "</main>",
        "</body>",
        "</html>",
    )
    return "\n".join(lines) + "\n"


def _head(status: Status) -> Iterator[str]:
    summary, timeline = status.summary, status.timeline
    kind, sign, said = _verdict(status)
    core = timeline.core / max(1, timeline.histories) / 1000
    facts = [
        ("histories", f"{summary.histories:,} of {status.plan.histories:,}"),
        ("profile", status.plan.profile),
        ("readings", ", ".join(status.plan.readings)),
        ("seed", str(status.plan.seed)),
        ("speed", f"{timeline.rate():,.0f} histories a second, {core:.2f} ms of core time each"),
        ("code", str(status.manifest.get("code"))),
        ("corpus", str(status.manifest.get("vectors"))[:16]),
        ("digest", summary.digest if summary.complete else f"{summary.digest} so far"),
    ]
    if status.plan.adapter is not None:
        facts.insert(1, ("adapter", status.plan.adapter))
    yield '<section class="runs" aria-label="The campaign"><article class="run">'
    yield f'<p><span class="mark {kind}">{sign} {said}</span></p><dl>'
    for name, text in facts:
        yield f"<dt>{name}</dt><dd>{escaped(text)}</dd>"
    yield "</dl></article></section>"


def _verdict(status: Status) -> tuple[str, str, str]:
    if status.summary.failed(status.system):
        return "fail", "✗", "a claimed law is broken"
    if not status.summary.complete:
        return "known", "!", "not finished"
    return "pass", "✓", "no claimed law is broken"


def _violations(status: Status, examples: Examples) -> Iterator[str]:
    found = list(status.found())
    yield f'<section><h2>Violations <span class="quiet small">{len(found)} classes</span></h2>'
    if not found:
        yield "<p>No law was seen broken.</p>"
    for each in found:
        yield from _violation(status, each, examples.get((each.reading, each.law, each.kind)))
    yield "</section>"


def _violation(status: Status, found: Found, example: ShownExample | None) -> Iterator[str]:
    mark = (
        '<span class="mark fail">✗ failure</span>'
        if found.claimed
        else '<span class="mark known">! finding</span>'
    )
    share = status.summary.histories // max(1, found.times)
    often = "once" if found.times == 1 else f"{found.times:,} times"
    opened = " open" if found.claimed else ""
    yield f'<details class="failure"{opened}><summary>{mark} <strong>{escaped(found.law)}</strong> '
    yield (
        f"{escaped(found.kind)} <span class='quiet small'>[{escaped(found.reading)}] "
        f"{often}, about 1 in {share:,} histories</span></summary>"
    )
    yield '<div class="body">'
    law = next((each for each in status.laws if each.name == found.law), None)
    if law is not None:
        premises = f"<span class='quiet'>Premises: {prose(law.premises)}</span>"
        yield f"<p>{prose(law.statement)} {premises}</p>"
    if found.clauses:
        yield "<p class='small'>" + ", ".join(f"<code>{each}</code>" for each in found.clauses)
        yield "</p>"
    yield from _example(status, found, example)
    yield "</div></details>"


def _example(status: Status, found: Found, example: ShownExample | None) -> Iterator[str]:
    plan = status.plan
    if example is None:
        yield '<p class="quiet">No example is kept.</p>'
        return
    events = "" if example.size is None else f" of {example.size} events"
    if example.minimal:
        how = "nothing can be left out of it"
    elif example.smaller:
        how = "made smaller, perhaps not yet the smallest"
    else:
        how = "as it was found"
    yield f"<h4>Example{events}, {how}</h4>"
    yield pre(shown(example.detail, _TEXT))
    for drawing in example.drawings:
        if drawing.title:
            yield f"<h4>{escaped(drawing.title)}</h4>"
        yield dag_svg(drawing)
    if example.told:
        told = pre(shown(example.told, _TEXT))
        yield f"<details><summary>what happened</summary>{told}</details>"
    command = (
        f"rejoin replay {plan.system} --seed {plan.seed} --index {found.first} "
        f"--profile {plan.profile} --reading {found.reading}"
        + ("" if plan.adapter is None else f" --adapter {shlex.quote(plan.adapter)}")
    )
    yield f"<p class='small'>as found: <code>{escaped(command)}</code></p>"


def _laws(status: Status) -> Iterator[str]:
    yield "<section><h2>Laws</h2>"
    for reading in status.plan.readings:
        tally = status.summary.tallies.get(reading)
        if tally is None:
            continue
        yield f"<h3>reading {escaped(reading)}</h3>"
        yield '<div class="wide"><table><thead><tr><th scope="col">law</th>'
        yield '<th scope="col" class="number">checked</th>'
        yield '<th scope="col" class="number">broken</th>'
        yield '<th scope="col">verdict</th></tr></thead><tbody>'
        for law in status.laws:
            checked = status.summary.histories if law is NO_CRASH else tally.checked[law.name]
            broken = status.summary.violations(reading, law.name)
            claimed = law in SUITE_LAWS or reading in law.claimed_by
            yield (
                f'<tr><th scope="row"><code>{law.name}</code>'
                f'<span class="says">{prose(law.statement)}</span></th>'
                f'<td class="number">{checked:,}</td><td class="number">{broken:,}</td>'
                f"<td>{_law_mark(checked=checked, broken=broken, claimed=claimed)}</td></tr>"
            )
        yield "</tbody></table></div>"
    yield "</section>"


def _law_mark(*, checked: int, broken: int, claimed: bool) -> str:
    if broken:
        return (
            '<span class="mark fail">✗ broken</span>'
            if claimed
            else '<span class="mark known">! finding</span>'
        )
    if not checked:
        return '<span class="mark none">○ premises never met</span>'
    return (
        '<span class="mark pass">✓ holds</span>'
        if claimed
        else '<span class="mark none">○ not claimed</span>'
    )


def _shapes(status: Status) -> Iterator[str]:
    yield "<section><h2>What was reached</h2>"
    for reading in status.plan.readings:
        tally = status.summary.tallies.get(reading)
        if tally is not None:
            if len(status.plan.readings) > 1:
                yield f"<h3>reading {escaped(reading)}</h3>"
            yield from histograms(tally.coverage)
    yield "</section>"


def _clauses(status: Status) -> Iterator[str]:
    readings = status.plan.readings
    counts = {reading: status.clauses(reading) for reading in readings}
    clauses = clauses_of(status.plan.system)
    never = sum(not any(each.id in counts[reading] for reading in readings) for each in clauses)
    yield (
        f'<section><h2>Clauses <span class="quiet small">{len(clauses) - never} of {len(clauses)} '
        "decided something</span></h2>"
        '<p class="small">In how many histories each clause decided something, by reading.</p>'
    )
    yield '<div class="wide"><table><thead><tr><th scope="col">clause</th>'
    yield from (f'<th scope="col" class="number">{escaped(each)}</th>' for each in readings)
    yield "</tr></thead><tbody>"
    for clause in clauses:
        yield (
            f'<tr><th scope="row"><code>{clause.id}</code> <span class="quiet small">'
            f'{clause.level}</span><span class="says">{prose(clause.text, 160)}</span></th>'
        )
        for reading in readings:
            count = counts[reading].get(clause.id, 0)
            text = f"{count:,}" if count else '<span class="mark none">○ never</span>'
            yield f'<td class="number">{text}</td>'
        yield "</tr>"
    yield "</tbody></table></div></section>"


def _part(name: str) -> str:
    return files(__package__).joinpath(name).read_text(encoding="utf-8")
