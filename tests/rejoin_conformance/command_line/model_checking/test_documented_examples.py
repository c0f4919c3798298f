"""The page on the formal models shows the output of the commands."""

from __future__ import annotations

import pytest

from rejoin_conformance.command_line.main import run
from support.doc_examples import Example, examples

PRINTED = [each for each in examples("models.md") if any(each.shown)]
UNCHANGED = [each for each in PRINTED if "WRONG" not in each.shown[0]][:2]


def test_two_examples_show_the_model_as_it_is() -> None:
    assert [each.arguments[:2] for each in UNCHANGED] == [
        ["model", "check"],
        ["model", "validate"],
    ]


@pytest.mark.full_run("model of history merge")
@pytest.mark.parametrize("example", UNCHANGED, ids=lambda each: str(each.command))
def test_the_output_is_the_one_that_is_shown(
    example: Example, capsys: pytest.CaptureFixture[str]
) -> None:
    run(example.arguments)
    # The time varies from run to run.
    assert example.missing_from(capsys.readouterr().out, numbers=False) is None
