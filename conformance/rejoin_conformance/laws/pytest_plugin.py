"""`pytest --rejoin-adapter CMD --rejoin-laws` makes the laws a test item.

Every pytest session of an environment with Rejoin loads this module, so it imports little.
"""

from __future__ import annotations

import sys
from functools import partial

import pytest

from rejoin_conformance.adapters.pytest_plugin import PytestRun
from rejoin_conformance.contract.registry import system_named, system_names
from rejoin_conformance.kit.document_text import document_text
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
    systems = map(system_named, run.systems or system_names())
    try:
        from rejoin_conformance.laws.results import held_to_the_laws  # noqa: PLC0415

        results = held_to_the_laws(run.adapter or "", run.options.limits, systems)
    except ExpectedError as error:
        pytest.exit(f"rejoin: {error}", returncode=error.code)
    text = document_text([*results.blocks()])
    if results.judged.exit_code:
        pytest.fail(text, pytrace=False)
    sys.stdout.write(f"{text}\n")
