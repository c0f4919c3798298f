"""The forms of results: what each says, and that none is green if the run is not."""

from __future__ import annotations

import re
import shlex
from itertools import product
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from attrs import evolve

from rejoin_conformance.adapters.results.configuration import Wanted
from rejoin_conformance.adapters.results.failure_steps import FailureSteps, StepLine
from rejoin_conformance.adapters.results.records import Record, Volatile
from rejoin_conformance.kit.json_types import Json, JsonObject
from rejoin_conformance.reports.columns import Column
from rejoin_conformance.reports.for_ci import badge, junit
from rejoin_conformance.reports.results import html_page, markdown
from support.browser import Opened, browser, program
from support.result_files import columns, failed, not_declared, passed, results

from .test_document import HOSTILE, Page

WHY = "it was ended by SIGABRT <b>"


def page(*records: Record, finished: bool = True) -> Page:
    return Page(html_page(columns(results(*records, finished=finished))))


def restarted(name: str, *, allowed: bool = False) -> tuple[Column, ...]:
    again = evolve(passed(name), volatile=Volatile(first_attempt=WHY, restarted=True))
    return columns(results(passed("a"), again, allow_restarts=allowed))


def test_a_page_tells_each_failure_with_its_answers_and_its_command() -> None:
    text = page(passed("a", "TOY-A"), failed("b", "TOY-B"), not_declared("c", "TOY-C")).text
    command = shlex.quote(shlex.quote("./my adapter"))
    for said in ("toy/halves/b", "14 is halved", "wrong output: at $.half", '"number": 14',
                 '"half": 7', "(no reply)", "TOY-B", "1 of 1 failed", "not declared",
                 f"rejoin run --adapter {command} --id toy/halves/b --reading strict"):  # fmt: skip
        assert said in text, said
    assert "No vector failed." in page(passed("a")).text


def test_every_link_of_a_page_leads_to_a_failure_and_the_first_to_read_is_open() -> None:
    made = page(
        failed("a", "TOY-A", explanation="wrong output: one"),
        failed("b", "TOY-B", explanation="wrong output: two"),
        passed("c", "TOY-A"),
        *(failed(f"v-{number}", "TOY-D") for number in range(50)),
    )
    ids = {each.get("id") for _, each in made.tags}
    links = {(each["href"] or "")[1:] for tag, each in made.tags if tag == "a"}
    assert len(links) == 3
    assert links <= ids
    opened = [each for tag, each in made.tags if tag == "details" and "open" in each]
    assert [each.get("id") for each in opened] == [None, None, "failure-1-1"]  # begin, suspects
    assert "and 49 more" in made.text
    assert "toy/halves/v-49 [strict]" in made.text


def test_a_page_of_hostile_results_has_the_tags_of_a_harmless_one() -> None:
    for text in HOSTILE:
        made = [
            Page(
                html_page(
                    columns(
                        results(
                            failed(
                                "b", explanation=f"wrong {each}", stderr=each,
                                observed={"output": {"half": each}},
                            ),
                            name=each,
                        )
                    )
                )
            )
            for each in ("harmless", text)
        ]  # fmt: skip
        assert made[0].count("script") == made[1].count("script") == 1
        assert made[1].count("img") == made[1].count("b") == 0


def test_a_thousand_failures_are_a_small_page_that_tells_the_first_of_each_clause() -> None:
    many = [
        failed(
            f"v-{number:04}", f"TOY-{number % 300}", explanation=f"wrong: {number}\n" + "x" * 3000,
            observed={"output": {"half": "y" * 3000}},
        )
        for number in range(1000)
    ]  # fmt: skip
    text = html_page(columns(results(*many)))
    assert len(text.encode()) < 2_500_000
    told = set(re.findall(r"<summary>.*?toy/halves/(v-[0-9]+)", text))
    assert told >= {f"v-{clause:04}" for clause in range(300)}
    assert "more failures. The results file has them in full" in text
    assert "toy/halves/v-0999 [strict]" in text


def test_a_value_that_is_deep_long_or_cut_is_shown_as_far_as_it_can_be() -> None:
    deep: Json = []
    for _ in range(5000):
        deep = [deep]
    assert (
        "nested too deeply" in page(evolve(failed("b"), input={"deep": deep}), finished=False).text
    )
    cut: JsonObject = {"kind": "output", "characters": 99_999, "start": '{"output":'}
    text = page(failed("b", observed={"truncated": cut})).text
    assert '(the beginning of 99,999 characters)\n{"output":' in text


