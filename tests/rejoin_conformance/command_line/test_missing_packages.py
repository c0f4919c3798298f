"""Without the packages of an extra, a command prints one line on how to install it."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from rejoin_conformance.command_line.main import run
from rejoin_conformance.kit.installing import install_hint

SPARK = install_hint("spark")


@pytest.fixture
def without_spark(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let every import of pyspark or pyarrow fail."""
    for name in [each for each in sys.modules if each.startswith(("pyspark.", "pyarrow."))]:
        monkeypatch.delitem(sys.modules, name)
    for name in ("pyspark", "pyarrow"):
        monkeypatch.setitem(sys.modules, name, None)


@pytest.mark.usefixtures("without_spark")
@pytest.mark.parametrize(
    "command",
    [
        "fuzz history-merge --histories 3 --spark",
        "exhaust history-merge --master local",
        "report hdfs://host/directory",
    ],
)
def test_a_command_that_asks_for_spark_says_how_to_install_it(
    command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(command.split()) == 3
    assert capsys.readouterr().err == f"rejoin: Spark is not installed; run: {SPARK}\n"


@pytest.mark.usefixtures("without_spark")
@pytest.mark.parametrize(
    "command",
    ["fuzz history-merge --histories 2001 --profile tiny", "exhaust history-merge --nodes 7"],
)
def test_a_command_that_would_use_spark_works_without_it(
    command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run([*command.split(), "--json"]) == 0
    said = "Spark is not installed; this process does the work (to use all cores, run: "
    assert capsys.readouterr().err == f"{said}{SPARK})\n"


@pytest.mark.usefixtures("without_spark")
@pytest.mark.parametrize(
    "command",
    ["report", "report --html page.html", "fuzz history-merge --in-process --directory"],
)
def test_a_command_that_keeps_a_campaign_says_how_to_go_on(
    command: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "campaigns").mkdir()
    (tmp_path / "campaigns" / "1.parquet").touch()
    assert run([*command.split(), "."]) == 3
    said = capsys.readouterr().err
    hint = install_hint("tables")
    assert said == (
        f"rejoin: a directory of results needs PyArrow, which is not installed; run: {hint}\n"
    )


def test_another_missing_module_is_a_fault_of_the_suite(monkeypatch: pytest.MonkeyPatch) -> None:
    from rejoin_conformance.command_line import init

    def broken(_name: str) -> None:
        raise ModuleNotFoundError("No module named 'odd'", name="odd")

    monkeypatch.setattr(init, "skeleton_named", broken)
    with pytest.raises(ModuleNotFoundError):
        run(["init", "--lang", "go", "--directory", "nowhere"])


@pytest.mark.parametrize(
    "command", ["vectors generate", "vectors add history-merge/x", "mutants --all --changed"]
)
def test_a_command_that_changes_or_compares_a_checkout_needs_one(
    command: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("rejoin_conformance.command_line.console.in_checkout", lambda: False)
    assert run(command.split()) == 2
    said = capsys.readouterr().err
    assert "works on a checkout of the project; this suite was installed from a wheel" in said
    assert said.count("\n") == 1


def test_laws_without_hypothesis_say_how_to_go_on(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in [each for each in sys.modules if each.startswith("rejoin_conformance.laws")]:
        monkeypatch.delitem(sys.modules, name)
    for name in [each for each in sys.modules if each.partition(".")[0] == "hypothesis"]:
        monkeypatch.setitem(sys.modules, name, None)
    assert run(["run", "--laws", "--adapter", "unused"]) == 3
    hint = install_hint("laws")
    assert capsys.readouterr().err == f"rejoin: Hypothesis is not installed; run: {hint}\n"
