"""A file of the corpus gives its vectors and histories, or a one-line error."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from rejoin_conformance.corpus.generate import file_text
from rejoin_conformance.corpus.load import (
    CorpusError,
    load_histories,
    load_system,
    load_topic_file,
    topic_files,
)
from rejoin_conformance.kit.json_types import strict_json

_LINEAGE = {"profile": "p", "seed": "1", "index": 0, "code": "0", "history": "p-0"}
_KEPT = {"name": "p-0", "shows": "", "lineage": _LINEAGE, "history": {"any": "thing"}}


def _file(folder: Path, **changed: Any) -> Path:
    value: dict[str, Any] = {
        "schema": 1,
        "system": "history-merge",
        "topic": "t",
        "notes": "",
        "vectors": [],
    }
    path = folder / "t.json"
    path.write_text(file_text({**value, "vectors": [], **changed}), encoding="ascii")
    return path


@pytest.mark.parametrize("system", ["config-merge", "conflict-detection", "history-merge"])
def test_a_vector_is_written_as_it_was_read(system: str) -> None:
    for path in topic_files(system):
        value: Any = strict_json(path.read_bytes())
        written = [vector.to_json() for vector in load_topic_file(path)]
        assert file_text({"vectors": [*written]}) == file_text({"vectors": value["vectors"]})
        kept = [history.to_json() for history in load_histories(path)[1]]
        assert file_text({"kept": [*kept]}) == file_text({"kept": value.get("histories", [])})


def test_a_file_gives_the_histories_that_it_keeps(tmp_path: Path) -> None:
    system, (kept,) = load_histories(_file(tmp_path, histories=[_KEPT]))
    assert (system, kept.name, kept.history) == ("history-merge", "p-0", {"any": "thing"})


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"name": "other"}, r"\$\.histories\[1\]: the name is not the history of the lineage"),
        ({"lineage": {**_LINEAGE, "seed": "9" * 101}}, r"\$\.histories\[1\]\.lineage\.seed: "),
    ],
)
def test_a_kept_history_that_cannot_be_read_is_named(
    tmp_path: Path, changed: dict[str, Any], message: str
) -> None:
    path = _file(tmp_path, histories=[_KEPT, {**_KEPT, **changed}])
    with pytest.raises(CorpusError, match=message):
        load_histories(path)


def test_a_file_of_an_unknown_system_is_refused(tmp_path: Path) -> None:
    with pytest.raises(CorpusError, match="there is no system 'other'"):
        load_topic_file(_file(tmp_path, system="other"))


def test_a_folder_that_is_missing_is_not_a_corpus(tmp_path: Path) -> None:
    with pytest.raises(CorpusError, match="there is no such file or folder"):
        load_system("history-merge", tmp_path / "missing")


def test_a_recipe_that_is_too_long_is_refused_without_being_expanded(tmp_path: Path) -> None:
    vector = {
        "id": "history-merge/t/large",
        "operation": "history-merge/merge",
        "clauses": ["HM-MERGE-WIDE"],
        "level": "must",
        "summary": "A recipe that fills the memory.",
        "input": {"nodes": [{"$repeat": 5_000_000, "$of": ["<i>"]}]},
        "expected": {"output": {}},
        "recipe": True,
    }
    with pytest.raises(CorpusError, match=r"t\.json: \$\.vectors\[0\]: the recipe expands to"):
        load_topic_file(_file(tmp_path, vectors=[vector]))
