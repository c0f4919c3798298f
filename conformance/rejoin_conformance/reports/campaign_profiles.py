"""What guided profiles reach that drawing at random does not, as a table of a campaign's page."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from rejoin_conformance.json_types import Json
from rejoin_conformance.reports.values import escaped

_UNIFORM: Final = "uniform"
_ROWS: Final = 80


def profiles_table(report: Mapping[str, Json]) -> Iterator[str]:
    """In how many histories of each profile a thing came up, for what `uniform` does not reach.

    report: what `rejoin profiles --json` prints.
    """
    reached = _reached(report)
    if not reached:
        return
    known = reached.get(_UNIFORM, {})
    beyond = sorted({what for each in reached.values() for what in each} - set(known))
    total = report.get("histories")
    yield "<section><h2>Profiles compared</h2>"
    if _UNIFORM not in reached:
        yield '<p class="quiet">The profile <code>uniform</code> was not measured.</p>'
    yield (
        f"<p>{escaped(str(total))} histories of each profile. The profile <code>uniform</code> "
        "draws events of any kind one by one; guiding is measured against it.</p>"
    )
    yield '<div class="wide"><table><thead><tr><th scope="col">profile</th>'
    for title in ("things reached", "that uniform lacks", "lacks of uniform's"):
        yield f'<th scope="col" class="number">{title}</th>'
    yield "</tr></thead><tbody>"
    for profile, each in reached.items():
        yield (
            f'<tr><th scope="row">{escaped(profile)}</th><td class="number">{len(each):,}</td>'
            f'<td class="number">{len(set(each) - set(known)):,}</td>'
            f'<td class="number">{len(set(known) - set(each)):,}</td></tr>'
        )
    yield "</tbody></table></div>"
    yield from _things(reached, beyond)
    yield "</section>"


def _things(reached: Mapping[str, Mapping[str, int]], beyond: list[str]) -> Iterator[str]:
    profiles = [each for each in reached if each != _UNIFORM]
    if not beyond or not profiles:
        return
    yield "<h3>Histories of each profile with what uniform never reached</h3>"
    yield '<div class="wide"><table><thead><tr><th scope="col">thing</th>'
    yield from (f'<th scope="col" class="number">{escaped(each)}</th>' for each in profiles)
    yield "</tr></thead><tbody>"
    often = sorted(beyond, key=lambda what: -max(reached[each].get(what, 0) for each in profiles))
    for what in often[:_ROWS]:
        cells = "".join(
            f'<td class="number">{reached[each][what]:,}</td>'
            if what in reached[each]
            else '<td class="number quiet">0</td>'
            for each in profiles
        )
        yield f'<tr><th scope="row"><code>{escaped(what)}</code></th>{cells}</tr>'
    yield "</tbody></table></div>"
    if len(beyond) > _ROWS:
        yield f'<p class="quiet small">and {len(beyond) - _ROWS} more</p>'


def _reached(report: Mapping[str, Json]) -> dict[str, dict[str, int]]:
    """Profile -> thing -> in how many histories, of a report that may have been written by hand."""
    found: dict[str, dict[str, int]] = {}
    profiles: Any = report.get("profiles")
    for profile, each in profiles.items() if isinstance(profiles, dict) else ():
        things = each.get("reached") if isinstance(each, dict) else None
        if isinstance(things, dict):
            found[profile] = {
                what: count["histories"]
                for what, count in things.items()
                if isinstance(count, dict) and isinstance(count.get("histories"), int)
            }
    return found
