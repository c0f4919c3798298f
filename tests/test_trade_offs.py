"""The pages show the recorded figures, and the counts of trade-offs are those of the code."""

from __future__ import annotations

from xml.etree import ElementTree as ET

import pytest

import absence
import polls
import recorded
import window
from line_plot import step_of, svg
from series import Series, TradeOff
from trade_offs import (
    DOCS,
    KEPT,
    PAGE,
    figures,
    kept,
    table_of,
    with_table,
)

NAMES = (window.NAME, absence.NAME, "retention", "previous")


@pytest.mark.parametrize("name", NAMES)
def test_the_image_and_the_table_are_those_of_the_counts(name: str) -> None:
    trade_off = kept(name)
    assert (KEPT / f"{name}.svg").read_text(encoding="utf-8") == svg(trade_off)
    page = PAGE.read_text(encoding="utf-8")
    assert with_table(page, trade_off) == page
    assert "\n".join(table_of(trade_off)) in page


def test_the_table_of_campaigns_is_that_of_the_record() -> None:
    page = recorded.PAGE.read_text(encoding="utf-8")
    assert recorded.with_record(page, figures()[recorded.NAME]) == page
    assert figures().keys() == {*NAMES, recorded.NAME}


def test_the_counts_are_those_that_compare_prints_on_the_page_about_rules() -> None:
    found = {
        each.quantity: (each.totals, each.of) for each in window.measured(20, (2, 5)).series[:3]
    }
    assert found == {
        "bytes per message": ((60_773, 104_753), (262, 264)),
        "messages ignored per 100": ((13, 1), (269, 271)),
        "edits lost per 100": ((7, 0), (224, 224)),
    }
    page = (DOCS / "try-a-rule.md").read_text(encoding="utf-8")
    assert "(104,753 / 264)  231.96 (60,773 / 262)" in page
    assert "(0 / 224)         3.12 (7 / 224)" in page


def test_no_profile_loses_an_edit_with_the_largest_recorded_window() -> None:
    lost = [each.totals for each in kept("window").series if each.quantity == window.LOST]
    assert [each[-1] for each in lost] == [0, 0]
    assert all(sorted(each, reverse=True) == [*each] for each in lost)


def test_the_recorded_costs_of_an_absence_are_those_of_the_code() -> None:
    assert kept("absence") == absence.measured()


def test_a_walk_downloads_each_missed_snapshot_and_both_branches_at_once() -> None:
    found = {(each.group, each.quantity): each.totals for each in absence.measured((3, 30)).series}
    assert found["snapshots, in a row", absence.OPERATIONS] == (3 + 2, 30 + 2)
    assert found["snapshots, in a row", absence.ROUNDS] == (3 + 1, 30 + 1)
    assert found["snapshots, at once", absence.OPERATIONS] == (3 + 2, 30 + 2)
    assert found["snapshots, at once", absence.ROUNDS] == (2 + 1, 20 + 1)
    assert found["version maps", absence.OPERATIONS] == (2, 2)
    assert found["old design", absence.OPERATIONS] == (1, 1)


def test_the_recorded_costs_of_less_history_are_those_of_the_code() -> None:
    found = {each.group: each for each in kept("retention").series if each.per == 100}
    assert all(each.totals[-1] == 0 < each.totals[0] for each in found.values())
    few, whole = (polls.keeping(3, "long", n) for n in (0, None))
    assert few[polls.WRONG].total > whole[polls.WRONG].total == 0
    assert few[polls.STORED].total < whole[polls.STORED].total


def test_the_recorded_conflicts_without_a_file_are_fewer_than_those_without_a_nickname() -> None:
    found = {(each.group, each.quantity): each for each in kept("previous").series}
    for group in ("default", "racing"):
        hidden, unnamed = (found[group, each] for each in (polls.HIDDEN, polls.UNNAMED))
        assert all(0 < one < more for one, more in zip(hidden.totals, unnamed.totals, strict=True))
    now = polls.naming(10, "racing", 3)
    assert 0 < now[polls.HIDDEN].total < now[polls.UNNAMED].total <= now[polls.UNNAMED].of


def test_a_share_is_of_what_it_is_counted_in() -> None:
    series = Series(quantity="lost", group="all", totals=(1, 3), of=(4, 6), per=100)
    assert series.shares() == (25.0, 50.0)
    trade_off = TradeOff(
        name="toy", title="Toy", along="N", at=(1, 2), drawn=("lost",), series=(series,)
    )
    assert table_of(trade_off) == [
        "| N | lost, all |",
        "| --: | --: |",
        "| 1 | 25.00 |",
        "| 2 | 50.00 |",
    ]
    page = "Before.\n\n![Lost edits](trade-offs/toy.svg)\n\n| old |\n\nAfter.\n"
    assert with_table(page, trade_off).endswith("| 2 | 50.00 |\n\nAfter.\n")


def test_a_plot_is_well_formed_and_escapes_its_texts() -> None:
    line = Series(quantity="bytes", group="<one>", totals=(0, 10), of=(1, 1))
    plot = TradeOff(
        name="toy", title="a < b", along="N & M", at=(1, 3), drawn=("bytes",), series=(line,)
    )
    root = ET.fromstring(svg(plot))
    texts = [each.text for each in root.iter("{http://www.w3.org/2000/svg}text")]
    assert {"a < b", "N & M", "bytes", "<one>", "10", "0", "1", "3"} <= {*texts}


def test_lines_of_a_grid_are_at_round_numbers() -> None:
    assert [step_of(each) for each in (0, 4, 9, 13.85, 497.65)] == [1, 1, 2, 5, 100]
