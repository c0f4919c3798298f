"""Events of a random history: actions of clients, the swarm and the network, in order.

Events are abstract: "client 2 pushes". The messages result only when the history runs under a
reading. Every event is valid in every state (in some states it does nothing), so a history stays
valid if events are removed from it.
"""

from __future__ import annotations

from typing import Annotated, Final, TypeAlias

from attrs import frozen

from rejoin_conformance.kit.json_forms import NOT_EMPTY, BigInt, within

MOST_CLIENTS: Final = 8

Client: TypeAlias = Annotated[int, within(0, MOST_CLIENTS - 1)]
Count: TypeAlias = Annotated[int, within(0)]

Path: TypeAlias = Annotated[tuple[bytes, ...], NOT_EMPTY]
"""The keys that lead to a place in application data, from the outermost dict inward."""

Scalar: TypeAlias = int | bytes


@frozen
class Assign:
    """Assign a scalar to a path. It replaces the value there and any value that blocks the path."""

    path: Path
    value: Scalar


@frozen
class Remove:
    """Remove the value at a path: a scalar, a set or a dict."""

    path: Path


@frozen
class Add:
    """Add an element to the set at a path. The set replaces a value of another kind."""

    path: Path
    element: Scalar


@frozen
class Discard:
    """Remove an element from the set at a path, if there is a set."""

    path: Path
    element: Scalar


Change: TypeAlias = Assign | Remove | Add | Discard


@frozen
class Edit:
    """A client's application changes its data, for a later push."""

    client: Client
    changes: tuple[Change, ...]


@frozen
class Push:
    """A client pushes its changes that it has not pushed yet.

    delete: whether the swarm permits this client to delete. delayed: whether the batch arrives only
    at the next `Deliver`, although the client assumes that it is stored.
    """

    client: Client
    delete: bool = True
    delayed: bool = False


@frozen
class Fetch:
    """A client fetches the ciphertexts that its side of the swarm stores.

    skip: 16 bits. The fetch leaves out the ciphertext at index k if bit k modulo 16 is set. With 0
    it fetches everything.
    """

    client: Client
    skip: Count = 0


@frozen
class Resolve:
    """A client resolves the messages that it knows."""

    client: Client


@frozen
class Inject:
    """The swarm gets a ciphertext that no client of the history pushed.

    kind: one of `injections.KINDS`. target: the message from which it is made, counted back from
    the newest, modulo the number of messages. salt: determines the choices that the kind leaves
    open.
    """

    kind: str
    target: Count
    salt: Count


@frozen
class Partition:
    """The swarm splits into two sides. Each side keeps all stored ciphertexts.

    members: client k is on the far side if bit k is set.
    """

    members: Count


@frozen
class Heal:
    """The two sides of the swarm join again. The swarm stores the ciphertexts of both."""


@frozen
class Deliver:
    """The delayed batches arrive, in the order in which they were pushed."""


Event: TypeAlias = Edit | Push | Fetch | Resolve | Inject | Partition | Heal | Deliver


@frozen
class History:
    """One random history. Whatever its events, it ends with an exchange until nothing changes.

    seed: the seed from which it was drawn. clients: the number of clients. window: N, the same for
    all clients. signed: whether messages must be signed. readers: client k cannot sign if bit k is
    set; it has no meaning if messages need not be signed.
    """

    seed: BigInt
    clients: Annotated[int, within(1, MOST_CLIENTS)]
    window: Annotated[int, within(1)]
    signed: bool
    readers: Count
    events: tuple[Event, ...]

    def can_sign(self, client: int) -> bool:
        """Return whether a client has the key that it needs to make merges and updates."""
        return not (self.signed and self.readers >> client & 1)
