"""The text notation of history merge: messages with their states, questions, random histories."""

from __future__ import annotations

from typing import Final

from rejoin_conformance.contract.notation import Notation
from rejoin_conformance.systems.history_merge.notation.bodies import (
    parse,
    parse_mended,
    parse_output,
    render,
    render_mended,
    render_output,
)
from rejoin_conformance.systems.history_merge.notation.history import (
    parse_history,
    render_history,
)
from rejoin_conformance.systems.history_merge.notation.messages import (
    SetNode,
    messages_in,
    nodes_in,
    nodes_text,
)
from rejoin_conformance.systems.history_merge.notation.questions import QUESTIONS
from rejoin_conformance.systems.history_merge.notation.sessions import SESSION
from rejoin_conformance.systems.history_merge.notation.steps import step_writer

__all__ = ["NOTATION", "SetNode", "messages_in", "nodes_in", "nodes_text"]

NOTATION: Final = Notation(
    operations=tuple(f"history-merge/{name}" for name in (*QUESTIONS, SESSION)),
    parse=parse,
    render=render,
    parse_output=parse_output,
    render_output=render_output,
    parse_history=parse_history,
    render_history=render_history,
    parse_mended=parse_mended,
    render_mended=render_mended,
    step_writer=step_writer,
)
"""How questions to history merge, its answers and its random histories are written."""
