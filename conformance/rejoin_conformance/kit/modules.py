"""The modules of an installed package."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from pathlib import Path


@cache
def modules_of(package: str) -> Mapping[str, Path]:
    """Return the modules of an installed package: dotted name -> source file.

    A package's own name stands for its `__init__.py`.
    """
    root = Path(str(files(package)))
    return {
        ".".join((package, *_parts(path.relative_to(root)))): path for path in root.rglob("*.py")
    }


def _parts(path: Path) -> tuple[str, ...]:
    parts = path.with_suffix("").parts
    return parts[:-1] if parts[-1] == "__init__" else parts
