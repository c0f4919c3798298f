"""A campaign's status and page show the contents of its directory, and nothing unsafe."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from attrs import evolve

from rejoin_conformance.campaigns.block import AGREES, NOT_ASKED
from rejoin_conformance.campaigns.campaign import summary_in
from rejoin_conformance.campaigns.plan import BLOCK_SIZE, Plan
from rejoin_conformance.campaigns.summary import Summary
from rejoin_conformance.command_line.main import run
from rejoin_conformance.contract.history import history_seed
from rejoin_conformance.contract.registry import system_named
from rejoin_conformance.kit.document_text import document_text
from rejoin_conformance.reports.campaign import campaign_page, status_blocks
from rejoin_conformance.reports.campaign_examples import examples_of
from support.kept_blocks import block_of
from support.kept_campaigns import finished, keep, undisturbed

from .test_document import Page

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
    block, tables = blocks[0]
    violations = tables["violations"]
    law = violations[0]["law"]
    evil = {**violations[0], "index": 0, "kind": EVIL, "detail": EVIL, "history": ""}
    name = {"reading": "document", "name": f"{law} {EVIL}", "count": 1}
    counts = [{**name, "kind": kind} for kind in ("violated", "broken")]
    changed = {"violations": [*violations, evil], "counts": [*tables["counts"], *counts]}
    return keep(folder, PLAN, (block, {**tables, **changed}), *blocks[1:])


@pytest.fixture(scope="module")
def status(directory: Path) -> Summary:
    return summary_in(str(directory))


@pytest.fixture(scope="module")
def page(status: Summary) -> str:
    return campaign_page(status, examples_of(status, 3000, silent))


def test_the_status_shows_how_far_and_how_fast(status: Summary) -> None:
    text = document_text([*status_blocks(status)])
    assert "500 of 750 histories (66.6 %); interrupted" in text
    assert "167 histories a second over 3 s; 4.00 ms of CPU time for each history" in text
    assert "2 s left at this speed" in text
    assert "order-independence-always is broken: " in text
    assert "[document] concurrent-opposites: " in text
    assert f"digest {status.digest} so far" in text
    assert EVIL not in text
    none = document_text([*status_blocks(Summary(PLAN))]).splitlines()
    assert none[1:] == ["0 of 750 histories (0.0 %); no block is finished yet"]


def test_the_status_as_data_is_what_the_text_says(
    directory: Path, status: Summary, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["report", str(directory), "--json"]) == 3  # it is not finished
    data = json.loads(capsys.readouterr().out)
    assert (data["histories"], data["plan"]["histories"], data["complete"]) == (500, 750, False)
    assert data["histories_a_second"] == 167
    assert data["manifest"]["plan"] == data["plan"]
    assert data["digest"] == status.digest
    assert {each["law"] for each in data["violations"]} >= {"order-independence-always"}
    assert data["readings"]["document"]["cases"]["clause:HM-MERGE-STEP"] > 0


def test_the_page_shows_classes_with_examples_laws_shapes_and_clauses(
    status: Summary, page: str
) -> None:
    read, found = Page(page), status.found()
    details = [own for tag, own in read.tags if tag == "details" and own.get("class") == "part"]
    assert len(details) == len({each.law for each in found}) + 1
    assert "alert(1)" in read.text
    assert read.count("svg") >= len({each.law for each in found})
    for said in ("once in 1 of 500 histories (1 in 500)", "no event can be removed", "never",
                 "the history as text", "rejoin show history-merge --seed 1 --index"):  # fmt: skip
        assert said in read.text, said
    assert page.count('href="#part-') == page.count(' id="part-') == 3
    assert read.text.count("no event can be removed") <= len({each.law for each in found})
    coverage = status.counts("document", "coverage")
    assert "<figcaption>shape:heads</figcaption>" in page
    assert f'<td class="number">{coverage["shape:heads:2"]:,}</td>' in page


def test_a_class_counts_its_violations_and_the_histories_that_have_one() -> None:
    plan = evolve(PLAN, system="conflict-detection", readings=("literal",), histories=BLOCK_SIZE)
    ((_, tables),) = finished(plan, (0,))
    status = undisturbed(plan)
    page = Page(campaign_page(status, {})).text
    for found in status.found():
        rows = [
            each for each in tables["violations"] if (each["law"], each["kind"]) == found.name[1:]
        ]
        number = len({each["index"] for each in rows})
        assert (found.times, found.histories) == (len(rows), number)
        times = "once" if found.times == 1 else f"{found.times:,} times"
        assert f"[literal] {found.kind} {times} in {number} of 250 histories" in page
    assert any(found.times > BLOCK_SIZE for found in status.found())


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
    assert status.counts("document", "cases")[key] == number
    assert status.counts("document", "coverage")[key] == times
    row = next(row for row in page.split("<tr ") if "<code>HM-MERGE-STEP</code>" in row)
    assert f">{number:,}</td>" in row


def test_a_campaign_against_an_adapter_is_shown_by_what_it_asks(tmp_path: Path) -> None:
    plan = evolve(PLAN, adapter="./my port", histories=3)
    kinds = {f"{AGREES.name} odd": 2, f"{AGREES.name} toy/halve crash": 1}
    counts = {"checked": {AGREES.name: 30}, "violated": kinds, "coverage": {NOT_ASKED: 4}}
    block, tables = block_of(0, 0, plan=plan, **counts)
    shown = {"reading": "document", "law": AGREES.name, "evidence": "{}", "history": ""}
    rows = [
        {**shown, "index": 0, "kind": "odd", "detail": "odd"},
        {**shown, "index": 1, "kind": "toy/halve crash", "detail": "4, not 2"},
    ]
    status = summary_in(str(keep(tmp_path, plan, (block, {**tables, "violations": rows}))))
    text = document_text([*status_blocks(status)])
    assert "adapter ./my port" in text
    assert "[document] toy/halve crash: 4, not 2" in text
    assert (
        "not asked: 4 calls, after the adapter broke in their blocks; correct the adapter, " in text
    )
    assert "or list 'toy/halve crash' in --known-failures to ask them" in text
    page = Page(campaign_page(status, examples_of(status, 5, silent))).text
    assert "4, not 2" in page
    assert "order-independence" not in page
    assert "Clauses" not in page
    assert "--reading document --adapter './my port'" in page
