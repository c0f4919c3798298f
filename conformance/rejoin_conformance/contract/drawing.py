"""The drawings of a question: its histories and version graphs."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TypeAlias

from rejoin_conformance.contract.asked import Asked
from rejoin_conformance.kit.dag_drawing import Drawing
from rejoin_conformance.kit.json_types import JsonObject

Draw: TypeAlias = Callable[[Asked, Sequence[JsonObject]], Iterator[Drawing]]
"""(a question, the steps at which two implementations part, or none) -> its drawings. The nodes at
which the steps or the two outputs part are marked. It can raise any exception."""


def drawings_of(
    draw: Draw | None, asked: Asked, steps: Sequence[JsonObject] = ()
) -> tuple[Drawing, ...]:
    """Return the drawings of a question; none if the system has none, or cannot draw this one."""
    if draw is None:
        return ()
    try:
        return tuple(draw(asked, steps))
    except Exception:  # noqa: BLE001 - the values are untrusted, and a drawing is an extra
        return ()
