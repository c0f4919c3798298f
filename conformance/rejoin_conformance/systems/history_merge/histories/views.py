"""The messages that each author has seen. A set of messages is an integer with one bit for each."""

from __future__ import annotations

from attrs import define, field


@define
class Views:
    """The views of all authors while a history runs. Bit n of a set stands for message number n.

    pasts: for each message, the set of itself and all messages before it.
    seen: author -> the set of messages that it has seen.
    """

    pasts: list[int] = field(factory=list)
    seen: dict[str, int] = field(factory=dict)

    def post(self, author: str) -> int:
        """Add a message after all messages that its author has seen; return the set of these."""
        before = self.seen.get(author, 0)
        past = before | 1 << len(self.pasts)
        self.pasts.append(past)
        self.seen[author] = past
        return before

    def hear(self, author: str, source: str, behind: int) -> bool:
        """Let an author see the messages of another author; return whether any is new to it.

        behind: the number of latest messages left out. They have the highest numbers, so no message
            arrives without the messages before it.
        """
        reaching = self.seen.get(source, 0)
        for _ in range(behind):
            reaching &= ~(1 << reaching.bit_length() >> 1)
        before = self.seen.get(author, 0)
        after = before | reaching
        self.seen[author] = after
        return after != before

    def heads(self, view: int) -> tuple[int, ...]:
        """Return the maximal messages of a view, ascending by number."""
        found = []
        while view:
            last = view.bit_length() - 1
            found.append(last)
            view &= ~self.pasts[last]
        return tuple(found[::-1])
