"""Functions of a system's reference that no operation calls."""

from __future__ import annotations

from attrs import frozen


@frozen(kw_only=True)
class Unreached:
    """A public function that no vector calls.

    name: its dotted name. reason: why no operation calls it, and which function to override
    instead, if there is one. histories: whether random histories or their laws call it. If not, a
    rule file cannot override it.
    """

    name: str
    reason: str
    histories: bool = False
