"""A client: fetches, resolves, edits and pushes; each step returns a new client.

`edit` changes the data that the application sees. `push` then turns the change into an update of
the client's head, for the swarm. `fetch` adds the messages that others stored to the messages that
the client knows. `resolve_known` resolves these messages to one head. The head may be a merge that
nobody has stored yet, and `push` then stores it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Final

from attrs import evolve, field, frozen

from rejoin.config_merge.application_data import EMPTY, Dict, changeable, checked_data
from rejoin.config_merge.client_update_behaviour import (
    Resolution,
    parsed_or_error,
    resolve_messages,
)
from rejoin.config_merge.config_diffs import NO_ROWS, Rows
from rejoin.config_merge.conflict_resolution import apply_diff, with_local_change
from rejoin.config_merge.diff_updates import Diff, diff
from rejoin.config_merge.encryption import cipher_key_for, decrypt, encrypt
from rejoin.config_merge.errors import ConfigMergeError
from rejoin.config_merge.head_forms import forms_taken_for_head, is_decrypted
from rejoin.config_merge.ignored_updates import Parsed
from rejoin.config_merge.messages import Message
from rejoin.config_merge.non_conflicting_updates import first_message, non_conflicting_update
from rejoin.config_merge.reading import DOCUMENT, Reading
from rejoin.config_merge.swarm import Batch, StorageId, storage_id
from rejoin.config_merge.windows import DEFAULT_WINDOW, applied_window, within

_NOTHING: Final[Mapping[StorageId, Parsed]] = MappingProxyType({})


@frozen
class Settings:
    """The settings that all clients of one config share, and the signing key of this client.

    encryption_key: 32 bytes.
    domain: as in `encrypt`.
    window: N, unless the reading fixes it.
    verify_key: a public key of 32 bytes that verifies every message, or None if no signature is
        required.
    signing_key: the seed of 32 bytes with which this client signs, or None if it cannot sign.

    Clauses: CM-CLIENT-WINDOW-AGREED, CM-SIGN-CONTEXT
    Source: "Client update behaviour"
    """

    encryption_key: bytes
    domain: bytes | None = None
    window: int = DEFAULT_WINDOW
    reading: Reading = DOCUMENT
    verify_key: bytes | None = None
    signing_key: bytes | None = None

    def __attrs_post_init__(self) -> None:
        """Refuse settings with which a client could not take every step.

        Errors: `ConfigMergeError` with "bad-window", "bad-key-length" or "bad-domain".

        Clauses: CM-MESSAGE-WINDOW, CM-ENCRYPT-KEY-LENGTH
        """
        applied_window(self.window, self.reading)
        cipher_key_for(0, self.encryption_key, reading=self.reading, domain=self.domain)


@frozen
class Opened:
    """A stored ciphertext as a client sees it.

    name: the id of the ciphertext in the swarm.
    content: the message in the ciphertext, or the error that makes it invalid.
    """

    name: StorageId
    content: Parsed


@frozen
class LocalChange:
    """An edit that is not pushed yet.

    diff: from the data of the head to the new data.
    data: the new data.
    """

    diff: Diff
    data: Dict


@frozen
class Client:
    """The state of one client.

    known: everything that the client fetched or pushed, by id in the swarm, in order of arrival.
    head: the message on which the client works, or None if it has no head yet.
    head_is_stored: False if the head is an unpushed merge.
    local: the edit that is not pushed yet, or None.
    arrived: the ids of the decrypted forms fetched since the last resolve, in order of arrival.
    taken_for_head: the ids of the forms that the client took for those of its heads since its last
        push, in a reading that looks for them by place.
    """

    settings: Settings
    known: Mapping[StorageId, Parsed] = field(default=_NOTHING)
    head: Message | None = None
    head_is_stored: bool = True
    local: LocalChange | None = None
    arrived: tuple[StorageId, ...] = ()
    taken_for_head: tuple[StorageId, ...] = ()

    @property
    def head_data(self) -> Dict:
        """Return the data of the head, empty if there is no head."""
        return EMPTY if self.head is None else self.head.data

    @property
    def data(self) -> Dict:
        """Return the data that the application sees: the edited data, or the data of the head."""
        return self.head_data if self.local is None else self.local.data


def open_stored(ciphertext: bytes, settings: Settings, *, rows: Rows = NO_ROWS) -> Opened:
    """Return a stored ciphertext, decrypted and parsed.

    If it cannot be decrypted or parsed, the content of the result is the error.
    rows: rows of other messages; see `Rows`.

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
        plaintext,
        window=settings.window,
        reading=reading,
        verify_key=settings.verify_key,
        known=rows,
    )
    return Opened(name, content)


