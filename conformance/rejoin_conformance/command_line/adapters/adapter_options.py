"""The time limits of an adapter, as options shared by the commands that run one."""

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
    help="Seconds that the adapter has to answer a request.",
)
"""For commands that can run an adapter. Whole seconds, because a campaign's plan keeps them."""

_OPTIONS: Final = (
    click.option(
        "--timeout",
        type=click.FloatRange(min=0, min_open=True),
        default=_DEFAULTS.timeout,
        show_default=True,
        help="Seconds that the adapter has to answer a request.",
    ),
    click.option(
        "--hello-timeout",
        type=click.FloatRange(min=0, min_open=True),
        default=_DEFAULTS.hello,
        show_default=True,
        help="Seconds that the adapter has to start and send its hello.",
    ),
)


def timeout_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options `--timeout` and `--hello-timeout` to a command."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return command
