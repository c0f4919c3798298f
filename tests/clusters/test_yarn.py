"""A campaign on YARN, kept on HDFS, gives the same digest as one in this process."""

from __future__ import annotations

import json
from pathlib import Path

import pyspark

from clusters.distant_campaigns import fuzz, undisturbed_digest
from clusters.hdfs import hdfs
from clusters.yarn import yarn

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
