"""Write the recorded figures into the pages of the documentation; measure some of them first.

usage: figures.py [NAME ...] [ARGUMENT ...]

`docs/figures.json` holds all figures that were measured: tables and trade-offs by name. A page
shows one of them between `<!-- figures: NAME -->` and `<!-- end -->`. The program writes these
places of all pages, and draws the trade-offs. NAME is a measurement, which it makes and records
first:

    window absence retention previous    trade-offs (minutes)
    strength                             the mutants of the reference (10 minutes on 2 free cores)
    ports                                the mutants of the ports (needs cargo-mutants and npm)
    planted                              the list of bugs that are planted in the ports
    models [SYSTEM ...] [OPTION ...]     the configurations of the formal models (needs Java)
    peers [PEER ...]                     implementations that others wrote
    campaigns [CAMPAIGN ...] [--histories N]
                                         campaigns that are killed and resumed (hours)

An ARGUMENT is one of `rejoin model check`, of `conformance/peers/run.py` or of `recorded.py`. In
the tables of these three, rows that are not measured stay.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from line_plot import svg
from measures import BY_ROW, WHOLE, Figures
from rejoin_conformance.kit.codec import plain, read
from series import TradeOff
from tables import Table

DOCS: Final = Path(__file__).parents[2] / "docs"
FILE: Final = DOCS / "figures.json"
PLACE: Final = re.compile(r"(<!-- figures: (\S+) -->\n).*?(<!-- end -->\n)", re.DOTALL)
_PLAIN_LIST: Final = re.compile(r'\[(?:[^][{}"]|"(?:[^"\\]|\\.)*")*\]')


def load() -> Figures:
    """Return the recorded figures by name."""
    held = json.loads(FILE.read_text(encoding="utf-8"))
    return {
        name: read(each, TradeOff) if "series" in each else read(each, Table)
        for name, each in held.items()
    }


def save(figures: Figures) -> None:
    """Write the file of figures, with a line for each list of plain values."""
    text = json.dumps({name: plain(each) for name, each in figures.items()}, indent=1)
    text = _PLAIN_LIST.sub(lambda found: re.sub(r"\n *", " ", found[0]), text)
    FILE.write_text(f"{text}\n", encoding="utf-8")


def filled(page: str, figures: Figures) -> str:
    """Return a page with its tables. Raises KeyError for a name without figures."""

    def place(found: re.Match[str]) -> str:
        each = figures[found[2]]
        table = each.table() if isinstance(each, TradeOff) else each
        return f"{found[1]}\n{table.markdown()}\n\n{found[3]}"

    return PLACE.sub(place, page)


def write_pages(figures: Figures) -> None:
    """Write the tables of all pages, and the plots of the trade-offs."""
    for path in sorted(DOCS.glob("*.md")):
        page = path.read_text(encoding="utf-8")
        path.write_text(filled(page, figures), encoding="utf-8")
    for name, each in figures.items():
        if isinstance(each, TradeOff):
            (DOCS / "trade-offs" / f"{name}.svg").write_text(svg(each), encoding="utf-8")


def measured(name: str, arguments: Sequence[str], figures: Figures) -> Figures:
    """Return the figures with those of a measurement. arguments: they choose rows of tables."""
    if name in WHOLE:
        return {**figures, **WHOLE[name]()}
    found = BY_ROW[name](*arguments)
    return {**figures, **{key: _renewed(figures.get(key), found[key]) for key in found}}


def _renewed(known: Table | TradeOff | None, table: Table) -> Table:
    return known.renewed(table) if isinstance(known, Table) else table


def main() -> None:
    """Run the measurements that the arguments name, and write the file and the pages."""
    if {"-h", "--help"} & {*sys.argv[1:2]}:
        print(__doc__)
        return
    names = [each for each in sys.argv[1:] if each in {*WHOLE, *BY_ROW}]
    arguments = [each for each in sys.argv[1:] if each not in names]
    if arguments and not (len(names) == 1 and names[0] in BY_ROW):
        known = ", ".join([*WHOLE, *BY_ROW])
        sys.exit(f"{arguments[0]}: no measurement, and none named that takes it; there is {known}")
    for name in names:
        save(measured(name, arguments, load()))
    write_pages(load())


if __name__ == "__main__":
    main()
