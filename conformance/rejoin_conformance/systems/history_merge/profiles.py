"""The profiles of random histories: integer weights of actions, shapes and changes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Any, Final, TypeAlias

from attrs import frozen

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


_TEXT: Final = """
default: 8 to 20 messages of 2 to 4 authors, with joins, kicks and re-invitations
uniform uniform 1: events drawn one by one, every kind equally likely: the baseline of coverage
tiny posts 3-7 authors 2-3 members 2-3 talk 2 many 0: 3 to 7 messages of 2 or 3 authors, small \
enough to read at a glance
racing authors 3-6 members 6-8 post 10 behind 4: all authors post at once and hear late: wide \
forks, concurrent equal changes
partitioned posts 14-26 authors 4-6 members 6-10 hear 8 parts 2 bridge 1 sync 0: two parts that \
rarely hear of each other: long branches, deep origins
adversarial strangers 16 posts 12-20 authors 3-4 members 4-4 talk 1 change 10 again 2 hear 8 \
behind 4: 4 members that are added and removed often, across criss-cross merges
long posts 150-400 authors 4-8 members 20-40 hear 8 many 3: 150 to 400 messages of 4 to 8 authors, \
and 20 to 40 members
large posts 400-1200 authors 40-140 members 150-300 founders 8 post 40 hear 1 sync 0 behind 1 \
many 4: 400 to 1,200 messages of 40 to 140 authors that rarely hear: up to 120 heads
"""


def _profiles() -> Iterator[tuple[str, Profile]]:
    """Yield the profiles of the text: a name, the values of fields, and the summary."""
    for line in _TEXT.split("\n")[1:-1]:
        told, summary = line.split(": ", 1)
        name, *words = told.split()
        values: dict[str, Any] = {
            field: tuple(map(int, value.split("-"))) if "-" in value else int(value)
            for field, value in zip(words[::2], words[1::2], strict=True)
        }
        yield name, Profile(summary=summary, **values)


PROFILES: Final[Mapping[str, Profile]] = MappingProxyType(dict(_profiles()))
"""The profiles that a campaign can name."""

LARGE: Final = ("long", "large")
"""The profiles whose histories take many times as long as those of `default`."""
