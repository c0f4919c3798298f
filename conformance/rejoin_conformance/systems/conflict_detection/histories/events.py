"""The events of a random history: the actions of the users and clients of a folder, in order.

Clients are numbers, named A, B, C and so on. An event states an intention, not its result: only a
run, in one design or the other, determines the conflict files that a user can resolve. Every event
can be carried out in every state, though it may do nothing. So a history without some of its events
is still a history.
"""

from __future__ import annotations

from typing import Annotated, Final, TypeAlias

from attrs import frozen

from rejoin_conformance.kit.json_forms import within

NICKNAMES: Final = "ABCDEFGH"
"""The names of the clients. A history has at most this many."""

Client: TypeAlias = Annotated[int, within(0, len(NICKNAMES) - 1)]
Text: TypeAlias = Annotated[int, within(0)]

Files: TypeAlias = tuple[tuple[str, Text], ...]
"""The files of a client that joins: (path, text), sorted."""

Pick: TypeAlias = Annotated[int, within(0)]
"""A choice of a client's conflict files on a path, sorted by name: file k if bit k is set.

If no set bit stands for a file, all of them."""


@frozen
class Edit:
    """A user writes a text, which is a number, to a file. It creates the file if necessary."""

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
    """A user removes conflict files together, and writes a text or leaves the file unchanged."""

    client: Client
    path: str
    pick: Pick
    text: Text | None


@frozen
class Touch:
    """A user writes to a conflict file: the first one that `pick` chooses."""

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
    """A user renames a conflict file to the file's own path or to another path."""

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
    """A user restores a deleted file with a text."""

    client: Client
    path: str
    text: Text


@frozen
class GoOffline:
    """A client loses its connection to the grid."""

    client: Client


@frozen
class ComeBack:
    """A client is connected to the grid again."""

    client: Client


@frozen
class Join:
    """A new client joins the folder with its own files."""

    client: Client
    files: Files


@frozen
class Subscribe:
    """A client starts to poll another one again."""

    client: Client
    other: Client


@frozen
class Unsubscribe:
    """A client stops polling another one."""

    client: Client
    other: Client


@frozen
class Change:
    """A user writes a text to a file, or deletes it, and the client does not notice it yet."""

    client: Client
    path: str
    text: Text | None


@frozen
class Upload:
    """A client notices its changes and uploads them."""

    client: Client


@frozen
class PollAndStop:
    """A client polls one file of another client and stops, during an overwrite before it links."""

    client: Client
    other: Client
    path: str


@frozen
class BackUp:
    """A user makes a backup of a client."""

    client: Client


@frozen
class SetBack:
    """A user restores a client from its backup."""

    client: Client


@frozen
class Collect:
    """All clients renew their leases, and then the grid removes the objects without a lease."""


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
    | Change
    | Upload
    | PollAndStop
    | BackUp
    | SetBack
    | Collect
)


@frozen
class History:
    """One random history.

    clients: the number of clients at the start. Clients with larger numbers can join.
    settles: whether the history ends with a settlement: all clients come back, one client polls all
        others and resolves all conflicts, and all others poll it.
    """

    clients: Annotated[int, within(1, len(NICKNAMES))]
    events: tuple[Event, ...]
    settles: bool = False
