"""Suggest the name that a person probably meant."""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from typing import Final

_LONGEST: Final = 200


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """Return `; did you mean X?` for the known name that is most like a name, or an empty text."""
    near = difflib.get_close_matches(name[:_LONGEST], [*known], 1)
    return f"; did you mean {near[0]}?" if near else ""
