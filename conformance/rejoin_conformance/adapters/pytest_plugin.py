"""The options of the pytest plugin: `pytest --rejoin-adapter 'CMD'` makes each vector a test item.

This module is loaded in every session of an environment that has Rejoin installed, so it imports
next to nothing; `pytest_items` does the work where an adapter is named.
"""

from __future__ import annotations

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    """The options of `rejoin run`, as far as they make sense here."""
    group = parser.getgroup("rejoin", "Rejoin conformance suite")
    group.addoption("--rejoin-adapter", metavar="CMD", help="run the corpus against this program")
    for name, what in (
        ("system", "of this system"),
        ("operation", "of this operation (or pattern), with or without its system"),
        ("clause", "that decide this clause"),
        ("level", "of this level: must, should or may"),
        ("id", "whose ID matches, as in a shell"),
    ):
        group.addoption(
            f"--rejoin-{name}",
            action="append",
            default=[],
            metavar=name.upper(),
            help=f"only vectors {what}; may be repeated",
        )
    group.addoption(
        "--rejoin-reading",
        action="append",
        default=[],
        metavar="READING",
        help="ask in this reading, where a system has it; may be repeated",
    )
    group.addoption("--rejoin-jobs", type=int, default=1, metavar="N", help="processes at a time")
    group.addoption(
        "--rejoin-timeout", type=float, default=10.0, metavar="SECONDS", help="for an answer"
    )
    group.addoption("--rejoin-known-failures", metavar="FILE", help="TOML file, as for rejoin run")


def pytest_configure(config: pytest.Config) -> None:
    """Bring in the items where an adapter is named."""
    if config.getoption("--rejoin-adapter") is not None:
        config.addinivalue_line("markers", "rejoin: a vector of the Rejoin corpus")
        from rejoin_conformance.adapters import pytest_items  # noqa: PLC0415 - see above

        config.pluginmanager.register(pytest_items, "rejoin-items")
