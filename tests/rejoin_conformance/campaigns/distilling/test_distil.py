"""A distilled set has the coverage of the campaigns, with few and small histories."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING, Any

import pytest

from rejoin_conformance.campaigns.distilling.coverage_keys import covers, each_choice, keys_of
from rejoin_conformance.campaigns.distilling.distil import Distilled, DistilPlan, distil
from rejoin_conformance.campaigns.distilling.distilled_file import distilled_text, kept_histories
from rejoin_conformance.campaigns.in_process import InProcess
from rejoin_conformance.campaigns.spark.spread import OnSpark
from rejoin_conformance.contract.registry import system_named, system_names
from rejoin_conformance.kit.json_types import Json, canonical_json, strict_json
from support.spreads import HERE, silent

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


def _plan(name: str, **other: Any) -> DistilPlan:
    fields: dict[str, Any] = {
        "system": name,
        "profiles": ("tiny", "default"),
        "readings": system_named(name).readings,
        "seed": 1,
        "histories": 8,
        "tries": 60,
        **other,
    }
    return DistilPlan(**fields)


@cache
def _distilled(name: str) -> tuple[Distilled, ...]:
    return distil(_plan(name), HERE)


@cache
def _keys_of_all(plan: DistilPlan) -> frozenset[str]:
    return frozenset[str]().union(
        *(
            plan.keys_of(plan.made(profile, index))
            for profile in range(len(plan.profiles))
            for index in range(plan.histories)
        )
    )


@pytest.mark.parametrize("name", system_names())
def test_everything_that_the_histories_reach_is_reached_by_few_of_them(name: str) -> None:
    plan, system = _plan(name), system_named(name)
    distilled = _distilled(name)
    reached = frozenset[str]().union(
        *(
            keys_of(system, system.histories.from_json(each.history), plan.readings)
            for each in distilled
        )
    )
    assert _keys_of_all(plan) <= reached
    assert len(distilled) < 2 * plan.histories


@pytest.mark.parametrize("name", system_names())
def test_each_history_reaches_what_it_is_kept_for_and_every_key_is_kept_once(name: str) -> None:
    plan, system = _plan(name), system_named(name)
    for each in _distilled(name):
        history = system.histories.from_json(each.history)
        assert set(each.reaches) <= keys_of(system, history, plan.readings)
    kept_for = [key for each in _distilled(name) for key in each.reaches]
    assert sorted(kept_for) == sorted(_keys_of_all(plan))


@pytest.mark.parametrize("name", system_names())
def test_no_history_grows_by_being_distilled(name: str) -> None:
    plan = _plan(name)
    for each in _distilled(name):
        made = plan.made(plan.profiles.index(each.profile), each.index)
        before = system_named(name).histories.to_json(made)["events"]
        after = each.history["events"]
        assert isinstance(before, list)
        assert isinstance(after, list)
        assert len(after) <= len(before)


class _ByText(InProcess):
    """Does the pieces in descending order, and sends their results as text."""

    def pieces(self, work: Callable[[int], Json], count: int, activity: str) -> list[Json]:
        backwards = reversed([canonical_json(work(piece)) for piece in reversed(range(count))])
        return [strict_json(text) for text in backwards]


@pytest.mark.parametrize("name", system_names())
def test_the_file_does_not_depend_on_the_way_that_results_take(name: str) -> None:
    def written(distilled: tuple[Distilled, ...]) -> str:
        kept = kept_histories(_plan(name), distilled, "code")
        return distilled_text(system_named(name), kept)

    assert written(distil(_plan(name), _ByText(silent))) == written(_distilled(name))


def test_a_profile_that_cannot_be_made_reaches_nothing() -> None:
    plan = _plan("history-merge", profiles=("no-such-profile",))
    assert distil(plan, HERE) == ()


def test_looking_at_a_part_of_the_keys_says_the_same_as_looking_at_all() -> None:
    plan = _plan("conflict-detection")
    system = system_named(plan.system)
    everything = _keys_of_all(plan)
    for index in range(plan.histories):
        history = plan.made(0, index)
        keys = keys_of(system, history, plan.readings)
        assert covers(system, history, plan.readings, keys)
        for key in sorted(everything)[::20]:
            assert covers(system, history, plan.readings, [key]) == (key in keys)


def test_readings_apart_are_keys_of_their_own() -> None:
    keys = _keys_of_all(_plan("config-merge", histories=12))
    assert "apart:document:libsession:decided" in keys


def test_a_choice_point_that_is_switched_alone_is_a_reading_of_its_own() -> None:
    system = system_named("config-merge")
    choices = each_choice(system)
    assert "document+replay_cutoff=false" in choices
    assert "document+replay_cutoff=true" not in choices
    plan = _plan("config-merge", readings=("document",), switched=choices, histories=12)
    apart = {key for key in _keys_of_all(plan) if key.startswith("apart:")}
    assert "apart:document:document+replay_cutoff=false:held" in apart
    assert {key.split(":")[2] for key in apart} <= set(choices)


def test_spark_distils_the_same(spark: SparkSession) -> None:
    plan = _plan("history-merge")
    assert distil(plan, OnSpark(spark, silent, tasks=3)) == _distilled("history-merge")
