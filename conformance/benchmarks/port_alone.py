"""The rate of `fuzz --adapter` as a share of the rate of the adapter alone.

The adapter alone answers the same questions, in the same order, from a file. Nobody reads what it
answers there, and the reference does not run.
"""

from __future__ import annotations

import shlex
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack
from typing import IO, Any, Final

from rejoin_conformance.adapters.protocol import BYE_LINE, hello_line, run_line
from rejoin_conformance.campaigns.adapter_block import block_examiner, questions_of
from rejoin_conformance.campaigns.block import AGREES
from rejoin_conformance.campaigns.plan import BLOCK_SIZE, Plan
from rejoin_conformance.contract.history import history_seed
from rejoin_conformance.contract.registry import system_named

BLOCKS: Final = 100
"""A measurement examines one of this many blocks."""


class Share:
    """Measures the share for one system. The adapter continues from measurement to measurement."""

    def __init__(self, system: str, command: str, histories: int = BLOCK_SIZE * BLOCKS) -> None:
        self._plan = Plan(
            system=system,
            profile="default",
            readings=(system_named(system).default_reading,),
            seed=1,
            histories=histories,
            adapter=command,
        )
        self._words = shlex.split(command)
        opened = ExitStack()
        self._questions = opened.enter_context(questions_of(self._plan))
        self._examine = opened.enter_context(block_examiner(self._plan))

    def measure(self, number: int) -> tuple[float, str]:
        """Return the share, and the digest of the block that was examined."""
        block = number % self._plan.blocks
        start = time.perf_counter()
        result: Any = self._examine(block)
        through_the_suite = time.perf_counter() - start
        (counts,) = result["counts"]["readings"].values()
        with tempfile.TemporaryFile() as recorded:
            lines = [*self._lines(block)]
            assert len(lines) == counts["checked"][AGREES.name], "both answer the same questions"
            recorded.writelines([hello_line(), *lines, BYE_LINE])
            return self._seconds_alone(recorded) / through_the_suite, result["digest"]

    def _seconds_alone(self, recorded: IO[bytes]) -> float:
        recorded.flush()
        recorded.seek(0)
        start = time.perf_counter()
        subprocess.run(self._words, stdin=recorded, stdout=subprocess.DEVNULL, check=True)
        return time.perf_counter() - start

    def _lines(self, block: int) -> Iterator[bytes]:
        """Yield the requests of a block."""
        plan, histories = self._plan, system_named(self._plan.system).histories
        (reading,) = plan.readings
        number = 0
        for index in plan.indices(block):
            seed = history_seed(plan.seed, plan.system, plan.profile, index)
            calls = self._questions.calls(histories.generate(plan.profile, seed), reading)
            for call in self._questions.askable(calls):
                number += 1
                yield run_line(number, call.operation, reading, call.input)
