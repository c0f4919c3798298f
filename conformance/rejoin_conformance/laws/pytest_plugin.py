"""`pytest --rejoin-adapter CMD --rejoin-laws` makes the laws of each system a test item.

Every pytest session of an environment with Rejoin loads this module, so it imports little.
"""

from __future__ import annotations

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the option that puts the laws in the place of the vectors."""
    parser.getgroup("rejoin", "Rejoin conformance suite").addoption(
        "--rejoin-laws",
        action="store_true",
        help="Check the laws on random histories instead of the vectors (default: off)",
    )


@pytest.hookimpl(trylast=True)
def pytest_configure(config: pytest.Config) -> None:
    """Register the laws in the place of the vectors if the session asks for them."""
    if config.getoption("--rejoin-laws"):
        if config.getoption("--rejoin-adapter", None) is None:
            raise pytest.UsageError("--rejoin-laws needs --rejoin-adapter")
        config.addinivalue_line("markers", "rejoin_laws: the laws of a system")
        config.pluginmanager.unregister(name="rejoin-items")
        from rejoin_conformance.laws.pytest_items import Laws  # noqa: PLC0415 - see above

        config.pluginmanager.register(Laws(), "rejoin-laws-items")
