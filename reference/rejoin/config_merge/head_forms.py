"""The stored form that a client takes for that of its head, if it looks for it by place.

The deployed library reports the place of a message that survives alone in the list that it was
given, and counts only valid messages. A client of the library looks in its list at this place.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from rejoin.config_merge.errors import ConfigMergeError
from rejoin.config_merge.ignored_updates import Parsed
from rejoin.config_merge.messages import Message
from rejoin.config_merge.reading import Reading
from rejoin.config_merge.swarm import StorageId

UNDECRYPTABLE: Final = frozenset({"ciphertext-too-short", "decryption-failed"})
"""The codes of errors with which a stored form is not decrypted."""


def is_decrypted(content: Parsed) -> bool:
    """Return whether a stored form was decrypted, to a valid or an invalid message."""
    return not isinstance(content, ConfigMergeError) or content.code not in UNDECRYPTABLE


def forms_taken_for_head(
    survivor: Message,
    head: Message | None,
    arrived: Sequence[StorageId],
    known: Mapping[StorageId, Parsed],
    reading: Reading,
) -> tuple[StorageId, ...]:
    """Return the stored form that a client takes for that of its new head: none, or one.

    survivor: the message to which a resolve came without a merge.
    head: the client's head before the resolve, or None if it had none.
    arrived: the ids of the decrypted forms that the client has fetched since its previous resolve,
        in order of arrival.
    known: all forms that the client knows, by id.
    The list of the client contains its head and then the arrived forms. The place of the survivor
    is the number of valid messages before it. The result is empty if the survivor is the head or is
    not in the list, and in a reading that finds stored forms by their contents.

    Clauses: CM-CLIENT-DELETE-FORMS
    Source: not in the document; `head_form`
    """
    if reading.head_form == "content":
        return ()
    listed: list[tuple[StorageId | None, Parsed]] = [(name, known[name]) for name in arrived]
    if head is not None:
        listed.insert(0, (None, head))
    place = 0
    for _, content in listed:
        if isinstance(content, ConfigMergeError):
            continue
        if content.rank == survivor.rank:
            taken, _ = listed[place]
            return () if taken is None else (taken,)
        place += 1
    return ()
