"""Count how often a choice point of a reading is consulted, and how often its value matters.

A choice point is *consulted* when a function of the reference reads it. It *matters* to this call
if the function answers differently under another value of the choice point.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from functools import partial
from types import FunctionType
from typing import Any

from attrs import define, field, fields

from rejoin_conformance.readings.answers import answer_of, differ, for_two, state_of
from rejoin_conformance.readings.exchange import copy_of, exchanged
from rejoin_conformance.readings.overriding import Tried, forget_cached
from rejoin_conformance.readings.readers import readers_of


@define(eq=False)
class Watch:
    """The choice points that are watched.

    others: choice point -> its other value. seen: choice point -> the calls of functions that read
    it; `differed` counts those to which it matters.
    """

    others: Mapping[str, Any]
    seen: dict[str, Tried] = field(init=False)
    _reads: list[set[str]] = field(factory=list, init=False)
    _switched: str | None = field(default=None, init=False)

    def __attrs_post_init__(self) -> None:
        self.seen = {point: Tried() for point in self.others}

    def value(self, point: str, value: Any) -> Any:
        """Return the value of a choice point that is read now."""
        if self._reads:
            self._reads[-1].add(point)
        return self.others[point] if self._switched == point else value

    def call(
        self, original: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> Any:
        """Call a function that reads choice points, and count."""
        if self._switched is not None:
            return original(*args, **kwargs)
        ours, theirs = for_two(args)
        state = state_of((*args, *kwargs.values()))
        self._reads.append(set())
        answer = answer_of(lambda: original(*ours, **kwargs))
        for point in sorted(self._reads.pop()):
            counts = self.seen[point]
            counts.calls += 1
            if state is None or state != state_of((*args, *kwargs.values())):
                counts.uncompared += 1
                continue
            theirs, again = for_two(theirs)
            self._switched = point
            try:
                other = answer_of(partial(original, *again, **kwargs))
            finally:
                self._switched = None
            verdict = differ(answer, other)
            counts.differed += verdict is True
            counts.uncompared += verdict is None
        return answer.given()


@contextmanager
def watching(reading: Any, others: Mapping[str, Any], package: str) -> Iterator[tuple[Any, Watch]]:
    """Yield the reading in a form that counts, and the counts, while the block runs.

    others: choice point -> its other value. package: the package of the system's reference.
    """
    watch = Watch(others)
    functions = dict.fromkeys(
        function for point in others for function in readers_of(point, package)
    )
    with ExitStack() as stack:
        for function in functions:
            stack.enter_context(exchanged(function, _counting(function, watch)))
        forget_cached()
        yield _watched(reading, watch), watch
    forget_cached()


def _counting(function: FunctionType, watch: Watch) -> Callable[..., Any]:
    original = copy_of(function)

    def counting(*args: Any, **kwargs: Any) -> Any:
        return watch.call(original, args, kwargs)

    return counting


def _watched(reading: Any, watch: Watch) -> Any:
    """Return the same reading, of a class that reports every look at a watched choice point."""
    kind = type(reading)

    def look(self: Any, name: str) -> Any:
        value = object.__getattribute__(self, name)
        return watch.value(name, value) if name in watch.others else value

    watched = type(kind.__name__, (kind,), {"__slots__": (), "__getattribute__": look})
    return watched(**{each.alias: getattr(reading, each.name) for each in fields(kind)})
