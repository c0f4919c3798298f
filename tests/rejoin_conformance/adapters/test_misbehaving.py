"""No adapter that misbehaves is conformant, at whatever moment of the conversation it does so.

A grammar makes adapters that are right but for one fault: in one process or in all, at the hello,
at a request or at bye, a process is silent, dies, makes noise, repeats itself or is late.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Final

import pytest
from attrs import field, frozen, mutable
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from rejoin_conformance.adapters.process import NoLineError
from rejoin_conformance.adapters.runner.cases import FAILURES, Outcome
from rejoin_conformance.adapters.runner.pool import run_cases
from rejoin_conformance.adapters.unusable import AdapterUnusableError
from rejoin_conformance.kit.json_types import canonical_json
from support.memory_adapter import NEVER, Answer, MemoryAdapter, toy
from support.toy_system import toy_cases

_ASKED: Final = 8
"""The number of vectors: each can cost two time limits."""

Lines = list[Any]
"""The right answer to a message: no line for a bye, and one for any other message."""


def _dies(how: str) -> Callable[[Lines], Iterator[object]]:
    def dies(right: Lines) -> Iterator[object]:
        yield from right[:0]
        raise NoLineError("crash", how)

    return dies


def _answers_and_dies(right: Lines) -> Iterator[object]:
    yield from right
    raise NoLineError("crash", "it ended with exit code 0")


def _cut(right: Lines) -> list[object]:
    return [canonical_json(each).encode()[:-1] for each in right] or [b'{"type":']


def _noise(line: bytes) -> list[Callable[[Lines], Iterable[object]]]:
    return [lambda right: [line, *right], lambda right: [*right, line]]


FAULTS: Final[Mapping[str, tuple[Callable[[Lines], Iterable[object]], ...]]] = {
    "silence": (_dies(NEVER),),
    "death": (
        _dies("it ended with exit code 0"),
        _dies("it ended with exit code 3"),
        _dies("it was ended by SIGSEGV"),
        _answers_and_dies,
    ),
    "noise": (
        *_noise(b""),
        *_noise(b"halving"),
        *_noise(b"\xff\x00"),
        *_noise(b"[]"),
        *_noise(b'{"id":1}'),
        *_noise(b'\xef\xbb\xbf{"id":1,"output":{"half":0}}'),
        _cut,
    ),
    "repetition": (lambda right: [*right, *(right or [b"{}"])],),
}
"""Misbehaviour -> what a process writes instead of the right lines."""


@frozen
class Moment:
    """A moment of a conversation. kind: that of a message. at: which of its kind in the process.

    process: the number of the process among those that are greeted; None for every process.
    """

    kind: str
    at: int
    process: int | None


@mutable
class Misbehaving:
    """An adapter with one fault. fault: None for a late answer, which comes at bye."""

    moment: Moment
    fault: Callable[[Lines], Iterable[object]] | None
    window: int
    processes: int = 0
    shown: int = field(default=0)

    def begin(self) -> Answer:
        """Return what a new process answers."""
        process, self.processes = self.processes, self.processes + 1
        sound = toy(max_in_flight=self.window).begin()
        heard = {"hello": 0, "run": 0, "bye": 0}
        late: Lines = []

        def answer(message: Any) -> Iterable[object]:
            kind, right = message["type"], [*sound(message)]
            place, heard[kind] = heard[kind], heard[kind] + 1
            here = Moment(kind, place, None if self.moment.process is None else process)
            asked = heard["run"] > 0  # the process that only tells the hello asks for no verdict
            if here == self.moment and (asked or kind == "hello"):
                self.shown += 1
                if self.fault is not None:
                    return self.fault(right)
                late.extend(right or [b"{}"])
                return late if kind == "bye" else []
            return [*right, *late] if kind == "bye" else right

        return answer


MOMENTS: Final = st.builds(
    Moment,
    st.sampled_from(["hello", "run", "run", "bye"]),
    st.sampled_from([0, 0, 0, 1, 2, 7]),
    st.sampled_from([None, 1, 1, 2]),
)
MISBEHAVING: Final = st.builds(
    Misbehaving,
    MOMENTS,
    st.sampled_from(["silence", "death", "noise", "repetition", "delay"]).flatmap(
        lambda name: st.sampled_from(FAULTS.get(name, (None,)))
    ),
    st.sampled_from([1, 4, 50]),
)


def _is_conformant(adapter: MemoryAdapter) -> bool:
    """Return whether a run of the first vectors finds nothing to object to."""
    outcomes: dict[object, Outcome] = {}
    try:
        hello = adapter.greet()
        cases = toy_cases(hello)[:_ASKED]
        run_cases(adapter, hello, cases, lambda each: outcomes.update({each.case.key: each}))
    except AdapterUnusableError:
        return False
    assert len(outcomes) == _ASKED
    return not any(each.verdict in FAILURES or each.restarted for each in outcomes.values())


def _check(adapter: Misbehaving) -> None:
    conformant = _is_conformant(MemoryAdapter(begin=adapter.begin))
    assume(adapter.shown)
    assert not conformant


def test_a_sound_adapter_is_conformant() -> None:
    for window in (1, 4, 50):
        never = Misbehaving(Moment("run", 99, None), None, window)
        assert _is_conformant(MemoryAdapter(begin=never.begin))


@given(MISBEHAVING)
def test_an_adapter_that_misbehaves_once_is_not_conformant(adapter: Misbehaving) -> None:
    _check(adapter)


@pytest.mark.long
@settings(max_examples=5000)
@given(MISBEHAVING)
def test_none_of_many_adapters_that_misbehave_is_conformant(adapter: Misbehaving) -> None:
    _check(adapter)
