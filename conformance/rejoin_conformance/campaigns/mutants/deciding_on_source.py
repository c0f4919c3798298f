"""Decide clauses in a process that runs the source, if this process may run compiled modules.

Knock-outs and mutants replace functions, which only the source permits. All other work of a
campaign against an adapter can run compiled.
"""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
from collections.abc import Sequence
from typing import Final

from rejoin_conformance.campaigns.mutants.deciding import Decided, Undecided, decided_by
from rejoin_conformance.campaigns.mutants.entries import EntriesError
from rejoin_conformance.kit.source import SOURCE_ONLY, build

_PROGRAM: Final = (
    "import signal; signal.signal(signal.SIGINT, signal.SIG_DFL); "  # the parent reports Ctrl-C
    f"from {__name__} import answer; answer()"
)


def decided_on_source(system: str, asked: Sequence[Undecided]) -> tuple[Decided, ...]:
    """Return what `decided_by` returns, from a process on the source if necessary.

    Raises EntriesError, and CalledProcessError if the process fails in an unexpected way.
    """
    if build() == "pure":
        return decided_by(system, asked)
    done = subprocess.run(  # noqa: S603 - our own interpreter and program, no shell
        [sys.executable, "-P", "-c", _PROGRAM],
        input=pickle.dumps((system, asked)),
        env={**os.environ, SOURCE_ONLY: "1"},
        stdout=subprocess.PIPE,
        check=True,
    )
    answered: tuple[Decided, ...] | EntriesError = pickle.loads(done.stdout)  # noqa: S301 - our own
    if isinstance(answered, EntriesError):
        raise answered
    return answered


def answer() -> None:
    """Answer the question on standard input, on standard output."""
    system, asked = pickle.load(sys.stdin.buffer)  # noqa: S301 - our own parent wrote it
    answered: tuple[Decided, ...] | EntriesError
    try:
        answered = decided_by(system, asked)
    except EntriesError as error:
        answered = error
    sys.stdout.buffer.write(pickle.dumps(answered))
    sys.stdout.buffer.flush()
