"""JUnit XML: well-formed for any output of an adapter, and never green if the run is not."""

from __future__ import annotations

from xml.etree import ElementTree as ET

from rejoin_conformance.kit.json_types import JsonObject
from rejoin_conformance.reports.junit import junit
from support.result_files import columns, failed, not_declared, passed, results

HOSTILE = "]]></failure><script>alert(1)</script>\x00\x1b[31m\ud800\ufffe & more"


def test_verdicts_become_failures_errors_and_skips() -> None:
    run = results(
        passed("a"),
        failed("b"),
        failed("c", verdict="crash", stderr="panic"),
        failed("d", verdict="timeout"),
        not_declared("e"),
        failed("f"),
        known=[{"id": "toy/halves/f", "reason": "it is hard", "link": "#7"}],
    )
    root = ET.fromstring(junit(columns(run)))
    assert {name: root[0].get(name) for name in ("tests", "failures", "errors", "skipped")} == {
        "tests": "6",
        "failures": "1",
        "errors": "2",
        "skipped": "2",
    }
    cases = {case.get("name"): case for case in root.iter("testcase")}
    assert len(cases["toy/halves/a [strict]"]) == 0
    assert cases["toy/halves/a [strict]"].get("classname") == "toy.halve"
    assert cases["toy/halves/a [strict]"].get("time") == "0.000231"
    assert cases["toy/halves/b [strict]"].get("time") == "1.500000"
    failure = cases["toy/halves/b [strict]"].find("failure")
    assert failure is not None
    assert failure.get("message") == "wrong output: at $.half"
    assert cases["toy/halves/c [strict]"].findtext("system-err") == "panic"
    skipped = cases["toy/halves/f [strict]"].find("skipped")
    assert skipped is not None
    assert skipped.get("message") == "known failure: it is hard"


def test_a_known_failure_that_passes_is_a_failure() -> None:
    known: JsonObject = {"id": "toy/halves/a", "reason": "it was hard", "link": "#7"}
    root = ET.fromstring(junit(columns(results(passed("a"), known=[known]))))
    assert root.get("failures") == "1"


def test_an_interrupted_run_and_an_idle_one_have_an_error() -> None:
    runs = columns(results(passed("a"), finished=False), results(not_declared("a")))
    root = ET.fromstring(junit(runs))
    assert [suite.get("errors") for suite in root] == ["1", "1"]


def test_hostile_text_leaves_the_document_well_formed() -> None:
    run = results(
        failed("b", explanation=HOSTILE, stderr=HOSTILE), name=HOSTILE, version="x" * 1_000_000
    )
    text = junit(columns(run))
    root = ET.fromstring(text.encode("utf-8"))
    assert root.find(".//script") is None
    assert len(text) < 5000
