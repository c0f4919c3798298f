"""The profiles of random histories: weights of scenes, clients and files.

Only the ratios within a group matter. `low`, `high`: the least and greatest number of events;
scenes are drawn until a history has at least a number of events between the two. `clients`,
`files`: weight:value of the number of clients at the start, and of the number of paths.

Scenes. solo: a client polls, then edits. race: several clients edit one file. exchange: polls
between any clients. round: one client polls all others. spread: all others poll one client.
resolve: a client resolves conflicts that it holds. settle: a client polls all others and resolves
all conflicts. beside: a user changes one conflict file. delete, undelete, rename: a user does so
with a file. removal_race: several clients delete one file. away: a client goes offline. back: a
client comes back. join: a client joins late. subscriptions: a client stops or starts to poll
another one. collect: clients renew their leases, and garbage is collected. unsaved: a user changes
a file, and the client notices it only after polls. stop: a client stops during a poll. restore: a
user makes a backup of a client, or restores one.

Percentages. in_sync: histories that start with the same files at all clients. settled: histories
that end with a resolution of all conflicts. absent: draws of a client that include offline clients.
blind: draws that ignore whether the step has an effect. all_files: polls of all files. all_at_once:
resolutions of all conflict files. rewritten: resolutions that write a new text. repeated_text:
texts that other clients can write too. checked: changes before which the client polls others.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

_TOLD: Final = """
default: 2 to 8 clients, at least 20 events, every kind of event
    solo 6, race 6, exchange 8, round 3, spread 3, resolve 5, settle 3, beside 3, delete 2,
    undelete 2, rename 1, removal_race 1, away 2, back 3, join 1, subscriptions 1,
    collect 1, unsaved 0, stop 0, restore 0
    low 20, high 28, clients 2:2 5:3 4:4 2:5 1:6 1:8, files 3:1 3:2 1:3
    in_sync 60, settled 20, absent 15, blind 20, all_files 25, all_at_once 50, rewritten 60,
    repeated_text 2, checked 60
uniform: events drawn one by one, every kind equally likely: the baseline of coverage
tiny: 2 or 3 clients, one file, 5 to 10 events or a few more, small enough to read
    round 1, spread 1, rename 0, subscriptions 0, low 5, high 10, clients 2:2 3:3, files 1:1
racing: 3 to 8 clients that change and resolve one file at the same time
    solo 2, race 12, resolve 9, clients 1:3 2:4 3:5 2:6 1:8, files 1:1, checked 20
partitioned: clients that are offline for long, join late, and come back to many new versions
    solo 9, exchange 4, round 5, away 9, back 5, join 4, clients 2:3 3:4 2:5 1:6,
    rewritten 80
adversarial: equal texts and deletions by several clients, partial resolutions, many removals
    beside 9, delete 5, undelete 5, rename 4, removal_race 5, subscriptions 4, collect 4,
    files 2:1 2:2, all_at_once 15, rewritten 20, repeated_text 50
departing: deletions that reach everyone, ended subscriptions, and clients that are offline
    solo 2, race 1, round 8, spread 8, resolve 3, settle 2, delete 7, undelete 5,
    removal_race 3, away 4, back 5, subscriptions 5, low 30, high 40, clients 3:2 4:3 2:4,
    files 2:1 2:2, in_sync 95, absent 40, all_files 50
interrupted: changes that clients notice late, and clients that stop during an overwrite
    back 7, unsaved 9, stop 7, files 2:1 2:2
restored: restored backups, changes that clients notice late, interrupted overwrites
    back 5, unsaved 4, stop 4, restore 9, files 2:1 2:2
long: at least 100 events: deep histories, caches that grow and shrink
    collect 2, low 100, high 140, clients 2:3 2:4 1:5
large: 300 to 400 events, most of them edits: hundreds of versions between two polls
    solo 30, race 8, exchange 2, round 1, spread 1, settle 1, join 0, low 300, high 400,
    clients 1:3 1:8, files 1:1, repeated_text 0, checked 0
"""
"""The name of each profile and a description of its histories, and below its weights: those that
are not as in `default`."""

UNIFORM: Final = "uniform"
"""The profile whose events are drawn one by one; the weights of scenes have no effect."""


def _weights(told: str) -> Iterator[tuple[str, Any]]:
    for name, value in re.findall(r"(\w+) ([\d: ]*\d)", told):
        pairs = [tuple(map(int, each.split(":"))) for each in value.split()]
        yield name, pairs if ":" in value else pairs[0][0]


_PROFILES: Final = {
    name: (summary, dict(_weights(told)))
    for name, summary, told in re.findall(r"^(\w+): (.*)((?:\n +.*)*)", _TOLD, re.MULTILINE)
}
SUMMARIES: Final[Mapping[str, str]] = {name: summary for name, (summary, _) in _PROFILES.items()}
"""Profile -> a description of its histories in one line."""
_DEFAULT: Final = _PROFILES["default"][1]
PROFILES: Final[Mapping[str, Mapping[str, Any]]] = {
    name: {**_DEFAULT, **weights} for name, (_, weights) in _PROFILES.items()
}
"""Profile -> its weights."""
SCENES: Final = tuple(_DEFAULT)[: tuple(_DEFAULT).index("low")]
"""The scenes, in the order in which they are drawn by weight."""
