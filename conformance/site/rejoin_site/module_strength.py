"""The last whole run of the mutants, module by module, as `docs/strength.md` records it."""

from __future__ import annotations

import re
from functools import cache
from typing import Final

from attrs import frozen

from rejoin_site.places import ROOT

_ROW: Final = re.compile(
    r"^\| `(?P<name>rejoin[\w.]*)` \| (?P<mutants>[\d,]+) \| (?P<killed>[\d,]+)"
    r" \| (?P<equivalent>[\d,]+) \| (?P<alive>[\d,]+) \|$",
    re.MULTILINE,
)


@frozen(kw_only=True)
class ModuleStrength:
    """How many small changes of a module the vectors notice, and how many nothing can show."""

    mutants: int
    killed: int
    equivalent: int
    alive: int


@cache
def module_strength() -> dict[str, ModuleStrength]:
    """Return the figures of each module, by its dotted name."""
    text = (ROOT / "docs" / "strength.md").read_text(encoding="utf-8")
    return {
        row["name"]: ModuleStrength(**{name: int(row[name].replace(",", "")) for name in _FIGURES})
        for row in _ROW.finditer(text)
    }


_FIGURES: Final = ("mutants", "killed", "equivalent", "alive")
