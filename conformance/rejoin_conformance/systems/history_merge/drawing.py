"""Draw a history: which author posts which message, and who hears of it when."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from attrs import define, field

from rejoin_conformance.contract.profiles import Weights
from rejoin_conformance.kit.draw import Draw
from rejoin_conformance.systems.history_merge.actions import (
    ADDING,
    POST_KINDS,
    Event,
    History,
    hear,
    post,
)
from rejoin_conformance.systems.history_merge.run import Views

ID_LETTERS: Final = "bcdfghjklmnpqrstvwxz"
"""The letters of message IDs. IDs are drawn, so they do not sort in the order of posting."""

_LETTERS: Final = "abcdefghijklmnopqrstuvwxyz"


def member_names(count: int) -> tuple[str, ...]:
    """Return that many names: A to Z, then A1 to Z1, and so on."""
    return tuple(
        _LETTERS[place % 26].upper() + (str(place // 26) if place >= 26 else "")
        for place in range(count)
    )


def generate_history(profile: Weights, seed: int) -> History:
    """Return the history of a seed under a profile: a pure function of both."""
    draw = Draw(seed)
    authors = draw.between(*profile["authors"])
    members = max(authors, draw.between(*profile["members"]))
    names = member_names(members)
    if profile["uniform"]:
        posts = draw.between(*profile["posts"])
        return History(uniform(draw, names[:authors], names, posts), draw.word())
    return _DrawnHistory(profile, draw, authors, names).draw_history()


@define
class _DrawnHistory:
    """A history while the generator draws it.

    views: the messages that each author has seen. latest: member -> the messages that changed it,
    as (number, whether it was added). An author's idea of the members comes from these.
    """

    profile: Weights
    draw: Draw
    authors: int
    members: tuple[str, ...]
    events: list[Event] = field(factory=list)
    views: Views = field(factory=Views)
    latest: dict[str, list[tuple[int, bool]]] = field(factory=dict)
    used: set[str] = field(factory=set)

    def draw_history(self) -> History:
        """Draw the founding message, then events until there are enough messages."""
        profile, draw = self.profile, self.draw
        posts = draw.between(*profile["posts"])
        everyone = draw.chance(profile["founders"], 8)
        founder = self.members[0]
        first = self.members[: self.authors] if everyone else self.members[:1]
        self._post(founder, "found", sorted(first))
        for author in self.members[1 : self.authors]:
            if not draw.chance(profile["strangers"], 64):
                self._hear(author, founder, 0)
        steps = (
            (profile["post"], self._any_post),
            (profile["hear"], self._any_hear),
            (profile["sync"], self._sync),
        )
        pasts = self.views.pasts
        while len(pasts) < posts:
            draw.weighted(steps)()
        return History(tuple(self.events), draw.word())

    def _any_author(self) -> str:
        return self.members[self.draw.below(self.authors)]

    def _any_post(self) -> None:
        draw, profile = self.draw, self.profile
        author = self._any_author()
        what = draw.weighted(
            ((profile["talk"], "talk"), (profile["change"], "change"), (profile["again"], "again"))
        )
        if what == "talk":
            self._post(author, "talk")
            return
        one = draw.pick(self.members)
        known = self._known_as_member(author, one)
        add = not known if what == "change" else known
        if add:
            kind = "reinvite" if self._known_as_removed(author, one) else "join"
        else:
            kind = "leave" if one == author else "kick"
        who = [one]
        if profile["many"] and draw.chance(profile["many"], 8):
            more = (
                name
                for name in draw.sample(self.members, draw.between(1, 3))
                if self._known_as_member(author, name) == known
            )
            who = sorted({one, *more})
        self._post(author, kind, who)

    def _known_as_member(self, author: str, member: str) -> bool:
        """Return whether the latest change that the author has seen added the member.

        The author can be wrong: the messages that it has seen can merge to another state.
        """
        view = self.views.seen.get(author, 0)
        for number, added in reversed(self.latest.get(member, ())):
            if view >> number & 1:
                return added
        return False

    def _known_as_removed(self, author: str, member: str) -> bool:
        """Return whether the author has seen a message that removes the member."""
        view = self.views.seen.get(author, 0)
        for number, added in self.latest.get(member, ()):
            if not added and view >> number & 1:
                return True
        return False

    def _post(self, author: str, kind: str, who: Iterable[str] = ()) -> None:
        number = len(self.views.pasts)
        self.events.append(post(author, self._new_id(), kind, who))
        self.views.post(author)
        for member in who:  # a post that changes nothing is about nobody
            self.latest.setdefault(member, []).append((number, kind in ADDING))

    def _new_id(self) -> str:
        while True:
            word = self.draw.word()
            name = "".join(ID_LETTERS[(word >> shift) % 20] for shift in (0, 16, 32))
            if name not in self.used:
                self.used.add(name)
                return name

    def _any_hear(self) -> None:
        draw, profile = self.draw, self.profile
        author, source = draw.sample(range(self.authors), 2)
        apart = author % profile["parts"] != source % profile["parts"]
        if apart and not draw.chance(profile["bridge"], 8):
            return
        behind = draw.between(1, 3) if draw.chance(profile["behind"], 8) else 0
        self._hear(self.members[author], self.members[source], behind)

    def _sync(self) -> None:
        authors = self.members[: self.authors]
        for source in authors[1:]:
            self._hear(authors[0], source, 0)
        for author in authors[1:]:
            self._hear(author, authors[0], 0)

    def _hear(self, author: str, source: str, behind: int) -> None:
        if self.views.hear(author, source, behind):
            self.events.append(hear(author, source, behind))


MOST_BEHIND: Final = 3


def uniform(
    draw: Draw, authors: tuple[str, ...], members: tuple[str, ...], posts: int
) -> tuple[Event, ...]:
    """Return actions with exactly `posts` posts, every kind equally likely; IDs are drawn.

    No draw depends on earlier actions: a post can add a member or remove a non-member, and nothing
    makes a wide fork or a criss-cross merge likely. The coverage of profiles is compared with it.
    """
    events: list[Event] = []
    ids: set[str] = set()
    while len(ids) < posts:
        which = draw.below(len(POST_KINDS) + 1)
        if which == len(POST_KINDS):
            author, source = draw.sample(authors, 2)
            events.append(hear(author, source, draw.between(0, MOST_BEHIND)))
            continue
        name, kind = draw.data(2).hex(), POST_KINDS[which]
        if name not in ids:
            ids.add(name)
            author = draw.pick(authors)
            who = [] if kind == "talk" else [author if kind == "leave" else draw.pick(members)]
            events.append(post(author, name, kind, who))
    return tuple(events)
