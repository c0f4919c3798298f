"""The settings that the clients of a history share. The keys are the same in every history."""

from __future__ import annotations

import hashlib
from typing import Final

from attrs import evolve
from nacl.signing import SigningKey

from rejoin import config_merge as cm
from rejoin_conformance.systems.config_merge.histories.events import History

ENCRYPTION_KEY: Final = hashlib.blake2b(b"encryption key of histories", digest_size=32).digest()
SIGNING_KEY: Final = hashlib.blake2b(b"signing key of histories", digest_size=32).digest()
VERIFY_KEY: Final = bytes(SigningKey(SIGNING_KEY).verify_key)
DOMAIN: Final = b"Rejoin"


def settings_of(history: History, reading: cm.Reading) -> list[cm.Settings]:
    """Return the settings of each client. A client that cannot sign has no signing key."""
    writer = cm.Settings(
        encryption_key=ENCRYPTION_KEY,
        domain=DOMAIN if reading.nonce_domain_separated else None,
        window=history.window,
        reading=reading,
        verify_key=VERIFY_KEY if history.signed else None,
        signing_key=SIGNING_KEY if history.signed else None,
    )
    reader = evolve(writer, signing_key=None)
    return [writer if history.can_sign(client) else reader for client in range(history.clients)]
