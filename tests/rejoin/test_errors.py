"""Errors of all systems: every code that is raised is listed, and every listed code is raised."""

from __future__ import annotations

import re
from importlib.resources import files
from pathlib import Path

import pytest

from rejoin import bencode, config_merge, conflict_detection, history_merge
from rejoin.config_merge import ConfigMergeError
from rejoin.errors import RejoinError
from rejoin_conformance.corpus.codes import codes_of

SYSTEMS = {"config-merge": config_merge, "conflict-detection": conflict_detection}
SYSTEMS |= {"history-merge": history_merge}
NAMED_ONCE = {"config-merge": {"empty-set", "empty-dict"}}
"""Codes that are raised by a name of the function that checks sets and dicts."""


@pytest.mark.parametrize("system", SYSTEMS)
def test_every_code_in_the_source_is_listed_and_every_listed_code_is_raised(system: str) -> None:
    package = Path(str(files("rejoin"))) / system.replace("-", "_")
    encoding = [package.parent / "bencode.py"] if system == "config-merge" else []
    text = "\n".join(path.read_text("utf-8") for path in [*package.glob("*.py"), *encoding])
    raised = {*re.findall(r"Error\(\s*\"([a-z0-9-]+)\"", text)}
    assert raised | NAMED_ONCE.get(system, set()) == {*SYSTEMS[system].CODES}


def test_the_codes_of_the_encoding_are_codes_of_the_system() -> None:
    assert {*bencode.CODES} <= {*config_merge.CODES}


def test_the_spec_of_conflict_detection_gives_the_codes_the_same_meanings() -> None:
    assert codes_of("conflict-detection").meanings == dict(conflict_detection.CODES)


def test_an_error_says_what_and_where() -> None:
    error = ConfigMergeError("row-seqno", "the seqno is too large", 17)
    assert isinstance(error, RejoinError)
    assert str(error) == "row-seqno at byte 17: the seqno is too large"


def test_a_path_becomes_a_position() -> None:
    error = ConfigMergeError("empty-set", "a set is never empty", path=(b"b", 1))
    located = error.located_in(b"xd1:ai1e1:bli1eleee", 1)
    assert (located.code, located.position) == ("empty-set", 15)
    assert error.position is None