def fetch(client: Client, stored: Iterable[bytes]) -> Client:
    """Return the client after a fetch: it knows the new ciphertexts, and its head is unchanged.

    stored: the ciphertexts of the swarm.

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
    """Return the client after it receives opened ciphertexts; its head is unchanged.

    opened: ciphertexts that were opened with the settings of this client.

    Clauses: CM-CLIENT-FETCH
    Source: "Client update behaviour"
    """
    known = changeable(client.known)
    arrived = [*client.arrived]
    for item in opened:
        if item.name not in known and is_decrypted(item.content):
            arrived.append(item.name)
        known.setdefault(item.name, item.content)
    return evolve(client, known=MappingProxyType(known), arrived=tuple(arrived))


def resolve_known(client: Client) -> tuple[Client, Resolution | None]:
    """Return the client after it resolves all messages that it knows, and the resolution.

    The resulting message becomes the head. An unpushed merge is made again from the known messages,
    unless the reading adds it to them. An edit is applied to the data of the new head.
    If the client knows no valid message, its head does not change, and the resolution is None.
    Errors: `ConfigMergeError` with "seqno-exhausted".

    Clauses: CM-CLIENT-RESOLVE, CM-CLIENT-EDIT-KEPT, CM-CLIENT-CONVERGE
    Source: "Conflict resolution"
    """
    if _knows_no_valid_message(client):
        return evolve(client, arrived=()), None
    settings, own = client.settings, unpushed_merge_added(client)
    resolution = resolve_messages(
        (*own, *client.known.values()),
        window=settings.window,
        reading=settings.reading,
        verify_key=settings.verify_key,
        signing_key=settings.signing_key,
    )
    head, local = resolution.message, client.local
    if local is not None:
        edited = apply_diff(head.data, local.diff, local.data, reading=settings.reading)
        local = _local_change(head.data, edited)
    taken = client.taken_for_head
    if not resolution.merged:
        taken += forms_taken_for_head(
            head, client.head, client.arrived, client.known, settings.reading
        )
    resolved = evolve(
        client,
        head=head,
        head_is_stored=not resolution.merged and head not in own,
        local=local,
        arrived=(),
        taken_for_head=taken,
    )
    return resolved, resolution


def unpushed_merge_added(client: Client) -> tuple[Message, ...]:
    """Return the merges that a client adds to the messages that it resolves: none, or one.

    A resolve whose result is this merge leaves it unpushed.

    Clauses: CM-CLIENT-RESOLVE
    Source: not in the document; `unpushed_merge`
    """
    left_out = client.settings.reading.unpushed_merge == "left-out"
    if client.head is None or client.head_is_stored or left_out:
        return ()
    return (client.head,)


def edit(client: Client, data: Mapping[bytes, object]) -> Client:
    """Return the client after the application changes its data, for a later push.

    data: the whole new data; if it equals the head's data, the client has no edit.
    Errors: `ConfigMergeError` with a code of application data.

    Clauses: CM-CLIENT-EDIT-KEPT, CM-CLIENT-COPY-UNKNOWN
    Source: "Non-conflicting updates", step 4
    """
    edited = checked_data(data, reading=client.settings.reading)
    return evolve(client, local=_local_change(client.head_data, edited))


def push(client: Client) -> tuple[Client, Batch | None]:
    """Return the client after it pushes its edit and its unpushed merge, and the batch to send.

    Both go into one message, which becomes the head. If there is nothing to send, the result is the
    unchanged client and None.
    Errors: `ConfigMergeError` with "signing-key-missing" or "seqno-exhausted".

    Clauses: CM-CLIENT-PUSH-EDIT, CM-CLIENT-PUSH-MERGE, CM-CLIENT-UNREADABLE, CM-CLIENT-BATCH,
        CM-CLIENT-DELETE-KNOWN, CM-RESOLVE-PUBLISH, CM-CLIENT-PUSH-CONFLICT
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
    known = changeable(client.known)
    known.setdefault(storage_id(ciphertext), message)
    pushed = evolve(
        client,
        known=MappingProxyType(known),
        head=message,
        head_is_stored=True,
        local=None,
        taken_for_head=(),
    )
    return pushed, batch


def _message_to_push(client: Client) -> Message | None:
    """Return the message that a push stores, or None if there is nothing to store.

    Errors: `ConfigMergeError` with "signing-key-missing" or "seqno-exhausted".

    Clauses: CM-CLIENT-PUSH-EDIT, CM-CLIENT-PUSH-MERGE, CM-CLIENT-UNREADABLE, CM-SIGN-CANNOT-UPDATE
    Source: "Client update behaviour"
    """
    settings, head, local = client.settings, client.head, client.local
    window = applied_window(settings.window, settings.reading)
    if local is None:
        return None if client.head_is_stored else head
    if settings.verify_key is not None and settings.signing_key is None:
        message = "the update must be signed, and the client has no signing key"
        raise ConfigMergeError("signing-key-missing", message)
    if head is None:
        if client.known and _knows_no_valid_message(client):
            return None
        return first_message(
            local.data,
            window=window,
            reading=settings.reading,
            signing_key=settings.signing_key,
        )
    if client.head_is_stored:
        return non_conflicting_update(
            head,
            local.data,
            window=window,
            signing_key=settings.signing_key,
        )
    return with_local_change(head, local.data, signing_key=settings.signing_key)


def _local_change(head_data: Dict, edited: Dict) -> LocalChange | None:
    """Return the edit from the head's data to the edited data, or None if they are equal."""
    changes = diff(head_data, edited)
    return LocalChange(changes, edited) if changes else None


def _knows_no_valid_message(client: Client) -> bool:
    """Return whether the client knows no valid message."""
    return all(isinstance(content, ConfigMergeError) for content in client.known.values())


def obsoleted_by(message: Message, client: Client) -> tuple[StorageId, ...]:
    """Return the ids of the known forms that the client deletes with a new message.

    message: a new message of this client. It makes messages stale or included. Messages that the
        client cannot parse are not obsolete, but the client may have taken one for its head.

    Clauses: CM-CLIENT-BATCH, CM-CLIENT-DELETE-KNOWN, CM-CLIENT-DELETE-FORMS,
        CM-IGNORE-OLD-VERSION-KEPT
    Source: "Client update behaviour"
    """
    settings, included, seqno = client.settings, message.included, message.seqno
    window = applied_window(settings.window, settings.reading)
    return tuple(
        [
            name
            for name, known in client.known.items()
            if name in client.taken_for_head
            or (
                not isinstance(known, ConfigMergeError)
                and (known.rank in included or not within(window, known.seqno, seqno))
            )
        ]
    )
