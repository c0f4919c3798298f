"""A results file is written during the run, continued after a torn line, and read back."""

from __future__ import annotations

import json
import os
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from attrs import evolve

from rejoin_conformance.adapters.results.configuration import program_digest
from rejoin_conformance.adapters.results.failure_steps import FailureSteps, StepLine
from rejoin_conformance.adapters.results.file import (
    ResultsError,
    chained,
    read_results,
    writing_results,
)
from rejoin_conformance.adapters.results.records import (
    Line,
    Record,
    footer,
    line_of,
    record,
)
from rejoin_conformance.adapters.run_options import Selection
from rejoin_conformance.adapters.runner.cases import Outcome
from rejoin_conformance.kit.json_types import JsonObject, canonical_json
from rejoin_conformance.reports.for_ci import badge, junit
from rejoin_conformance.reports.results import html_page, markdown
from support.result_files import columns, failed, passed, results, write_results
from support.toy_runs import HELLO
from support.toy_system import toy_cases

CASES = toy_cases(HELLO)
CONFIGURATION = evolve(results(passed("one")).configuration, selection=Selection(ids=("*",)))
"""The configuration of a run with one case."""
BEGUN = {
    "type": "vector",
    "id": "toy/halves/half-of-0",
    "reading": "strict",
    "operation": "toy/halve",
    "clauses": ["TOY-HALF"],
    "level": "must",
}


def _pass(place: int, microseconds: int = 5) -> Record:
    return record(Outcome(case=CASES[place], verdict="pass", microseconds=microseconds))


def _fail(place: int, microseconds: int = 5) -> Record:
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


def _written(path: Path, *lines: Line, fresh: bool = False) -> list[str]:
    """Write lines, and return the names of the vectors that were there before."""
    with writing_results(path, CONFIGURATION, {}, fresh=fresh) as file:
        for line in lines:
            before = len(path.read_bytes())
            file.write(line)
            assert len(path.read_bytes()) > before, "each line is in the file at once"
        return [key[0].rpartition("/")[2] for key in file.done]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "results.ndjson"


def test_a_pass_says_no_more_than_that_and_a_failure_what_a_report_needs() -> None:
    assert line_of(_pass(1)) == {**BEGUN, "verdict": "pass", "volatile": {"microseconds": 5}}
    assert line_of(_fail(1)) == {
        **BEGUN,
        "verdict": "fail",
        "fault": "wrong-output",
        "summary": "0 is halved",
        "input": {"number": 0},
        "expected": {"output": {"half": 0}},
        "observed": {"output": {"half": 9}},
        "explanation": "wrong output",
        "volatile": {"microseconds": 5, "stderr": "trouble"},
    }
    assert footer([_pass(1)], {}).digest != footer([_fail(1)], {}).digest


def test_a_torn_line_is_dropped(path: Path) -> None:
    _written(path, _pass(1), _pass(2))
    whole = path.read_bytes()
    for torn in (1, 5, 60):
        path.write_bytes(whole[:-torn])
        assert _written(path, _pass(2)) == ["half-of-0"]
        assert len(read_results(path).records) == 2
    for left in (0, 1, 30):
        path.write_bytes(whole[:left])
        assert _written(path, _pass(1)) == []
        assert len(read_results(path).records) == 1


def test_a_finished_run_of_the_same_configuration_is_replaced(path: Path) -> None:
    _written(path, _pass(1), footer([_pass(1)], {}))
    assert _written(path) == []
    assert read_results(path).records == {}


@pytest.mark.parametrize("finished", [False, True])
def test_results_of_another_configuration_are_never_touched(finished: bool, path: Path) -> None:
    _written(path, _pass(1), *([footer([_pass(1)], {})] if finished else []))
    before = path.read_bytes()
    other = evolve(CONFIGURATION, selection=Selection(), program="another build")
    differ = r"\(not the same: the files of the adapter's command, the selected vectors\)"
    with pytest.raises(ResultsError, match=differ), writing_results(path, other, {}):
        pass
    assert path.read_bytes() == before


@pytest.mark.parametrize("fresh", [False, True])
def test_a_file_that_holds_something_else_is_never_touched(fresh: bool, path: Path) -> None:
    for text in ("my notes", "my notes\n", '{"type":"vector"}\n', "[]\n", '{"chain":"x"}\n'):
        path.write_text(text)
        with pytest.raises(ResultsError, match="not a results file"):
            _written(path, fresh=fresh)
        assert path.read_text() == text
    path.write_text('{"chain":"' + "0" * 32 + '", damaged\n')
    if fresh:
        assert _written(path, fresh=True) == []
        assert read_results(path).configuration == CONFIGURATION
    with pytest.raises(ResultsError, match="not a regular file"):
        _written(Path(os.devnull), fresh=fresh)


