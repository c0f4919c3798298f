"""The pages show the recorded figures, and the counts of trade-offs are those of the code."""

from __future__ import annotations

import re
from xml.etree import ElementTree as ET

import pytest

import absence
import polls
import strength
import window
from figures import DOCS, PLACE, filled, load
from line_plot import step_of, svg
from series import Series, TradeOff
from support.written_texts import pages
from tables import Table, table_of

FIGURES = load()


def kept(name: str) -> TradeOff:
    found = FIGURES[name]
    assert isinstance(found, TradeOff)
    return found


def test_every_page_shows_the_recorded_figures() -> None:
    marked = {page: text for page, text in pages().items() if PLACE.search(text)}
    assert [page for page, text in marked.items() if filled(text, FIGURES) != text] == []
    shown = [place[2] for text in marked.values() for place in PLACE.finditer(text)]
    assert sorted(shown) == sorted(FIGURES)


@pytest.mark.parametrize("name", ["mutants-by-kind", "models-history-merge", "peers", "window"])
def test_a_changed_figure_of_a_page_is_found(name: str) -> None:
    (text,) = (text for text in pages().values() if f"<!-- figures: {name} -->" in text)
    before, place = text.split(f"<!-- figures: {name} -->")
    changed = f"{before}<!-- figures: {name} -->{re.sub(r'[0-8] [|]', '9 |', place, count=1)}"
    assert changed != text
    assert filled(changed, FIGURES) == text


def test_the_images_are_those_of_the_counts() -> None:
    plots = {name: svg(each) for name, each in FIGURES.items() if isinstance(each, TradeOff)}
    images = (DOCS / "trade-offs").glob("*.svg")
    assert {path.stem: path.read_text(encoding="utf-8") for path in images} == plots


def test_the_counts_of_planted_bugs_are_those_of_the_lists() -> None:
    assert FIGURES["planted"] == strength.planted()


def test_rows_that_a_table_does_not_name_stay_at_their_places() -> None:
    table = table_of("name | n", [("a", 1), ("b | c", 1_000), ("d", 3)])
    renewed = table.renewed(table_of("name | number", [("b | c", 2_000), ("e", 0)]))
    assert renewed.markdown() == (
        "| name | number |\n| --- | --: |\n| a | 1 |\n| b \\| c | 2,000 |\n| d | 3 |\n| e | 0 |"
    )
    assert Table(("name",), ()).markdown() == "There are none."


def mutant(fate: str, **fields: str) -> dict[str, str]:
    texts = {"module": "m", "line": "7", "kind": "slice", "before": "a | b", "after": "b"}
    return {**texts, "fate": fate, "argument": "It is slow.", **fields}


def test_the_tables_of_mutants_add_up() -> None:
    runs = [
        {"system": "one", "vectors": 7, "mutants": [mutant("killed"), mutant("equivalent")]},
        {"system": "two", "vectors": 1, "mutants": [mutant("survived", kind="call")]},
    ]
    assert [table.rows for table in strength.of_reference(runs).values()] == [
        (("one", 7, 2, 1, 1, 0), ("two", 1, 1, 0, 0, 1), ("**all**", 8, 3, 1, 1, 1)),
        (("call", 1, 0, 0, 1), ("slice", 2, 1, 1, 0), ("**all**", 3, 1, 1, 1)),
        (("It is slow.", 1),),
        (("m:7", "call", "`a | b`", "`b`"),),
    ]


def test_the_tables_of_ports_have_sums_and_the_commonest_arguments() -> None:
    listed = [
        mutant(fate, port=port, part="merge", argument=f"{number // 2}")
        for port in ("js", "rs")
        for number, fate in enumerate(["killed", "alive", *["equivalent"] * 8])
    ]
    counts, arguments = (table.rows for table in strength.of_ports(listed).values())
    rows = [(port, part, 10, 1, 8, 1) for part in ("merge", "**all**") for port in ("js", "rs")]
    assert counts == (*rows, ("**all**", "", 20, 2, 16, 2))
    assert arguments[3:] == (("js", "4", 2), ("rs", "1", 2), ("", "3 other arguments", 6))


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
    page = "Before.\n\n<!-- figures: toy -->\nold\n<!-- end -->\nAfter.\n"
    assert filled(page, {"toy": trade_off}) == (
        "Before.\n\n<!-- figures: toy -->\n\n"
        "| N | lost, all |\n| --: | --: |\n| 1 | 25.00 |\n| 2 | 50.00 |\n\n"
        "<!-- end -->\nAfter.\n"
    )


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
