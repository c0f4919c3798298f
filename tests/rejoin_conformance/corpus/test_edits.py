"""Any edit of a corpus that changes a vector is noticed before it is run."""

from __future__ import annotations

import json
import os
import random
import shutil
from copy import copy
from pathlib import Path
from typing import Any, Final

import pytest

from rejoin_conformance.corpus.check import check_system
from rejoin_conformance.corpus.generate import write_index
from rejoin_conformance.corpus.load import CorpusError, load_checked, load_system
from rejoin_conformance.kit.json_types import Json, JsonObject
from rejoin_conformance.kit.locations import vectors_directory
from rejoin_conformance.shrinking.places import at, places, replaced

SYSTEM: Final = "history-merge"
FILES: Final = ("partial-orders.json", "two-branches.json")
EDITS: Final = int(os.environ.get("REJOIN_EDITS", "300"))
"""The number of edits to try; `make long-test` tries more."""


def _edited(draw: random.Random, file: JsonObject) -> Json:
    """Return a file in which one value is another value of it, stands twice, or is gone."""
    every, depth = [*places(file)], draw.randint(1, 5)
    place = draw.choice([place for place, _ in every if len(place) == depth])
    if draw.randrange(2):
        return replaced(file, place, draw.choice(every)[1])
    outer: Any = copy(at(file, place[:-1]))
    step: Any = place[-1]
    if isinstance(outer, list) and draw.randrange(2):
        outer.append(outer[step])
    else:
        del outer[step]
    return replaced(file, place[:-1], outer)


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    folder = tmp_path / SYSTEM
    folder.mkdir()
    for name in FILES:
        shutil.copy(vectors_directory() / SYSTEM / name, folder / name)
    write_index(tmp_path)
    return tmp_path


def test_any_edit_is_an_error_unless_it_changes_no_vector(corpus: Path) -> None:
    draw, whole, silent = random.Random(33), load_checked([SYSTEM], corpus), []
    noticed = 0
    for number in range(EDITS):
        path = corpus / SYSTEM / draw.choice(FILES)
        before = path.read_bytes()
        if number % 3:
            path.write_text(json.dumps(_edited(draw, json.loads(before))))
        else:
            place = draw.randrange(len(before))
            flipped = before[place] ^ 1 << draw.randrange(8)
            path.write_bytes(before[:place] + bytes([flipped]) + before[place + 1 :])
        try:
            if load_checked([SYSTEM], corpus) != whole:
                silent.append(number)
        except CorpusError:
            noticed += 1
        path.write_bytes(before)
    assert silent == []
    assert noticed > EDITS // 2


def test_a_file_that_is_lost_or_added_is_noticed(corpus: Path) -> None:
    lost = corpus / SYSTEM / FILES[0]
    data = lost.read_bytes()
    lost.unlink()
    with pytest.raises(CorpusError, match=r"listed in index.json, but not in the corpus"):
        load_checked([SYSTEM], corpus)
    lost.write_bytes(data)
    shutil.copy(vectors_directory() / SYSTEM / "lines.json", corpus / SYSTEM)
    with pytest.raises(CorpusError, match=r"missing in index.json"):
        load_checked([SYSTEM], corpus)


def test_a_folder_without_an_index_and_a_single_file(corpus: Path) -> None:
    (corpus / "index.json").unlink()
    with pytest.raises(CorpusError, match=r"there is no index.json; .*--no-index"):
        load_checked([SYSTEM], corpus)
    assert load_checked([SYSTEM], corpus, indexed=False)[SYSTEM] == load_system(SYSTEM, corpus)
    without = f"{corpus}: there is no index.json, so no digest was compared"
    assert without in check_system(SYSTEM, corpus)
    file = corpus / SYSTEM / FILES[0]
    assert load_checked([SYSTEM], file)[SYSTEM] == load_system(SYSTEM, file)


@pytest.mark.parametrize(
    ("changed", "fault"),
    [
        ({"clauses": ["CM-NOPE"]}, "the spec has no clause CM-NOPE"),
        ({"operation": "history-merge/no"}, "there is no operation history-merge/no"),
        ({"expected_by_reading": {}}, "it has no expected result in any reading"),
    ],
)
def test_a_vector_that_cannot_be_run_or_counted_is_an_error(
    corpus: Path, changed: dict[str, Any], fault: str
) -> None:
    file = corpus / SYSTEM / FILES[0]
    value = json.loads(file.read_text())
    result: dict[str, Any] = (
        {} if "expected_by_reading" in changed else {"expected": {"output": {"nodes": []}}}
    )
    kept = {name: each for name, each in value["vectors"][0].items() if name != "expected"}
    value["vectors"][0] = {**kept, **result, **changed}
    file.write_text(json.dumps(value))
    with pytest.raises(CorpusError, match=fault):
        load_checked([SYSTEM], file)
