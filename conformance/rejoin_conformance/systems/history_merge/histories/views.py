"""Who has seen which messages. Sets of messages are integers: bit n stands for message number n."""

from __future__ import annotations

from attrs import define, field


@define
class Views:
    """What each author has seen while a history goes on.

    pasts: of each message: itself and all before it.
    seen: of each author: all messages that have reached it.
    """

    pasts: list[int] = field(factory=list)
    seen: dict[str, int] = field(factory=dict)

    def post(self, author: str) -> tuple[int, ...]:
        """The next message, after all that its author has seen: the numbers of its parents."""
        number = len(self.pasts)
        before = self.seen.get(author, 0)
        self.pasts.append(before | 1 << number)
        self.seen[author] = before | 1 << number
        return self.heads(before)

    def hear(self, author: str, source: str, behind: int) -> bool:
        """An author sees what another one has seen, but for its latest; whether any of it is new.

        What is left out are the highest numbers, so nothing comes without what is before it.
        """
        reaching = self.seen.get(source, 0)
        for _ in range(behind):
            reaching &= ~(1 << reaching.bit_length() >> 1)
        before = self.seen.get(author, 0)
        self.seen[author] = before | reaching
        return self.seen[author] != before

    def heads(self, view: int) -> tuple[int, ...]:
        """The messages of a view that are before no other one of it, ascending."""
        found = []
        while view:
            last = view.bit_length() - 1
            found.append(last)
            view &= ~self.pasts[last]
        return tuple(reversed(found))
