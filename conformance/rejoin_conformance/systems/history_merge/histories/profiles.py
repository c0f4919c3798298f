"""Profiles: what random histories are like, as integer weights."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from attrs import frozen


@frozen(kw_only=True)
class Profile:
    """The weights from which histories are drawn.

    summary: what the histories are like, in one line.
    uniform: whether events are drawn one by one, every kind as likely as every other (`uniform`);
        the weights of what happens next have no meaning then.
    posts_low, posts_high: how many messages are posted.
    authors_low, authors_high: how many members post.
    members_low, members_high: how many there are in all; at least as many as authors.
    founders: of 8 histories, in how many all authors are members from the start; else one is.
    strangers: of 64 authors, how many have not heard of the session at first, and may found another
        one.

    Of what happens next: post, hear: a message; somebody hears of somebody's messages. sync:
    everybody hears of everything.

    Of a message: talk: it changes nothing. change: it adds somebody whom its author does not know
    as a member, or removes somebody whom the author does. again: it adds a member once more, or
    removes one who is none; the author has the wrong idea. many: of 8 changes, how many concern
    several members at once.

    behind: of 8 times that somebody hears, how often the latest messages are still on their way.
    parts: into how many parts the authors fall that hear of each other; 1 for no partition. bridge:
    of 8 times that somebody hears, how often it is from any part.
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
            summary="events of any kind, drawn one by one: what the others are measured against",
            uniform=True,
        ),
        "tiny": Profile(
            summary="3 to 7 messages about 1 or 2 members: small enough to read at a glance",
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
            summary="everybody posts at once and hears late: wide forks, concurrent equal changes",
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
            summary="two parts that seldom hear of each other: long branches, deep origins",
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
            summary="4 members, added and removed all the time across criss-cross merges",
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
            summary="150 to 400 messages of up to 8 authors, and tens of members",
            posts_low=150,
            posts_high=400,
            authors_low=4,
            authors_high=8,
            members_low=20,
            members_high=40,
            hear=8,
            many=3,
        ),
    }
)
"""The profiles that a campaign may name."""
