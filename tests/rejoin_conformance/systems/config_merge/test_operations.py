"""Operations refuse input outside their schemas, and reject input that the protocol refuses."""

from __future__ import annotations

import pytest

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


@pytest.mark.parametrize("name", sorted(GOOD))
def test_good_input_matches_its_schema(name: str) -> None:
    assert BY_NAME[name].input_fault(GOOD[name]) is None


@pytest.mark.parametrize("name", sorted(GOOD))
def test_an_unknown_field_is_refused(name: str) -> None:
    assert "unknown" in str(BY_NAME[name].input_fault({**GOOD[name], "unknown": 1}))


@pytest.mark.parametrize("name", sorted(GOOD))
def test_every_required_field_is_required(name: str) -> None:
    required = BY_NAME[name].input_schema["required"]
    assert isinstance(required, list)
    for field in required:
        value = {key: item for key, item in GOOD[name].items() if key != field}
        result = BY_NAME[name].run(value, "document")
        assert isinstance(result, Rejected)
        assert result.code == "input"


@pytest.mark.parametrize(
    ("name", "change"),
    [
        ("decode", {"encoded": "6"}),
        ("decode", {"encoded": "6G"}),
        ("decode", {"encoded": "DE"}),
        ("encode", {"value": {"int": 1}}),
        ("encode", {"value": {"int": "01"}}),
        ("encode", {"value": {"int": "1", "str": ""}}),
        ("encode", {"value": {"text": "a"}}),
        ("parse", {"window": "5"}),
        ("parse", {"window": -1}),
        ("parse", {"window": 2**31 + 1}),
        ("parse", {"verify_key": "80"}),
        ("resolve", {"messages": SMALLEST}),
        ("sign", {"signing_key": "80" * 31}),
        ("scenario", {"clients": []}),
        ("scenario", {"clients": ["A", "A"]}),
        ("scenario", {"steps": [{"client": "A"}]}),
        ("scenario", {"steps": [{"client": "A", "push": False}]}),
        ("scenario", {"steps": [{"client": "A", "push": True, "fetch": True}]}),
    ],
)
def test_input_of_another_form_is_refused(name: str, change: JsonObject) -> None:
    assert BY_NAME[name].input_fault({**GOOD[name], **change}) is not None


@pytest.mark.parametrize("name", sorted(set(GOOD) - {"decrypt"}))
@pytest.mark.parametrize("reading", ["document", "libsession"])
def test_good_input_has_an_output_of_its_schema(name: str, reading: str) -> None:
    result = BY_NAME[name].run(GOOD[name], reading)
    assert isinstance(result, Output)
    assert BY_NAME[name].output_fault(result.value) is None


@pytest.mark.parametrize(
    ("name", "change", "code"),
    [
        ("decode", {"encoded": "69"}, "truncated"),
        ("encode", {"value": {"int": str(2**63)}}, "integer-out-of-range"),
        ("encode", {"value": {"list": [{}]}}, "typed-tree"),
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
        ("scenario", {"steps": [{"client": "B", "push": True}]}, "unknown-client"),
        ("scenario", {"signing_keys": {"B": KEY}}, "unknown-client"),
        ("scenario", {"steps": [{"client": "A", "edit": "6c65"}]}, "data-not-dict"),
    ],
)
def test_what_the_protocol_refuses_is_rejected(name: str, change: JsonObject, code: str) -> None:
    result = BY_NAME[name].run({**GOOD[name], **change}, "document")
    assert isinstance(result, Rejected)
    assert result.code == code


def test_a_domain_is_required_by_libsession_only() -> None:
    given: JsonObject = {"plaintext": "", "key": KEY}
    assert isinstance(BY_NAME["encrypt"].run(given, "document"), Output)
    assert isinstance(BY_NAME["encrypt"].run(given, "libsession"), Rejected)


def test_a_scenario_reports_every_step_and_the_end() -> None:
    steps: list[JsonObject] = [
        {"client": "A", "edit": DATA},
        {"client": "A", "push": True},
        {"store_raw": "00"},
        {"client": "B", "fetch": True},
        {"client": "B", "resolve": True},
    ]
    result = BY_NAME["scenario"].run(
        {"clients": ["A", "B"], "key": KEY, "steps": list(steps)}, "document"
    )
    assert isinstance(result, Output)
    told = result.value["steps"]
    assert isinstance(told, list)
    assert len(told) == len(steps)
    heads = result.value["heads"]
    assert isinstance(heads, dict)
    assert heads["A"] == heads["B"] == b"d1:#i1e1:&d1:ki1ee1:<le1:=d1:k0:ee".hex()
    assert result.value["data"] == {"A": DATA, "B": DATA}
