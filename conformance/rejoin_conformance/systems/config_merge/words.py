"""The fields of config merge's operations, in words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

WORDS: Final[Mapping[str, str]] = {
    "encoded": "The bt-encoded value.",
    "int": "An integer, as decimal text.",
    "str": "A string of bytes.",
    "list": "A list of values.",
    "dict": "A dict, as pairs of key and value in ascending order of the keys.",
    "message": "A config message, bt-encoded.",
    "seqno": "The seqno of the message.",
    "hash": "The hash of the message: 32 bytes.",
    "data": "The application data, bt-encoded.",
    "scenario/data": "Client -> its application data at the end, bt-encoded.",
    "diff": "A diff, bt-encoded.",
    "lagged": "The lagged diffs: one row for each message within the window, in ascending order.",
    "old": "The data before the change, bt-encoded.",
    "new": "The data after the change, bt-encoded.",
    "source": "The data of the message that the diff comes from, bt-encoded.",
    "messages": "The messages in any order, each bt-encoded.",
    "merged": "Whether the result is a new message that merges several.",
    "ignored": "The messages that are ignored.",
    "index": "The index of the message in the input, from 0.",
    "why": "The reason. It is a report, and an adapter can leave it out.",
    "valid": "Whether the signature is valid.",
    "plaintext": "The bytes before encryption.",
    "key": "The encryption key: 32 bytes.",
    "ciphertext": "The encrypted bytes.",
    "clients": "The names of the clients.",
    "steps": "The steps in order.",
    "step": "The type of the step.",
    "clause": "The ID of the clause that the step follows.",
    "client": "The client that takes the step.",
    "edit": "The whole new data of the client, bt-encoded.",
    "push": "The client stores its head in the swarm, if there is something to store.",
    "fetch": "The client gets the messages that the swarm stores.",
    "resolve": "The client resolves the messages that it knows to one head.",
    "store": "A message, bt-encoded, that the suite encrypts and stores in the swarm.",
    "store_raw": "Bytes that the suite stores in the swarm as they are.",
    "signing_keys": "Client -> the seed of its signing key. Other clients cannot sign.",
    "heads": "Client -> its head, or null if it has none.",
    "stored": "The hashes of the messages that the swarm stores.",
}
"""Field, or operation/field -> its description."""
