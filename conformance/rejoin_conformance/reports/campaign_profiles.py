"""What guided profiles reach that drawing at random does not, as a part of a campaign's page."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from attrs import frozen

from rejoin_conformance.campaigns.profile_coverage import UNIFORM
from rejoin_conformance.kit.json_types import Json
from rejoin_conformance.reports.values import escaped

_ROWS: Final = 80


@frozen
class Measured:
    """A measurement of profiles: what came up in the first `histories` histories of each.

    profiles: profile -> what it reaches.
    """

    system: str
    reading: str
    seed: int
    histories: int
    profiles: Mapping[str, Reached]


@frozen
class Reached:
    """What one profile reaches. events: how many all its histories have together.

    crashed: how many histories could not be examined. histories: thing -> in how many it came up.
    """

    events: int
    crashed: int
    histories: Mapping[str, int]


def measured(value: Json) -> Measured:
    """The measurement in what `rejoin profiles --json` prints, profiles by name.

    Raises ValueError, one line, where the value is anything else.
    """
    report = _object(value, "the report")
    profiles = _object(report.get("profiles"), "profiles")
    return Measured(
        _text(report, "system"),
        _text(report, "reading"),
        _number(report, "seed"),
        max(1, _number(report, "histories")),
        {name: _profile(each, name) for name, each in sorted(profiles.items())},
    )


def _profile(value: Json, name: str) -> Reached:
    profile = _object(value, f"profile {name[:40]!r}")
    things = _object(profile.get("reached"), f"reached of profile {name[:40]!r}")
    counts = {
        what: _number(_object(each, f"{what[:40]!r}"), "histories")
        for what, each in sorted(things.items())
    }
    return Reached(_number(profile, "events"), _number(profile, "crashed"), counts)


def profiles_compared(found: Measured) -> Iterator[str]:
    """In how many histories of each profile a thing came up, for what `uniform` does not reach."""
    uniform = found.profiles.get(UNIFORM)
    guided = {name: each for name, each in found.profiles.items() if name != UNIFORM}
    yield "<section><h2>Profiles compared</h2>"
    yield (
        f"<p>The first {found.histories:,} histories of each profile with seed {found.seed}, under "
        f"the reading {escaped(found.reading)}, run when this was measured and not taken from the "
        "campaign. This is a sample: what comes up in no history of it comes up in fewer than "
        f"about one in {max(1, found.histories // 3):,}, at 95 % confidence.</p>"
    )
    if uniform is None:
        yield f'<p class="quiet">The profile <code>{UNIFORM}</code> was not measured.</p>'
        known: Mapping[str, int] = {}
    else:
        yield (
            f"<p>The profile <code>{UNIFORM}</code> draws events of any kind one by one; guiding "
            "is measured against it.</p>"
        )
        known = uniform.histories
    yield from _summary(found, guided, uniform, known)
    if uniform is not None:
        yield from _things(guided, set(known))
    yield "</section>"


def _summary(
    found: Measured,
    guided: Mapping[str, Reached],
    uniform: Reached | None,
    known: Mapping[str, int],
) -> Iterator[str]:
    titles = ["events a history", "things reached"]
    if uniform is not None:
        titles += ["but not by uniform", "only by uniform"]
    crashed = any(each.crashed for each in found.profiles.values())
    if crashed:
        titles.append("could not be examined")
    yield _head("profile", titles)
    rows = {UNIFORM: uniform} if uniform is not None else {}
    for name, each in {**rows, **guided}.items():
        cells = [f"{each.events / found.histories:,.1f}", f"{len(each.histories):,}"]
        if uniform is not None:
            cells.append(f"{len(each.histories.keys() - known.keys()):,}")
            cells.append(f"{len(known.keys() - each.histories.keys()):,}")
        if crashed:
            cells.append(f"{each.crashed:,}")
        yield _row(escaped(name), cells)
    yield "</tbody></table></div>"


def _things(guided: Mapping[str, Reached], known: set[str]) -> Iterator[str]:
    beyond = sorted({what for each in guided.values() for what in each.histories} - known)
    if not beyond:
        return
    yield f"<h3>In how many histories what {UNIFORM} never reached came up</h3>"
    yield _head("thing", [escaped(name) for name in guided], "counts things")
    often = sorted(
        beyond, key=lambda what: -max(each.histories.get(what, 0) for each in guided.values())
    )
    for what in often[:_ROWS]:
        yield _row(
            f"<code>{escaped(what)}</code>",
            [f"{each.histories.get(what, 0):,}" for each in guided.values()],
        )
    yield "</tbody></table></div>"
    if len(beyond) > _ROWS:
        yield f'<p class="quiet small">and {len(beyond) - _ROWS} more</p>'


def _head(first: str, titles: list[str], kind: str = "counts") -> str:
    cells = "".join(f'<th scope="col" class="number">{each}</th>' for each in titles)
    return (
        f'<div class="wide"><table class="{kind}"><thead><tr><th scope="col">{first}</th>{cells}'
        "</tr></thead><tbody>"
    )


def _row(head: str, cells: list[str]) -> str:
    numbers = "".join(
        f'<td class="number{" quiet" if each == "0" else ""}">{each}</td>' for each in cells
    )
    return f'<tr><th scope="row">{head}</th>{numbers}</tr>'


def _object(value: Json, what: str) -> Mapping[str, Any]:
    if isinstance(value, dict):
        return value
    raise ValueError(f"{what} is no object")


def _text(value: Mapping[str, Any], name: str) -> str:
    text = value.get(name)
    if isinstance(text, str):
        return text
    raise ValueError(f"{name} is no string")


def _number(value: Mapping[str, Any], name: str) -> int:
    number = value.get(name)
    if isinstance(number, int) and not isinstance(number, bool):
        return number
    raise ValueError(f"{name} is no integer")
