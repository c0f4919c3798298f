"""A campaign's status and page show the contents of its directory, and nothing unsafe."""

from __future__ import annotations

import json
import re
from copy import deepcopy
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from attrs import evolve

from rejoin_conformance.campaigns.block import AGREES
from rejoin_conformance.campaigns.kept.campaign import summary_in
from rejoin_conformance.campaigns.plan import BLOCK_SIZE, Plan
from rejoin_conformance.campaigns.summary import Summary
from rejoin_conformance.command_line.campaign_text import duration, status_blocks
from rejoin_conformance.command_line.main import run
from rejoin_conformance.contract.history import history_seed
from rejoin_conformance.contract.registry import system_named
from rejoin_conformance.kit.dag_drawing import Drawing
from rejoin_conformance.kit.document_text import document_text
from rejoin_conformance.reports.campaign_examples import examples_of
from rejoin_conformance.reports.campaign_page import campaign_page
from rejoin_conformance.reports.dag_svg import dag_svg
from support.kept_blocks import result
from support.kept_campaigns import finished, keep

PLAN = Plan(
    system="history-merge",
    profile="tiny",
    readings=("document",),
    seed=1,
    histories=3 * BLOCK_SIZE,
)
EVIL = "<script>alert(1)</script>\"'&\u202e"


def silent(_done: int, _total: int, _what: str) -> None:
    """Report no progress."""


