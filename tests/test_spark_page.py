"""docs/spark.md: its queries give the results that it shows, its notebook and commands run."""

from __future__ import annotations

import json
import os
import re
import shlex
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import duckdb
import pytest

import rejoin_conformance.spark as rejoin_spark
from rejoin_conformance.campaigns.plan import Plan
from rejoin_conformance.command_line.main import run
from support.kept_campaigns import undisturbed
from support.kept_tables import queries_in, shown
from support.spark_cluster import PORT, SERVERS, connect_server, rejoin, standalone_cluster
from support.spark_page import PAGE, commands_in, rejoin_main

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

COMMAND = next(line for line in PAGE.splitlines() if line.startswith("rejoin fuzz conflict-"))
QUERIES = [*queries_in(PAGE)]
VIEWS = [line for line in commands_in("Ten queries") if line.startswith("CREATE VIEW")]
HERE = ("Campaigns and Spark",)
ON_SERVERS = ("Standalone", "An adapter on a cluster", "Connect")
ON_HADOOP = ("YARN", "Where to store the directory")
"""The sections with commands: of this machine, of Spark's servers, and of `make cluster-test`."""

PLAN = Plan(system="history-merge", profile="tiny", readings=("document",), seed=1, histories=500)
SMALLER: Final = {
    "1000000": "500 --profile tiny",
    "10000": "10",
    "--shrink": "--shrink --tries 1",
}
"""What the commands of the page do with fewer histories."""


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A folder in which the command of the page has run."""
    folder = tmp_path_factory.mktemp("page")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        assert run([*COMMAND.split()[1:], "--tries", "1", "--json"]) == 0
        yield folder


def test_the_queries_give_the_results_of_the_page(place: Path) -> None:
    assert len(QUERIES) == 10
    assert (place / "campaigns" / "cd").is_dir()
    with duckdb.connect() as database:
        for view in VIEWS:
            database.execute(view)
        for query, result in QUERIES:
            found = database.sql(query)
            assert shown(found.columns, found.fetchall()) == result, query


@pytest.mark.full_run("Spark")
def test_spark_gives_the_same_results(spark: SparkSession, place: Path) -> None:
    for name, frame in rejoin_spark.kept(spark, str(place / "campaigns" / "cd")).items():
        frame.createOrReplaceTempView(name)
    for query, result in QUERIES:
        found = spark.sql(query)
        assert shown(found.columns, found.collect()) == result, query


def test_the_blocks_of_the_notebook_run_in_order(
    spark: SparkSession, place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(Path(sys.executable).parent), prepend=os.pathsep)
    known: dict[str, Any] = {}
    for block in re.findall(r"```python\n(.+?)```", PAGE, re.DOTALL)[:-1]:
        exec(block, known)
    assert known["spark"] is spark
    assert len(known["digests"]) == 2
    assert {row["verdict"] for row in known["verdicts"].collect()} == {"pass"}
    assert spark.range(2).count() == 2


def test_the_commands_of_this_machine_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    for section in HERE:
        for line in commands_in(section, SMALLER):
            command, _, file = line.partition(" > ")
            assert run(shlex.split(command)[1:]) == 0, line
            printed = capsys.readouterr().out
            if file:
                Path(file).write_text(printed, encoding="utf-8")
            assert ("</html>" in Path("report.html").read_text()) if "--html" in line else printed


def test_every_command_is_one_that_a_test_runs() -> None:
    told = {line for each in (*HERE, *ON_SERVERS, *ON_HADOOP) for line in commands_in(each)}
    assert set(commands_in()) == {*told, *VIEWS, COMMAND}


@pytest.mark.long  # starts JVMs
@pytest.mark.parametrize("sections", [ON_SERVERS[:2], ON_SERVERS[2:]])
def test_the_commands_for_servers_run(sections: tuple[str, ...], tmp_path: Path) -> None:
    (tmp_path / "rejoin_main.py").write_text(rejoin_main())
    (tmp_path / "build").mkdir()
    (tmp_path / "build" / "my-port").write_text(PORT)
    (tmp_path / "build" / "my-port").chmod(0o755)
    with _server(sections, tmp_path) as (name, address):
        here = {
            **SMALLER,
            name: address,
            "ADDRESS": "127.0.0.1",
            "run ": "run --operation maximal ",
        }
        lines = [line for each in sections for line in commands_in(each, here)]
        servers = [line for line in lines if "org.apache.spark" in line]
        assert servers
        assert all(any(each in line for each in SERVERS) for line in servers)
        digests = [_digest_of(line, tmp_path) for line in lines if line not in servers]
    assert {*filter(None, digests)} == {undisturbed(PLAN).digest}


@contextmanager
def _server(sections: tuple[str, ...], folder: Path) -> Iterator[tuple[str, str]]:
    """Yield the address of a server on the page, and that of one that runs."""
    if "Connect" in sections:
        with connect_server(folder) as address:
            yield "sc://host:15002", address
    else:
        with standalone_cluster(folder) as cluster:
            yield "spark://host:7077", cluster.address


def _digest_of(line: str, folder: Path) -> str | None:
    """Run a command. Return the digest of its campaign of laws, if it is one."""
    command, *arguments = shlex.split(f"{line} --json")
    with rejoin(folder, *arguments, cwd=folder, submit=command == "spark-submit") as driver:
        output, errors = driver.communicate()
    assert driver.returncode == 0, (line, errors)
    return None if "--adapter" in arguments else json.loads(output).get("digest")
