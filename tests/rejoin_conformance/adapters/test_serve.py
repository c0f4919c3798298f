"""`rejoin serve` answers every line, whatever stands in it."""

from __future__ import annotations

import io
import json
from typing import Any

import pytest

from rejoin_conformance.adapters import serve
from rejoin_conformance.adapters.limits import Limits
from rejoin_conformance.contract.registry import all_systems, system_named, system_names
from rejoin_conformance.corpus.load import load_system
from support.faults import planted


def _converse(*lines: str | bytes, seconds: float = 60) -> list[Any]:
    requests = io.BytesIO(
        b"\n".join(line if isinstance(line, bytes) else line.encode() for line in lines)
    )
    replies = io.BytesIO()
    serve.serve(requests, replies, seconds)
    return [json.loads(line) for line in replies.getvalue().splitlines()]


def _run(number: object, operation: object, value: object, **more: object) -> str:
    return json.dumps({"type": "run", "id": number, "operation": operation, "input": value, **more})


INTEGER = {"encoded": b"i7e".hex()}


def test_it_says_who_it_is_and_what_it_can_do() -> None:
    (reply,) = _converse('{"type":"hello","protocol":1,"suite":"test"}')
    assert reply["type"] == "hello"
    assert reply["protocol"] == 1
    assert set(reply["readings"]) == set(system_names())
    declared = {each.name for system in all_systems() for each in system.operations}
    assert set(reply["operations"]) == declared


def test_it_runs_an_operation() -> None:
    assert _converse(_run(17, "config-merge/decode", INTEGER)) == [
        {"id": 17, "output": {"value": {"int": "7"}}}
    ]


def test_it_rejects_with_a_reason() -> None:
    (reply,) = _converse(_run(1, "config-merge/decode", {"encoded": b"i7".hex()}))
    assert reply["rejected"]["reason"]


def test_it_takes_any_reading_that_a_request_names() -> None:
    minus_zero = {"encoded": b"i-0e".hex()}
    strict, lenient = _converse(
        _run(1, "config-merge/decode", minus_zero),
        _run(2, "config-merge/decode", minus_zero, reading="libsession"),
    )
    assert "rejected" in strict
    assert lenient == {"id": 2, "output": {"value": {"int": "0"}}}


def test_nothing_is_answered_after_bye() -> None:
    assert _converse('{"type":"bye"}', _run(1, "config-merge/decode", INTEGER)) == []


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("{", "not JSON"),
        (b"\xff\xfe", "not UTF-8"),
        ("[1]", "a message must be a JSON object"),
        ("[" * 100_000, "nested too deeply"),
        ('{"type":"sing"}', 'not "sing"'),
        ('{"type":"hello","protocol":2}', "the protocol must be 1, not 2"),
        ('{"type":"hello","protocol":true}', "the protocol must be 1, not true"),
        ('\ufeff{"type":"bye"}', "the line begins with a byte order mark"),
        (_run("x", "config-merge/decode", INTEGER), "the id must be an integer"),
        (_run(True, "config-merge/decode", INTEGER), "the id must be an integer"),
        (_run(1, "config-merge/sing", INTEGER), "unsupported operation"),
        (_run(1, "other/decode", INTEGER), "unsupported operation"),
        (_run(1, "config-merge/decode", 7), "an input (object)"),
        (_run(1, "config-merge/decode", INTEGER, reading="odd"), "the reading must be one of"),
        (_run(1, "config-merge/decode", INTEGER, extra=1), "unknown field"),
    ],
)
def test_a_line_that_cannot_be_understood_costs_nothing_else(
    line: str | bytes, message: str
) -> None:
    bad, good = _converse(line, _run(2, "config-merge/decode", INTEGER))
    assert message in bad["error"]["message"]
    assert good["output"] == {"value": {"int": "7"}}


def test_a_line_without_end_is_refused_and_skipped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(serve, "LONGEST_LINE", 1000)
    bad, good = _converse("x" * 5000, _run(2, "config-merge/decode", INTEGER))
    assert "longer than 1,000 bytes" in bad["error"]["message"]
    assert "output" in good


@pytest.mark.parametrize("system", system_names())
def test_it_answers_the_first_vector_of_every_operation_as_expected(system: str) -> None:
    default = system_named(system).default_reading
    first = {vector.operation: vector for vector in reversed(load_system(system))}
    assert set(first) == {each.name for each in system_named(system).operations}
    for vector in first.values():
        (reply,) = _converse(_run(1, vector.operation, vector.input))
        expected = vector.expected[default]
        if "rejected" in expected:
            assert "rejected" in reply
        else:
            assert reply == {"id": 1, **expected}