def test_the_lines_that_differ_are_marked_and_the_steps_and_graph_show_where() -> None:
    merge: JsonObject = {
        "nodes": [
            {"id": "r", "parents": [], "state": ["a"]},
            {"id": "p", "parents": ["r"], "state": ["a", "b"]},
            {"id": "q", "parents": ["r"], "state": []},
        ],
        "merge": ["p", "q"],
    }
    step: JsonObject = {"step": "fold", "clause": "HM-MERGE-STEP", "node": "q", "state": ["b"]}
    line = StepLine(number=5, text="fold q: {b}", clause="HM-MERGE-STEP", under="p q", step=step)
    record = evolve(
        failed("x"),
        id="history-merge/two-branches/x",
        operation="history-merge/merge",
        clauses=("HM-MERGE-STEP",),
        input=merge,
        expected={"output": {"state": ["b"]}},
        observed={"output": {"state": []}},
        steps=FailureSteps(operation="history-merge/merge-steps", count=5, expected=line),
    )
    made = page(record)
    boxes = [each["class"] for tag, each in made.tags if tag == "g"]
    assert boxes == ["node origin", "node head", "node head marked"]
    assert "it goes another way at step 5 of 5" in made.text
    assert "fold q: {b}" in made.text
    marked = re.findall(r"<mark>(.*?)</mark>", html_page(columns(results(record))))
    assert any("no further step" in each for each in marked)
    assert "HM-MERGE-STEP: " in made.text


def test_junit_has_failures_errors_and_skips_and_stays_well_formed() -> None:
    run = results(
        passed("a"), failed("b"), failed("c", verdict="crash", stderr="panic"),
        failed("d", verdict="timeout"), not_declared("e"), failed("f"),
        evolve(not_declared("g"), missing="huge"), known=["f"],
    )  # fmt: skip
    root = ET.fromstring(junit(columns(run)))
    assert [root[0].get(name) for name in ("tests", "failures", "errors", "skipped")] == [
        "7", "1", "2", "3",
    ]  # fmt: skip
    cases = {case.get("name"): case for case in root.iter("testcase")}
    sound, wrong = cases["toy/halves/a [strict]"], cases["toy/halves/b [strict]"]
    assert (len(sound), sound.get("classname"), sound.get("time")) == (0, "toy.halve", "0.000231")
    assert [each.get("message") for each in wrong] == ["wrong output: at $.half"]
    assert cases["toy/halves/c [strict]"].findtext("system-err") == "panic"
    skipped = [
        [each.get("message") for each in cases[f"toy/halves/{name} [strict]"]] for name in "feg"
    ]
    assert skipped == [
        ["known failure: it is hard"],
        ["the adapter does not declare toy/double"],
        ["the adapter does not declare toy/double with huge"],
    ]
    bad = "]]></failure><script>alert(1)</script>\x00\x1b[31m\ud800\ufffe & more"
    hostile = results(failed("b", explanation=bad, stderr=bad), name=bad, version="x" * 1_000_000)
    text = junit(columns(hostile))
    assert ET.fromstring(text.encode("utf-8")).find(".//script") is None
    assert len(text) < 5000


def test_junit_is_green_exactly_if_the_exit_code_is_0_and_no_vector_fails_by_a_restart() -> None:
    for record, known, (finished, allowed, again) in product(
        (passed("b"), failed("b"), not_declared("b")), ((), ("b",)), product((0, 1), repeat=3)
    ):
        each = evolve(record, volatile=Volatile(restarted=bool(again)))
        run = results(each, known=known, finished=bool(finished), allow_restarts=bool(allowed))
        (column,) = columns(run)
        suite = ET.fromstring(junit([column]))[0]
        green = (suite.get("failures"), suite.get("errors")) == ("0", "0")
        assert green is (column.summary.judged.exit_code == 0), each
    *_, saved = ET.fromstring(junit(restarted("b"))).iter("testcase")
    assert [(each.tag, each.text) for each in saved] == [
        ("system-out", f"answered only alone: {WHY}")
    ]


def test_every_form_counts_the_answers_that_needed_another_process() -> None:
    broken, allowed = restarted("b"), restarted("b", allowed=True)
    assert badge(broken)["message"] == "1 restart"
    assert badge(allowed)["message"] == "conforms to toy halving"
    text = markdown(broken)
    assert "❌ not conformant (toy strict)" in text
    assert "toy/halves/b \\[strict\\]: it was ended by SIGABRT" in text
    assert "2 pass; 1 restart (allowed): " in markdown(allowed)
    for form in (html_page(broken), text):
        assert "1 answer needed another process" in form
    sound = columns(results(passed("a")))
    assert "restart" not in html_page(sound) + junit(sound) + markdown(sound)


