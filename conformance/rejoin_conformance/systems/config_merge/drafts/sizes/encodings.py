"""Long lists, dicts and strings; plaintexts and messages of lengths at the ends of blocks."""

from __future__ import annotations

from collections.abc import Callable

from rejoin_conformance.contract.drafting import accepted
from rejoin_conformance.contract.recipe_drafting import EDGES, in_hex, joined, repeated
from rejoin_conformance.contract.vector import Draft
from rejoin_conformance.kit.json_types import Json, JsonObject
from rejoin_conformance.systems.config_merge.drafts.by_hand.bt import bt
from rejoin_conformance.systems.config_merge.drafts.by_hand.drafts import (
    DOCUMENT,
    LIBSESSION,
    listed,
    resolved,
)
from rejoin_conformance.systems.config_merge.drafts.by_hand.keys import (
    DOMAIN,
    KEY,
    PUBLIC,
    SEED,
    signature,
    stored_form,
    stored_form_in_domain,
)
from rejoin_conformance.systems.config_merge.drafts.by_hand.messages import (
    Message,
    blake2b,
    merge_of,
)
from rejoin_conformance.systems.config_merge.drafts.sizes.texts import bytes_of, message_of


def drafts() -> tuple[Draft, ...]:
    """Return values, hashes, stored forms and signatures."""
    return (*_values(), _hashes(), *_stored_forms(), _long_plaintext(), *_signatures())


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


def _of_length(length: int) -> Message:
    """Return a message whose plaintext has this length, at least 64 bytes."""
    for padding in range(length):
        text = ("0123456789abcdef" * 260)[:padding]
        message = Message(seqno=10, data={f"x{length:04}": text}, diff={f"x{length:04}": ""})
        if len(message.encoded) == length:
            return message
    raise AssertionError(length)


def _hashes() -> Draft:
    """Return a merge whose rows have the hashes of messages of each length."""
    messages = [_of_length(length) for length in EDGES if length >= 63]
    data = {key: value for message in messages for key, value in message.data.items()}
    return accepted(
        "config-merge/resolve",
        "hashes-of-each-length",
        "A merge has rows with the hashes of messages whose lengths are next to powers of two.",
        "CM-MESSAGE-HASH CM-RESOLVE-LAGGED CM-RESOLVE-REPLAY-OWN",
        given={"messages": listed(messages)},
        output=resolved(merge_of(*messages, data=data), merged=True),
    )


def _stored_forms() -> tuple[Draft, ...]:
    """Return scenarios in which a swarm stores plaintexts of each length."""
    plaintexts = [("0123456789abcdef" * 257)[:length].encode() for length in (0, 1, *EDGES)]

    def stored(name: str, reading: str, form: Callable[[bytes], bytes]) -> Draft:
        forms = [form(plaintext) for plaintext in plaintexts]
        names = [blake2b(each).hex() for each in forms]
        return accepted(
            "config-merge/scenario",
            name,
            "A swarm stores plaintexts of each length next to a power of two up to 4,096.",
            "CM-ENCRYPT-FORM CM-ENCRYPT-NONCE CM-ENCRYPT-CIPHER",
            given={
                "clients": ["A"],
                "key": KEY.hex(),
                "domain": DOMAIN.hex(),
                "steps": [{"store": plaintext.hex()} for plaintext in plaintexts],
            },
            output={
                "steps": [
                    {"heads": {"A": None}, "stored": [*sorted(names[: count + 1])]}
                    for count in range(len(names))
                ],
                "heads": {"A": None},
                "data": {"A": bt({}).hex()},
                "stored": [*sorted(each.hex() for each in forms)],
            },
            readings=(reading,),
        )

    return (
        stored("stored-forms-of-each-length", DOCUMENT, stored_form),
        stored("stored-forms-of-each-length-in-a-domain", LIBSESSION, stored_form_in_domain),
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
        readings=(DOCUMENT,),
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
