"""The plots show the figures of the project's texts, in the colours of the page."""

from __future__ import annotations

import re

import pytest

from rejoin_site import found_document as found
from rejoin_site.places import ROOT
from rejoin_site.plots import Bars, bars_svg
from rejoin_site.tables import NoTableError, number, table


def test_a_plot_has_the_same_bytes_each_time_and_the_colours_of_the_page() -> None:
    bars = Bars(title="A & B", labels=["one", "two"], series={"x": [1, 2], "y": [3, 0]})
    svg = bars_svg(bars)
    assert svg == bars_svg(bars)
    assert 'aria-label="A &amp; B"' in svg
    assert "var(--color-foreground-primary)" in svg
    assert ">one</text>" in svg
    assert "#010203" not in svg


def test_a_table_is_found_by_its_columns() -> None:
    path = "spec/history-merge/search-rules.md"
    rows = {row["K"]: row for row in table(path, "K", "DAGs", "order matters")}
    assert number(rows["4"]["order matters"]) == 12
    assert number(rows["6"]["histories"]) == 308_736
    with pytest.raises(NoTableError, match=r"search-rules\.md: no table has the columns odd"):
        table(path, "odd")


def test_a_number_is_the_first_of_a_cell() -> None:
    assert [number(cell) for cell in ("1,234 pass, 5 not", "none")] == [1234, 0]


def test_the_plots_show_what_the_texts_say() -> None:
    assert found.order_matters().labels[1] == "K = 4"
    assert found.order_matters().series["order matters"][1] == 12 / 640
    assert found.misclassified_polls().series["Stale taken for conflict"][0] == 157_536 / 816_798
    assert found.implementations().labels[0] == "git"
    assert all(
        0 < share < 1
        for values in found.insufficient_premises().series.values()
        for share in values
    )


def test_the_page_of_findings_links_to_texts_that_exist() -> None:
    links = re.findall(r"\]\((\.\./[\w./-]+)", found.found_document())
    assert len(links) > 8
    assert [link for link in links if not (ROOT / "found" / link).resolve().is_file()] == []
