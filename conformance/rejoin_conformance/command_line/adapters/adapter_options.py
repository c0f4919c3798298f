"""The options that say how long an adapter may take, shared by the commands that ask one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import click

from rejoin_conformance.adapters.limits import Limits

_DEFAULTS: Final = Limits()

ANSWER_TIMEOUT_OPTION: Final = click.option(
    "--timeout",
    type=click.IntRange(min=1),
    default=int(_DEFAULTS.timeout),
    show_default=True,
    help="Seconds that the adapter has for an answer.",
)
"""For commands that may ask an adapter; whole seconds, since the plan of a campaign keeps them."""

_OPTIONS: Final = (
    click.option(
        "--timeout",
        type=click.FloatRange(min=0, min_open=True),
        default=_DEFAULTS.timeout,
        show_default=True,
        help="Seconds for an answer.",
    ),
    click.option(
        "--hello-timeout",
        type=click.FloatRange(min=0, min_open=True),
        default=_DEFAULTS.hello,
        show_default=True,
        help="Seconds for the adapter to start and say hello.",
    ),
)


def timeout_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Give a command that is about an adapter `--timeout` and `--hello-timeout`."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return command
