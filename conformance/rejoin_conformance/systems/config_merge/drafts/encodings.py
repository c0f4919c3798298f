"""Long lists, dicts and strings; a long plaintext, and a long message that is signed."""

from __future__ import annotations

from rejoin_conformance.contract.drafting import accepted
from rejoin_conformance.contract.recipe_drafting import in_hex, joined, repeated
from rejoin_conformance.contract.vector import Draft
from rejoin_conformance.kit.json_types import Json, JsonObject
from rejoin_conformance.systems.config_merge.drafts.by_hand.keys import (
    KEY,
    PUBLIC,
    SEED,
    signature,
    stored_form,
)
from rejoin_conformance.systems.config_merge.drafts.texts import bytes_of, message_of


def drafts() -> tuple[Draft, ...]:
    """Return values, a plaintext and signatures."""
    return (*_values(), _long_plaintext(), *_signatures())


def _values() -> tuple[Draft, ...]:
    """Return typed trees that are decoded and encoded."""
    integers: JsonObject = {"list": [repeated(16_385, {"int": "<i>"})]}
    pairs: JsonObject = {
        "dict": [repeated(4097, [in_hex("<i:4>"), {"str": in_hex("<i>")}], start=1000)]
    }
    string: JsonObject = {"str": in_hex(repeated(8193, "<i:8>"))}
    lists: JsonObject = {"list": [repeated(4097, {"list": [{"list": []}, {"int": "<i>"}]})]}
    return tuple(
        draft
        for name, what, clause, tree, encoded in (
            (
                "list-of-16385-integers",
                "A list of 16,385 integers",
                "CM-BT-LIST CM-BT-INT",
                integers,
                in_hex("l", repeated(16_385, "i<i>e"), "e"),
            ),
            (
                "dict-of-4097-pairs",
                "A dict of 4,097 pairs",
                "CM-BT-DICT CM-BT-STRING",
                pairs,
                in_hex("d", repeated(4097, "4:<i>4:<i>", start=1000), "e"),
            ),
            (
                "string-of-65544-bytes",
                "A string of 65,544 bytes",
                "CM-BT-STRING",
                string,
                in_hex("65544:", repeated(8193, "<i:8>")),
            ),
            (
                "list-of-4097-lists",
                "A list of 4,097 lists with a list and an integer",
                "CM-BT-LIST CM-BT-DEPTH",
                lists,
                in_hex("l", repeated(4097, "llei<i>ee"), "e"),
            ),
        )
        for draft in (
            accepted(
                "config-merge/decode",
                name,
                f"{what} is decoded.",
                clause,
                given={"encoded": encoded},
                output={"value": tree},
                recipe=True,
            ),
            accepted(
                "config-merge/encode",
                f"{name}-encoded",
                f"{what} is encoded.",
                "CM-BT-ENCODE",
                given={"value": tree},
                output={"encoded": encoded},
                recipe=True,
            ),
        )
    )


def _long_plaintext() -> Draft:
    plaintext: list[Json] = [repeated(8193, "<i:8>")]
    return accepted(
        "config-merge/decrypt",
        "plaintext-of-65544-bytes",
        "A plaintext of 65,544 bytes is decrypted.",
        "CM-ENCRYPT-CIPHER CM-ENCRYPT-FORM",
        given={"ciphertext": stored_form(bytes_of(plaintext)).hex(), "key": KEY.hex()},
        output={"plaintext": in_hex(*plaintext)},
        readings=("document",),
        recipe=True,
    )


def _signatures() -> tuple[Draft, ...]:
    """Return a message of 98 kB that is signed and verified."""
    data: list[Json] = ["1:sl", repeated(16_385, "i<i>e"), "e"]
    unsigned = message_of("7", data)
    signed = signature(SEED, bytes_of(unsigned)[:-1])
    open_text = [*unsigned[:-1], "e"]
    with_signature = joined(in_hex(*open_text), (b"1:~64:" + signed + b"e").hex())
    return (
        accepted(
            "config-merge/sign",
            "message-of-16385-elements-signed",
            "A signature covers every byte of a message of 16,385 elements.",
            "CM-SIGN-SPAN CM-SIGN-ALGORITHM",
            given={"message": in_hex(*unsigned), "signing_key": SEED.hex()},
            output={"message": with_signature},
            recipe=True,
        ),
        accepted(
            "config-merge/verify",
            "message-of-16385-elements-verified",
            "A client verifies a message of 16,385 elements.",
            "CM-SIGN-SPAN CM-SIGN-VERIFY",
            given={"message": with_signature, "verify_key": PUBLIC.hex()},
            output={"valid": True},
            recipe=True,
        ),
    )
