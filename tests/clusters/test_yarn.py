"""A campaign on YARN, kept on HDFS, gives the same digest as one in this process.

The driver is here, or in a container of YARN that has no package but those of the archive.
"""

from __future__ import annotations

import json
import os
import shlex
import subprocess
from pathlib import Path

import pyspark
import pytest

from clusters.distant_campaigns import PLAN, fuzz, undisturbed_digest
from clusters.hdfs import hdfs
from clusters.yarn import yarn
from support.spark_cluster import environment
from support.spark_page import commands_in, rejoin_main
from support.wheels import closure, environment_of_wheel, link_packages

pytestmark = pytest.mark.cluster

SETTINGS = {
    "spark.yarn.jars": f"local:{Path(pyspark.__file__).parent}/jars/*",
    "spark.driver.host": "127.0.0.1",
    "spark.executor.instances": "2",
    "spark.executor.memory": "512m",
    "spark.yarn.am.memory": "512m",
    "spark.ui.enabled": "false",
}


def test_a_campaign_runs_on_yarn(tmp_path: Path) -> None:
    with hdfs(tmp_path) as files, yarn(tmp_path) as configuration:
        variables = {"HADOOP_CONF_DIR": str(configuration)}
        with fuzz(
            tmp_path, "hdfs:///hm", SETTINGS, "--master", "yarn", variables=variables
        ) as driver:
            output, errors = driver.communicate()
        kept = files.kept("/hm")
    assert (driver.returncode, errors) == (0, "")
    assert json.loads(output)["digest"] == undisturbed_digest()
    assert json.loads(output)["ran"] == "on Spark, yarn"
    assert len(kept) > 0


def test_a_campaign_is_submitted_to_yarn_with_its_environment(tmp_path: Path) -> None:
    [packages] = environment_of_wheel(tmp_path).parents[1].glob("lib/python*/site-packages")
    link_packages(closure(["pandas", "pyarrow"]), packages)
    (tmp_path / "rejoin_main.py").write_text(rejoin_main())
    smaller = {"1000000": f"{PLAN.histories} --profile {PLAN.profile}", "/campaigns": ""}
    _, _, pack, line = commands_in("YARN", smaller)
    subprocess.run(shlex.split(pack), cwd=tmp_path, check=True)
    command, *arguments = shlex.split(line)
    settings = {"spark.yarn.jars": SETTINGS["spark.yarn.jars"], "spark.driver.memory": "512m"}
    settings |= {name: value for name, value in SETTINGS.items() if "executor" in name}
    conf = [part for item in settings.items() for part in ("--conf", "=".join(item))]
    with hdfs(tmp_path) as files, yarn(tmp_path) as configuration:
        there = {**environment(tmp_path), "HADOOP_CONF_DIR": str(configuration)}
        submit = Path(pyspark.__file__).parent / "bin" / command
        submitted = subprocess.run(
            [submit, *conf, *arguments], cwd=tmp_path, env=there, capture_output=True, check=False
        )
        assert submitted.returncode == 0, _logs(tmp_path)
        kept = files.kept("/hm")
        with fuzz(tmp_path, f"{files.address}/hm", files.settings()) as driver:
            output, errors = driver.communicate()
        assert files.kept("/hm") == kept
    assert (driver.returncode, errors) == (0, "")
    assert json.loads(output)["digest"] == undisturbed_digest()


def _logs(folder: Path) -> str:
    """Return the ends of the logs of the containers."""
    logs = sorted((folder / "logs").rglob("std*"))
    return os.linesep.join(f"{path}: {path.read_text()[-3000:]}" for path in logs)
