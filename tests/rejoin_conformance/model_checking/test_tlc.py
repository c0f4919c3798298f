from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path
from zipfile import ZipFile

import pytest

from rejoin_conformance.contract.model import Configuration
from rejoin_conformance.kit.guard import Guard
from rejoin_conformance.kit.installing import install_hint
from rejoin_conformance.kit.java import NoJavaError, packaged_java_home
from rejoin_conformance.kit.tla_values import record
from rejoin_conformance.model_checking import tlc
from rejoin_conformance.model_checking.check import check
from rejoin_conformance.model_checking.tlc import Job, NoTlcError, run_tlc, tlc_jar
from rejoin_conformance.model_checking.tlc_output import TlcOutcome, read_output
from support.processes import Process, descendants
from support.toy_model import FOLDER, TOY_MODEL


def _job(configuration: str, *, module: str = "Toy") -> Job:
    return Job(
        folder=FOLDER,
        module=module,
        configuration=configuration,
        arguments=("-deadlock",),
    )


def _configuration(name: str) -> str:
    return (FOLDER / name).read_text(encoding="utf-8")


def test_a_model_in_which_all_holds_passes() -> None:
    outcome = run_tlc(_job(_configuration("passes.cfg")))
    assert outcome.passed
    # each number that is posted has been seen by A, by B, or by both: 1 + 3 + 3 * 3
    assert (outcome.distinct, outcome.depth) == (13, 5)
    assert outcome.generated >= outcome.distinct
    assert outcome.milliseconds > 0
    assert outcome.trace == ()


def test_a_violated_invariant_comes_with_the_shortest_way_there() -> None:
    outcome = run_tlc(_job(_configuration("both.cfg")))
    assert outcome.violated == "NeverBoth"
    assert outcome.error is None
    assert not outcome.passed
    assert [state.variables["posted"] for state in outcome.trace] == [0, 1, 1]
    assert outcome.trace[-1].variables["seen"] == record(A=frozenset({1}), B=frozenset({1}))


@pytest.mark.full_run("model checker")
def test_a_violated_temporal_property_is_one() -> None:
    outcome = run_tlc(_job(_configuration("nothing.cfg")))
    assert outcome.violated == "temporal properties"
    assert len(outcome.trace) > 1


@pytest.mark.full_run("model checker")
@pytest.mark.parametrize(
    ("configuration", "module", "said"),
    [
        ('INIT Init\nNEXT Next\nCONSTANT Who = {"A"}\n', "Toy", "Most"),
        ('INIT Init\nNEXT Nowhere\nCONSTANTS Who = {"A"}\nMost = 1\n', "Toy", "Nowhere"),
        ("INIT Init\nNEXT Next\n", "Missing", "Missing"),
    ],
)
def test_what_tlc_cannot_do_is_one_line(configuration: str, module: str, said: str) -> None:
    outcome = run_tlc(_job(configuration, module=module))
    assert outcome.violated is None
    assert outcome.error is not None
    assert said in outcome.error
    assert "\n" not in outcome.error


def test_an_invalid_module_is_reported_with_its_place(tmp_path: Path) -> None:
    (tmp_path / "Odd.tla").write_text("---- MODULE Odd ----\nA == \\in\n====\n")
    outcome = run_tlc(Job(folder=tmp_path, module="Odd", configuration="INIT A\n"))
    assert outcome.error is not None
    assert "line 2" in outcome.error


def test_an_interrupted_run_leaves_no_process_and_no_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))

    before = descendants(os.getpid())  # such as the Spark of other tests
    started: list[Process] = []
    commands: list[str] = []

    def interrupt(lines: Iterator[str]) -> None:
        next(lines)
        started.extend(each for each in descendants(os.getpid()) if each not in before)
        commands.extend(each.command for each in started)
        raise KeyboardInterrupt

    monkeypatch.setattr(tlc, "read_output", interrupt)
    with pytest.raises(KeyboardInterrupt):
        run_tlc(_job(_configuration("passes.cfg")))
    assert any(str(tmp_path) in command for command in commands)
    assert any(" guard " in command for command in commands)
    assert [each for each in descendants(os.getpid()) if each in started] == []
    assert list(tmp_path.iterdir()) == []


def test_without_a_shell_nobody_can_watch_over_tlc(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def no_shell(_group: int) -> Guard:
        raise FileNotFoundError(2, "No such file or directory")

    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    monkeypatch.setattr(tlc, "Guard", no_shell)
    with pytest.raises(NoTlcError, match="cannot start the guard of TLC: /bin/sh: No such file"):
        run_tlc(_job(_configuration("passes.cfg")))
    assert [each for each in descendants(os.getpid()) if str(tmp_path) in each.command] == []
    assert list(tmp_path.iterdir()) == []


@pytest.mark.full_run("model checker")
def test_tlc_runs_on_the_java_that_comes_as_a_package(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setattr(tlc, "java_home", packaged_java_home)
    assert run_tlc(_job(_configuration("both.cfg"))).violated == "NeverBoth"


def test_without_a_jar_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("REJOIN_TLA2TOOLS", raising=False)
    monkeypatch.setattr(tlc, "find_spec", lambda _name: None)
    with pytest.raises(NoTlcError, match=re.escape(install_hint("models"))):
        tlc_jar()


def test_a_jar_that_is_named_has_to_be_there(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("REJOIN_TLA2TOOLS", "/nowhere/tla2tools.jar")
    with pytest.raises(NoTlcError, match="REJOIN_TLA2TOOLS names /nowhere/tla2tools"):
        tlc_jar()


def test_another_jar_is_taken_where_one_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    jar = tmp_path / "other.jar"
    with ZipFile(jar, "w") as content:
        content.writestr("tlc2/TLC.class", b"")
    monkeypatch.setenv("REJOIN_TLA2TOOLS", str(jar))
    assert tlc_jar() == jar


@pytest.mark.parametrize("empty", [True, False])
def test_a_file_that_holds_no_tlc_is_said(
    empty: bool,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    jar = tmp_path / "some.jar"
    if empty:
        ZipFile(jar, "w").close()
    else:
        jar.write_text("no jar")
    monkeypatch.setenv("REJOIN_TLA2TOOLS", str(jar))
    with pytest.raises(NoTlcError, match="which does not contain TLC"):
        tlc_jar()


def test_without_java_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    def none() -> str:
        raise NoJavaError("Spark needs Java")

    monkeypatch.setattr(tlc, "java_home", none)
    with pytest.raises(NoTlcError, match="TLC needs Java"):
        run_tlc(_job(""))


def test_a_java_that_does_not_start_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tlc, "java_home", lambda: str(tmp_path))
    with pytest.raises(NoTlcError, match="cannot be started"):
        run_tlc(_job(""))


def test_output_that_breaks_off_is_an_error() -> None:
    outcome = read_output(["Exception in main: no memory", "@!@!@STARTMSG 2185:0 @!@!@"])
    assert outcome == TlcOutcome(
        error="TLC ended before it had finished; its last line was: Exception in main: no memory",
        printed=("Exception in main: no memory",),
    )


@pytest.mark.parametrize("violates", ["Counted", None])
def test_a_check_says_what_was_expected_instead(violates: str | None) -> None:
    configuration = Configuration(name="both", summary="", bounds="", violates=violates)
    checked = check(TOY_MODEL, FOLDER, configuration)
    assert not checked.as_expected
    expected = "passes" if violates is None else "violates Counted"
    assert checked.text() == f"violates NeverBoth after 2 steps; expected: {expected}"
