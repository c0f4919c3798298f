"""The section of a campaign's page on the coverage that guided profiles add to random drawing."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from attrs import frozen
from markupsafe import Markup

from rejoin_conformance.campaigns.profile_coverage import UNIFORM
from rejoin_conformance.kit.json_types import Json
from rejoin_conformance.reports.rendering import fragment


@frozen
class Measured:
    """A measurement of profiles: the coverage of the first `histories` histories of each.

    profiles: profile -> its coverage.
    """

    system: str
    reading: str
    seed: int
    histories: int
    profiles: Mapping[str, ProfileCoverage]


@frozen
class ProfileCoverage:
    """The coverage of one profile. events: the number of events in all its histories.

    crashed: how many histories could not be examined. histories: key -> how many histories cover
    it.
    """

    events: int
    crashed: int
    histories: Mapping[str, int]


def measured(value: Json) -> Measured:
    """Return the measurement from the output of `rejoin fuzz --json` with several profiles.

    Raises ValueError, with a one-line message, if the value is not such an output.
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


def _profile(value: Json, name: str) -> ProfileCoverage:
    profile = _object(value, f"profile {name[:40]!r}")
    things = _object(profile.get("reached"), f"reached of profile {name[:40]!r}")
    counts = {
        what: _number(_object(each, f"{what[:40]!r}"), "histories")
        for what, each in sorted(things.items())
    }
    return ProfileCoverage(_number(profile, "events"), _number(profile, "crashed"), counts)


def profiles_compared(found: Measured) -> Markup:
    """Return the section that compares the coverage of guided profiles with that of `uniform`."""
    uniform = found.profiles.get(UNIFORM)
    guided = {name: each for name, each in found.profiles.items() if name != UNIFORM}
    known = {} if uniform is None else uniform.histories
    return fragment(
        "profiles.html",
        found=found,
        uniform=UNIFORM,
        uniform_measured=uniform is not None,
        confidence=max(1, found.histories // 3),
        profiles=_profiles(found, guided, uniform, known),
        beyond=[] if uniform is None else _beyond(guided, set(known)),
        guided=list(guided),
    )


def _profiles(
    found: Measured,
    guided: Mapping[str, ProfileCoverage],
    uniform: ProfileCoverage | None,
    known: Mapping[str, int],
) -> dict[str, Any]:
    """Return a row for each profile: its name and its figures."""
    titles = ["events a history", "keys covered"]
    if uniform is not None:
        titles += [f"but not by {UNIFORM}", f"only by {UNIFORM}"]
    crashed = any(each.crashed for each in found.profiles.values())
    if crashed:
        titles.append("could not be examined")
    rows = []
    for name, each in {**({} if uniform is None else {UNIFORM: uniform}), **guided}.items():
        cells = [f"{each.events / found.histories:,.1f}", f"{len(each.histories):,}"]
        if uniform is not None:
            cells.append(f"{len(each.histories.keys() - known.keys()):,}")
            cells.append(f"{len(known.keys() - each.histories.keys()):,}")
        if crashed:
            cells.append(f"{each.crashed:,}")
        rows.append((name, cells))
    return {"titles": titles, "rows": rows}


def _beyond(guided: Mapping[str, ProfileCoverage], known: set[str]) -> list[tuple[str, list[str]]]:
    """Return the keys that `uniform` does not cover, the most frequent first, with their counts."""
    beyond = sorted({key for each in guided.values() for key in each.histories} - known)
    often = sorted(
        beyond, key=lambda key: -max(each.histories.get(key, 0) for each in guided.values())
    )
    return [(key, [f"{each.histories.get(key, 0):,}" for each in guided.values()]) for key in often]


def _object(value: Json, what: str) -> Mapping[str, Any]:
    if isinstance(value, dict):
        return value
    raise ValueError(f"{what} is not an object")


def _text(value: Mapping[str, Any], name: str) -> str:
    text = value.get(name)
    if isinstance(text, str):
        return text
    raise ValueError(f"{name} is not a string")


def _number(value: Mapping[str, Any], name: str) -> int:
    number = value.get(name)
    if isinstance(number, int) and not isinstance(number, bool):
        return number
    raise ValueError(f"{name} is not an integer")
