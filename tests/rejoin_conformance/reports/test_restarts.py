"""Every report counts the answers that needed another process; such a run does not conform."""

from __future__ import annotations

from xml.etree import ElementTree as ET

from attrs import evolve

from rejoin_conformance.adapters.results.read import Results
from rejoin_conformance.adapters.results.records import Record, Volatile
from rejoin_conformance.kit.json_types import JsonObject
from rejoin_conformance.reports.badge import badge
from rejoin_conformance.reports.columns import Column
from rejoin_conformance.reports.html_page import html_page
from rejoin_conformance.reports.junit import junit
from rejoin_conformance.reports.markdown import markdown
from support.result_files import columns, failed, passed, results

WHY = "it was ended by SIGABRT <b>"


def restarted(name: str) -> Record:
    return evolve(passed(name), volatile=Volatile(first_attempt=WHY, restarted=True))


def run_of(*records: Record, allowed: bool = False) -> tuple[Column, ...]:
    run: Results = results(*records)
    configuration: JsonObject = {**run.configuration, "allow_restarts": allowed}
    return columns(evolve(run, configuration=configuration))


BROKEN = run_of(passed("a"), restarted("b"), restarted("c"))
ALLOWED = run_of(passed("a"), restarted("b"), allowed=True)


def test_a_run_with_restarts_does_not_conform_unless_it_allows_them() -> None:
    assert [each.conclusion for each in (*BROKEN, *ALLOWED)] == ["not conformant", "conformant"]
    assert BROKEN[0].counts() == "3 pass; 2 restarts"
    assert ALLOWED[0].counts() == "2 pass; 1 restart (allowed)"


def test_the_badge_counts_them() -> None:
    assert badge(BROKEN)["message"] == "2 restarts"
    assert badge(run_of(failed("a"), restarted("b")))["message"] == "1 failed, 1 restart"
    assert badge(ALLOWED)["message"] == "conformant, 2 passed, 1 restart"


def test_junit_has_an_error_for_each() -> None:
    suite = ET.fromstring(junit(BROKEN))[0]
    assert (suite.get("tests"), suite.get("errors")) == ("3", "2")
    errors = [error.get("message") for error in suite.iter("error")]
    assert errors == [f"answered only alone: {WHY}"] * 2
    allowed = ET.fromstring(junit(ALLOWED))[0]
    assert allowed.get("errors") == "0"
    properties = {each.get("name"): each.get("value") for each in allowed.iter("property")}
    assert properties["restarts"] == "1 restart (allowed)"


def test_markdown_counts_them_and_explains_the_first() -> None:
    text = markdown(BROKEN)
    assert "| `my-port 2.1` | ❌ not conformant | 3 | 0 | 0 | 0 | 2 |" in text
    assert f"The first is `toy/halves/b [strict]`: `{WHY}`" in text


def test_html_lists_them_escaped() -> None:
    text = html_page(BROKEN)
    assert "2 restarts: answers that needed another process" in text
    assert "it was ended by SIGABRT &lt;b&gt;" in text
    assert "No vector failed." not in text


def test_a_run_without_restarts_does_not_mention_them() -> None:
    sound = run_of(passed("a"))
    assert "restart" not in html_page(sound) + junit(sound) + str(badge(sound))