@pytest.mark.parametrize("change", ["remove", "replace", "empty"])
def test_a_file_that_is_lost_while_it_is_written_leaves_the_run_incomplete(
    change: str, path: Path
) -> None:
    with writing_results(path, CONFIGURATION, {}) as file:
        file.write(_pass(1))
        if change == "empty":
            path.write_bytes(b"")
        else:
            path.rename(path.with_suffix(".old"))
        if change == "replace":
            path.write_bytes(path.with_suffix(".old").read_bytes())
        with pytest.raises(ResultsError, match="while the run wrote it") as caught:
            file.write(_pass(2))
    assert caught.value.code == 3


def test_two_runs_do_not_write_one_file(path: Path) -> None:
    writes = pytest.raises(ResultsError, match="another run is writing this file")
    with writing_results(path, CONFIGURATION, {}), writes:
        _written(path)
    with pytest.raises(ResultsError, match="No such file or directory"):
        _written(path.parent / "none" / "results.ndjson")


def test_an_adapter_that_answers_otherwise_than_before_does_not_take_up_a_run(path: Path) -> None:
    _written(path, _pass(1), _fail(2))
    with writing_results(path, CONFIGURATION, {}) as file:
        for again in (_pass(1, microseconds=9), _fail(2), _fail(3)):
            file.refuse_another(again)
        for other in (_fail(1), _pass(2)):
            with pytest.raises(ResultsError, match="now answers toy/halves/half-of-"):
                file.refuse_another(other)


@pytest.mark.parametrize(
    ("command", "changed"),
    [
        (["python", "adapter.py", "--fast"], "adapter.py"),
        (["python", "adapter.py"], "merging.py"),
        (["sh", "-c", "exec python 'adapter.py'"], "adapter.py"),
        (["env", "SCRIPT=adapter.py", "python"], "adapter.py"),
        (["python", "-m", "adapter"], "adapter.py"),
        (["python", "-m", "port.cli"], "port/cli.py"),
        (["python", "-m", "port"], "port/deep/rules.py"),
        (["java", "-cp", "lib:port", "Main"], "port/deep/Main.class"),
    ],
)
def test_the_digest_of_a_program_is_that_of_its_files(
    command: list[str], changed: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "port" / "deep").mkdir(parents=True)
    for name in ("adapter.py", "merging.py", "port/cli.py", "results.ndjson", changed):
        (tmp_path / name).write_text("one")
    before = program_digest(command)
    (tmp_path / "results.ndjson").write_text("two")
    assert before == program_digest(command)
    assert before == program_digest([*command, os.devnull]), "a device may never end"
    (tmp_path / changed).write_text("two")
    assert program_digest(command) != before


def test_of_a_large_folder_the_first_files_by_name_count(tmp_path: Path) -> None:
    for number in range(2_001):
        (tmp_path / f"{number:04}.py").touch()
    before = program_digest([str(tmp_path)])
    (tmp_path / "2000.py").write_text("two")
    assert program_digest([str(tmp_path)]) == before
    (tmp_path / "1999.py").write_text("two")
    assert program_digest([str(tmp_path)]) != before


BROKEN: list[tuple[JsonObject, str]] = [
    ({"verdict": "splendid"}, "line 2: $.verdict: expected one of pass, fail, "),
    ({"id": "no-slash"}, "line 2: $.id: "),
    ({"clauses": [7]}, "line 2: $.clauses[0]: expected a string, found 7"),
    ({"volatile": {}}, "line 2: $.volatile: the field microseconds is missing"),
    ({"mark": 1}, 'line 2: $: unknown field "mark"'),
    ({"type": "footnote"}, "line 2: $.type: expected one of header, vector, footer"),
    ({"type": "header"}, "line 2: "),
]


def test_a_line_of_another_form_is_refused_even_if_its_digest_is_right(path: Path) -> None:
    for change, why in BROKEN:
        _written(path, fresh=True)
        header = json.loads(path.read_text())
        value = line_of(_pass(1)) | change
        line = {"chain": chained(header["chain"], value), **value}
        path.write_text(f"{path.read_text()}{json.dumps(line)}\n")
        with pytest.raises(ResultsError) as caught:
            read_results(path)
        assert why in str(caught.value)


def test_no_text_of_a_file_reaches_a_report_unescaped(path: Path) -> None:
    """Whoever writes a results file decides each of its texts."""
    bad = "\x1b[2J\u202e\ud800\x00"
    steps = FailureSteps(
        operation=bad, count=1, expected=StepLine(number=1, text=bad, clause=bad, under=bad)
    )
    run = results(
        evolve(
            failed(bad, bad, explanation=bad, stderr=bad, observed={bad: [bad]}, operation=bad),
            steps=steps, summary=bad, reading=bad,
        ),
        name=bad,
        version=bad,
    )  # fmt: skip
    made = columns(read_results(write_results(path, run)))
    for text in (html_page(made), junit(made), markdown(made), canonical_json(badge(made))):
        text.encode("utf-8")
        assert not {*text} & {*bad} - {*"[2J"}
    ET.fromstring(junit(made))
