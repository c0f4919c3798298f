"""`pytest --rejoin-adapter CMD --rejoin-laws` makes the laws a test item.

Every pytest session of an environment with Rejoin loads this module, so it imports little.
"""

from __future__ import annotations

import sys
from functools import partial

import pytest

from rejoin_conformance.adapters.pytest_plugin import PytestRun
from rejoin_conformance.contract.registry import system_named, system_names
from rejoin_conformance.kit.errors import ExpectedError


def pytest_collection_modifyitems(session: pytest.Session, items: list[pytest.Item]) -> None:
    """Add the item if the session asks for the laws."""
    if session.config.getoption("--rejoin-laws", default=False):
        check = partial(check_the_laws, PytestRun.of(session.config))
        item = pytest.Function.from_parent(session, name="the laws", callobj=check)
        item.add_marker("rejoin_laws")
        items.append(item)


def check_the_laws(run: PytestRun) -> None:
    """Hold the adapter to the laws of each system. An adapter that is asked nothing fails."""
    from rejoin_conformance.adapters.runner.run_plan import make_adapter  # noqa: PLC0415
    from rejoin_conformance.laws.machine import held_to_the_laws  # noqa: PLC0415

    systems = map(system_named, run.systems or system_names())
    try:
        adapter = make_adapter(run.adapter or "", run.options.limits)
        hello = adapter.greet()
        asked = [held_to_the_laws(adapter, hello, each) for each in systems]
    except ExpectedError as error:
        pytest.exit(f"rejoin: {error}", returncode=error.code)
    for each in asked:
        for title, counted in (("answers compared", each.asked), ("left out", each.left_out)):
            lines = [f"{number:8,}  {what}\n" for what, number in sorted(counted.items())]
            sys.stdout.write(f"{each.system.name}, {title}:\n{''.join(lines)}")
    broken = [str(each.broken) for each in asked if each.broken is not None]
    if broken or not any(each.asked for each in asked):
        why = "\n".join(broken) or "the adapter declares nothing that the laws ask"
        pytest.fail(why, pytrace=False)
