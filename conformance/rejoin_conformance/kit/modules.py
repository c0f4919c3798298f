"""The modules of an installed package."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable


@cache
def modules_of(package: str) -> Mapping[str, Traversable]:
    """Return the modules of a package in a folder or archive: dotted name -> source file.

    A package's own name stands for its `__init__.py`.
    """
    return dict(_modules(package, files(package)))


def _modules(package: str, folder: Traversable) -> Iterator[tuple[str, Traversable]]:
    for each in folder.iterdir():
        name = each.name.removesuffix(".py")
        if each.is_dir():
            yield from _modules(f"{package}.{name}", each)
        elif each.name != name:
            yield package if name == "__init__" else f"{package}.{name}", each
