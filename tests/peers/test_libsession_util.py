"""The adapter of libsession-util asks its program, and says so if the program ends."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

PEERS = Path(__file__).parents[2] / "conformance" / "peers"
PEER = PEERS / "libsession_util"
PROGRAM = f"""#!{sys.executable}
import os, sys
for line in sys.stdin:
    operation, *given = line.split()
    if operation == "version":
        print("output commit 1234567", flush=True)
    elif given[0] == "x00":
        os.abort()
    elif given[0] == "x01":
        print("rejected because", flush=True)
    else:
        print('output {{"asked": "%s"}}' % line.strip(), flush=True)
"""
"""A program that stands for the library: it repeats questions, rejects one and ends at one."""


@pytest.fixture
def program(tmp_path: Path) -> Path:
    path = tmp_path / "program"
    path.write_text(PROGRAM, encoding="utf-8")
    path.chmod(0o755)
    return path


def replies(program: Path, *requests: dict[str, Any]) -> list[Any]:
    lines = "".join(json.dumps(each) + "\n" for each in requests)
    done = subprocess.run(
        [sys.executable, str(PEER / "libsession_adapter.py"), str(program)],
        input=lines,
        capture_output=True,
        text=True,
        check=True,
    )
    return [json.loads(line) for line in done.stdout.splitlines()]


def asked(operation: str, **given: Any) -> dict[str, Any]:
    return {"type": "run", "id": 1, "operation": f"config-merge/{operation}", "input": given}


def test_a_request_becomes_one_question(program: Path) -> None:
    found = replies(
        program,
        asked("resolve", messages=["6465", "02"], window=7, signing_key="aa"),
        asked("update", messages=[], data="6465", verify_key="bb"),
        asked("encrypt", plaintext="", key="cc", domain="dd"),
        asked("apply-diff", data="d0", diff="d1", source="d2"),
    )
    assert [each["output"]["asked"] for each in found] == [
        "resolve 7 xaa - x6465 x02",
        "update 5 - xbb x6465",
        "encrypt x xcc xdd",
        "apply-diff xd0 xd1 xd2",
    ]


def test_a_program_that_ends_is_an_error_and_starts_again(program: Path) -> None:
    parse = [asked("parse", message=each) for each in ("00", "01", "02")]
    ended, rejected, answered = replies(program, *parse)
    assert ended == {"id": 1, "error": {"message": "the program ended with -6"}}
    assert rejected == {"id": 1, "rejected": {"reason": "because"}}
    assert answered["output"] == {"asked": "parse x02 5 -"}


@pytest.mark.parametrize("window", [0, 2**31])
def test_a_window_that_the_library_cannot_take_is_rejected(program: Path, window: int) -> None:
    (reply,) = replies(program, asked("parse", message="02", window=window))
    assert [*reply] == ["id", "rejected"]


def test_the_hello_has_the_commit_and_the_reading(program: Path) -> None:
    (hello,) = replies(program, {"type": "hello", "protocol": 1, "suite": "rejoin"})
    assert (hello["version"], hello["readings"]) == (
        "commit 1234567",
        {"config-merge": "libsession"},
    )


def test_the_peer_runs_only_with_sources_and_says_what_it_needs(tmp_path: Path) -> None:
    environment = {key: value for key, value in os.environ.items() if key != "LIBSESSION"}
    done = subprocess.run(
        [sys.executable, str(PEER / "build_program.py"), str(tmp_path), str(tmp_path / "program")],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1
    assert "not a checkout of libsession-util: it has no src/config.cpp" in done.stderr
    done = subprocess.run(
        [sys.executable, str(PEERS / "run.py"), "libsession_util"],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1
    assert done.stderr.endswith(" make figures NAMES='peers libsession_util' LIBSESSION=FOLDER\n")
