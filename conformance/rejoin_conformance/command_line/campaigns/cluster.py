"""The options that choose where Spark runs, shared by the commands that use it."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, Final

import click

from rejoin_conformance.campaigns.spark.session import Cluster

_MASTER: Final = re.compile(
    r"local(\[(\*|[1-9][0-9]*)(,[1-9][0-9]*)?\])?|local-cluster\[.*\]|yarn|spark://.+|k8s://.+"
)
"""The masters that Spark knows. It takes some seconds to refuse another one."""

_OPTIONS: Final = (
    click.option(
        "--master",
        metavar="URL",
        help="Spark master, such as spark://host:7077, yarn or k8s://...  [default: this machine]",
    ),
    click.option(
        "--remote",
        metavar="URL",
        help="Spark Connect server, such as sc://host:15002.  [default: none]",
    ),
    click.option(
        "--conf",
        "settings",
        multiple=True,
        metavar="NAME=VALUE",
        callback=lambda _context, _parameter, values: tuple(map(_setting, values)),
        help="Spark setting, such as spark.executor.memory=2g; may be repeated.  [default: none]",
    ),
)


def cluster_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add `--master`, `--remote` and `--conf` to a command, as master, remote and settings."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


def cluster_of(
    master: str | None, remote: str | None, settings: tuple[tuple[str, str], ...]
) -> Cluster:
    """Return where Spark runs. It is wrong usage to give two places."""
    if master is not None and remote is not None:
        raise click.UsageError("give --master or --remote, not both")
    if remote is not None and not remote.startswith("sc://"):
        raise click.UsageError(
            f"--remote: expected an address like sc://host:15002, not {remote!r}"
        )
    if master is not None and not _MASTER.fullmatch(master):
        raise click.UsageError(
            "--master: expected local, local[N], local[*], yarn, spark://host:port or k8s://..., "
            f"not {master!r}"
        )
    return Cluster(master, remote, dict(settings))


def _setting(text: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not equals or not name.strip():
        raise click.BadParameter(f"{text!r} does not have the form NAME=VALUE")
    return name.strip(), value
