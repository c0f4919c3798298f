"""The profiles of random histories: integer weights of events, shapes and changes."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from attrs import frozen


@frozen(kw_only=True)
class Profile:
    """The weights from which histories are drawn.

    summary: a description of the histories in one line.
    uniform: whether events are drawn one by one, every kind equally likely (profile `uniform`). The
        weights of events and changes then have no effect.
    posts_low, posts_high: the least and greatest number of messages.
    authors_low, authors_high: the least and greatest number of members that post.
    members_low, members_high: the least and greatest number of members in all; at least as many as
        authors.
    founders: the number of histories in 8 in which all authors are members from the start. In the
        others one author is.
    strangers: the number of authors in 64 that have not heard of the session at first. They can
        found another session.

    Weights of the next event. post: a message. hear: one author hears of another author's messages.
    sync: all authors hear of all messages.

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
    uniform: bool = False
    posts_low: int = 8
    posts_high: int = 20
    authors_low: int = 2
    authors_high: int = 4
    members_low: int = 4
    members_high: int = 8
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


PROFILES: Final[Mapping[str, Profile]] = MappingProxyType(
    {
        "default": Profile(
            summary="8 to 20 messages of 2 to 4 authors, with joins, kicks and re-invitations"
        ),
        "uniform": Profile(
            summary="events drawn one by one, every kind equally likely: the baseline of coverage",
            uniform=True,
        ),
        "tiny": Profile(
            summary="3 to 7 messages of 2 or 3 authors, small enough to read at a glance",
            posts_low=3,
            posts_high=7,
            authors_low=2,
            authors_high=3,
            members_low=2,
            members_high=3,
            talk=2,
            many=0,
        ),
        "racing": Profile(
            summary="all authors post at once and hear late: wide forks, concurrent equal changes",
            authors_low=3,
            authors_high=6,
            members_low=6,
            members_high=8,
            post=10,
            hear=5,
            sync=1,
            behind=4,
        ),
        "partitioned": Profile(
            summary="two parts that rarely hear of each other: long branches, deep origins",
            posts_low=14,
            posts_high=26,
            authors_low=4,
            authors_high=6,
            members_low=6,
            members_high=10,
            hear=8,
            parts=2,
            bridge=1,
            sync=0,
        ),
        "adversarial": Profile(
            summary="4 members that are added and removed often, across criss-cross merges",
            strangers=16,
            posts_low=12,
            posts_high=20,
            authors_low=3,
            authors_high=4,
            members_low=4,
            members_high=4,
            talk=1,
            change=10,
            again=2,
            hear=8,
            behind=4,
        ),
        "long": Profile(
            summary="150 to 400 messages of 4 to 8 authors, and 20 to 40 members",
            posts_low=150,
            posts_high=400,
            authors_low=4,
            authors_high=8,
            members_low=20,
            members_high=40,
            hear=8,
            many=3,
        ),
        "large": Profile(
            summary="400 to 1,200 messages of 40 to 140 authors that rarely hear: up to 120 heads",
            posts_low=400,
            posts_high=1200,
            authors_low=40,
            authors_high=140,
            members_low=150,
            members_high=300,
            founders=8,
            post=40,
            hear=1,
            sync=0,
            behind=1,
            many=4,
        ),
    }
)
"""The profiles that a campaign can name."""
