"""Rejoin: a literal reference for three protocols in which concurrent histories fork and rejoin.

`import rejoin` is enough: `rejoin.config_merge`, `rejoin.history_merge` and
`rejoin.conflict_detection` are loaded when they are used.
"""

from __future__ import annotations

from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rejoin import bencode, config_merge, conflict_detection, history_merge

__version__ = "0.1.0"
__all__ = ["bencode", "config_merge", "conflict_detection", "history_merge"]


def __getattr__(name: str) -> ModuleType:
    """Return a package of the reference, which is loaded when it is first used."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return import_module(f"{__name__}.{name}")


def __dir__() -> list[str]:
    """Return the public names."""
    return [*__all__, "__version__"]
