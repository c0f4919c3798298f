"""Markdown and the badge: short, true, and harmless whatever an adapter says."""

from __future__ import annotations

import re

from rejoin_conformance.reports.badge import badge
from rejoin_conformance.reports.document_markdown import code
from rejoin_conformance.reports.markdown import markdown
from support.result_files import columns, failed, not_declared, passed, results

HOSTILE = "```\n</details><script>alert(1)</script> [x](https://example.org) @all |"


def test_the_report_names_runs_clauses_and_failures() -> None:
    text = markdown(columns(results(passed("a"), failed("b", "TOY-B"), passed("c", "TOY-C"))))
    assert "| `my-port 2.1` | ❌ not conformant | 2 | 1 | 0 | 0 |" in text
    assert "| `TOY-B` | **1 of 1 failed** |" in text
    assert "Other clauses without failures: 2." in text
    assert "<summary>fail <code>toy/halves/b [strict]</code></summary>" in text
    assert "```text\n14 is halved\nwrong output: at $.half\n```" in text


def test_a_conformant_run_is_reported_in_a_few_lines() -> None:
    text = markdown(columns(results(passed("a"))))
    assert "✅ conformant" in text
    assert "Clauses without failures: 1." in text
    assert "<details>" not in text


def test_an_interrupted_run_is_not_a_conformant_one() -> None:
    assert "⚠️ incomplete (the run was interrupted)" in markdown(
        columns(results(passed("a"), finished=False))
    )


def test_hostile_text_stands_in_code_and_nowhere_else() -> None:
    text = markdown(columns(results(failed("b", explanation=HOSTILE), name=HOSTILE)))
    fence = "````"
    inside = text[text.index(f"{fence}text\n") : text.index(f"\n{fence}\n") + 6]
    assert "<script>" in inside
    outside = re.sub(r"(`+) ?(.*?) ?\1(?!`)", "", text.replace(inside, ""))
    assert "<script>" not in outside
    assert "@all" not in outside


def test_inline_code_has_more_backticks_than_its_text() -> None:
    assert code("a`b``c") == "```a`b``c```"
    assert code("`") == "`` ` ``"
    assert code("a|b", in_table=True) == "`a\\|b`"


def test_many_failures_are_counted_and_the_text_stays_short() -> None:
    many = [failed(f"v-{number}", explanation="x" * 100_000) for number in range(300)]
    text = markdown(columns(results(*many), results(*many)))
    assert text.count("<details>") > 20
    assert "... and 280 more failures of `my-port 2.1 (run-1)`" in text
    assert "more failures of `my-port 2.1 (run-2)`" in text
    assert len(text) < 65_536


def test_the_badge_shows_the_worst_run() -> None:
    good, bad = results(passed("a"), not_declared("b")), results(failed("a"), passed("b"))
    assert badge(columns(good)) == {
        "schemaVersion": 1,
        "label": "rejoin",
        "message": "conformant, 1 passed",
        "color": "brightgreen",
    }
    assert badge(columns(good, bad))["message"] == "1 failed"
    assert badge(columns(good, bad))["color"] == "red"
    assert badge(columns(results(passed("a"), finished=False)))["message"] == "incomplete"
