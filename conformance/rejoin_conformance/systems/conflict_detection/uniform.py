"""The profile `uniform`, the baseline of coverage: events drawn one by one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from rejoin_conformance.kit.draw import Draw
from rejoin_conformance.kit.json_types import JsonObject
from rejoin_conformance.systems.conflict_detection.actions import NICKNAMES

_UNIFORM_TEXTS: Final = 1000
"""The number of texts of the profile `uniform`. Two clients rarely write the same one."""
_DRAWS: Final = (
    "client file edit",
    "poll file",
    "poll_all",
    "text? client file pick resolve_held",
    "client file pick touch",
    "client file pick discard",
    "client file pick move",
    "client file rename",
    "client file delete",
    "client file undelete",
    "client offline",
    "client online",
    "join",
    "subscribe",
    "unsubscribe",
    "collect_garbage",
)
"""The fields of each equally likely event, in the order in which they are drawn."""


def uniform_events(
    draw: Draw, clients: int, paths: Sequence[str], count: int
) -> Iterator[JsonObject]:
    """Yield events drawn one by one. No draw depends on earlier events.

    So a client can resolve a conflict that it does not hold, and nothing makes a race likely. A
    client that cannot join because no nickname is left comes back instead.
    """
    for _ in range(count):
        fields = draw.pick(_DRAWS)
        if fields == "join" and clients == len(NICKNAMES):
            fields = "client online"
        event: JsonObject = {}
        for name in fields.split():
            match name:
                case "client":
                    event["client"] = NICKNAMES[draw.below(clients)]
                case "poll" | "poll_all" | "subscribe" | "unsubscribe":
                    client, other = draw.sample(range(clients), 2)
                    event |= {"client": NICKNAMES[client], name: NICKNAMES[other]}
                case "file" | "move" | "rename":
                    event[name] = draw.pick(paths)
                case "text?":
                    if draw.chance(1, 2):
                        event["text"] = _uniform_text(draw)
                case "edit" | "touch" | "undelete":
                    event[name] = _uniform_text(draw)
                case "pick":
                    event["pick"] = draw.below(16)
                case "join":
                    some = sorted(draw.sample(paths, draw.between(0, len(paths))))
                    clients += 1
                    files: JsonObject = {path: _uniform_text(draw) for path in some}
                    event = {"client": NICKNAMES[clients - 1], "join": files}
                case _:
                    event[name] = True
        yield event


def _uniform_text(draw: Draw) -> str:
    return str(draw.below(_UNIFORM_TEXTS))
