"""A rule file for config merge that does something else at one largest seqno."""

from __future__ import annotations

from typing import Final

_RULE: Final = """
import os
from rejoin.config_merge.windows import within as as_it_is


def within(window, seqno, largest):
    if {where}:
        {body}
    return as_it_is(window, seqno, largest)


OVERRIDES = {{"rejoin.config_merge.windows.within": within}}
"""


def window_rule(body: str, where: str = "largest == 7") -> str:
    """Return the text of a rule file that runs a statement where a condition holds."""
    return _RULE.format(where=where, body=body)
