"""Count how often a choice point of a reading is consulted, and how often its value matters.

A choice point is *consulted* when a function of the reference reads it. It *matters* to this call
if the function answers differently under another value of the choice point.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import partial, wraps
from typing import Any

from attrs import define, field, fields

from rejoin_conformance.readings.answers import answer_of, differ, for_two, state_of
from rejoin_conformance.readings.overriding import Tried
from rejoin_conformance.readings.readers import readers_of
from rejoin_conformance.readings.tracing import not_collecting
from rejoin_conformance.readings.worlds import Change, defined


@define(eq=False)
class Watch:
    """The choice points that are watched in a world.

    seen: choice point -> the calls of functions that read it; `differed` counts those to which it
    matters. others: choice point -> its other value.
    """

    seen: Mapping[str, Tried]
    others: Mapping[str, Any] = field(factory=dict)
    _reads: list[set[str]] = field(factory=list, init=False)
    _switched: str | None = field(default=None, init=False)

    def changes(self, package: str) -> Iterable[Change]:
        """Return a hook for each function that reads a choice point. package: the reference's."""
        readers = dict.fromkeys(one for point in self.seen for one in readers_of(point, package))
        return [defined(f"{each.__module__}.{each.__qualname__}", self._hook) for each in readers]

    def watched(self, reading: Any) -> Any:
        """Return the same reading, of a class that notes every look at a watched choice point."""
        kind = type(reading)

        def look(looked_at: Any, name: str) -> Any:
            value = object.__getattribute__(looked_at, name)
            if name not in self.seen:
                return value
            if self._reads:
                self._reads[-1].add(name)
            return self.others[name] if self._switched == name else value

        watched = type(kind.__name__, (kind,), {"__slots__": (), "__getattribute__": look})
        return watched(**{each.alias: getattr(reading, each.name) for each in fields(kind)})

    def _hook(self, function: Any) -> Any:
        @wraps(function)
        def counting(*args: Any, **kwargs: Any) -> Any:
            return self._call(function, args, kwargs)

        return counting

    def _call(
        self, original: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> Any:
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
                with not_collecting():
                    other = answer_of(partial(original, *again, **kwargs))
            finally:
                self._switched = None
            verdict = differ(answer, other)
            counts.differed += verdict is True
            counts.uncompared += verdict is None
        return answer.given()
