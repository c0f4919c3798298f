"""Two sides are compared history by history, and every choice point between them alone."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from rejoin_conformance.campaigns.comparing import measure, searches
from rejoin_conformance.campaigns.comparing.compare import compare
from rejoin_conformance.campaigns.comparing.measure import Comparison
from rejoin_conformance.campaigns.spark.spread import OnSpark
from rejoin_conformance.command_line.main import run
from rejoin_conformance.contract.registry import system_named
from rejoin_conformance.kit.document_text import document_text
from rejoin_conformance.kit.json_types import JsonObject, canonical_json
from rejoin_conformance.readings.in_force import Side
from rejoin_conformance.readings.rule_file import Rule
from rejoin_conformance.reports.comparison import comparison_blocks, reached_block
from support.kept_tables import connected
from support.spreads import HERE, silent

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

HISTORIES = 12

# A constant that no history needs serves as a switch.
SWITCHED = """
from rejoin.config_merge import windows as module
from rejoin.config_merge.windows import within as as_it_is


def flagged():
    return module.DEFAULT_WINDOW == 7


def within(window, seqno, largest):
    return as_it_is(window + 1 if flagged() is {wanted} else window, seqno, largest)


OVERRIDES = {{
    "rejoin.config_merge.windows.DEFAULT_WINDOW": 7,
    "rejoin.config_merge.windows.within": within,
}}
"""
CRASHING = """
def merge(*_):
    return frozenset({5, None})


OVERRIDES = {"rejoin.history_merge.three_way_merge.set_three_way_merge": merge}
"""


FOLDED = Comparison(
    system="history-merge",
    a=Side("document"),
    b=Side("document+fold_order=descending"),
    profile="tiny",
    histories=1,
)
HARDLY = Comparison(
    system="conflict-detection",
    a=Side("repaired"),
    b=Side("repaired+map_clean_up=by-the-user"),
    profile="tiny",
    histories=1,
)


def compared(system: str, a: str, b: str | Rule, *, shrink: bool = False, **more: Any) -> Any:
    side = Side(b) if isinstance(b, str) else Side(b.name, b)
    settings = {"histories": HISTORIES, **more}
    plan = Comparison(system=system, a=Side(a), b=side, **settings)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Comparison, "block_size", 5)
        return compare(plan, HERE, shrink=shrink, sample=False)


@cache
def repaired_and_literal() -> Any:
    return compared("conflict-detection", "repaired", "literal")


def drawn(system: str, histories: int = HISTORIES) -> list[Any]:
    return [system_named(system).history("default", 1, index) for index in range(histories)]


def outcomes(system: str, reading: str) -> list[JsonObject]:
    return [system_named(system).histories.outcome(each, reading) for each in drawn(system)]


def differing(left: list[JsonObject], right: list[JsonObject]) -> int:
    return sum(one != other for one, other in zip(left, right, strict=True))


def test_every_count_is_that_of_the_outcomes_themselves() -> None:
    report = repaired_and_literal()
    repaired = outcomes("conflict-detection", "repaired")
    assert report["all"]["histories"] == differing(
        repaired, outcomes("conflict-detection", "literal")
    )
    assert report["all"]["histories"] > 0
    for row in report["points"]:
        alone = outcomes("conflict-detection", f"repaired+{row['point']}={row['b']}")
        assert row["histories"] == differing(repaired, alone), row["point"]


def test_no_law_holds_anew_because_a_history_crashes() -> None:
    rule = Rule("rule.py", CRASHING)
    report = compared("history-merge", "document", rule, histories=40)
    others = {law: counts for law, counts in report["laws"].items() if law != "no-crash"}
    assert any("a" in counts and "b" not in counts for counts in others.values())
    assert [law for law, sides in report["alone"].items() if "b" not in sides] == []
    text = document_text([*comparison_blocks(report, system_named("history-merge"))])
    assert "No other law is examined on a history that breaks no-crash." in text


@pytest.mark.long  # the pieces of any work on Spark have a test of their own
def test_spark_comes_to_the_same(spark: SparkSession) -> None:
    rule = Side("rule.py", Rule("rule.py", SWITCHED.format(wanted=True)))
    plan = Comparison(
        system="config-merge", a=Side("document"), b=rule, histories=26, profile="tiny"
    )
    places = (HERE, OnSpark(spark, silent, tasks=1), OnSpark(spark, silent, tasks=2))
    ours, *theirs = (canonical_json(compare(plan, each, shrink=False)) for each in places)
    assert theirs == [ours, ours]
    found: Any = [searches.sample_toward(HARDLY, "map_clean_up", each) for each in places[::2]]
    assert found[0]["histories"] > 0
    assert found[0] == found[1]


def test_a_point_that_is_hardly_reached_is_sampled_with_its_bias(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(Comparison, "block_size", 3)
    found: Any = searches.sample_toward(FOLDED, "fold_order", HERE)
    histories = system_named("history-merge").histories
    quick = histories.profiles.keys() - histories.large
    assert found["profiles"].keys() == quick
    assert found["candidates"] == 3 * searches.BLOCKS * len(quick)
    assert 0 < found["histories"] <= found["consulted"] <= found["candidates"]
    assert found["differ"] <= found["histories"]
    row = {
        "point": "fold_order",
        "could_matter": 0,
        "consulted": 1,
        "overridden": False,
        "hardly_reached": True,
        "bypassing": 0,
        "toward": found,
    }
    text = document_text([reached_block(row, 1)])
    assert f"it could matter in {found['histories']:,} of them" in text
    assert "they were chosen for this choice" in text


def test_every_difference_is_kept_and_a_kept_comparison_goes_on(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Comparison, "block_size", 5)
    what = ["compare", "conflict-detection", "repaired", "literal", "--in-process", "--summary"]
    few = ["--histories", str(HISTORIES), "--no-samples", "--json"]
    command = [*what, *few, "--directory", str(tmp_path)]
    assert run([*what, *few]) == run(command) == 0
    alone, kept = map(json.loads, capsys.readouterr().out.splitlines())
    assert kept == alone
    with connected(tmp_path) as database:
        found = database.sql("SELECT index, what, a, b FROM differences ORDER BY index").fetchall()
    assert len(found) == kept["all"]["histories"] > 0
    sides = [outcomes("conflict-detection", name) for name in ("repaired", "literal")]
    for index, what_differs, *texts in found:
        aspects = what_differs.split(", ")
        one, other = (side[index] for side in sides)
        assert aspects == [each for each in one if one[each] != other[each]]
        assert [json.loads(each) for each in texts] == [
            {each: side[each] for each in aspects} for side in (one, other)
        ]
    monkeypatch.setattr(measure, "measure", None)  # nothing is measured again
    assert run(command) == 0
    assert json.loads(capsys.readouterr().out) == alone
    assert run([*command, "--seed", "2"]) == 2
