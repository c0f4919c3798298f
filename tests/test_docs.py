"""The documentation shows the output of the commands."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from rejoin_conformance.command_line.main import run
from support.doc_examples import DOCS, Example, examples

TRY_A_RULE = {each.command: each for each in examples("try-a-rule.md")}
RULES = [each for name, each in TRY_A_RULE.items() if ".py" in name or "--in-process" in name]
PROFILES = [
    each for name, each in TRY_A_RULE.items() if name.startswith("fuzz") and "uniform" in name
]
MANY_HISTORIES = [
    each for name, each in TRY_A_RULE.items() if name.startswith("compare") and each not in RULES
]
SHOW = [*examples("show.md")]
PAGE = (DOCS / "try-a-rule.md").read_text(encoding="utf-8")
RULE_FILES = dict(re.findall(r"`(\w+\.py)`:\n\n```python\n(.*?)```", PAGE, re.DOTALL))


def _printed(example: Example, capsys: pytest.CaptureFixture[str], *more: str) -> str:
    run([*example.arguments, *more])
    return capsys.readouterr().out


def test_every_example_of_the_page_on_rules_is_run_here() -> None:
    ours = [*RULES, *PROFILES, *MANY_HISTORIES]
    assert sorted(each.command for each in ours) == sorted(TRY_A_RULE)
    assert len(RULES) == 8


@pytest.mark.parametrize("example", RULES, ids=lambda each: str(each.command))
def test_rules_that_were_tried_print_what_the_page_shows(
    example: Example,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for name, source in RULE_FILES.items():
        (tmp_path / name).write_text(source)
    monkeypatch.chdir(tmp_path)
    assert example.missing_from(_printed(example, capsys)) is None


@pytest.mark.long
def test_what_profiles_reach_is_printed_as_shown(capsys: pytest.CaptureFixture[str]) -> None:
    example = next(
        each for name, each in TRY_A_RULE.items() if name.startswith("fuzz") and "uniform" in name
    )
    assert example.missing_from(_printed(example, capsys, "--in-process")) is None


@pytest.mark.parametrize("example", SHOW, ids=lambda each: str(each.command))
def test_show_prints_what_its_page_shows(
    example: Example, capsys: pytest.CaptureFixture[str]
) -> None:
    assert len(SHOW) == 2
    assert example.missing_from(_printed(example, capsys)) is None


@pytest.mark.long
@pytest.mark.parametrize("example", MANY_HISTORIES, ids=lambda each: str(each.command))
def test_comparisons_are_printed_as_shown(
    example: Example,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    assert example.missing_from(_printed(example, capsys, "--in-process")) is None


def test_the_page_on_the_laws_is_what_the_command_prints(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert run(["trace", "--laws"]) == 0
    page = (DOCS / "operations" / "laws.md").read_text(encoding="utf-8")
    assert capsys.readouterr().out == page, "run: rejoin trace --laws > docs/operations/laws.md"


def test_the_guides_do_not_grow() -> None:
    """Pages of operations are a contract: they and bars do not count."""
    pages = [path.read_text(encoding="utf-8") for path in DOCS.glob("*.md")]
    words = [word for page in pages for word in page.split() if any(map(str.isalnum, word))]
    assert len(pages) > 20
    assert len(words) <= 25_000


def test_an_example_is_missed_where_it_differs() -> None:
    example = Example("status", ("one: 1,234", "...", "two: 2 ... 4"))
    assert example.missing_from("one: 1,234\nmore\ntwo: 2 and 4\n") is None
    assert example.missing_from("one: 1,235\ntwo: 2 and 4\n") == "one: 1,234"
    assert example.missing_from("one: 1,235\ntwo: 7 and 9\n", numbers=False) is None
    assert example.missing_from("two: 2 and 4\none: 1,234\n") == "two: 2 ... 4"
