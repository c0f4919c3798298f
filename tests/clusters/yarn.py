"""YARN on the loopback interface: a resource manager and a node manager, for 2 cores and 4 GB."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.request import urlopen

from clusters.hadoop_servers import end, start, write_settings
from support.processes import descendants, free_port, kill, until

_PACKAGE = "org.apache.hadoop.yarn.server"


@contextmanager
def yarn(folder: Path) -> Iterator[Path]:
    """Yield the configuration of a new YARN, and stop its servers and containers at the end.

    folder: has `conf/core-site.xml`, which names the default file system.
    """
    http_port = free_port()
    manager = {"webapp.address": f"127.0.0.1:{http_port}", "hostname": "127.0.0.1"}
    for each in ("address", "scheduler.address", "resource-tracker.address", "admin.address"):
        manager[each] = f"127.0.0.1:{free_port()}"
    node = {
        each: f"127.0.0.1:{free_port()}"
        for each in ("address", "localizer.address", "webapp.address")
    } | {
        "hostname": "127.0.0.1",
        "local-dirs": str(folder / "local"),
        "log-dirs": str(folder / "logs"),
        "resource.memory-mb": "4096",
        "resource.cpu-vcores": "2",
        "vmem-check-enabled": "false",
        "disk-health-checker.max-disk-utilization-per-disk-percentage": "99.9",
    }
    write_settings(
        folder,
        "yarn-site",
        {f"yarn.resourcemanager.{name}": value for name, value in manager.items()}
        | {f"yarn.nodemanager.{name}": value for name, value in node.items()}
        | {"yarn.scheduler.minimum-allocation-mb": 128},
    )
    queue = "yarn.scheduler.capacity"
    write_settings(
        folder,
        "capacity-scheduler",
        {
            f"{queue}.root.queues": "default",
            f"{queue}.root.default.capacity": 100,
            f"{queue}.maximum-am-resource-percent": 0.5,
        },
    )
    names = ("resourcemanager.ResourceManager", "nodemanager.NodeManager")
    servers = [start(folder, f"{_PACKAGE}.{each}") for each in names]
    try:
        until(lambda: _nodes(http_port) == 1)
        yield folder / "conf"
    finally:
        for server in servers:
            for container in descendants(server.pid):
                kill(container)
            end(server)


def _nodes(http_port: int) -> int:
    """Return the number of nodes that the resource manager can use; 0 while it starts."""
    try:
        with urlopen(f"http://127.0.0.1:{http_port}/ws/v1/cluster/metrics") as answer:
            return int(json.load(answer)["clusterMetrics"]["activeNodes"])
    except (OSError, ValueError):
        return 0
