"""Events of a random history: what the users and clients of a folder do, one after another.

Clients are numbers, named A, B, C and so on. An event says what is meant, not what comes of it:
which conflict files there are to resolve turns out when the history is run, in one design or the
other. Every event can be carried out in every state (some then do nothing), so that a history from
which events were left out is a history still.
"""

from __future__ import annotations

from typing import Annotated, Final, TypeAlias

from attrs import frozen

from rejoin_conformance.kit.codec import within

NICKNAMES: Final = "ABCDEFGH"
"""What clients are called; no history has more."""

Client: TypeAlias = Annotated[int, within(0, len(NICKNAMES) - 1)]
Text: TypeAlias = Annotated[int, within(0)]

Files: TypeAlias = tuple[tuple[str, Text], ...]
"""The files that a client brings along: (path, text), sorted."""

Pick: TypeAlias = Annotated[int, within(0)]
"""Which of a client's conflict files on a path: file k, in the order of names, where bit k is set;
all of them where no bit that is set stands for one."""


@frozen
class Edit:
    """A user writes a text, a number, to a file, whether it is there or not."""

    client: Client
    path: str
    text: Text


@frozen
class Poll:
    """A client polls one file of another client."""

    client: Client
    other: Client
    path: str


@frozen
class PollAll:
    """A client polls all files of another client."""

    client: Client
    other: Client


@frozen
class Resolve:
    """A user removes conflict files at once, and writes a text, or leaves the file as it is."""

    client: Client
    path: str
    pick: Pick
    text: Text | None


@frozen
class Touch:
    """A user writes to a conflict file; `pick` says which, the first of those that it names."""

    client: Client
    path: str
    pick: Pick
    text: Text


@frozen
class Discard:
    """A user deletes a conflict file."""

    client: Client
    path: str
    pick: Pick


@frozen
class Move:
    """A user renames a conflict file: into the place of the file, or to another path."""

    client: Client
    path: str
    pick: Pick
    target: str


@frozen
class Rename:
    """A user renames a file."""

    client: Client
    path: str
    target: str


@frozen
class Delete:
    """A user deletes a file."""

    client: Client
    path: str


@frozen
class Undelete:
    """A user brings a deleted file back, with a text."""

    client: Client
    path: str
    text: Text


@frozen
class GoOffline:
    """A client loses the grid."""

    client: Client


@frozen
class ComeBack:
    """A client finds the grid again."""

    client: Client


@frozen
class Join:
    """A client that is not there yet joins with files of its own."""

    client: Client
    files: Files


@frozen
class Subscribe:
    """A client begins to poll another one again."""

    client: Client
    other: Client


@frozen
class Unsubscribe:
    """A client stops polling another one."""

    client: Client
    other: Client


@frozen
class Collect:
    """All clients renew their leases; then the grid drops what has none."""


Event: TypeAlias = (
    Edit
    | Poll
    | PollAll
    | Resolve
    | Touch
    | Discard
    | Move
    | Rename
    | Delete
    | Undelete
    | GoOffline
    | ComeBack
    | Join
    | Subscribe
    | Unsubscribe
    | Collect
)


@frozen
class History:
    """One random history.

    clients: how many are there at the start; clients with larger numbers may join. settles: whether
    at the end, once all are back, one client polls all, resolves everything, and is polled by all.
    """

    clients: Annotated[int, within(1, len(NICKNAMES))]
    events: tuple[Event, ...]
    settles: bool = False
