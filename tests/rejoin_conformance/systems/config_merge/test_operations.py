"""Operations reject what the protocol refuses, with the code of the fault."""

from __future__ import annotations

from rejoin_conformance.contract.operation import Output, Rejected
from rejoin_conformance.kit.json_types import JsonObject
from rejoin_conformance.systems.config_merge.operations import OPERATIONS

BY_NAME = {operation.name.partition("/")[2]: operation for operation in OPERATIONS}

SMALLEST = b"d1:#i0e1:&de1:<le1:=dee".hex()
DATA = b"d1:ki1ee".hex()
KEY = "80" * 32

GOOD: dict[str, JsonObject] = {
    "decode": {"encoded": "6465"},
    "encode": {"value": {"dict": []}},
    "parse": {"message": SMALLEST},
    "diff": {"old": "6465", "new": DATA},
    "apply-diff": {"data": DATA, "diff": "6465", "source": DATA},
    "resolve": {"messages": [SMALLEST]},
    "resolve-steps": {"messages": [SMALLEST]},
    "update": {"messages": [SMALLEST], "data": DATA},
    "sign": {"message": SMALLEST, "signing_key": KEY},
    "verify": {"message": SMALLEST, "verify_key": KEY},
    "encrypt": {"plaintext": "", "key": KEY, "domain": "61"},
    "decrypt": {"ciphertext": "00" * 40, "key": KEY, "domain": "61"},
    "scenario": {"clients": ["A"], "key": KEY, "domain": "61", "steps": []},
}


def test_the_operations_are_those_of_the_design() -> None:
    assert set(BY_NAME) == set(GOOD)


REJECTED: tuple[tuple[str, JsonObject, str], ...] = (
    ("decode", {"encoded": "69"}, "truncated"),
    ("encode", {"value": {"int": str(2**63)}}, "integer-out-of-range"),
    ("encode", {"value": {"list": [{}]}}, "input"),
    ("parse", {"message": "6465"}, "seqno-missing"),
    ("parse", {"window": 0}, "bad-window"),
    ("parse", {"verify_key": KEY}, "signature-missing"),
    ("diff", {"new": "6c65"}, "data-not-dict"),
    ("apply-diff", {"diff": b"d1:ki1ee".hex()}, "diff-value"),
    ("resolve", {"messages": []}, "no-valid-message"),
    ("update", {"verify_key": KEY}, "signing-key-missing"),
    ("sign", {"message": "6465"}, "seqno-missing"),
    ("verify", {"message": ""}, "truncated"),
    ("encrypt", {"key": "80"}, "bad-key-length"),
    ("decrypt", {"ciphertext": ""}, "ciphertext-too-short"),
    ("decrypt", {}, "decryption-failed"),
    ("scenario", {"steps": [{"client": "B", "push": True}]}, "input"),
    ("scenario", {"signing_keys": {"B": KEY}}, "input"),
    ("scenario", {"steps": [{"client": "A", "edit": "6c65"}]}, "data-not-dict"),
)


def test_what_the_protocol_refuses_is_rejected_with_its_code() -> None:
    for name, change, code in REJECTED:
        result = BY_NAME[name].run({**GOOD[name], **change}, "document")
        assert isinstance(result, Rejected), (name, change)
        assert result.code == code


def test_a_domain_is_required_by_libsession_only() -> None:
    given: JsonObject = {"plaintext": "", "key": KEY}
    assert isinstance(BY_NAME["encrypt"].run(given, "document"), Output)
    assert isinstance(BY_NAME["encrypt"].run(given, "libsession"), Rejected)
