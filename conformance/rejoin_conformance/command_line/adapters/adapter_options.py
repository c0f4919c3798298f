"""The limits of an adapter, as options shared by the commands that run one."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, Final

import click

from rejoin_conformance.adapters.limits import GIB, Limits

_DEFAULTS: Final = Limits()

LONGEST_TIMEOUT: Final = 1_000_000
"""Seconds. A wait for a longer time would overflow in the system."""


class _Seconds(click.FloatRange):
    """A positive number of seconds. `nan` is not a number, although it is a float."""

    name = "number"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the number. Anything else is wrong usage."""
        number = super().convert(value, param, ctx)
        if isinstance(number, float) and math.isnan(number):
            self.fail(f"{value!r} is not a number of seconds", param, ctx)
        return number


SECONDS: Final = _Seconds(min=0, min_open=True, max=LONGEST_TIMEOUT)

ANSWER_TIMEOUT_OPTION: Final = click.option(
    "--timeout",
    type=click.IntRange(min=1, max=LONGEST_TIMEOUT),
    default=int(_DEFAULTS.timeout),
    show_default=True,
    help="Seconds that the adapter has to answer a request.",
)
"""For commands that can run an adapter. Whole seconds, because a campaign's plan keeps them."""

_OPTIONS: Final = (
    click.option(
        "--timeout",
        type=SECONDS,
        default=_DEFAULTS.timeout,
        show_default=True,
        help="Seconds that the adapter has to answer a request.",
    ),
    click.option(
        "--hello-timeout",
        type=SECONDS,
        default=_DEFAULTS.hello,
        show_default=True,
        help="Seconds that the adapter has to start and send its hello.",
    ),
    click.option(
        "--max-memory",
        "memory",
        type=click.IntRange(min=0, max=1_000_000),
        default=_DEFAULTS.memory // GIB,
        show_default=True,
        metavar="GIB",
        help="GiB of memory that each process of the adapter can write (on Linux); 0 for no limit.",
    ),
)


def limits_of(timeout: float, hello_timeout: float, memory: int) -> Limits:
    """Return the limits that these options describe."""
    return Limits(timeout=timeout, hello=hello_timeout, memory=memory * GIB)


def limit_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options `--timeout`, `--hello-timeout` and `--max-memory` to a command."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return command
