"""Markers follow from the fixtures and paths of tests, and a run reports what it leaves out."""

from __future__ import annotations

import tomllib
from pathlib import Path, PurePosixPath

from support.markers import OWN, PATHS, left_out, markers_of

TESTS = Path(__file__).parent
FILES = [PurePosixPath(each.relative_to(TESTS).as_posix()) for each in TESTS.rglob("test_*.py")]


def test_pyproject_describes_every_marker() -> None:
    text = (TESTS.parent / "pyproject.toml").read_text(encoding="utf-8")
    described = tomllib.loads(text)["tool"]["pytest"]["ini_options"]["markers"]
    assert {line.partition(": ")[0].partition("(")[0] for line in described} == OWN


EXAMPLES: tuple[tuple[str, tuple[str, ...], set[str]], ...] = (
    ("ports/test_rust.py", (), {"ports"}),
    ("rejoin_conformance/systems/model/test_drift.py", (), {"tlc"}),
    ("rejoin_conformance/systems/toy/exhaust/test_check.py", ("spark",), {"search", "spark"}),
    ("laws/test_toy.py", (), {"search"}),
    ("rejoin_conformance/test_contracts.py", (), set()),
    ("rejoin/toy/test_errors.py", ("tmp_path",), set()),
)


def test_markers_follow_from_the_path_and_the_fixtures() -> None:
    found = {markers for path in FILES for markers in markers_of(path, ())}
    assert {*PATHS.values()} <= found
    for path, fixtures, markers in EXAMPLES:
        assert markers_of(PurePosixPath(path), fixtures) == markers


def test_what_is_left_out_is_counted_by_marker() -> None:
    deselected = [("a", ["spark", "long"]), ("b", ["spark", "spark"]), ("c", ["hypothesis"])]
    described = ["spark: starts", "tlc: runs", "hypothesis: of a plugin", "long: takes"]
    assert [line.split() for line in left_out(deselected, described)] == [
        ["2", "spark", "starts"],
        ["1", "long", "takes"],
    ]
    named = [line.split()[-1] for line in left_out(deselected, described, names=True)]
    assert named == ["starts", "takes", "a"]
