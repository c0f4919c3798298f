"""Without the packages of an extra, a command prints one line on how to install it."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from rejoin_conformance.campaigns.kept.campaign import header_of
from rejoin_conformance.campaigns.kept.folder import Folder
from rejoin_conformance.campaigns.plan import Plan
from rejoin_conformance.command_line.main import run
from rejoin_conformance.kit.installing import install_hint

SPARK = install_hint("spark")
_HELLO = '{"type": "hello", "protocol": 1, "name": "one", "operations": []}'


@pytest.fixture
def without_spark(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let every import of pyspark or pyarrow fail."""
    for name in [each for each in sys.modules if each.startswith(("pyspark.", "pyarrow."))]:
        monkeypatch.delitem(sys.modules, name)
    for name in ("pyspark", "pyarrow"):
        monkeypatch.setitem(sys.modules, name, None)


@pytest.mark.usefixtures("without_spark")
@pytest.mark.parametrize(
    ("command", "line"),
    [
        ("fuzz history-merge --histories 3000", f"run: {SPARK}, or add --in-process\n"),
        ("exhaust history-merge", f"run: {SPARK}, or add --in-process\n"),
        ("report hdfs://host/directory", f"run: {SPARK}\n"),
    ],
)
def test_a_command_that_needs_spark_says_how_to_go_on(
    command: str, line: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(command.split()) == 3
    said = capsys.readouterr().err
    assert said == f"rejoin: Spark is not installed; {line}"


@pytest.mark.usefixtures("without_spark")
@pytest.mark.parametrize("command", ["", "--html page.html"])
def test_a_command_that_reads_a_kept_campaign_says_how_to_go_on(
    command: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    plan = Plan(
        system="history-merge", profile="default", readings=("document",), seed=1, histories=250
    )
    Folder(tmp_path).begin(header_of(plan))
    (tmp_path / "blocks").mkdir()
    assert run(["report", *command.split(), "."]) == 3
    said = capsys.readouterr().err
    assert said.removeprefix("rejoin: ").startswith("pyarrow")
    assert said.endswith(f" is not installed; run: {SPARK}\n")
    assert said.count("\n") == 1


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
    monkeypatch.setattr("importlib.util.find_spec", lambda _name: None)
    assert run(["run", "--laws", "--adapter", f"echo '{_HELLO}'"]) == 3
    hint = install_hint("laws")
    assert capsys.readouterr().err == f"rejoin: Hypothesis is not installed; run: {hint}\n"
