"""`rejoin fuzz --adapter`: what is asked, which differences are known, and what is printed when."""

from __future__ import annotations

import json
import shlex
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from rejoin_conformance.command_line.main import run
from support.toy_command import forget_systems, install_toy
from support.toy_runs import TOY_ADAPTER


@pytest.fixture(autouse=True)
def _toy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    install_toy(tmp_path / "toy", monkeypatch.setattr)
    monkeypatch.chdir(tmp_path)
    yield
    monkeypatch.undo()
    forget_systems()


def fuzz(mode: str, *more: str) -> int:
    command = shlex.join([sys.executable, "-IS", str(TOY_ADAPTER), mode])
    return run(["fuzz", "toy", "--histories", "12", "--in-process", "--adapter", command, *more])


def coverage(capsys: pytest.CaptureFixture[str]) -> Any:
    return json.loads(capsys.readouterr().out)["readings"]["strict"]["coverage"]


def known(kind: str) -> list[str]:
    """Return the option for a file that lists one known difference."""
    table = f'[[difference]]\nkind = "{kind}"\nreason = "rounding"\nlink = "-"\n'
    Path("known.toml").write_text(table)
    return ["--known-failures", "known.toml"]


def test_a_difference_is_printed_when_it_is_found_and_shrunk_within_a_budget(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert fuzz("wrong-output") == 1
    out, err = capsys.readouterr()
    assert "found: toy/halve wrong-output half too large [strict]: wrong output: at $.half" in err
    assert "shrinking 1 kind of difference, with at most 6,600 tries each" in err
    assert err.index("found:") < err.index("shrinking")
    assert "  toy/halve wrong-output half too large [strict], 3 times" in out
    assert '    >     "half": 7' in out.splitlines()
    assert '    >     "half": 8' in out.splitlines()
    assert "it is not known which clauses this input decides" in out


def test_a_known_difference_is_counted_and_is_no_failure(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert fuzz("wrong-output", *known("toy/halve wrong-output half *")) == 0
    out, err = capsys.readouterr()
    assert "known differences: 1" in out
    assert "  toy/halve wrong-output half too large [strict], 3 times: rounding" in out
    assert "found:" not in err
    assert not Path("found-vectors").exists()


def test_another_difference_is_still_a_failure() -> None:
    assert fuzz("wrong-output", *known("toy/halve wrong-output half too small")) == 1


def test_only_the_chosen_operations_are_asked(capsys: pytest.CaptureFixture[str]) -> None:
    assert fuzz("sound", "--operation", "halve", "--json") == 0
    assert "asked:toy/halve" in coverage(capsys)
    assert fuzz("sound", "--operation", "double", "--json") == 0
    assert not [name for name in coverage(capsys) if name.startswith("asked:")]


def test_a_feature_that_is_left_out_is_taken_out_of_the_questions(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert fuzz("sound", "--json") == 0
    every = coverage(capsys)["asked:toy/halve"]
    assert fuzz("sound", "--leave-out", "large", "--json") == 0
    fewer = coverage(capsys)["asked:toy/halve"]
    assert 0 < fewer < every, "numbers that are made smaller are asked once"


@pytest.mark.parametrize(
    ("options", "fault"),
    [
        (["--operation", "halv"], "--operation halv: there is no such operation"),
        (["--leave-out", "huge"], "--leave-out huge: no such feature; choose one of large, value"),
    ],
)
def test_an_unknown_name_is_wrong_usage(
    options: list[str], fault: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert fuzz("sound", *options) == 2
    assert fault in capsys.readouterr().err


def test_the_options_of_an_adapter_need_one(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["fuzz", "toy", "--operation", "halve"]) == 2
    assert "--operation, --leave-out and --known-failures need --adapter" in capsys.readouterr().err
