"""The size of an answer, which is limited where it can grow with the square of the question."""

from __future__ import annotations

from typing import Final

from rejoin.history_merge.errors import HistoryMergeError

LARGEST_ANSWER: Final = 2**20
"""The largest size of a session, of operational edges or of the steps of a merge, in bytes."""


def checked_answer(size: int) -> int:
    """Return the size of an answer, after checking that it is not too large.

    size: the bytes of the texts of the answer so far, and one for each text.
    Errors: `answer-too-large`.

    Clauses: HM-ANSWER-SIZE
    Source: not in the document
    """
    if size > LARGEST_ANSWER:
        message = f"the size of the answer is more than {LARGEST_ANSWER} bytes"
        raise HistoryMergeError("answer-too-large", message)
    return size
