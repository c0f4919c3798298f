"""JVM options for a fast start of Spark, which loads about ten thousand classes."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from rejoin_conformance.kit import java

_QUICK: Final = "-XX:TieredStopAtLevel=1"
"""Limits the JVM's compiler: the work is done in Python, so better JVM code does not pay off."""


def start_options(java_home: str, spark_home: str) -> str:
    """Return JVM options for a fast start, without the archive if it cannot be kept."""
    return " ".join((_QUICK, *java.archive_options(archive_path(java_home, spark_home))))


def archive_path(java_home: str, spark_home: str) -> Path | None:
    """Return the path of the archive of this Java and this Spark, or None if it cannot be kept."""
    path = java.archive_path("spark", java_home, Path(spark_home, "jars").iterdir())
    return None if path is None or " " in str(path) else path  # the options are split at spaces
