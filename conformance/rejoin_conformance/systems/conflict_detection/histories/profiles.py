"""The profiles of random histories: integer weights of scenes, clients and files."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, TypeAlias

from attrs import evolve, frozen

Weights: TypeAlias = tuple[tuple[int, int], ...]
"""(weight, value) pairs."""


@frozen(kw_only=True)
class Profile:
    """The weights from which histories are drawn. Only the ratios within a group matter.

    summary: a description of the histories in one line.
    uniform: whether events are drawn one by one, every kind equally likely (profile `uniform`). The
        weights of scenes then have no effect.
    low, high: the least and greatest number of events. Scenes are drawn until a history has at
        least a number of events between the two.
    clients, files: weights of the number of clients at the start, and of the number of paths.

    Scenes. solo: a client polls, then edits. race: several clients edit one file. exchange: polls
    between any clients. round: one client polls all others. spread: all others poll one client.
    resolve: a client resolves conflicts that it holds. settle: a client polls all others and
    resolves all conflicts. beside: a user changes one conflict file. delete, undelete, rename: a
    user does so with a file. removal_race: several clients delete one file. away: a client goes
    offline. back: a client comes back. join: a client joins late. subscriptions: a client stops or
    starts to poll another one. collect: clients renew their leases, and garbage is collected.
    unsaved: a user changes a file, and the client notices it only after polls. stop: a client stops
    during a poll. restore: a user makes a backup of a client, or restores one.

    Percentages. in_sync: histories that start with the same files at all clients. settled:
    histories that end with a resolution of all conflicts. absent: draws of a client that include
    offline clients. blind: draws that ignore whether the step has an effect. all_files: polls of
    all files. all_at_once: resolutions of all conflict files. rewritten: resolutions that write a
    new text. repeated_text: texts that other clients can write too. checked: changes before which
    the client polls others.
    """

    summary: str
    uniform: bool = False
    low: int = 20
    high: int = 28
    clients: Weights = ((2, 2), (5, 3), (4, 4), (2, 5), (1, 6), (1, 8))
    files: Weights = ((3, 1), (3, 2), (1, 3))

    solo: int = 6
    race: int = 6
    exchange: int = 8
    round: int = 3
    spread: int = 3
    resolve: int = 5
    settle: int = 3
    beside: int = 3
    delete: int = 2
    undelete: int = 2
    rename: int = 1
    removal_race: int = 1
    away: int = 2
    back: int = 3
    join: int = 1
    subscriptions: int = 1
    collect: int = 1
    unsaved: int = 0
    stop: int = 0
    restore: int = 0

    in_sync: int = 60
    settled: int = 20
    absent: int = 15
    blind: int = 20
    all_files: int = 25
    all_at_once: int = 50
    rewritten: int = 60
    repeated_text: int = 2
    checked: int = 60


DEFAULT: Final = Profile(summary="2 to 8 clients, at least 20 events, every kind of event")

PROFILES: Final[Mapping[str, Profile]] = {
    "default": DEFAULT,
    "uniform": Profile(
        summary="events drawn one by one, every kind equally likely: the baseline of coverage",
        uniform=True,
    ),
    "tiny": Profile(
        summary="2 or 3 clients, one file, 5 to 10 events or a few more, small enough to read",
        low=5,
        high=10,
        clients=((2, 2), (3, 3)),
        files=((1, 1),),
        round=1,
        spread=1,
        rename=0,
        subscriptions=0,
    ),
    "racing": evolve(
        DEFAULT,
        summary="3 to 8 clients that change and resolve one file at the same time",
        clients=((1, 3), (2, 4), (3, 5), (2, 6), (1, 8)),
        files=((1, 1),),
        solo=2,
        race=12,
        resolve=9,
        checked=20,
    ),
    "partitioned": evolve(
        DEFAULT,
        summary="clients that are offline for long, join late, and come back to many new versions",
        clients=((2, 3), (3, 4), (2, 5), (1, 6)),
        away=9,
        back=5,
        join=4,
        solo=9,
        round=5,
        exchange=4,
        rewritten=80,
    ),
    "adversarial": evolve(
        DEFAULT,
        summary="equal texts and deletions by several clients, partial resolutions, many removals",
        files=((2, 1), (2, 2)),
        repeated_text=50,
        removal_race=5,
        beside=9,
        delete=5,
        undelete=5,
        rename=4,
        subscriptions=4,
        collect=4,
        all_at_once=15,
        rewritten=20,
    ),
    "departing": evolve(
        DEFAULT,
        summary="deletions that reach everyone, ended subscriptions, and clients that are offline",
        low=30,
        high=40,
        clients=((3, 2), (4, 3), (2, 4)),
        files=((2, 1), (2, 2)),
        solo=2,
        race=1,
        resolve=3,
        settle=2,
        exchange=8,
        round=8,
        spread=8,
        delete=7,
        undelete=5,
        removal_race=3,
        away=4,
        back=5,
        subscriptions=5,
        in_sync=95,
        absent=40,
        all_files=50,
    ),
    "interrupted": evolve(
        DEFAULT,
        summary="changes that clients notice late, and clients that stop during an overwrite",
        files=((2, 1), (2, 2)),
        unsaved=9,
        stop=7,
        back=7,
    ),
    "restored": evolve(
        DEFAULT,
        summary="restored backups, changes that clients notice late, interrupted overwrites",
        files=((2, 1), (2, 2)),
        unsaved=4,
        stop=4,
        restore=9,
        back=5,
    ),
    "long": evolve(
        DEFAULT,
        summary="at least 100 events: deep histories, caches that grow and shrink",
        low=100,
        high=140,
        clients=((2, 3), (2, 4), (1, 5)),
        collect=2,
    ),
    "large": evolve(
        DEFAULT,
        summary="300 to 400 events, most of them edits: hundreds of versions between two polls",
        low=300,
        high=400,
        clients=((1, 3), (1, 8)),
        files=((1, 1),),
        solo=30,
        race=8,
        exchange=2,
        round=1,
        spread=1,
        settle=1,
        join=0,
        checked=0,
        repeated_text=0,
    ),
}
"""The profiles by name."""
