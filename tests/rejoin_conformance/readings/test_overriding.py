"""Functions of the reference are overridden wherever they are bound, and only for a while."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache, partial
from typing import Any

import pytest

from rejoin import conflict_detection as cd
from rejoin.config_merge import ConfigMergeError, ignored_updates, windows
from rejoin.conflict_detection import map_design, version_maps
from rejoin.history_merge import (
    three_way_merge,
)
from rejoin.history_merge.graph import Graph, Node
from rejoin_conformance.readings.overriding import Tried, override_of, overriding, tried
from rejoin_conformance.readings.targets import UnknownTargetError

WITHIN = "rejoin.config_merge.windows.within"


IMPORTERS: Any = ignored_updates
"""A module that imported `within` by name."""


def never(_window: int, _seqno: int, _largest: int) -> bool:
    return False


def test_a_function_is_overridden_in_every_module_that_imported_it() -> None:
    original = windows.within
    assert IMPORTERS.within is original
    with overriding([override_of(WITHIN, never)]):
        assert windows.within(5, 1, 1) is False
        assert IMPORTERS.within(5, 1, 1) is False
        assert windows.within is IMPORTERS.within is original
    assert windows.within(5, 1, 1) is True


def test_the_original_comes_back_after_an_exception() -> None:
    with pytest.raises(ZeroDivisionError), overriding([override_of(WITHIN, never)]):
        raise ZeroDivisionError
    assert windows.within(5, 1, 1) is IMPORTERS.within(5, 1, 1) is True


def test_a_function_of_the_reference_may_stand_in_for_another_one() -> None:
    symmetric = "rejoin.history_merge.three_way_merge.symmetric_set_three_way_merge"
    by_set = "rejoin.history_merge.three_way_merge.set_three_way_merge"
    swapped = [
        override_of(by_set, three_way_merge.symmetric_set_three_way_merge),
        override_of(symmetric, three_way_merge.set_three_way_merge),
    ]
    o, a, b = frozenset("o"), frozenset("oa"), frozenset("b")
    with overriding(swapped):
        assert three_way_merge.SETS.three_way_merge(o, a, b) == {"a", "b"}
        assert three_way_merge.symmetric_set_three_way_merge(o, a, b) == {"a", "b"}
        assert tried() == {by_set: Tried(1), symmetric: Tried(1)}


def test_a_function_may_stand_in_for_itself() -> None:
    with overriding([override_of(WITHIN, windows.within)]):
        assert windows.within(5, 1, 1) is True
        assert tried() == {WITHIN: Tried(1)}


def test_a_function_is_overridden_in_tables_defaults_partials_and_fields() -> None:
    def apart(o: frozenset[str], a: frozenset[str], b: frozenset[str]) -> frozenset[str]:
        return o ^ a ^ b

    def default(merge: Any = three_way_merge.set_three_way_merge) -> Any:
        return merge(frozenset("x"), frozenset("x"), frozenset("x"))

    x = frozenset("x")
    bound = partial(three_way_merge.set_three_way_merge, x, x)
    table = {"merge": three_way_merge.set_three_way_merge}
    name = "rejoin.history_merge.three_way_merge.set_three_way_merge"
    with overriding([override_of(name, apart)]):
        assert three_way_merge.SETS.three_way_merge(x, x, frozenset()) == frozenset()
        assert bound(frozenset()) == frozenset()
        assert table["merge"](x, frozenset(), x) == frozenset()
        assert default() == x
    assert bound(x) == x


def test_a_call_from_the_rule_file_calls_the_original() -> None:
    own: dict[str, Any] = {"windows": windows}
    source = "def wider(window, seqno, largest): return windows.within(window + 1, seqno, largest)"
    exec(source, own)
    with overriding([override_of(WITHIN, own["wider"], own)], compared=True):
        assert windows.within(1, 4, 5) is True
        assert windows.within(1, 5, 5) is True
        assert tried() == {WITHIN: Tried(calls=2, differed=1)}


def test_answers_are_compared_with_those_of_the_original() -> None:
    def refusing(_window: int) -> int:
        raise ConfigMergeError("bad-window", "no window is good")

    checked = "rejoin.config_merge.windows.checked_window"
    with overriding([override_of(checked, refusing)], compared=True):
        for window in (0, 1, 2):
            with pytest.raises(ConfigMergeError):
                windows.checked_window(window)
        assert tried() == {checked: Tried(calls=3, differed=2)}
    assert tried() == {}


def test_a_call_that_changes_its_arguments_is_not_repeated() -> None:
    graph: Graph[int] = Graph()
    add = Graph.add
    name = "rejoin.history_merge.graph.Graph.add"
    with overriding([override_of(name, add)], compared=True):
        graph.add(Node("a", frozenset(), 1))
        assert tried() == {name: Tried(calls=1, uncompared=1)}
    assert len(graph) == 1


def test_a_method_is_overridden_in_its_class() -> None:
    design = map_design.MapDesign(cd.REPAIRED)

    def is_same(_design: object, _left: object, _right: object) -> bool:
        return True

    assert design.is_same({"A": 1}, {"A": 2}) is False
    name = "rejoin.conflict_detection.map_design.MapDesign.is_same"
    with overriding([override_of(name, is_same)]):
        assert design.is_same({"A": 1}, {"A": 2}) is True
    assert design.is_same({"A": 1}, {"A": 2}) is False


def test_what_the_reference_remembers_of_the_overridden_function_is_forgotten(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    remembered = lru_cache(lambda: windows.within(1, 1, 1))
    monkeypatch.setattr(version_maps, "remembered", remembered, raising=False)
    assert remembered() is True
    with overriding([override_of(WITHIN, never)]):
        assert remembered() is False
    assert remembered() is True


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("os.system", "not a dotted name that begins with `rejoin.`"),
        ("rejoin", "not a dotted name that begins with `rejoin.`"),
        ("", "not a dotted name that begins with `rejoin.`"),
        ("rejoin.config_merge.windows", "is not a function of the reference"),
        ("rejoin.config_merge.windows.DEFAULT_WINDOW", "is not a function of the reference"),
        ("rejoin.config_merge.windows.withim", "did you mean 'within'?"),
        ("rejoin.config_merge.window.within", "did you mean 'windows'?"),
        ("rejoin.config_merge.window.within", "no 'window' in rejoin.config_merge"),
        ("rejoin.config_merge.Reading", "is not a function of the reference"),
        ("rejoin.config_merge.windows.within.odd", "no function"),
        ("rejoin..within", "no function"),
    ],
)
def test_a_name_of_no_function_is_reported(name: str, said: str) -> None:
    with pytest.raises(UnknownTargetError) as caught:
        override_of(name, never)
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    "function", [lambda: True, lambda window: window, lambda a, b, c, d: (a, b, c, d)]
)
def test_a_function_that_cannot_be_called_alike_is_refused(function: Callable[..., Any]) -> None:
    with pytest.raises(UnknownTargetError, match=r"must accept the arguments of within\(window"):
        override_of(WITHIN, function)
