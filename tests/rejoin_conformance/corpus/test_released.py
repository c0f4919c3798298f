"""A corpus is read from a folder; a wrong or hostile one is refused in one line."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from rejoin_conformance.corpus.load import CorpusError
from rejoin_conformance.corpus.released import read_corpus
from support.corpora import corpus_in, vector

VECTORS = [vector("one"), vector("two")]


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    return corpus_in(tmp_path / "vectors", VECTORS, "1.2.3", {"toy/halves/old": "a fault"})


def _refused(path: Path) -> str:
    with pytest.raises(CorpusError) as raised:
        read_corpus(path)
    message = str(raised.value)
    assert message.startswith(f"{path}")
    assert "\n" not in message
    return message.removeprefix(f"{path}").lstrip(":/ ")


def test_a_corpus_is_in_a_folder_or_in_its_folder_of_vectors(corpus: Path) -> None:
    (corpus / "schema").mkdir()
    (corpus / "schema" / "index.json").write_text("{}")
    for path in (corpus, corpus.parent):
        read = read_corpus(path)
        assert read.version == "1.2.3"
        assert list(read.vectors.values()) == VECTORS
        assert read.retired == {"toy/halves/old": "a fault"}


def test_a_path_without_a_corpus_is_named(tmp_path: Path) -> None:
    (tmp_path / "text").write_text("text")
    no_index = "not a corpus: there is no index.json; unpack an archive first"
    assert _refused(tmp_path / "none") == "there is no such folder"
    assert _refused(tmp_path / "text") == no_index
    assert _refused(tmp_path) == no_index


def test_a_corpus_that_does_not_fit_its_index_is_refused(corpus: Path) -> None:
    topic = corpus / "toy" / "halves.json"
    whole = topic.read_text()
    topic.write_text(whole.replace("14 is halved", "15 is halved", 1))
    assert _refused(corpus) == "toy/halves/one: the digest in index.json differs"
    topic.write_text(whole.replace('halves/two"', 'halves/one"'))
    assert _refused(corpus) == "toy/halves.json: two vectors have the ID toy/halves/one"
    topic.write_text(whole.replace('halves/two"', 'halves/new"'))
    assert _refused(corpus) == "toy/halves/new: missing in index.json"
    topic.write_text(whole.replace('"toy/halves/two"', '"toy/others/two"'))
    assert _refused(corpus) == "toy/halves.json: toy/others/two does not belong in this file"
    topic.unlink()
    assert _refused(corpus) == "toy/halves/one: listed in index.json, but not in the corpus"


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("{", "index.json: Expecting property name"),
        ("[]", 'index.json: $: [] is not of type "object"'),
        (
            '{"schema": 2, "vectors": []}',
            "index.json: $.schema: 2 is greater than the maximum of 1",
        ),
        ('{"schema": 1, "version": "1", "vectors": []}', 'index.json: $.version: "1" does not'),
        ("[" * 9999, "index.json: nested too deeply"),
        ('{"schema": 1, "schema": 1}', "index.json: the field 'schema' occurs twice"),
    ],
)
def test_an_index_with_a_fault_is_named(corpus: Path, text: str, reason: str) -> None:
    (corpus / "index.json").write_text(text)
    assert _refused(corpus).startswith(reason)


def test_an_id_that_the_index_lists_twice_is_refused(corpus: Path) -> None:
    index = json.loads((corpus / "index.json").read_text())
    index["vectors"].append(index["vectors"][0])
    (corpus / "index.json").write_text(json.dumps(index))
    assert _refused(corpus) == "index.json: an ID occurs twice"


def test_a_folder_need_not_list_retired_ids(corpus: Path) -> None:
    (corpus / "retired.json").unlink()
    shutil.rmtree(corpus / "schema", ignore_errors=True)
    assert read_corpus(corpus).retired == {}
