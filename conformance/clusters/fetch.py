"""Fetch the parts of the tests marked `cluster` into `.venv/clusters`, and verify them.

Maven (`mvn`) brings the jars and Go builds the S3 server. Both use the repositories and mirrors of
the user's own settings. A second run only verifies.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

from cluster_parts import FOLDER, S3_SERVER, Jar, PartError, jars, s3_server, verified

_PLUGIN: Final = "org.apache.maven.plugins:maven-dependency-plugin:2.8:copy-dependencies"
_DEPENDENCY: Final = """\
<dependency><groupId>{group}</groupId><artifactId>{artifact}</artifactId><version>{version}</version>
<exclusions><exclusion><groupId>*</groupId><artifactId>*</artifactId></exclusion></exclusions>
</dependency>
"""
_PROJECT: Final = """\
<project><modelVersion>4.0.0</modelVersion><groupId>rejoin</groupId>
<artifactId>cluster-parts</artifactId><version>1</version><packaging>pom</packaging>
<dependencies>
{dependencies}</dependencies></project>
"""


def main() -> int:
    """Fetch what is missing, and return the exit code."""
    wanted = (*jars("hadoop"), *jars("s3a"))
    try:
        if not all((FOLDER / jar.file).is_file() for jar in wanted):
            _fetch_jars(wanted)
        verified(wanted)
        if not S3_SERVER.is_file():
            _build_s3_server()
    except PartError as error:
        print(f"fetch.py: {error}", file=sys.stderr)
        return 1
    print(f"{len(wanted)} jars and the S3 server are in {FOLDER}")
    return 0


def _fetch_jars(wanted: Sequence[Jar]) -> None:
    dependencies = "".join(
        _DEPENDENCY.format(group=jar.group, artifact=jar.artifact, version=jar.version)
        for jar in wanted
    )
    with tempfile.TemporaryDirectory() as folder:
        project = Path(folder) / "pom.xml"
        project.write_text(_PROJECT.format(dependencies=dependencies), encoding="utf-8")
        _run("mvn", "-q", "-B", "-f", str(project), _PLUGIN, f"-DoutputDirectory={FOLDER}")


def _build_s3_server() -> None:
    """Build the server from its module, if Go's checksum of the module is the pinned one."""
    program = s3_server()
    place = f"{program.module}@{program.version}"
    downloaded = json.loads(_run("go", "mod", "download", "-json", place))
    if downloaded.get("Sum") != program.sum:
        raise PartError(f"{place} has the checksum {downloaded.get('Sum')}, not {program.sum}")
    build = {"GOBIN": str(S3_SERVER.parent), "GOFLAGS": "-mod=mod"}
    _run("go", "install", f"{program.module}/cmd/{S3_SERVER.name}@{program.version}", **build)


def _run(program: str, *arguments: str, **variables: str) -> str:
    """Return the output of a program. Raises PartError if it is missing or fails."""
    found = shutil.which(program)
    if found is None:
        raise PartError(f"the program {program} is missing; install it and run the command again")
    environment: Mapping[str, str] = {**os.environ, **variables}
    ended = subprocess.run(
        [found, *arguments], env=environment, capture_output=True, text=True, check=False
    )
    if ended.returncode != 0:
        lines = (ended.stdout + ended.stderr).strip().splitlines() or ["it said nothing"]
        raise PartError(f"{program} failed with exit code {ended.returncode}: {lines[-1]}")
    return ended.stdout


if __name__ == "__main__":
    sys.exit(main())
