"""Keys, plaintexts and stored forms that drafts of encryption share."""

from __future__ import annotations

from typing import Final

from rejoin_conformance.kit.json_types import JsonObject
from rejoin_conformance.systems.config_merge.drafts.by_hand.keys import DOMAIN, KEY, stored_form

PLAINTEXT: Final = b"Ladies and Gentlemen of the class of '99"
OTHER_KEY: Final = bytes(range(32))
FORM: Final = stored_form(PLAINTEXT)
"""The stored form of the plaintext in the reading `document`."""


def encrypting(plaintext: bytes, key: bytes = KEY, domain: bytes | None = DOMAIN) -> JsonObject:
    """Return the input of `encrypt`; without a domain if it is None."""
    given: JsonObject = {"plaintext": plaintext.hex(), "key": key.hex()}
    return given if domain is None else {**given, "domain": domain.hex()}


def decrypting(form: bytes, key: bytes = KEY, domain: bytes | None = DOMAIN) -> JsonObject:
    """Return the input of `decrypt`; without a domain if it is None."""
    given: JsonObject = {"ciphertext": form.hex(), "key": key.hex()}
    return given if domain is None else {**given, "domain": domain.hex()}
