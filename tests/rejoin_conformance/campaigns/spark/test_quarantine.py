"""A history that exits, loops or eats memory is quarantined wherever Spark runs."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import duckdb
import pytest

from rejoin_conformance.command_line.main import run
from support.spark_cluster import PORT, connect_server, quick_start, rejoin, standalone_cluster
from support.window_rule import window_rule

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

FAULTS = {
    "worker-died": "os._exit(7)",
    "timeout": "while True: pass",
    "memory": "bytearray(2 << 30)",
}
WHAT = "config-merge --reading rule.py --profile tiny --histories 500 --tries 1 --json"
BOUNDS = "--history-timeout 10 --max-memory 1"


@pytest.fixture(scope="module", params=["spark", "remote"])
def where(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[list[str]]:
    """The options of a standalone cluster of two workers, and of a Connect server."""
    folder = tmp_path_factory.mktemp("servers")
    if request.param == "remote":
        with connect_server(folder) as address:
            yield ["--remote", address]
    else:
        conf = ["executor.memory=512m", f"executor.extraJavaOptions={quick_start()}"]
        with standalone_cluster(folder) as cluster:
            settings = [part for each in conf for part in ("--conf", f"spark.{each}")]
            yield ["--master", cluster.address, *settings]


def fuzz(folder: Path, *options: str) -> tuple[int, dict[str, Any]]:
    with rejoin(folder, "fuzz", *WHAT.split(), *BOUNDS.split(), *options, cwd=folder) as driver:
        output, errors = driver.communicate()
    assert output, errors
    return driver.returncode, json.loads(output)


def quarantined(directory: Path) -> list[tuple[int, str]]:
    with duckdb.connect() as database:
        files = f"'{directory}/quarantine/*.parquet'"
        return database.execute(f"SELECT index, reason FROM {files} ORDER BY 1").fetchall()


@pytest.mark.full_run("Spark")
@pytest.mark.parametrize("reason", ["worker-died", pytest.param("memory", marks=pytest.mark.long)])
def test_a_history_that_ends_its_process_is_quarantined_embedded(
    reason: str,
    spark: SparkSession,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "rule.py").write_text(window_rule(FAULTS[reason]))
    digests = []
    for place in ("--in-process", "--spark"):
        few = ("--histories", "260", "--max-memory", "1", "--directory", place)
        assert run(["fuzz", *WHAT.split(), *few, place]) == 1
        digests.append(json.loads(capsys.readouterr().out)["digest"])
        assert quarantined(tmp_path / place) == [(176, reason)]
    assert digests[0] == digests[1]
    assert spark.range(2).count() == 2


@pytest.mark.long  # starts JVMs
@pytest.mark.parametrize("reason", FAULTS)
def test_a_history_that_ends_its_process_is_quarantined_on_a_cluster(
    reason: str, where: list[str], tmp_path: Path
) -> None:
    (tmp_path / "rule.py").write_text(window_rule(FAULTS[reason]))
    here = fuzz(tmp_path, "--in-process", "--directory", "here")
    there = fuzz(tmp_path, *where, "--directory", "there")
    assert here[0] == there[0] == 1
    assert here[1]["digest"] == there[1]["digest"]
    assert quarantined(tmp_path / "here") == [(176, reason), (458, reason)]
    assert quarantined(tmp_path / "there") == [(176, reason), (458, reason)]


@pytest.mark.long  # starts JVMs
@pytest.mark.parametrize("folder", [False, True])
def test_an_adapter_is_shipped_to_workers_that_do_not_have_it(
    where: list[str], tmp_path: Path, folder: bool
) -> None:
    (tmp_path / "build").mkdir()
    program = tmp_path / "build" / "port"
    program.write_text(PORT)
    program.chmod(0o755)
    ship, named = ("build", "{shipped}/port") if folder else ("build/port", "{shipped}")
    what = ("--operation", "maximal", "--json", "--adapter", named, "--ship", ship, *where)
    with rejoin(tmp_path, "run", "history-merge", *what, cwd=tmp_path) as driver:
        output, errors = driver.communicate()
    assert driver.returncode == 0, errors
    assert json.loads(output)["verdicts"]["pass"] > 0
    few = ("--histories", "300", "--profile", "tiny", "--partitions", "2")
    with rejoin(tmp_path, "fuzz", "history-merge", *few, *what, cwd=tmp_path) as driver:
        output, errors = driver.communicate()
    assert driver.returncode == 0, errors
    assert json.loads(output)["failed"] is False


def test_quarantined_histories_are_tried_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The machine lacked memory: the rule, which the plan keeps, does not change."""
    monkeypatch.chdir(tmp_path)
    body = "os.path.exists('broken') and os._exit(7)"
    (tmp_path / "rule.py").write_text(window_rule(body))
    command = ["fuzz", *WHAT.split(), "--histories", "260", "--directory", "kept"]
    (tmp_path / "broken").touch()
    assert run(command) == 1
    (tmp_path / "broken").unlink()
    assert run(command) == 1
    capsys.readouterr()
    assert run([*command, "--retry-quarantined"]) == 0
    retried = json.loads(capsys.readouterr().out)["digest"]
    assert run([*command[:-1], "other"]) == 0
    assert json.loads(capsys.readouterr().out)["digest"] == retried
    assert run(command) == 0
