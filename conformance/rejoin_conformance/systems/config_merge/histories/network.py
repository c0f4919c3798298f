"""The network between clients and swarm: it can be cut in two, and batches can be on their way."""

from __future__ import annotations

from collections.abc import Mapping

from attrs import define, field

from rejoin import config_merge as cm


@define
class Network:
    """A swarm as its clients reach it.

    sides: the swarm, or its two halves while the network is cut. far: client k reaches the second
    half where bit k is set. on_the_way: client, batch, and whether it may delete.
    """

    sides: list[cm.Swarm] = field(factory=lambda: [cm.Swarm()])
    far: int = 0
    on_the_way: list[tuple[int, cm.Batch, bool]] = field(factory=list)

    def stored_for(self, client: int) -> Mapping[bytes, bytes]:
        """What a client finds in its side of the swarm: name -> ciphertext."""
        return self.sides[self.far >> client & 1].stored

    def execute(self, client: int, batch: cm.Batch, *, permitted: bool) -> None:
        """Let a client's batch arrive; permitted: whether it may delete."""
        side = self.far >> client & 1
        self.sides[side] = cm.execute(cm.Swarm(self.sides[side].stored, permitted), batch)

    def delay(self, client: int, batch: cm.Batch, *, permitted: bool) -> None:
        """Keep a client's batch on its way."""
        self.on_the_way.append((client, batch, permitted))

    def deliver(self) -> None:
        """Let the delayed batches arrive, each at the side on which its client is now."""
        for client, batch, permitted in self.on_the_way:
            self.execute(client, batch, permitted=permitted)
        self.on_the_way.clear()

    def store(self, ciphertext: bytes, side: int) -> None:
        """Store what no client pushed; where the network is whole, there is one side."""
        side = side & 1 if len(self.sides) == 2 else 0
        self.sides[side] = cm.store(self.sides[side], ciphertext)

    def cut(self, far: int) -> None:
        """Let the swarm fall in two, which both have all that was stored."""
        self.mend()
        self.sides.append(self.sides[0])
        self.far = far

    def mend(self) -> None:
        """Make the swarm one again, which stores what either half had."""
        if len(self.sides) == 2:
            near, far = self.sides
            for ciphertext in far.stored.values():
                near = cm.store(near, ciphertext)
            self.sides, self.far = [near], 0
