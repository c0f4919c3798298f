"""An S3 server on the loopback interface, which keeps its objects as files of a folder."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from attrs import define

from cluster_parts import S3_SERVER, PartError, jars, verified
from clusters.hadoop_servers import end
from support.processes import free_port, listens, until

BUCKET = "bucket"
_KEY, _SECRET = "rejoin", "campaigns"


@define
class S3:
    """A running S3 server with one bucket. folder: the objects."""

    folder: Path
    port: int
    server: subprocess.Popen[bytes] | None = None

    @property
    def address(self) -> str:
        """Return the URL of the bucket."""
        return f"s3a://{BUCKET}"

    def settings(self, secret: str = _SECRET) -> dict[str, str]:
        """Return the settings of Spark for this server, with few retries."""
        return {
            "spark.jars": ",".join(map(str, verified(jars("s3a")))),
            "spark.hadoop.fs.s3a.endpoint": f"http://127.0.0.1:{self.port}",
            "spark.hadoop.fs.s3a.endpoint.region": "us-east-1",
            "spark.hadoop.fs.s3a.path.style.access": "true",
            "spark.hadoop.fs.s3a.access.key": _KEY,
            "spark.hadoop.fs.s3a.secret.key": secret,
            "spark.hadoop.fs.s3a.attempts.maximum": "1",
            "spark.hadoop.fs.s3a.retry.limit": "1",
        }

    def kept(self, folder: str) -> set[str]:
        """Return the paths of the complete Parquet files below a folder of the bucket."""
        found = (self.folder / BUCKET / folder.strip("/")).glob("blocks/*/*.parquet")
        return {str(path) for path in found}

    def stop(self) -> None:
        """End the server immediately."""
        end(self.server)

    def start(self) -> None:
        """Start the server, and wait until it answers."""
        if not S3_SERVER.is_file():
            raise PartError(f"{S3_SERVER} is missing; run: make cluster-parts")
        self.server = subprocess.Popen(
            [str(S3_SERVER), "--quiet", "--port", f"127.0.0.1:{self.port}", "posix", self.folder],
            env={**os.environ, "ROOT_ACCESS_KEY": _KEY, "ROOT_SECRET_KEY": _SECRET},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        until(lambda: listens(self.port))


@contextmanager
def s3(folder: Path) -> Iterator[S3]:
    """Yield a new S3 server with an empty bucket, and stop it at the end."""
    (folder / BUCKET).mkdir(parents=True)
    running = S3(folder, free_port())
    try:
        running.start()
        yield running
    finally:
        running.stop()
