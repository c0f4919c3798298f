"""Campaigns of the command `rejoin fuzz`, kept where only Spark can read and write."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Final, Protocol

from rejoin_conformance.campaigns.plan import Plan
from support.kept_campaigns import undisturbed
from support.processes import descendants, processes, until

PLAN: Final = Plan(
    system="history-merge", profile="tiny", readings=("document",), seed=1, histories=5_000
)
_MAIN: Final = "from rejoin_conformance.command_line.main import main; main()"


class DistantStore(Protocol):
    """A running store, whose server can be stopped and started again."""

    @property
    def address(self) -> str:
        """Return the URL below which campaigns are kept."""

    def settings(self) -> dict[str, str]:
        """Return the settings of Spark for this store."""

    def kept(self, folder: str) -> set[str]:
        """Return the names of the complete files of blocks below a folder."""

    def stop(self) -> None:
        """End the server immediately."""

    def start(self) -> None:
        """Start the server, and wait until it answers."""


def undisturbed_digest() -> str:
    """Return the digest of the campaign, run in this process."""
    return undisturbed(PLAN).digest


def fuzz(
    folder: Path,
    directory: str,
    settings: Mapping[str, str],
    *options: str,
    variables: Mapping[str, str] | None = None,
) -> subprocess.Popen[str]:
    """Start the campaign. folder: for Spark's files. variables: more of the environment."""
    what = f"fuzz {PLAN.system} --profile {PLAN.profile} --histories {PLAN.histories} --json"
    conf = [part for item in settings.items() for part in ("--conf", "=".join(item))]
    return subprocess.Popen(
        [sys.executable, "-c", _MAIN, *what.split(), "--directory", directory, *options, *conf],
        env={
            **os.environ,
            "SPARK_LOCAL_DIRS": str(folder),
            "PYSPARK_PYTHON": sys.executable,
            **(variables or {}),
        },
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def kill_with_descendants(driver: subprocess.Popen[str]) -> None:
    """End a driver immediately, and wait until Java and the Python workers have followed it."""
    started = {each.pid for each in descendants(driver.pid)}
    driver.kill()
    until(lambda: not started & {each.pid for each in processes()})
