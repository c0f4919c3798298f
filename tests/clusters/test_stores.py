"""A campaign kept on HDFS or S3 survives the death of its driver, and of the server."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from clusters.distant_campaigns import (
    PLAN,
    DistantStore,
    fuzz,
    kill_with_descendants,
    undisturbed_digest,
)
from clusters.hdfs import hdfs
from clusters.s3 import s3
from support.processes import until

pytestmark = pytest.mark.cluster


@pytest.fixture(scope="module")
def digest() -> str:
    return undisturbed_digest()


@pytest.fixture(scope="module", params=["hdfs", "s3a"])
def store(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[DistantStore]:
    folder = tmp_path_factory.mktemp(request.param)
    with hdfs(folder) if request.param == "hdfs" else s3(folder) as running:
        yield running


def test_a_killed_campaign_is_resumed(store: DistantStore, tmp_path: Path, digest: str) -> None:
    directory = f"{store.address}/killed"
    with fuzz(tmp_path, directory, store.settings()) as driver:
        until(lambda: bool(store.kept("/killed")) or driver.poll() is not None)
        kill_with_descendants(driver)
    before = store.kept("/killed")
    with fuzz(tmp_path, directory, store.settings()) as driver:
        output, errors = driver.communicate()
    assert (driver.returncode, errors) == (0, "")
    assert json.loads(output)["digest"] == digest
    assert json.loads(output)["complete"] is True
    assert before < store.kept("/killed")


def test_a_dead_server_is_one_line_and_the_campaign_is_resumed(
    store: DistantStore, tmp_path: Path, digest: str
) -> None:
    directory = f"{store.address}/dead"
    with fuzz(tmp_path, directory, store.settings()) as driver:
        until(lambda: bool(store.kept("/dead")) or driver.poll() is not None)
        store.stop()
        output, errors = driver.communicate()
    assert (driver.returncode, output, errors.count("\n")) == (3, "", 1), errors
    assert re.match(rf"rejoin: {directory} cannot be (read|written to): ", errors)
    with fuzz(tmp_path, directory, store.settings()) as driver:
        output, errors = driver.communicate()
    assert (driver.returncode, output, errors.count("\n")) == (3, "", 1), errors
    assert errors.startswith(f"rejoin: {directory} cannot be read: ")
    store.start()
    before = store.kept("/dead")
    with fuzz(tmp_path, directory, store.settings()) as driver:
        output, errors = driver.communicate()
    assert (driver.returncode, errors) == (0, "")
    assert json.loads(output)["digest"] == digest
    assert before < store.kept("/dead")


def test_wrong_credentials_are_one_line(tmp_path: Path) -> None:
    with (
        s3(tmp_path / "objects") as running,
        fuzz(tmp_path, f"{running.address}/{PLAN.system}", running.settings("wrong")) as driver,
    ):
        output, errors = driver.communicate()
    assert (driver.returncode, output, errors.count("\n")) == (3, "", 1), errors
    assert "cannot be read: " in errors
    assert "AccessDenied" in errors
