"""A corpus is read from a folder or an archive; a wrong or hostile one is refused in one line."""

from __future__ import annotations

import gzip
import io
import json
import os
import shutil
import tarfile
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from rejoin_conformance.corpus import packed
from rejoin_conformance.corpus.load import CorpusError
from rejoin_conformance.corpus.released import read_corpus
from support.corpora import corpus_in, vector

VECTORS = [vector("one"), vector("two")]


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    return corpus_in(tmp_path / "vectors", VECTORS, "1.2.3", {"toy/halves/old": "a fault"})


def _zip(path: Path, files: dict[str, bytes]) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return path


def _tar(path: Path, files: dict[str, bytes], mode: str = "w:gz") -> Path:
    with tarfile.open(path, mode) as archive:  # type: ignore[call-overload]
        for name, data in files.items():
            entry = tarfile.TarInfo(name)
            entry.size = len(data)
            archive.addfile(entry, io.BytesIO(data))
    return path


def _files(folder: Path, prefix: str) -> dict[str, bytes]:
    return {
        f"{prefix}{path.relative_to(folder).as_posix()}": path.read_bytes()
        for path in folder.rglob("*.json")
    }


def _refused(path: Path) -> str:
    with pytest.raises(CorpusError) as raised:
        read_corpus(path)
    message = str(raised.value)
    assert message.startswith(f"{path}: ")
    assert "\n" not in message
    return message.removeprefix(f"{path}: ")


@pytest.mark.parametrize(
    "copied",
    [
        lambda folder: folder,
        lambda folder: folder.parent,
        lambda folder: _zip(folder.with_suffix(".zip"), _files(folder, "")),
        lambda folder: _zip(folder.with_suffix(".whl"), _files(folder, "package/data/vectors/")),
        lambda folder: _tar(folder.with_suffix(".tgz"), _files(folder, "package/vectors/")),
        lambda folder: _tar(folder.with_suffix(".tar"), _files(folder, "vectors/"), "w"),
    ],
    ids=["folder", "checkout", "zip", "wheel", "npm", "tar"],
)
def test_a_corpus_is_the_same_in_every_container(
    corpus: Path, copied: Callable[[Path], Path]
) -> None:
    (corpus / "schema").mkdir()
    (corpus / "schema" / "index.json").write_text("{}")
    read = read_corpus(copied(corpus))
    assert read.version == "1.2.3"
    assert list(read.vectors.values()) == VECTORS
    assert read.retired == {"toy/halves/old": "a fault"}


def test_what_is_no_corpus_is_named(tmp_path: Path) -> None:
    (tmp_path / "text").write_text("text")
    (tmp_path / "empty").mkdir()
    os.mkfifo(tmp_path / "pipe")
    assert _refused(tmp_path / "none") == "there is no such file or folder"
    assert _refused(tmp_path / "text") == "not a folder, a zip or a tarball"
    assert _refused(tmp_path / "empty") == "not a corpus: there is no index.json"
    assert _refused(tmp_path / "pipe") == "not a folder and not a regular file"
    assert _refused(_zip(tmp_path / "a.zip", {"x": b""})) == "not a corpus: there is no index.json"
    assert _refused(_tar(tmp_path / "a.tgz", {"x": b""})) == "not a corpus: there is no index.json"


@pytest.mark.parametrize("suffix", ["zip", "tgz"])
def test_an_archive_that_was_cut_off_is_refused(corpus: Path, suffix: str) -> None:
    path = corpus.with_suffix(f".{suffix}")
    (_zip if suffix == "zip" else _tar)(path, _files(corpus, ""))
    whole = path.read_bytes()
    for length in range(0, len(whole) - 1, 97):
        path.write_bytes(whole[:length])
        _refused(path)


@pytest.mark.parametrize("name", ["../x.json", "/etc/x.json", "a/../../x.json", "..\\x.json"])
def test_a_name_that_leads_out_of_the_archive_is_refused(
    corpus: Path, tmp_path: Path, name: str
) -> None:
    files = {**_files(corpus, ""), name: b"{}"}
    for path in (_zip(tmp_path / "a.zip", files), _tar(tmp_path / "a.tgz", files)):
        assert "leads out of the archive" in _refused(path)


def test_a_bomb_is_refused(corpus: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(packed, "MOST_BYTES", 1024**2)
    bomb = {**_files(corpus, ""), "toy/large.json": bytes(2 * 1024**2)}
    for path in (_zip(tmp_path / "a.zip", bomb), _tar(tmp_path / "a.tgz", bomb)):
        assert path.stat().st_size < 10_000
        assert _refused(path) == "more than 1 MiB when it is unpacked"
    endless = tmp_path / "b.tgz"
    endless.write_bytes(gzip.compress(bytes(4 * 1024**2)))
    assert _refused(endless) == "more than 1 MiB when it is unpacked"
    monkeypatch.setattr(packed, "MOST_FILES", 2)
    many = _zip(tmp_path / "b.zip", _files(corpus, ""))
    assert _refused(many) == "more than 2 files; this is not a corpus"


def test_a_name_that_occurs_twice_is_refused(corpus: Path, tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "a.zip", "w") as archive:
        archive.writestr("index.json", "{}")
        with pytest.warns(UserWarning, match="Duplicate name"):
            archive.writestr("index.json", "{}")
    assert _refused(tmp_path / "a.zip") == "two files of the archive have the same name"
    both = {**_files(corpus, "a/"), **_files(corpus, "b/")}
    two = _zip(tmp_path / "b.zip", both)
    assert _refused(two) == "there are 2 corpora; unpack one of them"


def test_links_in_a_tarball_are_not_followed(corpus: Path, tmp_path: Path) -> None:
    path = tmp_path / "a.tar"
    with tarfile.open(path, "w") as archive:
        archive.add(corpus / "index.json", "index.json")
        link = tarfile.TarInfo("toy/halves.json")
        link.type, link.linkname = tarfile.SYMTYPE, str(corpus / "toy" / "halves.json")
        archive.addfile(link)
    assert _refused(path).startswith("the corpus is incomplete")


def test_a_corpus_that_does_not_fit_its_index_is_refused(corpus: Path) -> None:
    topic = corpus / "toy" / "halves.json"
    whole = topic.read_text()
    topic.write_text(whole.replace("14 is halved", "15 is halved", 1))
    assert _refused(corpus) == "toy/halves/one does not have its digest in index.json"
    topic.write_text(whole.replace('halves/two"', 'halves/one"'))
    assert _refused(corpus) == "toy/halves.json: two vectors have the ID toy/halves/one"
    topic.write_text(whole.replace('halves/two"', 'halves/new"'))
    assert _refused(corpus) == "index.json does not list toy/halves/new"
    topic.write_text(whole.replace('"toy/halves/two"', '"toy/others/two"'))
    assert _refused(corpus) == "toy/halves.json: toy/others/two does not belong in this file"
    topic.unlink()
    assert _refused(corpus) == (
        "the corpus is incomplete: index.json lists toy/halves/one, but no file has it"
    )


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
    assert _refused(corpus) == "index.json lists an ID twice"


def test_a_folder_need_not_list_retired_ids(corpus: Path) -> None:
    (corpus / "retired.json").unlink()
    shutil.rmtree(corpus / "schema", ignore_errors=True)
    assert read_corpus(corpus).retired == {}
