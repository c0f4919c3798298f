"""Hold an adapter to the laws, for `rejoin run --laws` and for pytest, and say what it kept."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator
from itertools import cycle
from threading import Event

from attrs import asdict, frozen

from rejoin_conformance.adapters.limits import Limits
from rejoin_conformance.adapters.run_options import Selection
from rejoin_conformance.adapters.runner.cases import Case, Outcome, readings_of
from rejoin_conformance.adapters.runner.run_plan import make_adapter
from rejoin_conformance.adapters.runner.worker import Worker
from rejoin_conformance.contract.system import System
from rejoin_conformance.kit.codec import plain
from rejoin_conformance.kit.document import Block, Code, Heading, Table, Text
from rejoin_conformance.kit.json_types import JsonObject
from rejoin_conformance.kit.judged import Judged
from rejoin_conformance.kit.text import counted, most_counted
from rejoin_conformance.laws.machine import (
    BROKEN,
    Asking,
    LawBrokenError,
    hold_to_the_laws,
)


@frozen
class Results:
    """What an adapter was asked of each system."""

    asked: list[Asking]

    @property
    def broken(self) -> list[LawBrokenError]:
        """Return the broken law of each system that has one."""
        return [each.broken for each in self.asked if each.broken is not None]

    @property
    def judged(self) -> Judged:
        """Return the verdict on all laws."""
        answers = sum(each.asked.total() for each in self.asked)
        return Judged(asked=answers, broken=len(self.broken))

    def to_json(self) -> JsonObject:
        """Return the results as data, for `--json`."""
        return {
            "adapter": plain(self.asked[0].hello),
            "kept": self.judged.exit_code == 0,
            "laws": {each.system.name: {**each.asked} for each in self.asked},
            "left_out": {each.system.name: {**each.left_out} for each in self.asked},
            "broken": [asdict(each) for each in self.broken],
        }

    def blocks(self) -> Iterator[Block]:
        """Yield the verdict, each failure, the laws, and what was left out."""
        kept = sum(len(each.asked) for each in self.asked) - len(self.broken)
        verdict = "NOT kept" if self.judged.exit_code else "the adapter keeps the laws"
        yield Text(f"{counted(kept, 'law')} kept, {len(self.broken)} broken: {verdict}")
        for failure in self.broken:
            yield Heading(f"FAIL {failure.law}")
            yield Code(f"{failure}")
        laws = [(each.system.name, each.asked) for each in self.asked]
        rows = [(name, law, f"{n:,}") for name, asked in laws for law, n in sorted(asked.items())]
        yield Table(("system", "law", "answers compared"), rows, numbers=frozenset({2}))
        for each in self.asked:
            if each.left_out:
                name, questions = each.system.name, counted(each.left_out.total(), "question")
                what = {one.removeprefix(f"{name}/"): n for one, n in each.left_out.items()}
                yield Text(f"not declared: {name}: {questions}: {most_counted(what)}")


def held_to_the_laws(command: str, limits: Limits, systems: Iterable[System]) -> Results:
    """Return what an adapter was asked of some systems, and the laws that it breaks.

    Two processes of the adapter take turns. Nothing is asked of a system of which it declares no
    operation, or another reading than the one for which the laws hold. Raises WrongUsageError,
    DeclarationError and AdapterUnusableError.
    """
    adapter = make_adapter(command, limits)
    hello, queue, outcomes, held = adapter.greet(), deque[Case](), list[Outcome](), list[Asking]()
    one, two = (Worker(adapter, hello, queue, outcomes.append, Event()) for _ in range(2))
    turns = cycle((one, two))

    def ask(case: Case) -> Outcome:
        queue.append(case)
        next(turns).drain()
        return outcomes.pop()

    with one, two:
        for system in systems:
            held.append(asking := Asking(system, hello, ask))
            reading = system.default_reading
            asks = {each.name for each in system.operations} & {*hello.operations}
            if not asks or reading not in readings_of(system, Selection(), hello):
                asking.left_out[f"{system.name} in the reading {reading}"] += 1
                continue
            try:
                hold_to_the_laws(asking)
            except BROKEN:
                assert asking.broken is not None
        for each in (one, two):
            each.end()
    return Results(held)
