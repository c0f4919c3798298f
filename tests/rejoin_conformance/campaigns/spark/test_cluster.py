"""Campaigns on a cluster: the driver's packages run there, and lost machines only cost time."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from rejoin_conformance.campaigns.adapter_block import block_examiner
from rejoin_conformance.campaigns.block import examine_block
from rejoin_conformance.campaigns.child import Note
from rejoin_conformance.campaigns.spark.shipping import packages_zip
from rejoin_conformance.contract.registry import all_systems
from rejoin_conformance.kit.json_types import canonical_json
from rejoin_conformance.systems.conflict_detection.exhaust.report import EXHAUSTIVE
from support.kept_campaigns import undisturbed
from support.plans import small_plan
from support.processes import kill, until
from support.spark_cluster import connect_server, quick_start, rejoin, standalone_cluster
from support.spreads import HERE

PLAN = small_plan("history-merge", 2_000)

WHERE_IT_RUNS = """
import sys
sys.path.insert(0, sys.argv[1])
import rejoin, rejoin_conformance
from rejoin_conformance.campaigns.adapter_block import block_examiner
from rejoin_conformance.campaigns.block import examine_block
from rejoin_conformance.campaigns.child import Note
from rejoin_conformance.campaigns.plan import Plan
from rejoin_conformance.contract.registry import all_systems
assert rejoin.__file__.startswith(sys.argv[1]), rejoin.__file__
assert rejoin_conformance.__file__.startswith(sys.argv[1]), rejoin_conformance.__file__
for each in all_systems():
    plan = Plan(system=each.name, profile="tiny", readings=(each.readings[0],), seed=1, histories=3)
    print(examine_block(plan, 0)["blocks"][0]["digest"])
ruled = dict(readings=("rule.py",), rule=sys.argv[2])
plan = Plan(system="config-merge", profile="tiny", seed=1, histories=3, **ruled)
with block_examiner(plan, Note()) as examine:
    print(examine(0, {})["blocks"][0]["digest"])
"""

RULE = """
from rejoin.config_merge.windows import within as as_it_is


def within(window: int, seqno: int, largest: int) -> bool:
    return as_it_is(window - 1, seqno, largest)


OVERRIDES = {
    "rejoin.config_merge.windows.within": within,
    "rejoin.config_merge.application_data.MAX_KEY_LENGTH": 1,
}
"""


@pytest.fixture(scope="module")
def digest() -> str:
    return undisturbed(PLAN).digest


def fuzz(folder: Path, *options: str) -> subprocess.Popen[str]:
    what = f"--profile {PLAN.profile} --histories {PLAN.histories} --partitions 6 --json"
    return rejoin(folder, "fuzz", PLAN.system, *what.split(), *options)


@pytest.mark.long  # starts a JVM
def test_a_standalone_cluster_may_lose_an_executor_and_a_worker(
    tmp_path: Path, digest: str
) -> None:
    directory = tmp_path / "campaign"
    memory, start = "executor.memory=512m", f"executor.extraJavaOptions={quick_start()}"
    settings = ("--conf", f"spark.{memory}", "--conf", f"spark.{start}")
    with standalone_cluster(tmp_path) as cluster:
        address = ("--master", cluster.address, "--directory", str(directory))
        with fuzz(tmp_path, *address, *settings) as driver:
            until(lambda: len(cluster.executors()) == 2 or driver.poll() is not None)
            kill(cluster.executors()[0])
            until(lambda: any((directory / "blocks").glob("*.parquet")) or _ended(driver))
            cluster.workers[0].kill()
            output, errors = driver.communicate()
    assert driver.returncode == 0, errors
    assert json.loads(output)["digest"] == digest


@pytest.mark.long  # starts a JVM
def test_a_connect_server_counts_every_history_up_to_a_bound(tmp_path: Path) -> None:
    alone = EXHAUSTIVE.run({"clients": 2, "uploads": 2}, HERE)
    reports = []
    with connect_server(tmp_path) as server:
        to = ("--remote", server, "--json")
        for what in ("conflict-detection --clients 2 --uploads 2", "history-merge --nodes 4"):
            with rejoin(tmp_path, "exhaust", *what.split(), *to) as driver:
                output, errors = driver.communicate()
            assert driver.returncode == 0, errors
            reports.append(json.loads(output))
    assert reports[0] == json.loads(canonical_json(alone))
    assert [size["order_dependent"] for size in reports[1]["sizes"]] == [0, 0, 0, 12]
    assert [size["dags"] for size in reports[1]["sizes"]] == [1, 2, 7, 40]


def test_the_shipped_packages_need_nothing_beside_them_and_no_hash_seed(tmp_path: Path) -> None:
    script = tmp_path / "run.py"
    script.write_text(WHERE_IT_RUNS)
    packages = packages_zip()
    assert packages.name.startswith("rejoin-")
    shipped = subprocess.run(
        [sys.executable, str(script), str(packages), RULE],
        cwd=tmp_path,
        env={**os.environ, "PYTHONHASHSEED": "4242"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert shipped.returncode == 0, shipped.stderr
    plans = (small_plan(each.name, 3) for each in all_systems())
    digests = [examine_block(plan, 0)["blocks"][0]["digest"] for plan in plans]
    ruled = small_plan("config-merge", 3, readings=("rule.py",), rule=RULE)
    with block_examiner(ruled, Note()) as examine:
        digests.append(examine(0, {})["blocks"][0]["digest"])
    assert digests[-1] not in digests[:-1]
    assert shipped.stdout.split() == digests


def test_the_same_packages_are_shipped_as_the_same_bytes() -> None:
    first, second = packages_zip(), packages_zip()
    assert first.name == second.name
    assert first.read_bytes() == second.read_bytes()
    names = zipfile.ZipFile(first).namelist()
    assert "rejoin/__init__.py" in names
    assert not any("__pycache__" in name or "node_modules" in name for name in names)


def _ended(driver: subprocess.Popen[str]) -> bool:
    return driver.poll() is not None
