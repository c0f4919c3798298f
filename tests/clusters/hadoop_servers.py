"""Hadoop's own servers as processes of this machine, from the pinned jars and those of PySpark."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Mapping
from pathlib import Path

import pyspark

from cluster_parts import jars, verified
from rejoin_conformance.kit.java import java_home

_OF_SPARK = ("hadoop-client-api-", "hadoop-client-runtime-", "slf4j-api-", "jcl-over-", "log4j-")
_LOGGING = """\
rootLogger.level = warn
rootLogger.appenderRef.stderr.ref = stderr
appender.stderr.type = Console
appender.stderr.name = stderr
appender.stderr.target = SYSTEM_ERR
appender.stderr.layout.type = PatternLayout
appender.stderr.layout.pattern = %d %p %c: %m%n%ex
"""


def write_settings(folder: Path, name: str, settings: Mapping[str, object]) -> None:
    """Write a configuration file of Hadoop, such as `core-site`, into `conf`."""
    (folder / "conf").mkdir(exist_ok=True)
    entries = "".join(
        f"<property><name>{each}</name><value>{value}</value></property>\n"
        for each, value in settings.items()
    )
    (folder / "conf" / f"{name}.xml").write_text(f"<configuration>\n{entries}</configuration>\n")


def start(folder: Path, main_class: str, *arguments: str) -> subprocess.Popen[bytes]:
    """Start a server with the configuration in `conf`; it writes to `servers.log`."""
    logging = folder / "conf" / "log4j2.properties"
    logging.write_text(_LOGGING)
    home = java_home()
    options = ("-Xmx256m", "-XX:TieredStopAtLevel=1", f"-Dlog4j2.configurationFile={logging}")
    path = os.pathsep.join(map(str, (folder / "conf", *_class_path())))
    with (folder / "servers.log").open("ab") as log:
        return subprocess.Popen(
            [f"{home}/bin/java", *options, "-cp", path, main_class, *arguments],
            cwd=folder,
            env={**os.environ, "JAVA_HOME": home},
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
        )


def end(server: subprocess.Popen[bytes] | None) -> None:
    """End a server immediately."""
    if server is not None:
        server.kill()
        server.wait()


def _class_path() -> list[Path]:
    of_spark = (Path(pyspark.__file__).parent / "jars").glob("*.jar")
    return [*verified(jars("hadoop")), *(jar for jar in of_spark if jar.name.startswith(_OF_SPARK))]
