"""One compiled wheel for all tests of this folder."""

from __future__ import annotations

from pathlib import Path

import pytest

from support.compiled import compiled_wheel, missing, unpacked


@pytest.fixture(scope="session")
def wheel_compiled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel. The tests are skipped, with the reason, if nothing can be compiled here."""
    reason = missing()
    if reason:
        pytest.skip(f"the compiled build was not tested: {reason}")
    return compiled_wheel(tmp_path_factory.mktemp("wheel"))


@pytest.fixture(scope="session")
def packages(wheel_compiled: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the installed packages."""
    return unpacked(wheel_compiled, tmp_path_factory.mktemp("packages"))
