"""The options of the pytest plugin: `pytest --rejoin-adapter 'CMD'` makes each vector a test item.

Every pytest session of an environment with Rejoin loads this module, so it imports almost nothing.
`pytest_items` does the work if the session names an adapter.
"""

from __future__ import annotations

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the options of `rejoin run` that apply to pytest."""
    group = parser.getgroup("rejoin", "Rejoin conformance suite")
    group.addoption("--rejoin-adapter", metavar="CMD", help="run the corpus against this adapter")
    for name, which in (
        ("system", "of this system"),
        ("operation", "of this operation (or pattern), with or without its system"),
        ("clause", "that decide this clause"),
        ("level", "of this level: must, should or may"),
        ("tier", "of this tier: core, sizes or random"),
        ("id", "whose ID matches this shell pattern"),
    ):
        group.addoption(
            f"--rejoin-{name}",
            action="append",
            default=[],
            metavar=name.upper(),
            help=f"run only vectors {which}; may be repeated (default: all)",
        )
    group.addoption(
        "--rejoin-reading",
        action="append",
        default=[],
        metavar="READING",
        help="use this reading for the systems that have it; may be repeated "
        "(default: the adapter's reading)",
    )
    group.addoption(
        "--rejoin-jobs",
        type=int,
        default=1,
        metavar="N",
        help="number of adapter processes at the same time (default: 1)",
    )
    group.addoption(
        "--rejoin-timeout",
        type=float,
        default=10.0,
        metavar="SECONDS",
        help="seconds that the adapter has to answer a request (default: 10)",
    )
    group.addoption(
        "--rejoin-allow-restarts",
        action="store_true",
        help="accept answers that needed another process because the adapter broke before",
    )
    group.addoption(
        "--rejoin-known-failures",
        metavar="FILE",
        help="TOML file that lists expected failures, as for `rejoin run`",
    )


def pytest_configure(config: pytest.Config) -> None:
    """Register the items if the session names an adapter."""
    if config.getoption("--rejoin-adapter") is not None:
        config.addinivalue_line("markers", "rejoin: a vector of the Rejoin corpus")
        from rejoin_conformance.adapters import pytest_items  # noqa: PLC0415 - see above

        config.pluginmanager.register(pytest_items, "rejoin-items")
