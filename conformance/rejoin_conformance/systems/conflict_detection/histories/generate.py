"""Draw a history: a pure function of a profile and a seed.

A history is drawn scene by scene. A scene is a few events that lead to one of the situations of the
document: a race, a client that learns of it late, a resolution, a deletion, an absence.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from rejoin_conformance.kit.draw import Draw
from rejoin_conformance.systems.conflict_detection.histories import events as ev
from rejoin_conformance.systems.conflict_detection.histories.drawn_history import DrawnHistory
from rejoin_conformance.systems.conflict_detection.histories.profiles import Profile
from rejoin_conformance.systems.conflict_detection.histories.uniform import uniform_events

PATHS: Final = ("foo", "bar", "dir/x")


def generate(profile: Profile, seed: int) -> ev.History:
    """Return the history of a seed under a profile: a pure function of both."""
    draw = Draw(seed)
    clients = draw.weighted(profile.clients)
    paths = PATHS[: draw.weighted(profile.files)]
    drawing = DrawnHistory(draw, profile, paths, clients)
    scenes = [(getattr(profile, name), scene) for name, scene in _SCENES.items()]
    length = draw.between(profile.low, profile.high)
    if profile.uniform:
        events = uniform_events(draw, clients, paths, length)
        return ev.History(clients, events, draw.chance(profile.settled, 100))
    _start(drawing)
    while len(drawing.events) < length:
        draw.weighted(scenes)(drawing)
    return ev.History(clients, tuple(drawing.events), drawing.chance(profile.settled))


def _start(drawing: DrawnHistory) -> None:
    """Let all clients start with the same files, in some histories."""
    if drawing.chance(drawing.profile.in_sync):
        for path in drawing.paths:
            drawing.add(ev.Edit(0, path, drawing.text()))
        for client in range(1, drawing.clients):
            drawing.add(ev.PollAll(client, 0))


def _solo(drawing: DrawnHistory) -> None:
    client, path = drawing.client(), drawing.path()
    drawing.look_around(client, path)
    drawing.add(ev.Edit(client, path, drawing.text()))


def _race(drawing: DrawnHistory) -> None:
    path = drawing.path()
    for client in drawing.some_clients():
        drawing.add(ev.Edit(client, path, drawing.text()))


def _exchange(drawing: DrawnHistory) -> None:
    for _ in range(drawing.draw.between(2, 5)):
        other = drawing.client()

        def news(client: int, path: str, other: int = other) -> bool:
            return client != other and drawing.estimate.is_news(client, other, path)

        client, path = drawing.place(news)
        drawing.poll(client, other if other != client else drawing.other(client), path)


def _round(drawing: DrawnHistory) -> None:
    client, path = drawing.client(), drawing.path()
    for other in drawing.draw.shuffled(range(drawing.clients)):
        if other != client:
            drawing.poll(client, other, path)


def _spread(drawing: DrawnHistory) -> None:
    other, path = drawing.client(), drawing.path()
    for client in drawing.draw.shuffled(range(drawing.clients)):
        if other != client:
            drawing.poll(client, other, path)


def _resolve(drawing: DrawnHistory) -> None:
    client, path = drawing.place(drawing.estimate.holds)
    if not drawing.estimate.holds(client, path):
        return _exchange(drawing)
    text = drawing.text() if drawing.chance(drawing.profile.rewritten) else None
    return drawing.add(ev.Resolve(client, path, drawing.pick(), text))


def _settle(drawing: DrawnHistory) -> None:
    client = drawing.client()
    for other in drawing.draw.shuffled(range(drawing.clients)):
        if other != client:
            drawing.add(ev.PollAll(client, other))
    for path in drawing.paths:
        if drawing.estimate.holds(client, path) or drawing.chance(drawing.profile.blind):
            drawing.add(ev.Resolve(client, path, 0, drawing.text()))


def _beside(drawing: DrawnHistory) -> None:
    client, path = drawing.place(drawing.estimate.holds)
    if not drawing.estimate.holds(client, path):
        return _exchange(drawing)
    pick = drawing.pick()
    what = drawing.draw.below(3)
    if what == 0:
        return drawing.add(ev.Touch(client, path, pick, drawing.text()))
    if what == 1:
        return drawing.add(ev.Discard(client, path, pick))
    target = drawing.draw.pick((path, path, *PATHS))
    return drawing.add(ev.Move(client, path, pick, target))


def _delete(drawing: DrawnHistory) -> None:
    client, path = drawing.place(drawing.estimate.has)
    drawing.look_around(client, path)
    drawing.add(ev.Delete(client, path))


def _undelete(drawing: DrawnHistory) -> None:
    client, path = drawing.place(drawing.estimate.lacks)
    if not drawing.estimate.lacks(client, path) and not drawing.chance(drawing.profile.blind):
        return _solo(drawing)
    drawing.look_around(client, path)
    return drawing.add(ev.Undelete(client, path, drawing.text()))


def _rename(drawing: DrawnHistory) -> None:
    client, path = drawing.place(drawing.estimate.has)
    drawing.add(ev.Rename(client, path, drawing.draw.pick(PATHS)))


def _removal_race(drawing: DrawnHistory) -> None:
    path = drawing.path()
    for client in drawing.some_clients():
        drawing.add(ev.Delete(client, path))


def _away(drawing: DrawnHistory) -> None:
    if 2 * len(drawing.away) >= drawing.clients:
        return _back(drawing)
    client = drawing.client()
    if client not in drawing.away:
        drawing.away.append(client)
    drawing.add(ev.GoOffline(client))
    return drawing.add(ev.Edit(client, drawing.path(), drawing.text()))


def _back(drawing: DrawnHistory) -> None:
    if not drawing.away:
        return _exchange(drawing)
    client = drawing.away.pop(drawing.draw.below(len(drawing.away)))
    drawing.add(ev.ComeBack(client))
    if drawing.chance(drawing.profile.checked):
        drawing.add(ev.PollAll(client, drawing.other(client)))
    return None


def _join(drawing: DrawnHistory) -> None:
    if drawing.clients == len(ev.NICKNAMES):
        return _exchange(drawing)
    paths = drawing.draw.sample(drawing.paths, drawing.draw.between(0, len(drawing.paths)))
    drawing.add(ev.Join(drawing.clients, tuple((path, drawing.text()) for path in sorted(paths))))
    drawing.clients += 1
    return None


def _subscriptions(drawing: DrawnHistory) -> None:
    if drawing.parted and drawing.draw.chance(3, 4):
        client, other = drawing.parted.pop(drawing.draw.below(len(drawing.parted)))
        return drawing.add(ev.Subscribe(client, other))
    client = drawing.client()
    other = drawing.other(client)
    if (client, other) not in drawing.parted:
        drawing.parted.append((client, other))
    return drawing.add(ev.Unsubscribe(client, other))


def _collect(drawing: DrawnHistory) -> None:
    drawing.add(ev.Collect())


def _unsaved(drawing: DrawnHistory) -> None:
    if drawing.unnoticed and drawing.draw.chance(1, 3):
        return drawing.add(ev.Upload(drawing.draw.pick(drawing.unnoticed)))
    client, path = drawing.client(), drawing.path()
    text = None if drawing.draw.chance(1, 4) else drawing.text()
    drawing.unnoticed.append(client)
    drawing.add(ev.Change(client, path, text))
    return drawing.look_around(client, path)


def _stop(drawing: DrawnHistory) -> None:
    if 2 * len(drawing.away) >= drawing.clients:
        return _back(drawing)
    other = drawing.client()

    def news(client: int, path: str) -> bool:
        return client != other and drawing.estimate.is_news(client, other, path)

    client, path = drawing.place(news)
    if client == other:
        return _exchange(drawing)
    drawing.add(ev.PollAndStop(client, other, path))
    if client not in drawing.away:
        drawing.away.append(client)
    if drawing.draw.chance(1, 3):
        drawing.add(ev.Edit(client, path, drawing.text()))
    return None


def _restore(drawing: DrawnHistory) -> None:
    if drawing.backed_up and drawing.draw.chance(1, 2):
        client = drawing.draw.pick(drawing.backed_up)
        drawing.add(ev.SetBack(client))
        return drawing.look_around(client, drawing.path())
    client = drawing.draw.below(drawing.clients)
    drawing.backed_up.append(client)
    return drawing.add(ev.BackUp(client))


_SCENES: Final[Mapping[str, Callable[[DrawnHistory], None]]] = {
    "solo": _solo,
    "race": _race,
    "exchange": _exchange,
    "round": _round,
    "spread": _spread,
    "resolve": _resolve,
    "settle": _settle,
    "beside": _beside,
    "delete": _delete,
    "undelete": _undelete,
    "rename": _rename,
    "removal_race": _removal_race,
    "away": _away,
    "back": _back,
    "join": _join,
    "subscriptions": _subscriptions,
    "collect": _collect,
    "unsaved": _unsaved,
    "stop": _stop,
    "restore": _restore,
}
"""The scenes by the names of their weights in a profile."""
