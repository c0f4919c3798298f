"""Where the spec and the corpus lie: in a checkout beside the packages, in a wheel inside."""

from __future__ import annotations

from pathlib import Path
from typing import Final

_PACKAGE: Final = Path(__file__).resolve().parent.parent
_CHECKOUT: Final = _PACKAGE.parent.parent


def _data_directory(name: str) -> Path:
    installed = _PACKAGE / "data" / name
    return installed if installed.is_dir() else _CHECKOUT / name


def spec_directory() -> Path:
    """The folder with one folder of clauses a system."""
    return _data_directory("spec")


def vectors_directory() -> Path:
    """The folder of the committed corpus."""
    return _data_directory("vectors")
