"""The time per vector that the runner adds to an adapter's own time, with 8 requests in flight.

The benchmark sends the same requests to the same trivial adapter twice: through the runner, which
writes results to a file, and through a bare loop, which writes prepared bytes and counts the reply
lines. The runner's time per vector is the difference divided by the number of vectors.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final, cast

from rejoin_conformance.adapters.conversation import Adapter
from rejoin_conformance.adapters.protocol import hello_line, run_line
from rejoin_conformance.adapters.results.records import record
from rejoin_conformance.adapters.results.write import ResultsFile
from rejoin_conformance.adapters.runner.cases import Case
from rejoin_conformance.adapters.runner.pool import run_cases
from rejoin_conformance.adapters.runner.verdict import Outcome
from rejoin_conformance.contract.history import Histories, Pictures
from rejoin_conformance.contract.operation import Operation
from rejoin_conformance.contract.system import System
from rejoin_conformance.contract.vector import Vector
from rejoin_conformance.kit.json_types import JsonObject, canonical_json

VECTORS: Final = 20_000
ROUNDS: Final = 3
IN_FLIGHT: Final = 8
TARGET: Final = 50
"""Microseconds per vector."""

_INPUT: Final[JsonObject] = {"messages": ["64313a23693765" * 8] * 4, "window": 5}
_OUTPUT: Final[JsonObject] = {"message": "64313a23693765" * 8, "merged": True, "ignored": []}
_COMMAND: Final = (
    sys.executable,
    "-IS",
    str(Path(__file__).with_name("echo_adapter.py")),
    canonical_json(_OUTPUT),
)


def main(vectors: int = VECTORS) -> None:
    """Measure and print; this takes a few seconds."""
    cases = _cases(vectors)
    lines = [
        run_line(number, case.operation.name, case.reading, case.vector.input)
        for number, case in enumerate(cases, start=1)
    ]
    through = min(_seconds_through_runner(cases) for _ in range(ROUNDS))
    bare = min(_seconds_bare(lines) for _ in range(ROUNDS))
    added = 1e6 * (through - bare) / vectors
    print(
        f"runner, {vectors:,} vectors, trivial adapter, {IN_FLIGHT} in flight: "
        f"{1e6 * through / vectors:.1f} us a vector, bare exchange of the same lines "
        f"{1e6 * bare / vectors:.1f} us, ratio {through / bare:.2f}; "
        f"the runner adds {added:.1f} us a vector (aim: at most {TARGET})"
    )


def _seconds_through_runner(cases: Sequence[Case]) -> float:
    adapter = Adapter(command=_COMMAND)
    hello = adapter.greet()
    passed = 0

    def deliver(outcome: Outcome) -> None:
        nonlocal passed
        passed += outcome.verdict == "pass"
        results.write(record(outcome))

    with (
        tempfile.TemporaryDirectory() as folder,
        ResultsFile(Path(folder) / "results.ndjson", {}, {}) as results,
    ):
        start = time.perf_counter()
        run_cases(adapter, hello, cases, deliver)
        seconds = time.perf_counter() - start
    assert passed == len(cases), f"only {passed} of {len(cases)} passed"
    return seconds


def _seconds_bare(lines: Sequence[bytes]) -> float:
    """Keep as many requests in flight as the runner does, but only write, read and count lines."""
    start = time.perf_counter()
    process = subprocess.Popen(_COMMAND, stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0)
    assert process.stdin is not None
    assert process.stdout is not None
    requests, replies = process.stdin.fileno(), process.stdout.fileno()
    os.write(requests, hello_line())
    os.read(replies, 65536)
    sent = answered = 0
    while answered < len(lines):
        more = min(len(lines), answered + IN_FLIGHT)
        if sent < more:
            os.write(requests, b"".join(lines[sent:more]))
            sent = more
        answered += os.read(replies, 65536).count(b"\n")
    process.stdin.close()
    process.wait()
    process.stdout.close()
    return time.perf_counter() - start


def _cases(count: int) -> list[Case]:
    operation = Operation(
        name="echo/echo",
        summary="The same output for every input.",
        input_schema={},
        output_schema={},
        perform=lambda _value, _reading: _OUTPUT,
    )
    system = System(
        name="echo",
        prefix="ECHO",
        title="Echo",
        summary="Echo the input",
        readings=("only",),
        operations=(operation,),
        topics=lambda: (),
        laws=(),
        histories=cast("Histories[Any]", None),  # nothing here generates or examines a history
        pictures=cast("Pictures[Any]", None),
    )
    return [
        Case(
            vector=Vector(
                id=f"echo/echo/{number}",
                operation=operation.name,
                clauses=("ECHO-SAME", "ECHO-ALWAYS"),
                level="must",
                summary="",
                input=_INPUT,
                expected={"only": {"output": _OUTPUT}},
                readings_differ=False,
            ),
            reading="only",
            system=system,
            operation=operation,
        )
        for number in range(count)
    ]


if __name__ == "__main__":
    main()