def test_markdown_stays_short_and_says_if_a_run_is_incomplete() -> None:
    many = [failed(f"v-{n}", explanation=f"{n} " + "x" * 100_000) for n in range(300)]
    text = markdown(columns(results(*many), results(*many)))
    for number in (1, 2):
        assert re.search(rf"my-port 2.1 \(run-{number}\.ndjson\): 2\d\d more failures", text)
    assert len(text) < 65_536
    short = markdown(columns(results(passed("a"), finished=False)))
    assert "🟡 incomplete: the run was interrupted (toy strict)" in short
    assert "<details>" not in short


def test_a_profile_needs_a_pass_of_each_of_its_operations_in_the_reading_that_is_named() -> None:
    """The vectors of another reading can be all that one operation has."""
    both = Wanted(name="toy", operations={"toy/halve": (), "toy/double": ()}, cases=2)
    one, other = passed("a"), passed("b", operation="toy/double")
    in_part = evolve(passed("c"), reading="lax")
    assert [
        columns(results(*records, profiles=[both]))[0].summary.verdict
        for records in (
            (one, passed("b")),
            (one, other),
            (one, other, in_part),
            (other, in_part),
        )
    ] == [
        "partial: 1 of 2 operations, 1 of 3 clauses (toy strict)",
        "conforms to toy (toy strict)",
        "conforms to toy (toy strict)",
        "partial: 2 of 2 operations, 1 of 3 clauses (toy lax, strict)",
    ]


def test_the_badge_is_green_for_a_profile_alone_and_shows_the_worst_run() -> None:
    good, part, bad = (
        results(passed("a"), passed("b")), results(passed("a")), results(failed("a"), passed("b"))
    )  # fmt: skip
    worse = results(failed("a"), failed("b"))
    known = results(passed("a"), failed("b"), known=["b"])
    torn = results(passed("a"), finished=False)
    assert [
        (badge(columns(*runs))["message"], badge(columns(*runs))["color"])
        for runs in ((good,), (good, part), (good, known), (good, torn), (bad, part, worse, bad))
    ] == [
        ("conforms to toy halving", "brightgreen"),
        ("partial: 1 of 2 operations, 1 of 3 clauses", "yellow"),
        ("no unexpected failure, 1 known to fail", "yellow"),
        ("incomplete: the run was interrupted", "lightgrey"),
        ("2 failed", "red"),
    ]
    assert badge(columns(good)) | {"message": "", "color": ""} == {
        "schemaVersion": 1, "label": "rejoin", "message": "", "color": "",
    }  # fmt: skip


_ROWS = "document.querySelectorAll('tbody[role] > tr, details.part')"
_SHOWN = f"[...{_ROWS}].filter((row) => !row.hidden).length"
_TOO_WIDE = "document.documentElement.scrollWidth - document.documentElement.clientWidth"


@pytest.mark.skipif(program() is None, reason="there is no Chromium on this machine")
@pytest.mark.parametrize("width", [360, 1280])
def test_the_page_works_in_chromium(tmp_path: Path, width: int) -> None:
    run = results(passed("a", "TOY-A"), failed("b", "TOY-B"), not_declared("c", "TOY-C"))
    (tmp_path / "report.html").write_text(html_page(columns(run, run)), encoding="utf-8")
    with browser() as running:
        tab = running.new_page(viewport={"width": width, "height": 800})
        opened = Opened(tab, tmp_path).open("report.html#failure-1-1")
        text, failing = (opened.locator(f"#filter [name={name}]") for name in ("text", "failing"))
        assert (opened.evaluate(_TOO_WIDE), opened.locator("details[open]").count()) == (0, 2)
        said = [opened.evaluate(_SHOWN)]
        for words in ("toy-b", "nothing has this", ""):
            text.fill(words)
            said.append(opened.evaluate(_SHOWN))
        failing.check()
        said.append(opened.evaluate(_SHOWN))
        opened.locator("td a").first.click()
        said.append(opened.evaluate(_SHOWN))
        # Three clauses, two operations, two failures.
        assert said == [7, 3, 0, 7, 4, 3]
        assert text.input_value() == "TOY-B"