@pytest.mark.parametrize(
    "place",
    [
        '{"type":%s}',
        '{"type":"hello","protocol":%s}',
        '{"type":"run","id":%s}',
        '{"type":"run","id":1,"operation":%s}',
        '{"type":"run","id":1,"operation":"config-merge/decode","input":{"encoded":%s}}',
        '{"type":"run","id":1,"operation":"config-merge/encode","input":{"value":%s}}',
    ],
)
def test_a_value_of_any_depth_in_any_place_is_answered(place: str) -> None:
    """Python 3.11 has one limit of recursion for parsing, comparing and writing JSON."""
    depths = [*range(490, 520, 3), *range(940, 1010, 3), 100_000]
    lines = [place % (depth * "[" + depth * "]") for depth in depths]
    replies = _converse(*lines, _run(17, "config-merge/decode", INTEGER))
    assert len(replies) == len(depths) + 1
    assert not any("output" in reply for reply in replies[:-1])
    assert replies[-1] == {"id": 17, "output": {"value": {"int": "7"}}}


def test_it_lives_on_after_a_request_that_needs_too_much_time() -> None:
    """A session in which every message is the new first head merges all heads at each message."""
    heads = [{"id": f"{n:05}", "parents": [], "state": [f"{n}"]} for n in reversed(range(20_000))]
    refused, answered = _converse(
        _run(1, "history-merge/session", {"messages": heads}),
        _run(2, "config-merge/decode", INTEGER),
        seconds=0.2,
    )
    why = "the request needs more than 0.2 seconds of CPU time (--seconds)"
    assert refused == {"id": 1, "error": {"message": why}}
    assert answered == {"id": 2, "output": {"value": {"int": "7"}}}


@pytest.mark.parametrize(
    ("error", "what"), [(MemoryError, "memory"), (RecursionError, "stack")], ids=["memory", "stack"]
)
def test_it_lives_on_after_a_request_that_needs_too_much(error: Any, what: str) -> None:
    def out_of(*_: object) -> None:
        raise error

    changed = {"old": b"de".hex(), "new": b"d1:ki1ee".hex()}
    with planted("config-merge", {"rejoin.config_merge.diff_updates.diff": lambda _: out_of}):
        refused, answered = _converse(
            _run(1, "config-merge/diff", changed), _run(2, "config-merge/decode", INTEGER)
        )
    assert refused == {
        "id": 1,
        "error": {"message": f"the request needs more {what} than there is"},
    }
    assert answered == {"id": 2, "output": {"value": {"int": "7"}}}


def test_it_lives_on_after_integers_of_4300_digits_and_more() -> None:
    function = "rejoin.conflict_detection.version_maps.join"
    joined = {"maps": [{"a": 1}, {"a": 2}]}
    most = 10**4300 - 1
    with planted("conflict-detection", {function: lambda _: lambda _: {"a": most + 1}}):
        replies = _converse(
            _run(1, "conflict-detection/join-version-maps", joined),
            _run(most, "config-merge/decode", INTEGER),
            _run(2, "config-merge/decode", INTEGER).replace('"id": 2', f'"id": {most}0'),
            _run(3, "config-merge/decode", INTEGER),
        )
    why = "the answer has an integer of more than 4,300 digits"
    assert replies[0] == {"id": 1, "error": {"message": why}}
    assert replies[1] == {"id": most, "output": {"value": {"int": "7"}}}
    assert (replies[2]["id"], "too many digits" in replies[2]["error"]["message"]) == (None, True)
    assert replies[3] == {"id": 3, "output": {"value": {"int": "7"}}}


def test_a_scenario_that_is_too_large_is_refused() -> None:
    names = [f"client-{number}" for number in range(17_000)]
    asked = {"design": "snapshots", "clients": names, "steps": []}
    refused, answered = _converse(
        _run(1, "conflict-detection/scenario", asked), _run(2, "config-merge/decode", INTEGER)
    )
    assert refused["rejected"]["code"] == "scenario-too-large"
    assert answered["id"] == 2


def test_what_grows_with_the_square_is_refused_with_a_code() -> None:
    messages: list[Any] = [
        {"id": f"{number:04}", "parents": [], "state": [f"{number:0200}"]} for number in range(200)
    ]
    steps: list[Any] = [{"client": "A", "offline": True}] * 2049
    asked = {"design": "snapshots", "clients": ["A"], "steps": steps}
    session, scenario = _converse(
        _run(1, "history-merge/session", {"messages": messages[::-1]}),
        _run(2, "conflict-detection/scenario", asked),
    )
    assert session["rejected"]["code"] == "answer-too-large"
    assert scenario["rejected"]["code"] == "scenario-too-large"


def test_it_lives_on_after_an_answer_that_is_too_long(monkeypatch: pytest.MonkeyPatch) -> None:
    text = {"encoded": b"3000:".hex() + "61" * 3000}
    monkeypatch.setattr(serve, "Limits", lambda: Limits(longest_line=2000))
    long, short = _converse(
        _run(1, "config-merge/decode", text), _run(2, "config-merge/decode", INTEGER)
    )
    assert long == {"id": 1, "error": {"message": "the answer is longer than 2,000 bytes"}}
    assert short["output"] == {"value": {"int": "7"}}
