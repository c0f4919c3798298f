"""`rejoin show` prints values, drawings and steps, and where two readings part."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from rejoin_conformance.command_line.main import run
from rejoin_conformance.corpus.document_examples import document_examples
from rejoin_conformance.kit.locations import vectors_directory

CUTOFF = """\
from rejoin.config_merge.windows import within as original


def within(window: int, seqno: int, largest: int) -> bool:
    return original(window + 1, seqno, largest)


OVERRIDES = {"rejoin.config_merge.windows.within": within}
"""


@pytest.fixture
def generous(tmp_path: Path) -> str:
    path = tmp_path / "generous.py"
    path.write_text(CUTOFF, encoding="utf-8")
    return str(path)


def _printed(capsys: pytest.CaptureFixture[str], *arguments: str, code: int = 0) -> str:
    assert run(["show", *arguments]) == code
    return capsys.readouterr().out


def _json(capsys: pytest.CaptureFixture[str], *arguments: str) -> Any:
    return json.loads(_printed(capsys, *arguments, "--json"))


def test_without_a_subject_the_examples_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    listed = _printed(capsys)
    assert all(each.name in listed for each in document_examples())
    assert "config-merge.md, lines 208 to 621" in listed
    assert _printed(capsys, "--list") == listed
    assert [each["name"] for each in _json(capsys)] == [each.name for each in document_examples()]


@pytest.mark.parametrize("name", [each.name for each in document_examples()])
def test_every_example_of_a_document_fits_80_columns(
    name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    printed = _printed(capsys, name, "--steps")
    assert printed.startswith(f"{name}: ")
    assert "\x1b" not in printed
    assert max(map(len, printed.splitlines())) <= 80


def test_the_steps_of_the_worked_example_name_its_messages(
    capsys: pytest.CaptureFixture[str],
) -> None:
    lines = _printed(capsys, "config-merge/worked-example", "--steps").splitlines()
    assert "  resolve 125a 125b 124a 120b = merge 126b, ignoring stale 120b" in lines
    assert (
        "  keep 122 123 124a 124b 125a 125b                             CM-RESOLVE-LAGGED" in lines
    )


def test_the_worked_example_is_drawn_as_in_the_document(
    capsys: pytest.CaptureFixture[str],
) -> None:
    lines = _printed(capsys, "config-merge/worked-example").splitlines()
    start = lines.index("messages") + 1
    edges = [line.split("  <- ") for line in lines[start + 1 : start + 14]]
    assert [(name.split()[-1], parents.split("   ")[0].strip()) for name, parents in edges] == [
        ("119", "118"),
        ("120b", "119"),
        ("120", "119"),
        ("121", "120"),
        ("122", "121"),
        ("123", "122"),
        ("124a", "123"),
        ("124b", "123"),
        ("125a", "124b"),
        ("125b", "124b"),
        ("126a", "125a, 125b"),
        ("126b", "124a, 125a, 125b"),
        ("127", "126a, 126b"),
    ]


def test_the_versions_of_a_scenario_are_drawn_and_the_parting_one_is_marked(
    capsys: pytest.CaptureFixture[str],
) -> None:
    subject = "conflict-detection/steps/stale-version"
    assert "  o  #0   A writes 'a'" in _printed(capsys, subject).splitlines()
    compared = _printed(capsys, subject, "--against", "literal").splitlines()
    assert "  @  #0   A writes 'a'" in compared
    assert "  o  #2  <- #0   B writes 'b'" in compared
    (question,) = _json(capsys, subject)["shown"][0]["questions"]
    assert question["drawings"][0]["title"] == "foo"


def test_a_vector_has_its_clauses_its_question_and_its_answer(
    capsys: pytest.CaptureFixture[str],
) -> None:
    printed = _printed(capsys, "history-merge/two-branches/picture-from-b")
    assert "HM-MERGE-HISTORY HM-MERGE-STEP" in printed
    assert "  merge l r = {a b c}" in printed
    assert "steps" not in printed


def test_the_steps_of_a_long_input_are_not_listed(capsys: pytest.CaptureFixture[str]) -> None:
    printed = _printed(capsys, "config-merge/sizes/4097-rows-replayed", "--steps")
    assert printed.splitlines()[-1] == "steps: not listed, because the input is too long"


def test_two_readings_stand_side_by_side(capsys: pytest.CaptureFixture[str]) -> None:
    printed = _printed(
        capsys, "conflict-detection/steps/stale-version", "--against", "literal"
    ).splitlines()
    assert "steps: the sides part at step 9" in printed
    (parting,) = (line for line in printed if line.startswith("> "))
    assert parting.startswith("> #3 B polls A: classify stale          | #3 B polls A:")
    assert printed[-1] == "answers that differ between repaired and literal: 1 of 1"


def test_a_rule_is_tried_on_the_worked_example(
    generous: str, capsys: pytest.CaptureFixture[str]
) -> None:
    printed = _printed(capsys, "config-merge/stale-message", "--against", generous)
    assert "document     resolve 121 126a = 126a, ignoring stale 121" in printed
    assert "generous.py  resolve 121 126a = merge 127 {" in printed
    assert "> ignore 121 as stale (CM-IGNORE-STALE)" in printed
    assert "rejoin.config_merge.windows.within\n    called " in printed


def test_a_rule_that_is_not_called_ends_with_code_3(
    generous: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["show", "config-merge/decode/integer-largest", "--against", generous]) == 3
    out, err = capsys.readouterr()
    assert "answers that differ between document and generous.py: 0 of 1" in out
    assert "not tried: rejoin.config_merge.windows.within: 0 calls" in err


def test_a_rule_that_raises_an_exception_is_shown(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "broken.py"
    path.write_text(CUTOFF.replace("return original(window + 1, seqno, largest)", "1 / 0"))
    printed = _printed(capsys, "config-merge/stale-message", "--against", str(path))
    assert "raised ZeroDivisionError" in printed


def test_the_data_have_both_answers_and_the_parting_step(
    generous: str, capsys: pytest.CaptureFixture[str]
) -> None:
    found = _json(capsys, "config-merge/stale-message", "--against", generous)
    (question,) = found["shown"][0]["questions"]
    assert [each["reading"] for each in question["answers"]] == ["document", "generous.py"]
    assert question["differ"] is True
    assert question["first_parting_step"] == 0
    assert question["answers"][0]["steps"][0]["text"] == "ignore 121 as stale"
    assert found["overridden"]["rejoin.config_merge.windows.within"]["differed"] > 0


def test_a_random_history_is_drawn_and_its_calls_have_steps(
    capsys: pytest.CaptureFixture[str],
) -> None:
    arguments = ["history-merge", "--seed", "1", "--index", "7", "--profile", "tiny"]
    printed = _printed(capsys, *arguments)
    assert printed.startswith("history-merge, seed 1, index 7, profile tiny\n")
    assert "the history as text" in printed
    assert "call 1 of" not in printed
    assert "merge of " in _printed(capsys, *arguments, "--steps")


def test_a_history_is_played_under_both_readings(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["conflict-detection", "--seed", "1", "--profile", "tiny", "--against", "literal"]
    assert "repaired" in _printed(capsys, *arguments)


def test_a_file_of_histories_is_shown(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source = vectors_directory() / "history-merge" / "distilled.json"
    topic = json.loads(source.read_text(encoding="utf-8"))
    topic["histories"], topic["vectors"] = topic["histories"][:1], topic["vectors"][:1]
    path = tmp_path / "found.json"
    path.write_text(json.dumps(topic), encoding="utf-8")
    printed = _printed(capsys, str(path))
    assert printed.startswith(topic["histories"][0]["name"])
    assert "shrunk from: rejoin show history-merge" in printed
    assert topic["vectors"][0]["id"] in printed


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["nope"], "there is no vector, example, file or system 'nope'"),
        (["history-merge/first-pictur"], "did you mean history-merge/first-picture?"),
        (["history-merge/two-branches/picture-from-c"], "did you mean history-merge/two-branches/"),
        (["nope.json"], "nope.json: there is no such file"),
        (["history-merge"], "history-merge is a system; give --seed and --index"),
        (["history-merge", "--index", "3"], "--index needs --seed"),
        (["history-merge", "--seed", "1", "--profile", "nope"], "has no profile 'nope'"),
        (["history-merge/first-picture", "--seed", "1"], "--seed is for random histories"),
        (["--seed", "1"], "name a SUBJECT"),
        (["--steps"], "name a SUBJECT"),
        (["history-merge/first-picture", "--reading", "nope"], "there is no reading 'nope'"),
        (["history-merge/first-picture", "--against", "nope.py"], "nope.py: No such file"),
        (["history-merge/first-picture", "--against", "document"], "are the same reading"),
    ],
)
def test_wrong_usage_is_one_line_with_code_2(
    arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["show", *arguments]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert message in err
    assert len(err.splitlines()) == 1


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("empty.json", b"", "the file is empty"),
        ("binary.json", b"\xff\x00\x01", "not UTF-8 at byte 0"),
        ("text.json", b"hello", "a SUBJECT is a JSON file of vectors or histories"),
        ("other.json", b"{}", "a SUBJECT is a JSON file of vectors or histories"),
        ("rule.py", CUTOFF.encode(), "a rule file; give it to --against"),
        ("folder", None, "a folder; name one of its files"),
    ],
)
def test_another_file_is_one_clear_error(
    name: str,
    content: bytes | None,
    message: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    path = tmp_path / name
    if content is None:
        path.mkdir()
    else:
        path.write_bytes(content)
    assert run(["show", str(path)]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert str(path) in err
    assert message in err
    assert len(err.splitlines()) == 1
