"""Events of a random history: what clients, the swarm and the network do, one after another.

Events are abstract: "client 2 pushes". Which messages arise is found out when the history is run,
under one reading or another. Every event can be carried out in every state (some then do nothing),
so that a history from which events were left out is a history still.
"""

from __future__ import annotations

from typing import Annotated, Final, TypeAlias

from attrs import frozen

from rejoin_conformance.kit.codec import NOT_EMPTY, BigInt, within

MOST_CLIENTS: Final = 8

Client: TypeAlias = Annotated[int, within(0, MOST_CLIENTS - 1)]
Count: TypeAlias = Annotated[int, within(0)]

Path: TypeAlias = Annotated[tuple[bytes, ...], NOT_EMPTY]
"""The keys that lead to a place in application data, from the outermost dict inward."""

Scalar: TypeAlias = int | bytes


@frozen
class Assign:
    """Put a scalar at a path; whatever stands there, or stands in the way, is replaced."""

    path: Path
    value: Scalar


@frozen
class Remove:
    """Take away what stands at a path, be it a scalar, a set or a dict."""

    path: Path


@frozen
class Add:
    """Put an element into the set at a path; whatever else stands there is replaced."""

    path: Path
    element: Scalar


@frozen
class Discard:
    """Take an element out of the set at a path, if there is such a set."""

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
    """A client pushes what it has not pushed yet.

    delete: whether the swarm permits this client to delete. delayed: the batch stays on the way
    until the next `Deliver`; the client takes it for stored.
    """

    client: Client
    delete: bool = True
    delayed: bool = False


@frozen
class Fetch:
    """A client fetches what its side of the swarm has stored.

    skip: 16 bits; what is stored at place k is left out where bit k modulo 16 is set. 0 leaves
    nothing out.
    """

    client: Client
    skip: Count = 0


@frozen
class Resolve:
    """A client resolves what it knows."""

    client: Client


@frozen
class Inject:
    """Something comes into the swarm that no client of the history pushed.

    kind: one of `injections.KINDS`. target: the message that it is made from, counted back from the
    newest, modulo their number. salt: makes the choices that the kind leaves open.
    """

    kind: str
    target: Count
    salt: Count


@frozen
class Partition:
    """The swarm falls in two; each side has all that was stored until now.

    members: client k is on the far side where bit k is set.
    """

    members: Count


@frozen
class Heal:
    """The two sides of the swarm become one again, which stores what either had."""


@frozen
class Deliver:
    """The batches that are on their way arrive, in the order in which they were pushed."""


Event: TypeAlias = Edit | Push | Fetch | Resolve | Inject | Partition | Heal | Deliver


@frozen
class History:
    """One random history. Whatever its events, it ends with an exchange until nothing changes.

    seed: what it was made from. clients: how many. window: N, the same for all. signed: whether
    messages must be signed. readers: client k cannot sign where bit k is set; without meaning where
    messages need not be signed.
    """

    seed: BigInt
    clients: Annotated[int, within(1, MOST_CLIENTS)]
    window: Annotated[int, within(1)]
    signed: bool
    readers: Count
    events: tuple[Event, ...]

    def can_sign(self, client: int) -> bool:
        """Whether a client has the key that merges and updates take."""
        return not (self.signed and self.readers >> client & 1)
