"""A client: it fetches, resolves, edits and pushes, and is a new value after each.

The life of a change: `edit` changes what the application sees; `push` makes of it an update of the
client's head, for the swarm. The life of a conflict: `fetch` adds what others stored to what the
client knows; `resolve_known` makes one head of it, which may be a merge that nobody has stored yet;
`push` stores it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Final

from attrs import field, frozen

from rejoin.config_merge.application_data import EMPTY, Dict, changeable, checked_data
from rejoin.config_merge.conflict_resolution import (
    Resolution,
    parsed_or_error,
    resolve_messages,
    with_local_change,
)
from rejoin.config_merge.diff_updates import Diff, apply_diff, diff
from rejoin.config_merge.encryption import decrypt, encrypt
from rejoin.config_merge.errors import ConfigMergeError
from rejoin.config_merge.ignored_updates import Parsed
from rejoin.config_merge.messages import Message
from rejoin.config_merge.non_conflicting_updates import first_message, follow
from rejoin.config_merge.reading import DOCUMENT, Reading
from rejoin.config_merge.swarm import Batch, StorageId, storage_id
from rejoin.config_merge.windows import DEFAULT_WINDOW, within

_NOTHING: Final[Mapping[StorageId, Parsed]] = MappingProxyType({})


@frozen
class Settings:
    """What the clients of one config agree on, and the keys that this client has.

    encryption_key: 32 bytes. domain: as for `encrypt`. verify_key: where given, messages must be
    signed by it. signing_key: the seed of 32 bytes by which this client signs, if it can.

    Clauses: CM-CLIENT-WINDOW-AGREED, CM-SIGN-CONTEXT
    Source: "Client update behaviour"
    """

    encryption_key: bytes
    domain: bytes | None = None
    window: int = DEFAULT_WINDOW
    reading: Reading = DOCUMENT
    verify_key: bytes | None = None
    signing_key: bytes | None = None


@frozen
class Opened:
    """A stored ciphertext as a client sees it: its name in the swarm, and what is inside."""

    name: StorageId
    content: Parsed


@frozen
class LocalChange:
    """An edit that is not pushed yet: its diff from the head's data, and the data it leads to."""

    diff: Diff
    data: Dict


@frozen
class Client:
    """One device: what it knows of the swarm, where it stands, and what it has not pushed.

    known: by name in the swarm, all that was fetched or pushed, in that order. head: the message
    that stands, None before the first. head_is_stored: False for a merge that was not pushed.
    """

    settings: Settings
    known: Mapping[StorageId, Parsed] = field(default=_NOTHING)
    head: Message | None = None
    head_is_stored: bool = True
    local: LocalChange | None = None

    @property
    def head_data(self) -> Dict:
        """The data of the head, empty where there is none."""
        return EMPTY if self.head is None else self.head.data

    @property
    def data(self) -> Dict:
        """What the application sees: the data that the edit leads to, or those of the head."""
        return self.head_data if self.local is None else self.local.data


def open_stored(ciphertext: bytes, settings: Settings) -> Opened:
    """Decrypt and parse what a swarm has stored; what is wrong with it is a result.

    Clauses: CM-CLIENT-FETCH, CM-IGNORE-INVALID
    Source: "Client update behaviour"
    """
    name = storage_id(ciphertext)
    key, reading = settings.encryption_key, settings.reading
    try:
        plaintext = decrypt(ciphertext, key, reading=reading, domain=settings.domain)
    except ConfigMergeError as error:
        return Opened(name, error)
    content = parsed_or_error(
        plaintext, window=settings.window, reading=reading, verify_key=settings.verify_key
    )
    return Opened(name, content)


def fetch(client: Client, stored: Iterable[bytes]) -> Client:
    """Fetch ciphertexts: those that are new become known. The head stays.

    Clauses: CM-CLIENT-FETCH
    Source: "Client update behaviour"
    """
    return receive(
        client,
        [
            open_stored(ciphertext, client.settings)
            for ciphertext in stored
            if storage_id(ciphertext) not in client.known
        ],
    )


def receive(client: Client, opened: Iterable[Opened]) -> Client:
    """Make known what has been opened with this client's settings already. The head stays.

    Clauses: CM-CLIENT-FETCH
    Source: "Client update behaviour"
    """
    known = changeable(client.known)
    for item in opened:
        known.setdefault(item.name, item.content)
    return Client(
        settings=client.settings,
        known=MappingProxyType(known),
        head=client.head,
        head_is_stored=client.head_is_stored,
        local=client.local,
    )


