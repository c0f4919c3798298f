"""Whether this process runs the Python source or the extension modules compiled from it.

A compiled installation has both. Whatever replaces or watches functions needs the source.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from importlib.machinery import SOURCE_SUFFIXES, FileFinder, SourceFileLoader
from pathlib import Path
from typing import Final

SOURCE_ONLY: Final = "REJOIN_PURE"
"""If this variable is 1, this process and its child processes run the source."""

_SUITE: Final = Path(__file__).parents[1]
_PACKAGES: Final = tuple(f"{_SUITE.with_name(name)}" for name in ("rejoin", "rejoin_conformance"))
_COMPILER: Final = _SUITE / "data" / "compiler"
"""The file in a compiled wheel that names the compiler."""

_COMPILED: Final = frozenset({"exhaust", "fuzz", "serve", "verify"})
"""The commands that run compiled modules."""
_NEEDING_SOURCE: Final = ("--master", "--remote")
"""The options with which they run the source: a cluster receives it."""
_ADAPTER: Final = "--adapter"
"""The option whose value is a command line, which can end with the name of any program."""
_SUBMITTED: Final = "PYSPARK_GATEWAY_PORT"


class CompiledError(Exception):
    """Functions were to be replaced or watched, but compiled modules are loaded."""


def build() -> str:
    """Return `pure`, or `compiled by` and the compiler."""
    compiler = _compiler()
    if compiler is None or _is_source_only():
        return "pure"
    return f"compiled by {compiler}"


def needs_source(arguments: Sequence[str]) -> bool:
    """Return whether a command line needs the source, because it replaces or watches functions."""
    command = next((each for each in arguments if not each.startswith("-")), None)
    if command is None:
        return False
    return (
        command not in _COMPILED
        or _SUBMITTED in os.environ
        or any(each.endswith(".py") for each in _without_adapter(arguments))
        or any(each.partition("=")[0] in _NEEDING_SOURCE for each in arguments)
    )


def prefer_source() -> None:
    """Run the source from now on, in this process and its child processes.

    The modules that are already loaded stay as they are.
    """
    if _compiler() is None:
        return
    os.environ[SOURCE_ONLY] = "1"
    if _source_finder not in sys.path_hooks:
        sys.path_hooks.insert(0, _source_finder)
        for folder in [*sys.path_importer_cache]:
            if _is_ours(folder):
                del sys.path_importer_cache[folder]


def prefer_source_if_asked() -> None:
    """Do what `prefer_source` does if the variable REJOIN_PURE is set."""
    if _is_source_only():
        prefer_source()


def require_source(what: str) -> None:
    """Raise CompiledError if a compiled module is loaded. what: the reason, as a noun."""
    for name, module in [*sys.modules.items()]:
        path = getattr(module, "__file__", None)
        if path and _is_ours(path) and not path.endswith(tuple(SOURCE_SUFFIXES)):
            raise CompiledError(
                f"{what} needs the Python source, but {name} is compiled; set {SOURCE_ONLY}=1"
            )


def _without_adapter(arguments: Sequence[str]) -> list[str]:
    """Return a command line without the command line of an adapter."""
    return [
        each
        for before, each in zip(("", *arguments), arguments, strict=False)
        if before != _ADAPTER and not each.startswith(f"{_ADAPTER}=")
    ]


def _compiler() -> str | None:
    try:
        return _COMPILER.read_text(encoding="ascii").strip()
    except FileNotFoundError:
        return None


def _is_source_only() -> bool:
    return os.environ.get(SOURCE_ONLY, "") not in {"", "0"}


def _is_ours(path: str) -> bool:
    return any(path == each or path.startswith(each + os.sep) for each in _PACKAGES)


def _source_finder(folder: str) -> FileFinder:
    """Return a finder of sources alone. Raises ImportError for folders of other packages."""
    if not _is_ours(folder):
        raise ImportError(folder)
    return FileFinder(folder, (SourceFileLoader, SOURCE_SUFFIXES))
