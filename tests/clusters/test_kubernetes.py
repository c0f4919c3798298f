"""Without a Kubernetes API server, `--master k8s://` ends with one line."""

from __future__ import annotations

from pathlib import Path

import pytest

from clusters.distant_campaigns import fuzz
from support.processes import free_port

pytestmark = pytest.mark.cluster


def test_no_kubernetes_is_one_line(tmp_path: Path) -> None:
    settings = {"spark.kubernetes.container.image": "none", "spark.driver.host": "127.0.0.1"}
    master = f"k8s://http://127.0.0.1:{free_port()}"
    with fuzz(tmp_path, str(tmp_path / "hm"), settings, "--master", master) as driver:
        output, errors = driver.communicate()
    assert (driver.returncode, output, errors.count("\n")) == (3, "", 1), errors
    assert errors.startswith(f"rejoin: the Spark session on {master} does not start: ")
    assert "Connection refused" in errors
