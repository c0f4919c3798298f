"""Trade-offs that the documents name: how they are kept, printed and drawn.

`docs/figures.json` holds the recorded trade-offs, by name, and the recorded campaigns.
`docs/trade-offs/<name>.svg` is the plot of a trade-off, and the page `docs/trade-offs.md` has its
table. All three are made from the same counts.

    trade_offs.py            print every trade-off, measured anew
    trade_offs.py --record   measure every trade-off and write its files
    trade_offs.py --page     write the images and the tables of the page from the recorded counts
"""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path
from typing import Any, Final

import absence
import polls
import window
from line_plot import svg
from rejoin_conformance.kit.codec import plain, read
from rejoin_conformance.kit.json_types import Json
from series import Series, TradeOff

DOCS: Final = Path(__file__).parents[2] / "docs"
KEPT: Final = DOCS / "trade-offs"
FIGURES: Final = DOCS / "figures.json"
PAGE: Final = DOCS / "trade-offs.md"


def kept(name: str) -> TradeOff:
    """Return a recorded trade-off."""
    return read(figures()[name], TradeOff)


def figures() -> Any:
    """Return all recorded figures by name."""
    return json.loads(FIGURES.read_text(encoding="utf-8"))


def record(name: str, value: Json) -> None:
    """Write the figures of one name into the file of all."""
    text = json.dumps(figures() | {name: value}, indent=1) + "\n"
    text = re.sub(r"\[[^\[\]{}]*\]", lambda found: " ".join(found[0].split()), text)
    FIGURES.write_text(text, encoding="utf-8")


def write_page(trade_off: TradeOff) -> None:
    """Write the image of a trade-off, and its table into the page."""
    (KEPT / f"{trade_off.name}.svg").write_text(svg(trade_off), encoding="utf-8")
    page = PAGE.read_text(encoding="utf-8")
    PAGE.write_text(with_table(page, trade_off), encoding="utf-8")


def with_table(page: str, trade_off: TradeOff) -> str:
    """Return the page with the table of the trade-off after the line that shows its image."""
    image = rf"!\[[^\]]*\]\(trade-offs/{trade_off.name}\.svg\)\n"
    return re.sub(
        rf"({image}\n)(?:\|[^\n]*\n)*",
        lambda found: found[1] + "\n".join(table_of(trade_off)) + "\n",
        page,
    )


def table_of(trade_off: TradeOff) -> list[str]:
    """Return the rows of the table: one for each point."""
    heads = [trade_off.along, *(f"{each.quantity}, {each.group}" for each in trade_off.series)]
    columns = [_column(each) for each in trade_off.series]
    rows = [[str(at), *cells] for at, *cells in zip(trade_off.at, *columns, strict=True)]
    rule = ["--:"] * len(heads)
    return ["| " + " | ".join(cells) + " |" for cells in (heads, rule, *rows)]


def _column(series: Series) -> list[str]:
    places = 0 if set(series.of) == {1} and series.per == 1 else 2
    return [f"{share:,.{places}f}" for share in series.shares()]


def main() -> None:
    """Print, record or write every trade-off."""
    for measured in (window.measured, absence.measured, polls.retention, polls.previous):
        found = measured()
        if "--record" in sys.argv[1:]:
            record(found.name, plain(found))
            write_page(found)
        print(f"{found.title}\n" + "\n".join(table_of(found)))


if __name__ == "__main__":
    if "--page" in sys.argv[1:]:
        for name in (name for name, each in figures().items() if "series" in each):
            write_page(kept(name))
    else:
        main()
