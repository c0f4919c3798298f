"""The options of the pytest plugin: `pytest --rejoin-adapter 'CMD'` makes each vector a test item.

Every pytest session of an environment with Rejoin loads this module, so it imports little.
`pytest_items` does the work if the session names an adapter.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from attrs import frozen

from rejoin_conformance.adapters.run_options import RunOptions, Selection
from rejoin_conformance.kit.options import Parameter, made, opt, parameters


@frozen(kw_only=True)
class PytestRun:
    """An adapter, and the vectors to run against it."""

    adapter: str | None = opt("Command line of the adapter.", None, metavar="CMD", shown="none")
    systems: tuple[str, ...] = opt(
        "Only vectors of this system.", (), name="system", shown="all systems"
    )
    selection: Selection
    options: RunOptions
    laws: bool = opt("Check the laws on random histories instead of the vectors.", default=False)

    @classmethod
    def of(cls, config: pytest.Config) -> PytestRun:
        """Return the run that the options of a session describe."""
        values: dict[str, Any] = {}
        for each in parameters(cls):
            value = config.getoption(f"--rejoin-{each.name}")
            given = tuple(value or ()) if each.many else value
            values[each.field] = each.default if value is None else given
        return made(cls, values)


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the options of `rejoin run` that apply to pytest."""
    group = parser.getgroup("rejoin", "Rejoin conformance suite")
    for each in parameters(PytestRun):
        said = each.said
        form: dict[str, Any] = {"action": "store_true"}
        if each.kind is not bool:
            form = {"type": _type(each), "choices": each.choices or None}
            form["metavar"] = said.metavar or each.name.upper()
            form |= {"action": "append"} if each.many else {}
        shown = said.shown or (each.default if each.kind is not bool else "off")
        text = f"{said.help} (default: {shown})".replace("%", "%%")
        group.addoption(f"--rejoin-{each.name}", default=None, help=text, **form)


def pytest_configure(config: pytest.Config) -> None:
    """Register the items if the session names an adapter and not the laws.

    Raises UsageError for options without an adapter, and for pytest-xdist, whose processes would
    each judge a part of the session.
    """
    options = (each.name for each in parameters(PytestRun))
    given = [name for name in options if config.getoption(f"--rejoin-{name}") is not None]
    if given and "adapter" not in given:
        raise pytest.UsageError(f"--rejoin-{given[0]} needs --rejoin-adapter")
    if given and (config.getoption("numprocesses", None) or config.getoption("tx", None)):
        raise pytest.UsageError("--rejoin-adapter needs -n 0; to ask N processes: --rejoin-jobs N")
    config.addinivalue_line("markers", "rejoin_laws: the laws of the three systems")
    if given and not config.getoption("--rejoin-laws"):
        config.addinivalue_line("markers", "rejoin: a vector of the Rejoin corpus")
        from rejoin_conformance.adapters.pytest_items import Vectors  # noqa: PLC0415 - see above

        config.pluginmanager.register(Vectors(), "rejoin-items")


def _type(each: Parameter) -> Callable[[str], Any]:
    """Return the function that parses a value of an option."""

    def parsed(text: str) -> Any:
        value, least, most = each.kind(text), each.said.least, each.said.most
        too_small = least is not None and (value < least or (each.kind is float and value == least))
        if too_small or not value <= (value if most is None else most):
            raise ValueError
        return value

    parsed.__name__ = each.kind.__name__
    return parsed
