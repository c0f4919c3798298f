"""The network between clients and swarm, with partitions and delayed batches."""

from __future__ import annotations

from collections.abc import Mapping

from attrs import define, field

from rejoin import config_merge as cm


@define
class Network:
    """The swarm and the network through which clients reach it.

    sides: the swarm, or its two sides while the network is cut. far: client k reaches the second
    side if bit k is set. on_the_way: the delayed batches, each with its client and whether it may
    delete.
    """

    sides: list[cm.Swarm] = field(factory=lambda: [cm.Swarm()])
    far: int = 0
    on_the_way: list[tuple[int, cm.Batch, bool]] = field(factory=list)

    def stored_for(self, client: int) -> Mapping[bytes, bytes]:
        """Return the ciphertexts on a client's side of the swarm: name -> ciphertext."""
        return self.sides[self.far >> client & 1].stored

    def execute(self, client: int, batch: cm.Batch, *, permitted: bool) -> None:
        """Execute a client's batch. permitted: whether it may delete."""
        side = self.far >> client & 1
        self.sides[side] = cm.execute(cm.Swarm(self.sides[side].stored, permitted), batch)

    def delay(self, client: int, batch: cm.Batch, *, permitted: bool) -> None:
        """Delay a client's batch until the next `deliver`."""
        self.on_the_way.append((client, batch, permitted))

    def deliver(self) -> None:
        """Execute the delayed batches, each on the current side of its client."""
        for client, batch, permitted in self.on_the_way:
            self.execute(client, batch, permitted=permitted)
        self.on_the_way.clear()

    def store(self, ciphertext: bytes, side: int) -> None:
        """Store a ciphertext that no client pushed. An uncut network has only one side."""
        side = side & 1 if len(self.sides) == 2 else 0
        self.sides[side] = cm.store(self.sides[side], ciphertext)

    def cut(self, far: int) -> None:
        """Split the swarm into two sides that both store all current ciphertexts."""
        self.mend()
        self.sides.append(self.sides[0])
        self.far = far

    def mend(self) -> None:
        """Join the sides of the swarm, which then stores the ciphertexts of both."""
        if len(self.sides) == 2:
            near, far = self.sides
            for name, ciphertext in far.stored.items():
                if name not in near.stored:
                    near = cm.store(near, ciphertext)
            self.sides, self.far = [near], 0
