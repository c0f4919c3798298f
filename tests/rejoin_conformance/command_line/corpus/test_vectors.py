"""`rejoin vectors`: a spec author adds and reads vectors as text."""

from __future__ import annotations

import io
import json
import shutil
from pathlib import Path

import pytest

from rejoin_conformance.command_line.main import run
from rejoin_conformance.corpus import add_vector, text_vectors
from rejoin_conformance.kit.locations import vectors_directory

PARAGRAPH = """\
three-added  HM-MERGE-HISTORY
  Both branches added the same element and one of their own.
  r: {};  p < r: {x y};  q < r: {x z}
  merge p q
"""


@pytest.fixture
def topic(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A topic of a corpus that may be written to."""
    shutil.copytree(vectors_directory() / "history-merge", tmp_path / "history-merge")
    for module in (add_vector, text_vectors):
        monkeypatch.setattr(module, "vectors_directory", lambda: tmp_path)
    return tmp_path / "history-merge" / "two-branches.txt"


def _said(capsys: pytest.CaptureFixture[str], *arguments: str, code: int = 0) -> str:
    assert run(["vectors", *arguments]) == code
    captured = capsys.readouterr()
    return captured.err if code else captured.out


def test_a_vector_is_added_with_the_answer_of_the_reference(
    topic: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "paragraph.txt"
    file.write_text(PARAGRAPH)
    said = _said(capsys, "add", "history-merge/two-branches", "--file", str(file))
    filled = PARAGRAPH.replace("merge p q", "merge p q = {x y z}") + "  not yet checked\n"
    assert topic.read_text().endswith(f"\n\n{filled}")
    assert filled in said
    assert "next, run: rejoin vectors generate history-merge" in said
    said = _said(capsys, "check", "history-merge")
    assert "history-merge/two-branches/three-added is not yet checked" in said


def test_a_vector_is_read_from_standard_input(
    topic: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    stated = PARAGRAPH.replace("merge p q", "merge p q = {x y z}")
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(stated.encode())))
    said = _said(capsys, "add", "history-merge/two-branches")
    assert topic.read_text().endswith(f"\n\n{stated}")
    assert "not yet checked" not in said


@pytest.mark.parametrize(
    ("where", "text", "code", "fault"),
    [
        ("history-merge/two-branches", PARAGRAPH.replace("{};", "{}"), 1, "txt:3: expected `<`"),
        ("history-merge/none", PARAGRAPH, 1, "none.txt: there is no such file; create it"),
        ("history-merge", PARAGRAPH, 2, "'history-merge' is not a topic"),
        ("history-merge/../x", PARAGRAPH, 2, "is not a topic"),
        ("pigeons/two-branches", PARAGRAPH, 2, "there is no system 'pigeons'"),
    ],
)
def test_what_cannot_be_added_is_one_line(
    topic: Path,
    tmp_path: Path,
    where: str,
    text: str,
    code: int,
    fault: str,
    capsys: pytest.CaptureFixture[str],
) -> None:
    before = topic.read_text()
    file = tmp_path / "paragraph.txt"
    file.write_text(text)
    assert fault in _said(capsys, "add", where, "--file", str(file), code=code)
    assert topic.read_text() == before


def test_a_vector_is_shown_as_its_paragraph_or_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    name = "history-merge/two-branches/separate-roots"
    said = _said(capsys, "show", name)
    text = (vectors_directory() / "history-merge" / "two-branches.txt").read_text()
    assert said.startswith("separate-roots  HM-MERGE-NO-ORIGIN\n")
    assert f"\n\n{said}\n" in text
    assert json.loads(_said(capsys, "show", name, "--json"))["id"] == name
