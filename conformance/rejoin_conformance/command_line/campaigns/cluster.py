"""The options that say where Spark runs, shared by the commands that use it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import click

from rejoin_conformance.campaigns.spark.session import Cluster

_OPTIONS: Final = (
    click.option(
        "--master",
        metavar="URL",
        help="Spark master: spark://host:7077, yarn, k8s://...  [default: this machine]",
    ),
    click.option("--remote", metavar="URL", help="Spark Connect server: sc://host:15002"),
    click.option(
        "--conf",
        "settings",
        multiple=True,
        metavar="NAME=VALUE",
        callback=lambda _context, _parameter, values: tuple(map(_setting, values)),
        help="A setting of Spark's, such as spark.executor.memory=2g; may be repeated.",
    ),
)


def cluster_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Give a command `--master`, `--remote` and `--conf` (as master, remote, settings)."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


def cluster_of(
    master: str | None, remote: str | None, settings: tuple[tuple[str, str], ...]
) -> Cluster:
    """Where Spark is to run; wrong usage for two places at once."""
    if master is not None and remote is not None:
        raise click.UsageError("give --master or --remote, not both")
    if remote is not None and not remote.startswith("sc://"):
        raise click.UsageError(f"--remote is the address of a server, sc://..., not {remote!r}")
    return Cluster(master, remote, dict(settings))


def _setting(text: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not equals or not name.strip():
        raise click.BadParameter(f"{text!r} is not of the form NAME=VALUE")
    return name.strip(), value
