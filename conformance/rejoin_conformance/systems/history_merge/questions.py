"""The table of the operations, `questions.txt`: what each one takes and gives, and a summary.

`nodes` is what stands before the question: `typed`, `sets` or `unstated` nodes with their states,
no nodes but `states` of a type, or `nothing`. `once` means that there is no second evaluation.
"""

from __future__ import annotations

from typing import Final

from rejoin_conformance.kit.locations import table, text_beside

LINES: Final = (*table(text_beside(__name__)),)
"""The rows of the table."""
