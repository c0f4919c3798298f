"""`rejoin serve` speaks as the transcript of docs/ does, and answers every line."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import pytest

from rejoin_conformance.adapters import serve
from rejoin_conformance.adapters.limits import Limits
from rejoin_conformance.adapters.protocol import BYE_LINE, hello_line, read_hello, read_reply
from rejoin_conformance.contract.registry import all_systems
from support.faults import planted

TRANSCRIPT = Path(__file__).parents[3] / "docs" / "adapter-protocol-transcript.txt"


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


def _spoken(mark: str) -> list[bytes]:
    lines = TRANSCRIPT.read_text(encoding="ascii").splitlines()
    return [line.removeprefix(mark).encode() for line in lines if line.startswith(mark)]


def _without_prose(message: dict[str, Any]) -> dict[str, Any]:
    """A reply without the words that are for people."""
    if "rejected" in message:
        return {**message, "rejected": {}}
    return {**message, "error": {}} if "error" in message else message


def test_the_reference_answers_as_the_transcript_says_and_nothing_after_bye() -> None:
    for line in TRANSCRIPT.read_text(encoding="ascii").splitlines():
        assert not line or line[:2] in {"# ", "->", "<-"}, line
    observed = _converse(*_spoken("-> "), _run(9, "config-merge/decode", INTEGER))
    expected = [json.loads(line) for line in _spoken("<- ")]
    declared = {*observed[0].pop("operations")}
    assert {*expected[0].pop("operations")} <= declared
    assert declared == {each.name for system in all_systems() for each in system.operations}
    assert [*map(_without_prose, observed)] == [*map(_without_prose, expected)]


def test_the_suite_speaks_and_understands_as_the_transcript_says() -> None:
    first, *_, last = _spoken("-> ")
    assert (first + b"\n", last + b"\n") == (hello_line(), BYE_LINE)
    hello, *replies = _spoken("<- ")
    assert read_hello(hello).name == "rejoin"
    assert [read_reply(line).number for line in replies] == [*range(1, len(replies) + 1)]


BAD_LINES: list[tuple[str | bytes, str]] = [
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
]


def test_a_line_that_cannot_be_understood_costs_nothing_else() -> None:
    good = _run(2, "config-merge/decode", INTEGER)
    replies = iter(_converse(*(each for line, _ in BAD_LINES for each in (line, good))))
    for _, message in BAD_LINES:
        assert message in next(replies)["error"]["message"]
        assert next(replies) == {"id": 2, "output": {"value": {"int": "7"}}}, message


def test_a_line_without_end_is_refused_and_skipped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(serve, "LONGEST_LINE", 1000)
    bad, good = _converse("x" * 5000, _run(2, "config-merge/decode", INTEGER))
    assert "longer than 1,000 bytes" in bad["error"]["message"]
    assert "output" in good


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


def test_what_would_be_too_large_is_refused_with_a_code() -> None:
    names = [f"client-{number}" for number in range(17_000)]
    asked: dict[str, Any] = {"design": "snapshots", "clients": names, "steps": []}
    steps: list[Any] = [{"client": "A", "offline": True}] * 2049
    messages: list[Any] = [
        {"id": f"{number:04}", "parents": [], "state": [f"{number:0200}"]} for number in range(200)
    ]
    clients, long, session, answered = _converse(
        _run(1, "conflict-detection/scenario", asked),
        _run(2, "conflict-detection/scenario", {**asked, "clients": ["A"], "steps": steps}),
        _run(3, "history-merge/session", {"messages": messages[::-1]}),
        _run(4, "config-merge/decode", INTEGER),
    )
    assert clients["rejected"]["code"] == long["rejected"]["code"] == "scenario-too-large"
    assert session["rejected"]["code"] == "answer-too-large"
    assert answered["id"] == 4


def test_it_lives_on_after_an_answer_that_is_too_long(monkeypatch: pytest.MonkeyPatch) -> None:
    text = {"encoded": b"3000:".hex() + "61" * 3000}
    monkeypatch.setattr(serve, "Limits", lambda: Limits(longest_line=2000))
    long, short = _converse(
        _run(1, "config-merge/decode", text), _run(2, "config-merge/decode", INTEGER)
    )
    assert long == {"id": 1, "error": {"message": "the answer is longer than 2,000 bytes"}}
    assert short["output"] == {"value": {"int": "7"}}
