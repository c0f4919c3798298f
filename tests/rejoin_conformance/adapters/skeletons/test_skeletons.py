"""The skeletons: each is built and examined with its own toolchain, where that is here."""

from __future__ import annotations

import json
import shlex
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from rejoin_conformance.adapters.skeletons.write import SKELETONS, Skeleton
from rejoin_conformance.command_line.main import run

OPERATION = "conflict-detection/classify-version-map"
ODD = 'é\n"\\😀\u007f\u2028'
ENCODE = "config-merge/encode"
TOOLS = {
    "python": "python3",
    "javascript": "node",
    "rust": "cargo",
    "go": "go",
    "c++": "c++",
    "java": "javac",
}


COMPILED = ("rust", "go", "c++", "java")
BUILT = [
    pytest.param(
        each,
        id=each.language,
        marks=pytest.mark.full_run("compiled skeletons") if each.language in COMPILED else (),
    )
    for each in SKELETONS
]
"""The languages whose compilers take seconds run when a skeleton or the doctor changed."""


@pytest.fixture(scope="module", params=BUILT)
def built(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Any:
    """A skeleton and the folder in which it has been written and built."""
    skeleton = request.param
    tool = TOOLS[skeleton.language]
    if shutil.which(tool) is None:
        pytest.skip(f"there is no {tool} on this machine")
    folder = tmp_path_factory.mktemp("skeletons") / skeleton.language
    assert run(["init", "--lang", skeleton.language, "--directory", str(folder)]) == 0
    if skeleton.build:
        done = subprocess.run(
            shlex.split(skeleton.build), check=False, cwd=folder, capture_output=True, text=True
        )
        assert done.returncode == 0, done.stderr
        assert "warning" not in done.stderr
    return skeleton, folder


def _talk(
    built: tuple[Skeleton, Path], *requests: dict[str, Any], escaped: bool = False
) -> list[dict[str, Any]]:
    """The replies to requests, whose text stands in the lines as it is or escaped."""
    skeleton, folder = built
    lines = "".join(json.dumps(request, ensure_ascii=escaped) + "\n" for request in requests)
    done = subprocess.run(
        shlex.split(skeleton.command), cwd=folder, input=lines, capture_output=True, text=True,
        check=True, encoding="utf-8",
    )  # fmt: skip
    assert done.stderr == ""
    return [json.loads(line) for line in done.stdout.split("\n")[:-1]]


def _ask(number: int, local: Any, remote: Any) -> dict[str, Any]:
    return {
        "type": "run",
        "id": number,
        "operation": OPERATION,
        "reading": "repaired",
        "input": {"local": local, "remote": remote},
    }


def test_the_doctor_finds_nothing_wrong(
    built: tuple[Skeleton, Path],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    skeleton, folder = built
    monkeypatch.chdir(folder)
    assert run(["doctor", "--adapter", skeleton.command, "--json"]) == 0
    steps = json.loads(capsys.readouterr().out)["steps"]
    assert {step["state"] for step in steps} == {"ok"}


def test_its_operations_pass_every_vector(
    built: tuple[Skeleton, Path],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    skeleton, folder = built
    monkeypatch.chdir(folder)
    choice = ["--operation", OPERATION, "--operation", ENCODE]
    assert run(["run", *choice, "--adapter", skeleton.command, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["verdicts"]["pass"] > 60


@pytest.mark.parametrize("escaped", [True, False])
def test_text_of_any_kind_goes_in_and_out(built: tuple[Skeleton, Path], escaped: bool) -> None:
    asked = _ask(1, {ODD: 1}, {ODD: 2}), _ask(2, {}, {ODD + ",": 1}), _ask(3, {ODD: 3}, {ODD: 2})
    replies = _talk(built, *asked, escaped=escaped)
    assert replies[0] == {"id": 1, "output": {"classification": "overwrite"}}
    assert replies[1]["id"] == 2
    assert "nickname" in replies[1]["rejected"]["reason"]
    assert replies[2] == {"id": 3, "output": {"classification": "stale"}}


def test_fields_and_values_that_it_does_not_use_do_no_harm(built: tuple[Skeleton, Path]) -> None:
    extra: dict[str, Any] = {"a": [True, False, None, -7, [], {}, [[[["deep"]]]]], "b": "\ud83d"}
    hello = {"type": "hello", "protocol": 1, "suite": "rejoin", "extra": extra}
    (reply,) = _talk(built, hello, escaped=True)
    assert sorted(reply["operations"]) == [ENCODE, OPERATION]


def test_an_operation_that_it_does_not_have_is_an_error(built: tuple[Skeleton, Path]) -> None:
    (reply,) = _talk(built, {**_ask(5, {}, {}), "operation": "toString"})
    assert reply == {"id": 5, "error": {"message": "unsupported operation"}}


def test_hostile_requests_are_answered_in_turn(built: tuple[Skeleton, Path]) -> None:
    hello = {"type": "hello", "protocol": 1, "suite": "rejoin", "x": 10**400}
    out_of_range = [2**53, 2**63, -(2**63) - 1, 2**64, -(2**127) - 1, 10**400, -(10**400), -1]
    deep: Any = []
    for _ in range(500):
        deep = [deep]
    odd: list[Any] = [None, 7, "", [], {}, {"remote": None}, {"local": [], "remote": {}}]
    odd += [
        {"value": None},
        {"value": {"int": "9" * 400}},
        {"value": {"str": "0"}},
        {"value": deep},
        {"value": {}},
    ]
    asked = [_ask(0, {}, {"a": number}) for number in out_of_range]
    asked += [{**_ask(0, {}, {}), "operation": name} for name in ("", "__proto__", "a" * 100_000)]
    for operation in (OPERATION, ENCODE):
        asked += [{**_ask(0, {}, {}), "operation": operation, "input": value} for value in odd]
    asked += [{**_ask(0, {}, {"\ud83d": 1}), "reading": "\0", "more": deep}]
    sound = _ask(0, {}, {"a": 1})
    numbered = [{**each, "id": number} for number, each in enumerate([*asked, sound])]
    _, *replies = _talk(built, hello, *numbered, escaped=True)
    assert [reply["id"] for reply in replies] == [*range(len(numbered))]
    assert {len({"output", "rejected", "error"} & {*reply}) for reply in replies} == {1}
    assert all("rejected" in reply for reply in replies[: len(out_of_range)])
    assert replies[-1]["output"] == {"classification": "overwrite"}


def test_nothing_is_answered_after_bye(built: tuple[Skeleton, Path]) -> None:
    assert len(_talk(built, _ask(1, {}, {}), {"type": "bye"}, _ask(2, {}, {}))) == 1


@pytest.mark.parametrize("skeleton", SKELETONS, ids=lambda skeleton: skeleton.language)
def test_there_is_one_place_to_fill_in(skeleton: Skeleton, tmp_path: Path) -> None:
    assert run(["init", "--lang", skeleton.language, "--directory", str(tmp_path)]) == 0
    marked = [
        path
        for path in tmp_path.rglob("*")
        if path.is_file() and "Fill in here" in path.read_text(encoding="utf-8")
    ]
    assert marked == [tmp_path / skeleton.place]
