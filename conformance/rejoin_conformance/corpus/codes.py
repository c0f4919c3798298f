"""The codes of rejections, from the tables of the spec, and the code that a vector expects.

A code is an expected value, so the reference alone does not decide it: the spec's table must give
the code to one of the clauses that the vector's author named.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache
from typing import Final

from attrs import field, frozen

from rejoin_conformance.contract.operation import Rejected, Result
from rejoin_conformance.kit.locations import spec_directory

_ROW: Final = re.compile(r"^\| `([a-z0-9-]+)` \| (.*) \|(.*)\|$", re.MULTILINE)
_CLAUSE: Final = re.compile(r"[A-Z]+(?:-[A-Z0-9]+)+")
_AMBIGUOUS: Final = re.compile(r"^\| `([a-z0-9-]+/[a-z0-9-]+/[a-z0-9-]+)` \|", re.MULTILINE)


@frozen
class Codes:
    """The codes of a system.

    clauses: code -> the clauses that input with this fault breaks. meanings: code -> what it is
    for, in words. ambiguous: the IDs of the vectors whose one fault has several codes.
    """

    clauses: dict[str, frozenset[str]] = field(factory=dict)
    ambiguous: frozenset[str] = frozenset()
    meanings: dict[str, str] = field(factory=dict)

    def expected(self, identity: str, clauses: Iterable[str], results: Iterable[Result]) -> str:
        """Return the code that a vector with one fault expects; empty if it expects none.

        results: the reference's results in each reading. It expects none if the readings refuse the
        input with different codes, if several codes fit, or if the table does not support the code.
        """
        codes = {result.code for result in results if isinstance(result, Rejected)}
        if len(codes) != 1 or identity in self.ambiguous:
            return ""
        (code,) = codes
        return code if self.clauses.get(code, frozenset()).intersection(clauses) else ""


@cache
def codes_of(system: str) -> Codes:
    """Return the codes in `errors.md` of a system's spec; none if there is no such file."""
    path = spec_directory() / system / "errors.md"
    if not path.exists():
        return Codes()
    text = path.read_text(encoding="utf-8")
    rows = _ROW.findall(text)
    return Codes(
        {code: frozenset(_CLAUSE.findall(clauses)) for code, _, clauses in rows},
        frozenset(_AMBIGUOUS.findall(text)),
        {code: meaning for code, meaning, _ in rows},
    )
