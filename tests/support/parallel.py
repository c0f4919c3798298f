"""Which tests run in the same process, when several processes run the tests."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Final

from xdist.scheduler import LoadFileScheduling

_CHECKOUT: Final = Path(__file__).parents[2]
_TOGETHER: Final = ("tests/ports/", "tests/site/playground/")
"""The folders whose tests share a build."""
_SHARED: Final = "spark: SparkSession"
"""The parameter of each test that uses the session fixture `spark`."""


class SharedSessions(LoadFileScheduling):  # type: ignore[misc]  # xdist has no types
    """The tests of a file run in one process; so do files that share a Spark session or a build."""

    def _split_scope(self, nodeid: str) -> str:
        return group_of(nodeid.partition("::")[0])


@cache
def group_of(file: str) -> str:
    """Return the name of the tests that run in the same process as those of a file.

    file: the path of the file from the root of the repository.
    """
    for folder in _TOGETHER:
        if file.startswith(folder):
            return folder
    text = (_CHECKOUT / file).read_text(encoding="utf-8")
    return _SHARED if _SHARED in text else file
