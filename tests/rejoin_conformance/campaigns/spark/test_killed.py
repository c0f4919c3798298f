"""Whatever is killed in the middle of a campaign, it goes on, and ends with the same digest."""

from __future__ import annotations

import json
import re
import shlex
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from support.kept_campaigns import undisturbed
from support.plans import small_plan
from support.processes import Process, descendants, kill, processes, python_workers, until

PLAN = small_plan("history-merge", 4_000)
MAIN = "from rejoin_conformance.command_line.main import main; main()"


STUBBORN = """
import os, sys, time
from pathlib import Path
from rejoin_conformance.adapters.serve import serve
Path(sys.argv[1], str(os.getpid())).touch()
serve(sys.stdin.buffer, sys.stdout.buffer)
time.sleep(600)
"""
"""The reference as an adapter that leaves its number in a folder, and does not end by itself."""


def fuzz(*options: str) -> subprocess.Popen[str]:
    few = f"--profile {PLAN.profile} --histories {PLAN.histories} --master local[2] --json"
    return subprocess.Popen(
        [sys.executable, "-c", MAIN, "fuzz", PLAN.system, *few.split(), *options],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def kept(directory: Path) -> int:
    return len(list((directory / "blocks").glob("*.parquet")))


def gone(started: list[Process]) -> bool:
    return not {each.pid for each in started} & {each.pid for each in processes()}


def running(traces: Path) -> set[int]:
    """Return the numbers of the adapters that run."""
    return {int(path.name) for path in traces.iterdir()} & {each.pid for each in processes()}


@pytest.fixture(scope="module")
def digest() -> str:
    return undisturbed(PLAN).digest


@pytest.mark.long  # starts a JVM
def test_driver_and_python_workers_can_be_killed(tmp_path: Path, digest: str) -> None:
    directory = tmp_path / "campaign"
    with fuzz("--directory", str(directory)) as driver:
        until(lambda: kept(directory) > 0 and bool(python_workers(driver.pid)))
        started = descendants(driver.pid)
        driver.kill()
    until(lambda: gone(started))
    before = {path: path.stat().st_mtime_ns for path in (directory / "blocks").iterdir()}
    killed = 0
    with fuzz("--directory", str(directory)) as driver:
        until(lambda: bool(python_workers(driver.pid)) or driver.poll() is not None)
        for worker in python_workers(driver.pid):
            kill(worker)
            killed += 1
        output, errors = driver.communicate()
    assert driver.returncode == 0, errors
    assert killed > 0
    assert json.loads(output)["digest"] == digest
    assert json.loads(output)["complete"] is True
    assert all(path.stat().st_mtime_ns == time for path, time in before.items() if path.exists())
    assert kept(directory) > sum(path.suffix == ".parquet" for path in before)


@pytest.mark.full_run("Spark")
@pytest.mark.parametrize(
    "sent", [signal.SIGINT, pytest.param(signal.SIGTERM, marks=pytest.mark.long)]
)
def test_an_interruption_says_how_to_go_on(sent: signal.Signals, tmp_path: Path) -> None:
    with fuzz("--directory", str(tmp_path)) as driver:
        until(lambda: bool(python_workers(driver.pid)))
        started = descendants(driver.pid)
        driver.send_signal(sent)
        output, errors = driver.communicate()
    assert driver.returncode == 3
    assert output == ""
    assert re.fullmatch(
        rf"rejoin: interrupted; {tmp_path} keeps [\d,]+ of [\d,]+ histories; "
        rf"to go on, run: rejoin fuzz .* --directory {tmp_path}\n",
        errors,
    )
    until(lambda: gone(started))


@pytest.mark.long  # starts a JVM
@pytest.mark.parametrize("sent", [signal.SIGKILL, signal.SIGINT])
def test_no_adapter_is_left_of_a_campaign_that_is_ended(
    sent: signal.Signals, tmp_path: Path
) -> None:
    traces = tmp_path / "traces"
    traces.mkdir()
    adapter = shlex.join([sys.executable, "-c", STUBBORN, str(traces)])
    with fuzz("--adapter", adapter, "--histories", "50000") as campaign:
        try:
            until(lambda: len(running(traces)) == 2)  # and not the one that said hello
            started = descendants(campaign.pid)
            campaign.send_signal(sent)
            campaign.communicate(timeout=300)
        finally:
            campaign.kill()
    until(lambda: gone(started) and not running(traces))
    assert campaign.returncode == (3 if sent == signal.SIGINT else -sent)
