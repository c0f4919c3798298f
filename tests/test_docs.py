"""The documentation shows the output of the commands."""

from __future__ import annotations

import pytest

from rejoin_conformance.command_line.main import run
from support.doc_examples import Example, examples

TRY_A_RULE = {each.command: each for each in examples("try-a-rule.md")}
MANY_HISTORIES = [each for name, each in TRY_A_RULE.items() if name.startswith("compare")]


def _printed(example: Example, capsys: pytest.CaptureFixture[str], *more: str) -> str:
    run([*example.arguments, *more])
    return capsys.readouterr().out


def test_every_example_of_the_page_on_rules_is_run_here() -> None:
    assert sorted(name.split()[0] for name in TRY_A_RULE) == [
        "compare",
        "compare",
        "profiles",
        "verify",
    ]


def test_changed_vectors_are_printed_as_shown(capsys: pytest.CaptureFixture[str]) -> None:
    example = next(each for name, each in TRY_A_RULE.items() if name.startswith("verify"))
    output = _printed(example, capsys)
    # The numbers of vectors grow with the corpus.
    assert example.missing_from(output, numbers=False) is None


def test_what_profiles_reach_is_printed_as_shown(capsys: pytest.CaptureFixture[str]) -> None:
    example = next(each for name, each in TRY_A_RULE.items() if name.startswith("profiles"))
    assert example.missing_from(_printed(example, capsys, "--in-process")) is None


@pytest.mark.long
@pytest.mark.parametrize("example", MANY_HISTORIES, ids=lambda each: str(each.command))
def test_comparisons_are_printed_as_shown(
    example: Example, capsys: pytest.CaptureFixture[str]
) -> None:
    assert example.missing_from(_printed(example, capsys, "--in-process")) is None


def test_an_example_is_missed_where_it_differs() -> None:
    example = Example("status", ("one: 1,234", "...", "two: 2 ... 4"))
    assert example.missing_from("one: 1,234\nmore\ntwo: 2 and 4\n") is None
    assert example.missing_from("one: 1,235\ntwo: 2 and 4\n") == "one: 1,234"
    assert example.missing_from("one: 1,235\ntwo: 7 and 9\n", numbers=False) is None
    assert example.missing_from("two: 2 and 4\none: 1,234\n") == "two: 2 ... 4"
