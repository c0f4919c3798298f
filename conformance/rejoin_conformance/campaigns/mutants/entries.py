"""Read the entries of a TOML file: tables of a fixed form, each an attrs class."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from attrs import NOTHING, Attribute, fields

from rejoin_conformance.kit.errors import ExpectedError

_TYPES: Final[Mapping[Any, type]] = {"str": str, "int": int}
_WHY: Final = ("argument", "reason")
"""The fields that say why there is an entry. They must not be empty."""


class EntriesError(ExpectedError):
    """An invalid file of entries: the file, the entry and what is wrong, in one line."""


def entries_in(path: Path, forms: Mapping[str, type]) -> Mapping[str, tuple[Any, ...]]:
    """Return the entries of each table of a file, in their order.

    forms: name of a table -> an attrs class whose fields are `str` or `int`. A field without a
    default is required. Raises EntriesError, and FileNotFoundError without a file.
    """
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise EntriesError(f"{path}: {error}") from None
    if not data.keys() <= forms.keys():
        tables = " and ".join(f"[[{name}]]" for name in forms)
        raise EntriesError(f"{path}: the only tables are {tables}")
    return {name: tuple(_entries(path, name, data.get(name, ()), forms[name])) for name in forms}


def _entries(path: Path, table: str, values: Any, form: type) -> Iterator[Any]:
    every: tuple[Attribute[Any], ...] = fields(form)
    types = {each.name: _TYPES[each.type] for each in every}
    needed = {each.name for each in every if each.default is NOTHING}
    for number, value in enumerate(values, 1):
        where = f"{path}: [[{table}]] {number}"
        if not isinstance(value, dict) or not needed <= value.keys() <= types.keys():
            raise EntriesError(f"{where} needs the fields {', '.join(sorted(needed))}")
        for name, each in value.items():
            if type(each) is not types[name]:
                raise EntriesError(f"{where}: {name} is not of type {types[name].__name__}")
            if name in _WHY and not f"{each}".strip():
                raise EntriesError(f"{where}: the {name} is empty")
        yield form(**value)
