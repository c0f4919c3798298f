"""The parts of the cluster tests are pinned, fit to PySpark, and are verified before they run."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pyspark
import pytest

from cluster_parts import Jar, PartError, jars, s3_server, verified


def test_the_jars_of_hadoop_have_the_version_of_the_client_in_pyspark() -> None:
    (client,) = (Path(pyspark.__file__).parent / "jars").glob("hadoop-client-api-*.jar")
    hadoop = [jar for jar in (*jars("hadoop"), *jars("s3a")) if jar.group == "org.apache.hadoop"]
    assert sorted(jar.artifact for jar in hadoop) == ["hadoop-aws", "hadoop-client-minicluster"]
    assert {jar.version for jar in hadoop} == {client.stem.removeprefix("hadoop-client-api-")}


def test_every_part_is_pinned() -> None:
    for jar in (*jars("hadoop"), *jars("s3a")):
        assert len(bytes.fromhex(jar.sha256)) == 32
    assert s3_server().sum.startswith("h1:")


def test_a_missing_or_changed_jar_is_refused(tmp_path: Path) -> None:
    content = b"a jar"
    jar = Jar("group", "name", "1.0", hashlib.sha256(content).hexdigest())
    path = tmp_path / "name-1.0.jar"
    with pytest.raises(PartError, match="is missing; run: make cluster-parts"):
        verified([jar], tmp_path)
    path.write_bytes(content)
    assert verified([jar], tmp_path) == (path,)
    path.write_bytes(b"another")
    with pytest.raises(PartError, match=r"does not have the SHA-256 of parts\.toml"):
        verified([jar], tmp_path)
