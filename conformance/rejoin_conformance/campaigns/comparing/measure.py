"""Compare one block of histories. The result is a pure function of the plan and the number."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from typing import Any, ClassVar, Final, TypeVar

from attrs import frozen

from rejoin_conformance.campaigns.block import NO_CRASH
from rejoin_conformance.campaigns.plan import Drawn
from rejoin_conformance.campaigns.tables import DIFFERENCES, Row
from rejoin_conformance.contract.history import Cost
from rejoin_conformance.contract.registry import system_named
from rejoin_conformance.contract.system import System
from rejoin_conformance.kit.json_types import Json, JsonObject, canonical_json
from rejoin_conformance.kit.tree import Tree, add
from rejoin_conformance.readings.in_force import (
    A,
    B,
    Between,
    Side,
    Variant,
    between,
    in_force,
    now,
)
from rejoin_conformance.readings.reach import Reach, one_case

T = TypeVar("T")

TOGETHER: Final = "only together"
"""The key of histories whose results differ under b, although no single choice point does it."""

HIDDEN: Final = "cancelled out"
"""The key of histories whose results are equal under a and b, although a single choice point
changes them."""

CRASH: Final = "crash"
"""The aspect of an outcome that is an unexpected exception."""

TELLING: Final = (CRASH, "held", "decided")
"""The aspects that explain most, in this order, before all others."""


@frozen(kw_only=True)
class Comparison(Drawn):
    """Histories to run under the sides a and b.

    They are the histories of the campaign of that system, profile and seed.
    """

    block_size: ClassVar[int] = 25
    a: Side
    b: Side
    profile: str = "default"
    seed: int = 1

    def between(self) -> Between:
        """Return the sides, loaded in this process, and the choice points in which they differ."""
        return between(self.a, self.b, system_named(self.system))

    def to_json(self) -> JsonObject:
        """Return the plan as data."""
        return {
            "system": self.system,
            "profile": self.profile,
            "seed": self.seed,
            "histories": self.histories,
            A: self.a.to_json(),
            B: self.b.to_json(),
        }


def measure_block(comparison: Comparison, block: int) -> Json:
    """Return the counts of the histories of a block, and the rows of the table `differences`.

    The counts add up (`kit.tree`).
    """
    system = system_named(comparison.system)
    histories = {index: comparison.history(index) for index in comparison.indices(block)}
    differences: list[Any] = []
    measured = measure(system, comparison.between(), histories, differences.append)
    return {**measured, DIFFERENCES: differences}


def measure(
    system: System,
    sides: Between,
    histories: Mapping[int, Any],
    differs: Callable[[Row], object] = bool,
    profile: Sequence[str] = (),
) -> Tree:
    """Return the counts of some histories: index -> history.

    `histories`: their number. `differing`: variant, `TOGETHER` or `HIDDEN` -> the histories that
    differ from side a in this way, see `_count`. `broken`: variant -> law -> the number of
    histories that break it. `changed`: law -> `a` or `b`, the only side that breaks it -> the
    histories that do, and do not crash on the other side. `reached`: choice point -> how often it
    was consulted, and how often it could have mattered. `costs`: `a` and `b` -> name of a quantity
    -> its cost. differs: called with the aspects of both sides of each history that differs under
    b. profile: the name that the place of a history ends with, if several profiles add up.
    """
    variants = sides.variants()
    seen = {name: _seen(system, variant, histories) for name, variant in variants.items()}
    measured: Tree = {
        "histories": len(histories),
        "differing": {},
        "broken": {name: {} for name in variants},
        "changed": {},
        "costs": {A: {}, B: {}},
    }
    for index, history in histories.items():
        length = len(canonical_json(system.histories.to_json(history)))
        place: list[int | str] = [length, index, *profile]
        of_history = {name: each[index] for name, each in seen.items()}
        a, b = of_history[A], of_history[B]
        parted = {
            name: differing_aspects(a.outcome, each.outcome) for name, each in of_history.items()
        }
        if parted[B]:
            both = {side: _only(parted[B], each.outcome) for side, each in ((A, a), (B, b))}
            differs({"index": index, "what": ", ".join(parted[B]), **both})
        counts = {
            "broken": {name: dict.fromkeys(each.broken, 1) for name, each in of_history.items()},
            "costs": {A: a.costs, B: b.costs},
            "changed": _changed(a, b, place),
            "differing": _differing(parted, place),
        }
        add(measured, counts)
    reached = reached_by(system, sides, histories.values())
    return {**measured, "reached": {name: {**each.counts} for name, each in reached.items()}}


def _changed(a: _Seen, b: _Seen, place: list[int | str]) -> Tree:
    """Return the laws that a history breaks on one side alone, if it does not crash on the other.

    No other law is examined on a history that crashes.
    """
    one = {"histories": 1, "best": [{"index": place}]}
    return {
        law: {side: one}
        for side, breaking, holding in ((A, a, b), (B, b, a))
        if NO_CRASH.name not in holding.broken
        for law in breaking.broken
        if law not in holding.broken
    }


def _differing(aspects: Mapping[str, tuple[str, ...]], place: list[int | str]) -> Tree:
    """Return the counts of the variants in which a history differs.

    aspects: those that differ, for every variant. place: the length of the history as JSON, and its
    index. `best`: the histories and aspects to show, the best first: the aspect that explains most,
    then the smallest history.
    """
    found: Tree = {}
    for name, differ in ((name, each) for name, each in aspects.items() if each):
        rank, aspect = min(((*TELLING, each).index(each), each) for each in differ)
        best = [{"index": [rank, *place], "aspect": aspect}]
        found[name] = {"histories": 1, "aspects": dict.fromkeys(differ, 1), "best": best}
    alone = [each for name, each in found.items() if name != B]
    if B in found and not alone and len(aspects) > len((A, B)):
        found[TOGETHER] = found[B]
    if B not in found and alone:
        found[HIDDEN] = alone[0]
    return found


def under(
    variant: Variant, system: System, history: Any, ask: Callable[[System, Any, str], T]
) -> T:
    """Return what `ask` returns for a history under a variant."""
    with in_force(variant, system) as (reading, _):
        return ask(*now(system, history), reading)


def reached_by(system: System, sides: Between, histories: Iterable[Any]) -> dict[str, Reach]:
    """Return how histories reach the choice points between two sides. No law is checked."""
    reached: dict[str, Reach] = {}
    with in_force(sides.watched, system) as (reading, _):
        for history in histories:
            changed, carried = now(system, history)
            with one_case(reached, sides.points):
                outcome_under(changed, carried, reading)
    return reached


def _only(aspects: tuple[str, ...], outcome: JsonObject) -> str:
    return canonical_json({aspect: outcome[aspect] for aspect in aspects if aspect in outcome})


@frozen
class _Seen:
    """One history under one variant: its outcome, the laws that it breaks, and what it costs."""

    outcome: JsonObject
    broken: tuple[str, ...]
    costs: Tree


def _seen(system: System, variant: Variant, histories: Mapping[int, Any]) -> dict[int, _Seen]:
    """Run histories under one variant."""
    seen: dict[int, _Seen] = {}
    with in_force(variant, system) as (reading, _):
        for index, history in histories.items():
            of_history = (*now(system, history), reading)
            broken = tuple(broken_laws(*of_history))
            seen[index] = _Seen(outcome_under(*of_history), broken, _costs(*of_history))
    return seen


def _costs(system: System, history: Any, reading: str) -> Tree:
    """Return what a history costs; nothing if it raises. `parts` / `of` is the share."""
    costs: Mapping[str, Cost] = {}
    if system.histories.costs is not None:
        with suppress(Exception):  # it is counted as a broken law
            costs = system.histories.costs(history, reading)
    return {
        name: {"total": each.total, "parts": each.per * each.total, "of": each.of}
        for name, each in costs.items()
    }


def broken_laws(system: System, history: Any, reading: str) -> dict[str, str]:
    """Return each law that a history breaks, with the first observed values that break it.

    An unexpected exception is a result.
    """
    try:
        examination = system.histories.examine(history, reading)
    except Exception as error:  # noqa: BLE001 - continue with the other histories
        return {NO_CRASH.name: f"{type(error).__name__}: {error}"}
    return {each.law: each.detail for each in reversed(examination.violations)}


def outcome_under(system: System, history: Any, reading: str) -> JsonObject:
    """Return a history's outcome. An unexpected exception is an outcome too."""
    try:
        return system.histories.outcome(history, reading)
    except Exception as error:  # noqa: BLE001 - see the docstring
        return {CRASH: f"{type(error).__name__}: {error}"}


def differing_aspects(left: JsonObject, right: JsonObject) -> tuple[str, ...]:
    """Return the aspects in which two outcomes differ, in the order of the first."""
    if CRASH in left or CRASH in right:
        return () if left == right else (CRASH,)
    return tuple(aspect for aspect in left if left[aspect] != right.get(aspect))
