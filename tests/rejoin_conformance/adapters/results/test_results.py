"""A results file is written during the run, continued after a torn line, and read back."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from rejoin_conformance.adapters.protocol import Hello
from rejoin_conformance.adapters.results.read import ResultsError, read_results
from rejoin_conformance.adapters.results.records import (
    Line,
    Record,
    digest_of_records,
    footer,
    line_of,
    record,
)
from rejoin_conformance.adapters.results.write import ResultsFile
from rejoin_conformance.adapters.runner.verdict import Outcome
from rejoin_conformance.kit.json_types import JsonObject
from support.result_files import passed, results, write_results
from support.toy_system import toy_cases

HELLO = Hello(
    name="toy", version="", language="", operations=("toy/halve",), readings={}, max_in_flight=1
)
CASES = toy_cases(HELLO)
CONFIGURATION: JsonObject = {"suite": "rejoin", "selection": {"ids": ["*"]}}


def _record(place: int, verdict: str = "pass", microseconds: int = 5) -> Record:
    if verdict == "pass":
        return record(Outcome(case=CASES[place], verdict="pass", microseconds=microseconds))
    return record(
        Outcome(
            case=CASES[place],
            verdict="fail",
            fault="wrong-output",
            observed={"output": {"half": 9}},
            explanation="wrong output",
            stderr="trouble",
            microseconds=microseconds,
        )
    )


def _write(path: Path, *lines: Line, configuration: JsonObject = CONFIGURATION) -> None:
    with ResultsFile(path, configuration, {}) as results:
        for line in lines:
            results.write(line)


def test_a_pass_says_no_more_than_that() -> None:
    assert line_of(_record(1)) == {
        "type": "vector",
        "id": "toy/halves/half-of-0",
        "reading": "strict",
        "operation": "toy/halve",
        "clauses": ["TOY-HALF"],
        "level": "must",
        "verdict": "pass",
        "volatile": {"microseconds": 5},
    }


def test_a_failure_carries_what_a_report_needs() -> None:
    assert line_of(_record(1, "fail")) == {
        "type": "vector",
        "id": "toy/halves/half-of-0",
        "reading": "strict",
        "operation": "toy/halve",
        "clauses": ["TOY-HALF"],
        "level": "must",
        "verdict": "fail",
        "fault": "wrong-output",
        "summary": "0 is halved",
        "input": {"number": 0},
        "expected": {"output": {"half": 0}},
        "observed": {"output": {"half": 9}},
        "explanation": "wrong output",
        "volatile": {"microseconds": 5, "stderr": "trouble"},
    }


def test_a_line_is_in_the_file_before_the_next_is_written(tmp_path: Path) -> None:
    path = tmp_path / "results.ndjson"
    with ResultsFile(path, CONFIGURATION, {}) as results:
        results.write(_record(1))
        assert len(path.read_bytes().splitlines()) == 2


def test_an_interrupted_run_is_taken_up(tmp_path: Path) -> None:
    path = tmp_path / "results.ndjson"
    _write(path, _record(1), _record(2))
    with ResultsFile(path, CONFIGURATION, {}) as results:
        assert [key[0] for key in results.done] == ["toy/halves/half-of-0", "toy/halves/half-of-1"]
        results.write(_record(3))
    assert len(read_results(path).records) == 3


@pytest.mark.parametrize("torn", [1, 5, 60])
def test_a_torn_last_line_is_dropped(torn: int, tmp_path: Path) -> None:
    path = tmp_path / "results.ndjson"
    _write(path, _record(1), _record(2))
    path.write_bytes(path.read_bytes()[:-torn])
    with ResultsFile(path, CONFIGURATION, {}) as results:
        assert [key[0] for key in results.done] == ["toy/halves/half-of-0"]
        results.write(_record(2))
    assert len(read_results(path).records) == 2


@pytest.mark.parametrize("left", [0, 1, 30])
def test_a_torn_header_begins_anew(left: int, tmp_path: Path) -> None:
    path = tmp_path / "results.ndjson"
    _write(path)
    path.write_bytes(path.read_bytes()[:left])
    _write(path, _record(1))
    assert len(read_results(path).records) == 1


def test_a_finished_run_of_the_same_configuration_is_replaced(tmp_path: Path) -> None:
    path = tmp_path / "results.ndjson"
    _write(path, _record(1), footer([_record(1)], {}))
    with ResultsFile(path, CONFIGURATION, {}) as results:
        assert results.done == {}
    assert read_results(path).records == {}


@pytest.mark.parametrize("finished", [False, True])
def test_results_of_another_configuration_are_never_touched(finished: bool, tmp_path: Path) -> None:
    path = tmp_path / "results.ndjson"
    _write(path, _record(1), *([footer([_record(1)], {})] if finished else []))
    before = path.read_bytes()
    other: JsonObject = {"suite": "rejoin", "selection": {}, "timeout_ms": 1}
    with pytest.raises(
        ResultsError, match="another run \\(the selected vectors, the time limit differ"
    ):
        ResultsFile(path, other, {})
    assert path.read_bytes() == before


def test_fresh_discards_whatever_is_there(tmp_path: Path) -> None:
    path = tmp_path / "results.ndjson"
    path.write_text("something else\n")
    with ResultsFile(path, CONFIGURATION, {}, fresh=True) as results:
        assert results.done == {}
    assert read_results(path).configuration == CONFIGURATION


@pytest.mark.parametrize("text", ["my notes", "my notes\n", '{"type":"vector"}\n', "[]\n"])
def test_a_file_that_holds_something_else_is_never_touched(text: str, tmp_path: Path) -> None:
    path = tmp_path / "results.ndjson"
    path.write_text(text)
    with pytest.raises(ResultsError):
        ResultsFile(path, CONFIGURATION, {})
    assert path.read_text() == text


def test_two_runs_do_not_write_one_file(tmp_path: Path) -> None:
    path = tmp_path / "results.ndjson"
    with (
        ResultsFile(path, CONFIGURATION, {}),
        pytest.raises(ResultsError, match="another run is writing this file"),
    ):
        ResultsFile(path, CONFIGURATION, {})


def test_a_folder_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ResultsError, match="No such file or directory"):
        ResultsFile(tmp_path / "none" / "results.ndjson", CONFIGURATION, {})


def test_the_last_record_of_a_vector_counts(tmp_path: Path) -> None:
    path = tmp_path / "results.ndjson"
    _write(path, _record(1), _record(2), _record(1, "fail"))
    records = read_results(path).records
    assert [each.verdict for each in records.values()] == ["fail", "pass"]


def test_the_digest_ignores_order_and_what_is_volatile() -> None:
    one = digest_of_records([_record(1), _record(2, "fail", microseconds=1)])
    other = digest_of_records([_record(2, "fail", microseconds=9), _record(1)])
    assert one == other
    assert one != digest_of_records([_record(1), _record(2)])


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"verdict": "splendid"}, r"line 2: \$\.verdict: expected one of pass, fail, "),
        ({"id": 7}, r"line 2: \$\.id: expected a string, found 7"),
        ({"clauses": [7]}, r"line 2: \$\.clauses\[0\]: expected a string, found 7"),
        ({"explanation": 7}, r"line 2: \$\.explanation: expected a string, found 7"),
        ({"volatile": {}}, r"line 2: \$\.volatile: the field microseconds is missing"),
        ({"mark": 1}, r'line 2: \$: unknown field "mark"'),
        ({"type": "footnote"}, r"line 2: \$\.type: expected one of header, vector, footer"),
        ({"type": "header"}, "line 2: "),
    ],
)
def test_a_broken_record_is_refused(change: JsonObject, why: str, tmp_path: Path) -> None:
    path = tmp_path / "results.ndjson"
    _write(path, _record(1), _record(2))
    first, second, third = path.read_text().splitlines()
    changed = json.dumps({**json.loads(second), **change})
    path.write_text(f"{first}\n{changed}\n{third}\n")
    with pytest.raises(ResultsError, match=why):
        read_results(path)


def test_a_broken_line_in_the_middle_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "results.ndjson"
    _write(path, _record(1))
    path.write_bytes(path.read_bytes() + b"{\n" + json.dumps(line_of(_record(2))).encode() + b"\n")
    with pytest.raises(ResultsError, match="line 3"):
        read_results(path)


def test_records_that_were_changed_after_the_run_are_refused(tmp_path: Path) -> None:
    """A failure must not become a pass in an editor, or by a flipped bit."""
    path = write_results(tmp_path / "results.ndjson", results(passed("a"), passed("b")))
    changed = path.read_text().replace("toy/halves/b", "toy/halves/c")
    path.write_text(changed)
    with pytest.raises(ResultsError, match="do not match the digest in the last line"):
        read_results(path)
    path.write_text("".join(changed.splitlines(keepends=True)[:-1]))
    assert len(read_results(path).records) == 2, "an interrupted run has no digest yet"
