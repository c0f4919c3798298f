"""The table of the operations, which is `questions.txt`: what each takes and gives, and a summary.

A line has the name, what stands before the question, and the question with its answer: `typed`,
`sets` or `unstated` nodes with their states, no nodes but `states` of a type, or `nothing`. `once`
means that there is no second evaluation of the operation.
"""

from __future__ import annotations

import re
from typing import Final

from rejoin_conformance.kit.locations import text_beside

_LINE: Final = re.compile(r"^(\S+) \((\w+)( once)?\): (.*)\n((?: {4}.*\n)+)", re.MULTILINE)

LINES: Final = tuple(
    (name, nodes, once, template, " ".join(summary.split()))
    for name, nodes, once, template, summary in _LINE.findall(text_beside(__file__))
)
"""The lines of the table, split into their parts."""
