"""Draw events one by one, every kind equally likely. The coverage of profiles is compared with it.

No draw depends on earlier events: a post can add a member or remove a non-member, and nothing makes
a wide fork or a criss-cross merge likely.
"""

from __future__ import annotations

from typing import Final, get_args

from rejoin_conformance.kit.draw import Draw
from rejoin_conformance.systems.history_merge.histories.events import Event, Hear, Post, PostKind

KINDS: Final[tuple[PostKind, ...]] = get_args(PostKind)
"""Every kind of post. Hearing is the only other kind of event."""

MOST_BEHIND: Final = 3


def uniform_events(
    draw: Draw, authors: tuple[str, ...], members: tuple[str, ...], posts: int
) -> tuple[Event, ...]:
    """Return events with exactly `posts` posts among them. Message IDs are drawn."""
    events: list[Event] = []
    ids: set[str] = set()
    while len(ids) < posts:
        which = draw.below(len(KINDS) + 1)
        if which == len(KINDS):
            author, source = draw.sample(authors, 2)
            events.append(Hear(author, source, draw.between(0, MOST_BEHIND)))
            continue
        name = draw.data(2).hex()
        if name not in ids:
            ids.add(name)
            events.append(_post(draw, draw.pick(authors), name, KINDS[which], members))
    return tuple(events)


def _post(draw: Draw, author: str, name: str, kind: PostKind, members: tuple[str, ...]) -> Post:
    if kind == "talk":
        return Post(author, name, kind, ())
    who = author if kind == "leave" else draw.pick(members)
    return Post(author, name, kind, (who,))
