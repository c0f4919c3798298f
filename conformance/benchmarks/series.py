"""Trade-offs that the documents name, as series of counts over the points of one quantity."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from attrs import frozen

from rejoin_conformance.contract.history import Cost
from rejoin_conformance.kit.json_types import Json
from tables import Table


@frozen(kw_only=True)
class Series:
    """One quantity for one group: `per * total / of` at each point.

    totals, of: one number for each point.
    """

    quantity: str
    group: str
    totals: tuple[int, ...]
    of: tuple[int, ...]
    per: int = 1

    def shares(self) -> tuple[float, ...]:
        """Return the value at each point."""
        pairs = zip(self.totals, self.of, strict=True)
        return tuple(self.per * total / of for total, of in pairs)

    def column(self) -> tuple[Json, ...]:
        """Return the values for a table; counts of single events have no decimals."""
        if set(self.of) == {1} and self.per == 1:
            return self.totals
        return tuple(f"{share:,.2f}" for share in self.shares())


@frozen(kw_only=True)
class TradeOff:
    """A trade-off: series over the points of one quantity.

    name: of its files. along: the quantity on the horizontal axis. drawn: the quantities of the
    plot, from top to bottom.
    """

    name: str
    title: str
    along: str
    at: tuple[int, ...]
    drawn: tuple[str, ...]
    series: tuple[Series, ...]

    def table(self) -> Table:
        """Return the table with a row for each point."""
        columns = [each.column() for each in self.series]
        heads = (self.along, *(f"{each.quantity}, {each.group}" for each in self.series))
        return Table(heads, tuple(zip(self.at, *columns, strict=True)))


def swept(
    costs: Callable[[str, int], Mapping[str, Cost]], groups: Iterable[str], at: Sequence[int]
) -> tuple[Series, ...]:
    """Return a series for each group and quantity. costs: (group, point) -> quantity -> cost."""
    found = {group: [costs(group, point) for point in at] for group in groups}
    return tuple(
        Series(
            quantity=quantity,
            group=group,
            totals=tuple(each[quantity].total for each in points),
            of=tuple(each[quantity].of for each in points),
            per=points[0][quantity].per,
        )
        for group, points in found.items()
        for quantity in points[0]
    )
