"""The documentation shows the output of the commands."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

from rejoin_conformance.command_line.main import run
from support.doc_examples import DOCS, Example, examples

PAGE = (DOCS / "try-a-rule.md").read_text(encoding="utf-8")
RULE_FILES = dict(re.findall(r"`(\w+\.py)`:\n\n```python\n(.*?)```", PAGE, re.DOTALL))


def _is_long(command: str) -> bool:
    """Return whether a command runs many histories: a page shows those without a rule file."""
    many = command.startswith(("fuzz", "compare"))
    return many and ".py" not in command and "--in-process" not in command


EXAMPLES = [*examples("try-a-rule.md"), *examples("show.md")]
LONG = [pytest.mark.long]


@pytest.mark.parametrize(
    "example",
    [
        pytest.param(each, id=each.command, marks=LONG if _is_long(each.command) else [])
        for each in EXAMPLES
    ],
)
def test_a_command_prints_what_its_page_shows(
    example: Example,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for name, source in RULE_FILES.items():
        (tmp_path / name).write_text(source)
    monkeypatch.chdir(tmp_path)
    run([*example.arguments, *(["--in-process"] if _is_long(example.command) else [])])
    assert example.missing_from(capsys.readouterr().out) is None


def test_the_page_on_the_laws_is_what_the_command_prints(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert run(["trace", "--laws"]) == 0
    page = (DOCS / "operations" / "laws.md").read_text(encoding="utf-8")
    assert capsys.readouterr().out == page, "run: rejoin trace --laws > docs/operations/laws.md"


def test_the_page_on_releases_lists_the_extras_that_a_user_installs() -> None:
    project = tomllib.loads((DOCS.parent / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = {*project["optional-dependencies"]} - {"dev", "site"}
    page = (DOCS / "releases.md").read_text(encoding="utf-8").partition("| Extra | For |")[2]
    assert {*re.findall(r"^\| `(\w+)` \|", page.partition("\n\n")[0], re.MULTILINE)} == extras


def test_a_page_says_how_many_histories_an_adapter_is_asked() -> None:
    """Without a number there are 20,000, which can take 20 minutes."""
    pages = [path.read_text("utf-8") for path in (DOCS.parent / "README.md", *DOCS.glob("*.md"))]
    lines = [
        line
        for page in pages
        for line in re.findall(r"^rejoin fuzz .*--adapter.*", page, re.MULTILINE)
    ]
    assert len(lines) > 3
    assert [line for line in lines if "--histories" not in line] == []


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
