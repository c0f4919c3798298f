"""A pseudo-distributed HDFS on the loopback interface: a NameNode and a DataNode."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.error import HTTPError
from urllib.request import urlopen

from attrs import define

from clusters.hadoop_servers import end, start, write_settings
from support.processes import free_port, until

_NAME_NODE = "org.apache.hadoop.hdfs.server.namenode.NameNode"
_DATA_NODE = "org.apache.hadoop.hdfs.server.datanode.DataNode"
_STATE = "/jmx?qry=Hadoop:service=NameNode,name=FSNamesystemState"


@define
class Hdfs:
    """A running HDFS. folder: its configuration, data and log."""

    folder: Path
    port: int
    http_port: int
    servers: list[subprocess.Popen[bytes]]

    @property
    def address(self) -> str:
        """Return the URL of the root folder."""
        return f"hdfs://127.0.0.1:{self.port}"

    def settings(self) -> dict[str, str]:
        """Return the settings of Spark for this file system, with few retries."""
        return {"spark.hadoop.ipc.client.connect.max.retries": "2"}

    def kept(self, folder: str) -> set[str]:
        """Return the paths of the complete Parquet files below a folder."""
        found: set[str] = set()
        for name, is_folder in self._listed(folder):
            if is_folder and name != "_temporary":
                found |= self.kept(f"{folder}/{name}")
            elif name.endswith(".parquet"):
                found.add(f"{folder}/{name}")
        return found

    def stop(self) -> None:
        """End the NameNode immediately, without which no file can be read or written."""
        end(self.servers[0])

    def start(self) -> None:
        """Start the NameNode again."""
        self.servers[0] = start(self.folder, _NAME_NODE)
        until(self._is_ready)

    def _is_ready(self) -> bool:
        """Return whether the DataNode has registered and files can be written."""
        try:
            (state,) = self._answer(_STATE)["beans"]
        except (OSError, ValueError):
            return False
        return bool(state["FSState"] == "Operational" and state["NumLiveDataNodes"] == 1)

    def _listed(self, folder: str) -> list[tuple[str, bool]]:
        try:
            found = self._answer(f"/webhdfs/v1{folder}?op=LISTSTATUS")["FileStatuses"]["FileStatus"]
        except HTTPError:
            return []
        return [(each["pathSuffix"], each["type"] == "DIRECTORY") for each in found]

    def _answer(self, path: str) -> Any:
        with urlopen(f"http://127.0.0.1:{self.http_port}{path}") as answer:
            return json.load(answer)


@contextmanager
def hdfs(folder: Path) -> Iterator[Hdfs]:
    """Yield a new HDFS, and stop it at the end."""
    port, http_port = free_port(), free_port()
    anywhere = "127.0.0.1:0"
    core = {"fs.defaultFS": f"hdfs://127.0.0.1:{port}", "hadoop.tmp.dir": folder / "data"}
    write_settings(folder, "core-site", core)
    write_settings(
        folder,
        "hdfs-site",
        {
            "dfs.replication": 1,
            "dfs.namenode.http-address": f"127.0.0.1:{http_port}",
            "dfs.namenode.safemode.extension": 0,
            "dfs.datanode.address": anywhere,
            "dfs.datanode.http.address": anywhere,
            "dfs.datanode.ipc.address": anywhere,
        },
    )
    assert start(folder, _NAME_NODE, "-format", "-nonInteractive").wait() == 0
    running = Hdfs(folder, port, http_port, [])
    try:
        running.servers += [start(folder, each) for each in (_NAME_NODE, _DATA_NODE)]
        until(running._is_ready)
        yield running
    finally:
        for server in running.servers:
            end(server)
