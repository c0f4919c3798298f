"""The profiles of random histories: `profiles.txt` has their weights of actions and changes."""

from __future__ import annotations

from typing import Final, TypeAlias

from attrs import frozen

from rejoin_conformance.contract.profiles import profiles_told
from rejoin_conformance.kit.locations import text_beside

Range: TypeAlias = tuple[int, int]
"""The least and the greatest number."""


@frozen(kw_only=True)
class Profile:
    """The weights from which histories are drawn.

    summary: a description of the histories in one line.
    uniform: 1 if actions are drawn one by one, every kind equally likely (profile `uniform`).
        The weights of actions and changes then have no effect.
    posts: the number of messages. authors: the members that post. members: the members in all; at
        least as many as authors.
    founders: the number of histories in 8 in which all authors are members from the start. In the
        others one author is.
    strangers: the number of authors in 64 that have not heard of the session at first. They can
        found another session.

    Weights of the next action. post: a message. hear: one author hears of another author's
    messages. sync: all authors hear of all messages.

    Weights of a message. talk: it changes nothing. change: it adds a non-member or removes a
    member, as far as its author knows. again: it adds a member or removes a non-member, as far as
    its author knows. many: the number of changes in 8 that concern several members at once.

    behind: the number of times in 8 that the latest messages are still on their way when an author
        hears of them.
    parts: the number of parts into which the authors fall; 1 for no partition.
    bridge: of 8 times that an author would hear of an author in another part, the number that
        occur.
    """

    summary: str
    uniform: int = 0
    posts: Range = (8, 20)
    authors: Range = (2, 4)
    members: Range = (4, 8)
    founders: int = 4
    strangers: int = 1
    post: int = 6
    hear: int = 5
    sync: int = 1
    talk: int = 3
    change: int = 8
    again: int = 1
    many: int = 1
    behind: int = 2
    parts: int = 1
    bridge: int = 8


_TOLD: Final = profiles_told(text_beside(__file__))
PROFILES: Final = {
    name: Profile(summary=summary, **_TOLD.weights[name])
    for name, summary in _TOLD.summaries.items()
}
"""The profiles that a campaign can name."""

LARGE: Final = ("long", "large")
"""The profiles whose histories take many times as long as those of `default`."""
