"""Traces as data and as text: the result of each step, and all clients at the end."""

from __future__ import annotations

from collections.abc import Sequence

from attrs import frozen

from rejoin_conformance.kit.dag_drawing import draw_dag
from rejoin_conformance.kit.json_types import JsonObject
from rejoin_conformance.systems.conflict_detection.exhaust.mismatches import PAIRS, kind_of
from rejoin_conformance.systems.conflict_detection.exhaust.moves import Moves
from rejoin_conformance.systems.conflict_detection.exhaust.searches import Bounds, Search
from rejoin_conformance.systems.conflict_detection.exhaust.states import (
    NONE,
    Own,
    Versions,
    no_versions,
    nothing_yet,
)
from rejoin_conformance.systems.conflict_detection.exhaust.steps import Step, steps_of


@frozen
class Happened:
    """One step of a trace, with its result.

    place: the place of a poll's pair of classifications, None for an upload.
    version: the version that an upload made or a poll found.
    """

    step: Step
    place: int | None
    version: int


@frozen
class Replayed:
    """A trace with the results of its steps, and the state at its end."""

    search: Search
    bounds: Bounds
    happened: tuple[Happened, ...]
    versions: Versions
    clients: tuple[Own, ...]


def replay(search: Search, bounds: Bounds, trace: bytes) -> Replayed:
    """Carry out the steps of a trace one by one, from the initial state."""
    versions = no_versions(bounds.slots)
    clients = [nothing_yet(bounds.clients)] * bounds.clients
    happened: list[Happened] = []
    for step in steps_of(bounds, trace):
        moves = Moves(search, bounds, versions)
        own = clients[step.client]
        if step.kind == "poll":
            (other,) = step.others
            theirs = moves.linked(other, clients[other])
            place, clients[step.client] = moves.poll(step.client, own, other, theirs)
            happened.append(Happened(step, place, theirs))
        else:
            versions, clients[step.client] = moves.upload(step.client, own, step.others)
            happened.append(Happened(step, None, clients[step.client].current))
    return Replayed(search, bounds, tuple(happened), versions, tuple(clients))


def scenario_steps(replayed: Replayed) -> list[JsonObject]:
    """Return the steps as steps of the operation `conflict-detection/scenario`."""
    steps: list[JsonObject] = []
    for each in replayed.happened:
        nickname = replayed.bounds.nicknames[each.step.client]
        others = [replayed.bounds.nicknames[other] for other in each.step.others]
        if each.step.kind == "poll":
            steps.append({"client": nickname, "poll": others[0]})
        elif each.step.kind == "edit":
            steps.append({"client": nickname, "edit": version_name(replayed.bounds, each.version)})
        else:
            text = version_name(replayed.bounds, each.version)
            steps.append({"client": nickname, "resolve": [*others], "text": text})
    return steps


def version_name(bounds: Bounds, version: int) -> str:
    """Return a version's name: its maker and the number of the maker's upload, such as `A1`."""
    maker, number = divmod(version, bounds.uploads)
    return f"{bounds.nicknames[maker]}{number + 1}"


def replayed_text(replayed: Replayed) -> str:
    """Return a trace as text: its steps, its versions, and the state of each client."""
    lines = [_step_line(replayed, number) for number in range(len(replayed.happened))]
    dag = follows_dag(replayed)
    names = {version: version_name(replayed.bounds, version) for version in dag}
    notes = {version: form_text(replayed, version) for version in dag}
    lines += ["", *draw_dag(dag, names, notes).splitlines(), ""]
    lines += [_client_line(replayed, client) for client in range(replayed.bounds.clients)]
    return "\n".join(lines)


def follows_dag(replayed: Replayed) -> dict[int, list[int]]:
    """Return version -> the versions that it directly follows, in the order of uploads."""
    follows = replayed.versions.follows
    dag: dict[int, list[int]] = {}
    for each in replayed.happened:
        if each.place is None:
            followed = [other for other in dag if follows[each.version] >> other & 1]
            dag[each.version] = [
                other
                for other in followed
                if not any(follows[between] >> other & 1 for between in followed)
            ]
    return dag


def form_text(replayed: Replayed, version: int) -> str:
    """Return a version map as text; empty for a snapshot, because the drawing shows its parents."""
    form = replayed.versions.forms[version]
    if replayed.search.design == "snapshots" or form is None:
        return ""
    entries = zip(replayed.bounds.nicknames, form, strict=True)
    return "(" + ", ".join(f"{name} {number}" for name, number in entries if number != NONE) + ")"


def _step_line(replayed: Replayed, number: int) -> str:
    each = replayed.happened[number]
    nicknames = replayed.bounds.nicknames
    client = nicknames[each.step.client]
    name = version_name(replayed.bounds, each.version)
    others = _listed([nicknames[other] for other in each.step.others])
    if each.place is None:
        did = f"edits: {name}" if each.step.kind == "edit" else f"resolves {others}: {name}"
        return f"{number + 1:>3}  {client} {did}"
    expected, found = PAIRS[each.place]
    kind = kind_of(each.place)
    outcome = found if kind is None else f"{found}, expected {expected}: {kind}"
    return f"{number + 1:>3}  {client} polls {others}, finds {name}: {outcome}"


def _client_line(replayed: Replayed, client: int) -> str:
    nicknames = replayed.bounds.nicknames
    own = replayed.clients[client]
    if own.current == NONE:
        return f"{nicknames[client]} has no version"
    text = f"{nicknames[client]} has {version_name(replayed.bounds, own.current)}"
    held = [
        f"{version_name(replayed.bounds, version)} of {nicknames[other]}"
        for other, version in enumerate(own.held)
        if version != NONE
    ]
    return f"{text} and conflict files with {_listed(held)}" if held else text


def _listed(words: Sequence[str]) -> str:
    return " and ".join((", ".join(words[:-1]), words[-1])) if len(words) > 1 else "".join(words)
