"""The suite as a user has it: installed from the wheel, without the checkout and without Spark."""

from __future__ import annotations

from pathlib import Path

import pytest

from support.wheels import environment_of_wheel


@pytest.fixture(scope="session")
def rejoin_of_wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The command `rejoin` of an environment that has only the wheel and what it declares."""
    return environment_of_wheel(tmp_path_factory.mktemp("wheel"))
