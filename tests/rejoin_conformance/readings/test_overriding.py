"""Functions of the reference are overridden wherever they are bound, and only for a while."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any

import pytest

from rejoin import conflict_detection as cd
from rejoin.config_merge import conflict_resolution, ignored_updates, windows
from rejoin.conflict_detection import map_design, version_maps
from rejoin_conformance.readings.overriding import UnknownTargetError, override_of, overriding

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
        assert IMPORTERS.within is windows.within is not original
    assert windows.within is IMPORTERS.within is original


def test_the_original_comes_back_after_an_exception() -> None:
    original = windows.within
    with pytest.raises(ZeroDivisionError), overriding([override_of(WITHIN, never)]):
        raise ZeroDivisionError
    assert windows.within is IMPORTERS.within is original


def test_a_function_of_the_reference_may_stand_in_for_another_one() -> None:
    checked, within = windows.checked_window, windows.within
    names = dict(vars(conflict_resolution))

    def any_window(window: int) -> int:
        return checked(window)

    stand_in = override_of("rejoin.config_merge.windows.checked_window", any_window)
    with overriding([stand_in, override_of(WITHIN, within)]):
        assert windows.within(5, 1, 1) is True
    assert windows.checked_window is checked
    assert windows.within is within
    assert dict(vars(conflict_resolution)) == names


def test_a_method_is_overridden_in_its_class() -> None:
    design = map_design.MapDesign(cd.REPAIRED)
    original = map_design.MapDesign.__dict__["is_same"]

    def is_same(_design: object, _left: object, _right: object) -> bool:
        return True

    assert design.is_same({"A": 1}, {"A": 2}) is False
    name = "rejoin.conflict_detection.map_design.MapDesign.is_same"
    with overriding([override_of(name, is_same)]):
        assert design.is_same({"A": 1}, {"A": 2}) is True
    assert map_design.MapDesign.__dict__["is_same"] is original


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
        ("rejoin.config_merge.window.within", "no 'window' in rejoin.config_merge"),
        ("rejoin.config_merge.Reading", "is not a function of the reference"),
        ("rejoin.config_merge.windows.within.odd", "no function"),
        ("rejoin..within", "no function"),
    ],
)
def test_a_name_of_no_function_is_told(name: str, said: str) -> None:
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
