"""The profiles of random histories, which `profiles.txt` beside this module states.

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

from typing import Final

from rejoin_conformance.contract.profiles import profiles_told
from rejoin_conformance.kit.locations import text_beside

_TOLD: Final = profiles_told(text_beside(__file__))
PROFILES: Final = _TOLD.weights
"""Profile -> its weights."""
SUMMARIES: Final = _TOLD.summaries
"""Profile -> a description of its histories in one line."""
UNIFORM: Final = "uniform"
"""The profile whose events are drawn one by one; the weights of scenes have no effect."""
SCENES: Final = _TOLD.group("solo", "restore")
"""The scenes, in the order in which they are drawn by weight."""