def resolve_known(client: Client) -> tuple[Client, Resolution | None]:
    """Resolve all messages that the client knows; their resolution becomes its head.

    An unpushed merge is not among them: it is made anew. An edit is applied to the new head's data
    and stands on them from then on.
    Returns the resolution too; None, and the client as it was, where no valid message is known.
    Errors: `ConfigMergeError` with "seqno-exhausted".

    Clauses: CM-CLIENT-RESOLVE, CM-CLIENT-EDIT-KEPT, CM-CLIENT-CONVERGE
    Source: "Conflict resolution"
    """
    if _knows_no_valid_message(client):
        return client, None
    settings = client.settings
    resolution = resolve_messages(
        tuple(client.known.values()),
        window=settings.window,
        reading=settings.reading,
        verify_key=settings.verify_key,
        signing_key=settings.signing_key,
    )
    head, local = resolution.message, client.local
    if local is not None:
        edited = apply_diff(head.data, local.diff, local.data, reading=settings.reading)
        local = _local_change(head.data, edited)
    resolved = Client(
        settings=settings,
        known=client.known,
        head=head,
        head_is_stored=not resolution.merged,
        local=local,
    )
    return resolved, resolution


def edit(client: Client, data: Mapping[bytes, object]) -> Client:
    """Change what the application sees, for a later push. Data equal to the head's are no edit.

    data: the whole new data.
    Errors: `ConfigMergeError` with a code of application data.

    Clauses: CM-CLIENT-EDIT-KEPT, CM-CLIENT-COPY-UNKNOWN
    Source: "Non-conflicting updates", step 4
    """
    edited = checked_data(data, reading=client.settings.reading)
    return Client(
        settings=client.settings,
        known=client.known,
        head=client.head,
        head_is_stored=client.head_is_stored,
        local=_local_change(client.head_data, edited),
    )


def push(client: Client) -> tuple[Client, Batch | None]:
    """Push the edit and the merge that are not stored yet, as one message.

    Returns the client, whose head is now that message, and the batch for the swarm; None, and the
    client as it was, where there is nothing to send.
    Errors: `ConfigMergeError` with "signing-key-missing" or "seqno-exhausted".

    Clauses: CM-CLIENT-PUSH-EDIT, CM-CLIENT-PUSH-MERGE, CM-CLIENT-UNREADABLE, CM-CLIENT-BATCH,
        CM-CLIENT-DELETE-KNOWN, CM-RESOLVE-PUBLISH
    Source: "Client update behaviour"
    """
    message = _message_to_push(client)
    if message is None:
        return client, None
    settings = client.settings
    ciphertext = encrypt(
        message.encoded, settings.encryption_key, reading=settings.reading, domain=settings.domain
    )
    batch = Batch(store=ciphertext, delete=obsoleted_by(message, client))
    known = receive(client, [Opened(storage_id(ciphertext), message)]).known
    pushed = Client(
        settings=settings,
        known=known,
        head=message,
        head_is_stored=True,
        local=None,
    )
    return pushed, batch


def _message_to_push(client: Client) -> Message | None:
    """Make the message that a push stores; None where there is nothing to store.

    Clauses: CM-CLIENT-PUSH-EDIT, CM-CLIENT-PUSH-MERGE, CM-CLIENT-UNREADABLE, CM-SIGN-CANNOT-UPDATE
    Source: "Client update behaviour"
    """
    settings, head, local = client.settings, client.head, client.local
    if local is None:
        return None if client.head_is_stored else head
    if settings.verify_key is not None and settings.signing_key is None:
        raise ConfigMergeError("signing-key-missing", "the update would have to be signed")
    if head is None:
        if client.known and _knows_no_valid_message(client):
            return None
        return first_message(
            local.data,
            window=settings.window,
            reading=settings.reading,
            signing_key=settings.signing_key,
        )
    if client.head_is_stored:
        return follow(
            head,
            local.data,
            window=settings.window,
            signing_key=settings.signing_key,
            changes=local.diff,
        )
    return with_local_change(head, local.data, signing_key=settings.signing_key, changes=local.diff)


def _local_change(head_data: Dict, edited: Dict) -> LocalChange | None:
    """Return the edit that leads from the head's data to the edited ones, None if it is none."""
    changes = diff(head_data, edited)
    return LocalChange(changes, edited) if changes else None


def _knows_no_valid_message(client: Client) -> bool:
    """Say whether nothing that the client knows is a valid message."""
    return all(isinstance(content, ConfigMergeError) for content in client.known.values())


def obsoleted_by(message: Message, client: Client) -> tuple[StorageId, ...]:
    """Name the known messages that a message of this client makes stale or included.

    What the client cannot parse, or has not fetched, is not among them.

    Clauses: CM-CLIENT-BATCH, CM-CLIENT-DELETE-KNOWN, CM-IGNORE-OLD-VERSION-KEPT
    Source: "Client update behaviour"
    """
    window, included, seqno = client.settings.window, message.included, message.seqno
    return tuple(
        [
            name
            for name, known in client.known.items()
            if not isinstance(known, ConfigMergeError)
            and (known.rank in included or not within(window, known.seqno, seqno))
        ]
    )
