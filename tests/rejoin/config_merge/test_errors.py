"""Errors: every code is documented, and every documented code exists."""

from __future__ import annotations

import re
from pathlib import Path

from rejoin import bencode
from rejoin.config_merge import CODES, ConfigMergeError
from rejoin.errors import RejoinError

ROOT = Path(__file__).parents[3]


def test_the_codes_of_the_encoding_are_codes_of_the_system() -> None:
    assert set(bencode.CODES) <= set(CODES)


def test_every_code_in_the_source_is_listed_and_every_listed_code_is_used() -> None:
    package = ROOT / "reference" / "rejoin"
    sources = [package / "bencode.py", *sorted((package / "config_merge").glob("*.py"))]
    text = "\n".join(path.read_text(encoding="utf-8") for path in sources)
    raised = set(re.findall(r"Error\(\s*\"([a-z0-9-]+)\"", text))
    raised |= {"empty-set", "empty-dict", "truncated"}
    assert raised == set(CODES)


def test_an_error_says_what_and_where() -> None:
    error = ConfigMergeError("row-seqno", "the seqno is too large", 17)
    assert isinstance(error, RejoinError)
    assert str(error) == "row-seqno at byte 17: the seqno is too large"


def test_a_path_becomes_a_position() -> None:
    error = ConfigMergeError("empty-set", "a set is never empty", path=(b"b", 1))
    located = error.located_in(b"xd1:ai1e1:bli1eleee", 1)
    assert (located.code, located.position) == ("empty-set", 15)
    assert error.position is None
