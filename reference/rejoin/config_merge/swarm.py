"""The swarm: it keeps what clients store, each ciphertext once, and deletes what it is asked to."""

from __future__ import annotations

from collections.abc import Mapping
from hashlib import blake2b
from types import MappingProxyType
from typing import Final, TypeAlias

from attrs import field, frozen

from rejoin.config_merge.application_data import changeable

StorageId: TypeAlias = bytes
"""The 32-byte BLAKE2b hash of a ciphertext, by which a swarm knows it."""

_EMPTY: Final[Mapping[StorageId, bytes]] = MappingProxyType({})


@frozen
class Batch:
    """What a client asks of a swarm in one request.

    store: the ciphertext to be stored. delete: the ciphertexts that it makes obsolete.

    Clauses: CM-CLIENT-BATCH
    Source: "Client update behaviour"
    """

    store: bytes
    delete: tuple[StorageId, ...] = ()


@frozen
class Swarm:
    """What is stored, in the order in which it came, and whether clients may delete.

    Clauses: CM-SWARM-OPAQUE
    Source: "Message Encryption"
    """

    stored: Mapping[StorageId, bytes] = field(default=_EMPTY)
    deletion_permitted: bool = True


def storage_id(ciphertext: bytes) -> StorageId:
    """Return the name of a ciphertext in a swarm."""
    return blake2b(ciphertext, digest_size=32).digest()


def store(swarm: Swarm, ciphertext: bytes) -> Swarm:
    """Store a ciphertext; one that is there already stays where it is, once.

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
    """Carry out a batch: store the new ciphertext and, where permitted, delete the obsolete ones.

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