@pytest.fixture(scope="module")
def directory(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two of three blocks of a campaign; one contains text that must not reach a page unescaped."""
    folder = tmp_path_factory.mktemp("campaign")
    blocks = finished(PLAN, (0, 1))
    value: Any = deepcopy(blocks[0].value)
    counts = value["counts"]["readings"]["document"]
    name = f"{next(iter(counts['violated'])).partition(' ')[0]} {EVIL}"
    counts["violated"][name] = 1
    counts["examples"][name] = [{"index": 0, "detail": EVIL, "evidence": {}}]
    blocks[0] = evolve(blocks[0], value=value)
    return keep(folder, PLAN, *blocks)


@pytest.fixture(scope="module")
def status(directory: Path) -> Summary:
    return summary_in(str(directory))


@pytest.fixture(scope="module")
def page(status: Summary) -> str:
    return campaign_page(status, examples_of(status, 3000, silent))


def test_the_status_shows_how_far_and_how_fast(status: Summary) -> None:
    text = document_text([*status_blocks(status)])
    assert "500 of 750 histories (66.6 %); interrupted" in text
    assert (
        "167 histories a second now, 167 on average over 3 s; 4.00 ms of core time for each history"
        in text
    )
    assert "2 s left at the current speed" in text
    assert "no failures" in text
    assert re.search(r"\d+  order-independence-always \[document\] concurrent-opposites", text)
    assert f"digest {status.digest} so far" in text
    assert EVIL not in text


def test_the_status_as_data_is_what_the_text_says(
    directory: Path, status: Summary, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["report", str(directory), "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert (data["histories"], data["plan"]["histories"], data["complete"]) == (500, 750, False)
    assert data["histories_a_second"] == 167
    assert data["manifest"]["plan"] == data["plan"]
    assert data["digest"] == status.digest
    assert {each["law"] for each in data["violations"]} >= {"order-independence-always"}
    assert all(not each["claimed"] for each in data["violations"])
    assert data["readings"]["document"]["cases"]["clause:HM-MERGE-STEP"] > 0


@pytest.mark.parametrize("command", [[], ["--html", "page.html"]])
def test_a_missing_campaign_is_one_line(
    command: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["report", str(tmp_path), *command]) == 2
    assert capsys.readouterr().err == (
        f"rejoin: {tmp_path} has no campaign; start one with: rejoin fuzz SYSTEM --directory DIR\n"
    )


def test_the_page_needs_nothing_and_runs_nothing(page: str) -> None:
    assert "default-src 'none'" in page
    assert not re.search(r"<(script|link rel=.stylesheet|img|iframe)", page)
    assert not re.search(r"(src|href)=.https?:", page)
    assert " style=" not in page


def test_what_others_wrote_is_escaped(page: str) -> None:
    assert "alert(1)" in page
    assert "<script>alert" not in page
    assert "\u202e" not in page


def test_every_element_of_the_page_is_closed(page: str) -> None:
    class Balance(HTMLParser):
        def __init__(self) -> None:
            super().__init__()
            self.open_now: list[str] = []

        def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
            if tag not in {"meta", "link"}:
                self.open_now.append(tag)

        def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
            assert tag in {"rect", "circle", "path"}

        def handle_endtag(self, tag: str) -> None:
            assert self.open_now.pop() == tag

    parser = Balance()
    parser.feed(page)
    assert parser.open_now == []


def test_each_class_has_its_smallest_example_drawn(status: Summary, page: str) -> None:
    found = list(status.found())
    assert page.count('<details class="failure"') == len(found)
    assert "[document] once, about 1 in 500 histories" in page
    assert page.count('<svg class="dag"') >= len({each.law for each in found})
    assert "no event can be removed" in page
    assert "rejoin show history-merge --seed 1 --index" in page


def test_shapes_and_clauses_are_counted(status: Summary, page: str) -> None:
    coverage = status.counts("document", "coverage")
    assert "<figcaption>heads</figcaption>" in page
    assert f'<td class="number">{coverage["shape:heads:2"]:,}</td>' in page
    assert "HM-MERGE-STEP" in page
    assert "○ never" in page


def test_a_clause_counts_the_histories_in_which_it_decided_something(
    status: Summary, page: str
) -> None:
    histories = system_named(PLAN.system).histories
    seeds = (history_seed(PLAN.seed, PLAN.system, PLAN.profile, n) for n in range(2 * BLOCK_SIZE))
    decided = [
        histories.examine(histories.generate(PLAN.profile, seed), "document").coverage
        for seed in seeds
    ]
    key = "clause:HM-MERGE-STEP"
    times, number = sum(each.get(key, 0) for each in decided), sum(key in each for each in decided)
    assert times > number > 0
    assert status.clauses("document")["HM-MERGE-STEP"] == number
    assert status.counts("document", "coverage")[key] == times
    row = next(row for row in page.split("<tr>") if "<code>HM-MERGE-STEP</code>" in row)
    assert f'<td class="number">{number:,}</td>' in row


def test_a_campaign_against_an_adapter_is_shown_by_what_it_asks(tmp_path: Path) -> None:
    plan = evolve(PLAN, adapter="./my port", histories=3)
    block = result(
        0,
        plan=plan,
        checked={AGREES.name: 30},
        violated={f"{AGREES.name} odd": 2, f"{AGREES.name} toy/halve wrong": 1},
        examples={
            f"{AGREES.name} odd": [{"index": 0, "detail": "odd", "evidence": {}}],
            f"{AGREES.name} toy/halve wrong": [{"index": 1, "detail": "4, not 2", "evidence": {}}],
        },
    )
    status = summary_in(str(keep(tmp_path, plan, block)))
    text = document_text([*status_blocks(status)])
    assert "adapter ./my port" in text
    assert "failures: 3 in 2 classes" in text
    page = campaign_page(status, examples_of(status, 5, silent))
    assert "4, not 2" in page
    assert page.count("<code>agrees-with-reference</code>") == 1
    assert '<td class="number">30</td><td class="number">3</td>' in page
    assert "order-independence" not in page
    assert "--reading document --adapter &#39;./my port&#39;" in page


def test_a_page_that_cannot_be_written_is_one_line(
    directory: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    target = tmp_path / "none" / "page.html"
    assert run(["report", str(directory), "--html", str(target)]) == 2
    assert (
        capsys.readouterr().err == f"rejoin: {target}: its folder does not exist; create it first\n"
    )


def test_only_the_first_violation_is_open_with_its_events_as_text(page: str) -> None:
    violations = page[page.index("<h2>Violations") : page.index("<h2>Speed")]
    first, *others = violations.split('<details class="failure"')[1:]
    assert first.startswith(" open>")
    assert "<details open><summary>Events and text</summary>" in first
    assert "the history as text" in first
    assert others
    assert not any(" open" in each for each in others)


def test_a_graph_has_a_dot_a_node_and_a_line_a_parent() -> None:
    drawing = Drawing("m", {1: [], 2: [1], 3: [1], 4: [2, 3]}, dict(enumerate("?abcd")), {4: "<b>"})
    svg = dag_svg(drawing)
    assert svg.count("<circle") == 4
    assert svg.count("<path") == 4
    assert ">d &lt;b&gt;</text>" in svg
    assert 'class="ring"' not in svg


def test_a_marked_node_has_a_ring_and_a_bold_name() -> None:
    drawing = Drawing("m", {1: [], 2: [1]}, {1: "a", 2: "b"}, marked=frozenset({2}))
    svg = dag_svg(drawing)
    assert svg.count('class="ring"') == 1
    assert svg.count('class="node marked"') == 1
    assert '<text class="marked"' in svg
    assert svg.index(">a</text>") < svg.index('class="ring"')


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(0, "0 s"), (59, "59 s"), (61, "1 min 1 s"), (3_700, "1 h 1 min"), (200_000, "2 d 7 h")],
)
def test_durations_have_two_units(seconds: int, text: str) -> None:
    assert duration(seconds) == text
