"""`rejoin serve` produces the golden transcript of docs/."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

from rejoin_conformance.adapters import serve
from rejoin_conformance.adapters.protocol import BYE_LINE, hello_line, read_hello, read_reply

TRANSCRIPT = Path(__file__).parents[3] / "docs" / "adapter-protocol-transcript.txt"


def _spoken(mark: str) -> list[bytes]:
    lines = TRANSCRIPT.read_text(encoding="ascii").splitlines()
    return [line.removeprefix(mark).encode() for line in lines if line.startswith(mark)]


def _without_prose(message: dict[str, Any]) -> dict[str, Any]:
    """A reply without the words that are for people."""
    if "rejected" in message:
        return {**message, "rejected": {}}
    return {**message, "error": {}} if "error" in message else message


def test_every_line_is_said_by_somebody() -> None:
    for line in TRANSCRIPT.read_text(encoding="ascii").splitlines():
        assert not line or line[:2] in {"# ", "->", "<-"}, line


def test_the_reference_answers_as_the_transcript_says() -> None:
    requests, replies = _spoken("-> "), io.BytesIO()
    serve.serve(io.BytesIO(b"\n".join(requests) + b"\n"), replies)
    observed = [json.loads(line) for line in replies.getvalue().splitlines()]
    expected = [json.loads(line) for line in _spoken("<- ")]
    declared = observed[0].pop("operations")
    assert set(expected[0].pop("operations")) <= set(declared)
    assert [_without_prose(each) for each in observed] == [
        _without_prose(each) for each in expected
    ]


def test_the_suite_speaks_as_the_transcript_says() -> None:
    first, *_, last = _spoken("-> ")
    assert first + b"\n" == hello_line()
    assert last + b"\n" == BYE_LINE


def test_the_runner_understands_every_line_of_the_adapter() -> None:
    hello, *replies = _spoken("<- ")
    assert read_hello(hello).name == "rejoin"
    assert [read_reply(line).number for line in replies] == list(range(1, len(replies) + 1))
