"""The HTML page: self-contained, escaped, and working in a real browser where there is one."""

from __future__ import annotations

import re
import shlex
import shutil
import subprocess
from html.parser import HTMLParser
from pathlib import Path

import pytest
from attrs import evolve

from rejoin_conformance.adapters.results.failure_steps import FailureSteps, StepLine
from rejoin_conformance.adapters.results.records import Record
from rejoin_conformance.kit.json_types import Json, JsonObject
from rejoin_conformance.kit.line_marks import around_marks, line_marks
from rejoin_conformance.reports.html_page import html_page
from support.result_files import columns, failed, not_declared, passed, results

HOSTILE = "</pre></script><script>document.title='owned'</script><img src=x onerror=alert(1)>\x1b["
CHROMIUM = next(
    filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None
)
in_chromium = pytest.mark.skipif(CHROMIUM is None, reason="there is no Chromium on this machine")


class _Page(HTMLParser):
    """The tags of a page with their attributes, and its text."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.text = ""
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        self.text += data

    def count(self, tag: str) -> int:
        return sum(1 for name, _ in self.tags if name == tag)


def _page() -> str:
    return html_page(
        columns(
            results(passed("a", "TOY-A"), failed("b", "TOY-B"), not_declared("c", "TOY-C")),
            results(
                passed("a", "TOY-A"),
                failed("b", "TOY-B", explanation=HOSTILE, observed={"output": {"half": HOSTILE}}),
                name=HOSTILE,
            ),
        )
    )


def test_the_page_asks_for_nothing() -> None:
    page = _Page(_page())
    for _, attributes in page.tags:
        assert "src" not in attributes
        assert not (attributes.get("href") or "").startswith(("http", "/"))
    assert "url(" not in _page()
    assert "@import" not in _page()


def test_every_link_on_the_page_leads_to_a_failure_on_it() -> None:
    page = _Page(_page())
    ids = {attributes.get("id") for _, attributes in page.tags}
    links = [attributes["href"] for tag, attributes in page.tags if tag == "a"]
    assert links
    for link in links:
        assert link is not None
        assert link[1:] in ids


def test_a_failure_has_all_there_is_to_know() -> None:
    text = _Page(_page()).text
    command = shlex.quote(shlex.quote("./my adapter"))
    for said in ("toy/halves/b", "14 is halved", "wrong output: at $.half", '"number": 14',
                 '"half": 7', "(no reply)", "TOY-B",
                 f"rejoin run --adapter {command} --id toy/halves/b --reading strict"):  # fmt: skip
        assert said in text, said


def test_hostile_text_adds_no_tag() -> None:
    page = _Page(_page())
    assert page.count("script") == 1
    assert page.count("img") == 0
    assert not any(name.startswith("on") for _, attributes in page.tags for name in attributes)
    assert "\x1b" not in page.text
    assert "\\x1b" in page.text


def test_the_policy_names_the_script_and_the_style_by_their_digests() -> None:
    (policy,) = re.findall(r'Content-Security-Policy" content="([^"]*)"', _page())
    assert policy.startswith("default-src 'none'; ")
    assert "unsafe" not in policy
    assert policy.count("'sha256-") == 2


def test_a_long_value_is_cut() -> None:
    long = "ab" * 500_000
    record = failed("b", explanation="x" * 1_000_000, stderr=long, observed={"output": {"x": long}})
    page = html_page(columns(results(record, name=long)))
    assert len(page) < 100_000


def test_a_deep_value_is_shown_or_named() -> None:
    deep: Json = []
    for _ in range(5000):
        deep = [deep]
    record = evolve(failed("b"), input={"deep": deep})
    assert "nested too deeply" in html_page(columns(results(record, finished=False)))


def test_a_long_reply_shows_its_beginning() -> None:
    observed: JsonObject = {
        "truncated": {"kind": "output", "characters": 99_999, "start": '{"output":'}
    }
    text = _Page(html_page(columns(results(failed("b", observed=observed))))).text
    assert '(the beginning of 99,999 characters)\n{"output":' in text


def test_only_a_link_into_the_web_becomes_one() -> None:
    def page(link: str) -> _Page:
        known: JsonObject = {"id": "toy/halves/b", "reason": "hard", "link": link}
        return _Page(html_page(columns(results(failed("b"), passed("a"), known=[known]))))

    assert ("a", {"href": "https://example.org/7", "rel": "noreferrer"}) in page(
        "https://example.org/7"
    ).tags
    assert "javascript:alert(1)" in page("javascript:alert(1)").text
    assert not any(
        "javascript" in (attributes.get("href") or "")
        for _, attributes in page("javascript:alert(1)").tags
    )


def test_a_thousand_failures_are_a_small_page_that_tells_the_first_of_each_clause() -> None:
    many = [
        failed(
            f"v-{number:04}",
            f"TOY-{number % 300}",
            explanation=f"wrong output: {number}\n" + "x" * 3000,
            observed={"output": {"half": "y" * 3000}},
        )
        for number in range(1000)
    ]
    text = html_page(columns(results(*many)))
    page = _Page(text)
    assert len(text.encode()) < 1_500_000
    told = set(re.findall(r'data-search="toy/halves/(v-[0-9]+)', text))
    assert told >= {f"v-{clause:04}" for clause in range(300)}
    assert "more failures. The results file has them in full" in page.text
    assert "toy/halves/v-0999 [strict]" in page.text
    assert page.text.index("Failures") < page.text.index("Clauses")


def test_failures_with_the_same_explanation_are_one_entry() -> None:
    page = _Page(html_page(columns(results(*(failed(f"v-{number}") for number in range(503))))))
    assert page.count("details") == 1
    assert "and 502 more" in page.text
    assert "toy/halves/v-502 [strict]" in page.text


MERGE: JsonObject = {
    "nodes": [
        {"id": "r", "parents": [], "state": ["a"]},
        {"id": "p", "parents": ["r"], "state": ["a", "b"]},
        {"id": "q", "parents": ["r"], "state": []},
    ],
    "merge": ["p", "q"],
}


def _merge(steps: FailureSteps | None = None) -> Record:
    return evolve(
        failed("x"),
        id="history-merge/two-branches/x",
        operation="history-merge/merge",
        clauses=("HM-MERGE-STEP",),
        input=MERGE,
        expected={"output": {"state": ["b"]}},
        observed={"output": {"state": []}},
        steps=steps,
    )


def test_a_history_is_drawn_with_the_node_where_the_answers_part() -> None:
    step: JsonObject = {"step": "fold", "clause": "HM-MERGE-STEP", "node": "q", "state": ["b"]}
    line = StepLine(number=5, text="fold q: {b}", clause="HM-MERGE-STEP", under="p q", step=step)
    steps = FailureSteps(operation="history-merge/merge-steps", count=5, expected=line)
    page = _Page(html_page(columns(results(_merge(steps=steps)))))
    assert [attributes["class"] for tag, attributes in page.tags if tag == "circle"] == [
        "node",
        "node",
        "ring",
        "node marked",
    ]
    assert "The first step at which it goes another way" in page.text
    assert "fold q: {b}" in page.text
    assert "no further step" in page.text


def test_the_failure_to_begin_with_is_open() -> None:
    page = _Page(
        html_page(
            columns(
                results(
                    failed("a", "TOY-A", explanation="wrong output: one"),
                    failed("b", "TOY-B", explanation="wrong output: two"),
                    passed("c", "TOY-A"),
                )
            )
        )
    )
    details = [attributes for tag, attributes in page.tags if tag == "details"]
    assert ["open" in each for each in details] == [True, False]
    assert (details[0]["data-search"] or "").startswith("toy/halves/b ")


def test_a_note_on_the_steps_is_escaped() -> None:
    steps = FailureSteps(operation="history-merge/merge-steps", count=5, note=HOSTILE)
    page = _Page(html_page(columns(results(_merge(steps=steps)))))
    assert page.count("img") == 0
    assert page.count("script") == 1


def test_bytes_are_beside_the_value_that_they_encode() -> None:
    record = evolve(
        failed("x"),
        id="config-merge/apply-diff/x",
        operation="config-merge/apply-diff",
        input={"data": "6465", "diff": "64313a6b303a65", "source": "64313a6b69316565"},
        expected={"output": {"data": "64313a6b69316565"}},
        observed={"output": {"data": "64313a6b33 no hex"}},
    )
    text = _Page(html_page(columns(results(record)))).text
    beside = text[text.index("Bytes, and the values") :]
    assert re.findall(r"64313a6b69316565\n+\{\"k\": 1\}", beside)
    assert "input.diff" in beside
    assert "observed.data" not in beside


def test_equal_lines_far_from_a_difference_are_left_out() -> None:
    lines = [(number == 9, str(number)) for number in range(20)]
    assert around_marks(lines) == [
        (False, "... 6 equal lines"),
        *lines[6:13],
        (False, "... 7 equal lines"),
    ]
    assert around_marks(lines[:12]) == lines[:12]
    assert around_marks([(False, "a")] * 20) == [(False, "a")] * 20
    assert around_marks([(True, "a"), *[(False, "b")] * 4, (True, "c"), *[(False, "d")] * 9])[
        :8
    ] == [(True, "a"), *[(False, "b")] * 4, (True, "c"), *[(False, "d")] * 2]


def test_the_lines_that_differ_are_marked() -> None:
    record = failed("b", observed={"output": {"half": 8}})
    assert re.findall(r"<mark>(.*?)</mark>", html_page(columns(results(record)))) == [
        "    &#34;half&#34;: 7",
        "    &#34;half&#34;: 8",
    ]
    assert line_marks("a\nb\nd", "a\nc\nb\nd") == (
        [(False, "a"), (False, "b"), (False, "d")],
        [(False, "a"), (True, "c"), (False, "b"), (False, "d")],
    )
    long = "\n".join(map(str, range(600)))
    assert [line for differs, line in line_marks(long, f"new\n{long}")[1] if not differs] == []


def test_a_run_without_failures_says_so() -> None:
    assert "No vector failed." in html_page(columns(results(passed("a"))))


_PROBE = """<!doctype html><title>probe</title>
<iframe id="page" src="report.html#failure-1-1" style="width:%dpx;height:800px;border:0"></iframe>
<pre id="said"></pre>
<script>
window.onload = () => {
  const page = document.getElementById("page").contentDocument;
  const said = [];
  const shown = () => [...page.querySelectorAll("[data-search]")].filter((e) => !e.hidden).length;
  said.push("title " + page.title);
  said.push("too wide by " + (page.documentElement.scrollWidth - page.documentElement.clientWidth));
  said.push("open " + page.querySelectorAll("details[open]").length);
  said.push("all " + shown());
  const fields = page.getElementById("filter").elements;
  const change = (act) => {
    act();
    page.getElementById("filter").dispatchEvent(new Event("input"));
    return shown();
  };
  said.push("text " + change(() => { fields.text.value = "toy-b"; }));
  said.push("run " + change(() => { fields.column.value = "1"; }));
  said.push("none " + change(() => { fields.text.value = "nothing has this"; }));
  fields.text.value = "";
  fields.column.value = "";
  said.push("failing " + change(() => { fields.failing.checked = true; }));
  page.querySelector('a[data-choose="TOY-B"][data-in="1"]').click();
  said.push("chosen " + fields.text.value + " in " + fields.column.value + ": " + shown());
  document.getElementById("said").textContent = said.join("; ");
};
</script>
"""


@in_chromium
@pytest.mark.parametrize("width", [360, 1280])
def test_the_page_works_in_chromium(tmp_path: Path, width: int) -> None:
    assert CHROMIUM is not None
    (tmp_path / "report.html").write_text(_page(), encoding="utf-8")
    (tmp_path / "probe.html").write_text(_PROBE % width, encoding="utf-8")
    done = subprocess.run(
        [CHROMIUM, "--headless", "--no-sandbox", "--disable-gpu", "--allow-file-access-from-files",
         "--disable-dev-shm-usage", f"--user-data-dir={tmp_path / 'profile'}",
         "--window-size=1400,900", "--dump-dom", (tmp_path / "probe.html").as_uri()],
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    (said,) = re.findall(r'<pre id="said">(.*?)</pre>', done.stdout)
    # Three clauses, two operations, two failures.
    assert said.split("; ") == [
        "title Rejoin conformance",
        "too wide by 0",
        "open 2",
        "all 7",
        "text 4",
        "run 3",
        "none 0",
        "failing 4",
        "chosen TOY-B in 1: 3",
    ]
