"""Read the clauses that each definition of a formal model states, from its comments.

A clause in a comment before a definition belongs to that definition. A clause in a comment inside a
definition belongs to the definition around it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from rejoin_conformance.kit.locations import spec_directory

_DEFINITION: Final = re.compile(r"(?P<name>[A-Za-z]\w*)\s*(?:\([^=]*\))?\s*==")
_ID: Final = re.compile(r"\b[A-Z]{2}(?:-[A-Z0-9]+)+\b")
_ERRATUM: Final = re.compile(r"[A-Z]{2}-E\d+")
_SECTIONS: Final = ("----", "====", "EXTENDS", "CONSTANT", "VARIABLE")


def modelled_clauses(system: str) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Return the definitions of a system's model that name clauses: (`Module.Name`, clauses)."""
    folder = spec_directory() / system / "model"
    return tuple(
        (f"{path.stem}.{name}", clauses)
        for path in sorted(folder.glob("*.tla"))
        for name, clauses in definitions_in(path.read_text(encoding="utf-8"))
    )


def definitions_in(text: str) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield the definitions in the text of a module that name clauses, each with its clauses."""
    found: dict[str, dict[str, None]] = {}
    current = ""
    waiting: dict[str, None] = {}
    for line in text.splitlines():
        if line.startswith(_SECTIONS):
            current, waiting = "", {}
            continue
        names = dict.fromkeys(each for each in _ID.findall(line) if not _ERRATUM.fullmatch(each))
        start = _DEFINITION.match(line)
        if start is not None:
            current = start["name"]
            found.setdefault(current, {}).update(waiting | names)
            waiting = {}
        elif current and line.startswith(" "):
            found[current].update(names)
        else:
            waiting |= names
    for name, clauses in found.items():
        if clauses:
            yield name, tuple(clauses)
