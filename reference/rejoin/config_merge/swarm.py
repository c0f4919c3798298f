"""The swarm: stores the ciphertexts of clients, each one once, and deletes them on request."""

from __future__ import annotations

from collections.abc import Mapping
from hashlib import blake2b
from types import MappingProxyType
from typing import Final, TypeAlias

from attrs import field, frozen

from rejoin.config_merge.application_data import changeable
from rejoin.config_merge.errors import ConfigMergeError

StorageId: TypeAlias = bytes
"""The 32-byte BLAKE2b hash of a ciphertext, which identifies it in a swarm."""

LARGEST_REPORT: Final = 2**20
"""The largest size in bytes of the report of a scenario."""

_EMPTY: Final[Mapping[StorageId, bytes]] = MappingProxyType({})


@frozen
class Batch:
    """One request of a client to a swarm.

    store: the ciphertext to store.
    delete: the ids of the ciphertexts that it makes obsolete.

    Clauses: CM-CLIENT-BATCH
    Source: "Client update behaviour"
    """

    store: bytes
    delete: tuple[StorageId, ...] = ()


@frozen
class Swarm:
    """The state of a swarm.

    stored: the ciphertexts by id, in the order in which they arrived.
    deletion_permitted: whether clients may delete.

    Clauses: CM-SWARM-OPAQUE
    Source: "Message Encryption"
    """

    stored: Mapping[StorageId, bytes] = field(default=_EMPTY)
    deletion_permitted: bool = True


def storage_id(ciphertext: bytes) -> StorageId:
    """Return the id of a ciphertext in a swarm."""
    return blake2b(ciphertext, digest_size=32).digest()


def store(swarm: Swarm, ciphertext: bytes) -> Swarm:
    """Return the swarm after it stores a ciphertext; a known ciphertext changes nothing.

    Clauses: CM-SWARM-DEDUPLICATE, CM-SWARM-OPAQUE
    Source: "Message Encryption"
    """
    name = storage_id(ciphertext)
    if name in swarm.stored:
        return swarm
    stored = changeable(swarm.stored)
    stored[name] = ciphertext
    return Swarm(MappingProxyType(stored), swarm.deletion_permitted)


def execute(swarm: Swarm, batch: Batch) -> Swarm:
    """Return the swarm after a batch.

    It stores the new ciphertext and, if deletion is permitted, deletes the obsolete ones.

    Clauses: CM-CLIENT-BATCH, CM-CLIENT-DELETE-REFUSED, CM-SWARM-DEDUPLICATE
    Source: "Client update behaviour"
    """
    swarm = store(swarm, batch.store)
    if not swarm.deletion_permitted or not batch.delete:
        return swarm
    stored = changeable(swarm.stored)
    for name in batch.delete:
        stored.pop(name, None)
    return Swarm(MappingProxyType(stored), swarm.deletion_permitted)


def checked_report(size: int) -> int:
    """Return the size of the report of a scenario, after checking that it is not too large.

    size: of all that is reported so far, in bytes: after each step 32 for each client and for each
        stored form, and the name of each client; at the end the heads, and the data of clients.
    Errors: `ConfigMergeError` with "report-too-large".

    Clauses: CM-CLIENT-REPORT
    Source: not in the document

    post: __return__ <= 2**20
    post: __return__ == size
    raises: ConfigMergeError
    """
    if size > LARGEST_REPORT:
        message = f"the report of the scenario is larger than {LARGEST_REPORT} bytes"
        raise ConfigMergeError("report-too-large", message)
    return size
