"""A release is reproducible, complete and signed by its maintainer."""

from __future__ import annotations

import hashlib
import io
import json
import os
import random
import shutil
import subprocess
import tarfile
import zipfile
from pathlib import Path
from typing import Final

import pytest

from corpus_packages import corpus_packages
from digests import SigningError, digest_list, sign
from python_packages import python_packages, wheel
from rejoin_conformance.corpus.load import load_topic_file
from release import ROOT, NoCheckoutError, export, main, release_files, write_release

EPOCH: Final = 1_700_000_000
WHOLE: Final = (
    "LICENSE",
    "README.md",
    "conformance/releases",
    "conformance/wheel_data.py",
    "docs/vector-format.md",
    "pyproject.toml",
    "reference/rejoin",
    "spec/README.md",
    "vectors/LICENSE",
    "vectors/index.json",
    "vectors/schema/index.json",
    "vectors/conflict-detection/sizes.json",
    "vectors/history-merge/common-ancestors.json",
    "conformance/mutants/history-merge/equivalent.toml",
    "conformance/rejoin_conformance/__init__.py",
    "conformance/rejoin_conformance/kit",
)
"""A part of the project from which every file of a release can be built quickly."""


QUICK: Final = (python_packages, corpus_packages)
"""All builders except that of the site, which takes minutes; `test_site_archive` tests it."""


def _part_of_the_project(folder: Path, *, order: int) -> Path:
    """Copy the part in an order of its own, with other times and modes in each copy."""
    paths = [
        path
        for name in WHOLE
        for path in ([ROOT / name] if (ROOT / name).is_file() else (ROOT / name).rglob("*"))
        if path.is_file() and "__pycache__" not in path.parts
    ]
    random.Random(order).shuffle(paths)
    for path in paths:
        copy = folder / path.relative_to(ROOT)
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, copy)
        copy.chmod(0o600 if order else 0o664)
        os.utime(copy, (order, order))
    return folder


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return _part_of_the_project(tmp_path_factory.mktemp("tree"), order=0)


@pytest.fixture(scope="module")
def files(tree: Path) -> dict[str, bytes]:
    return release_files(tree, EPOCH, QUICK)


def test_another_copy_of_the_same_files_gives_the_same_bytes(
    files: dict[str, bytes], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TZ", "Asia/Tokyo")
    monkeypatch.setenv("PYTHONHASHSEED", "7")
    again = release_files(_part_of_the_project(tmp_path, order=1), EPOCH, QUICK)
    assert digest_list(again) == digest_list(files)


def test_a_release_has_four_files(files: dict[str, bytes]) -> None:
    assert sorted(files) == [
        "rejoin-vectors-0.1.0.tgz",
        "rejoin-vectors-0.1.0.zip",
        "rejoin_conformance-0.1.0-py3-none-any.whl",
        "rejoin_conformance-0.1.0.tar.gz",
    ]


def test_the_source_builds_the_same_wheel(files: dict[str, bytes], tmp_path: Path) -> None:
    with tarfile.open(fileobj=io.BytesIO(files["rejoin_conformance-0.1.0.tar.gz"])) as archive:
        archive.extractall(tmp_path, filter="data")
    name = "rejoin_conformance-0.1.0-py3-none-any.whl"
    assert wheel(tmp_path / "rejoin_conformance-0.1.0", EPOCH) == {name: files[name]}


def test_tarballs_name_no_user(files: dict[str, bytes]) -> None:
    for name in ("rejoin_conformance-0.1.0.tar.gz", "rejoin-vectors-0.1.0.tgz"):
        with tarfile.open(fileobj=io.BytesIO(files[name])) as archive:
            entries = archive.getmembers()
        owners = {(each.uid, each.gid, each.uname, each.gname) for each in entries}
        assert owners == {(0, 0, "", "")}


def test_the_corpus_packages_have_what_a_reader_needs(files: dict[str, bytes]) -> None:
    with zipfile.ZipFile(io.BytesIO(files["rejoin-vectors-0.1.0.zip"])) as archive:
        names = {name.partition("/")[2] for name in archive.namelist()}
        page = archive.read("rejoin-vectors-0.1.0/FORMAT.md").decode()
    assert {"LICENSE", "FORMAT.md", "vectors/index.json", "vectors/schema/index.json"} <= names
    assert "](" not in page.replace("](#", "")
    with tarfile.open(fileobj=io.BytesIO(files["rejoin-vectors-0.1.0.tgz"])) as archive:
        more = {name.partition("/")[2] for name in archive.getnames()} - names
    assert more == {"README.md", "index.d.ts", "index.js", "package.json"}


def test_the_list_is_what_sha256sum_reads(files: dict[str, bytes], tmp_path: Path) -> None:
    assert write_release(files, tmp_path, None) is None
    lines = (tmp_path / "SHA256SUMS").read_text().splitlines()
    for line in lines:
        digest, _, name = line.partition("  ")
        assert hashlib.sha256((tmp_path / name).read_bytes()).hexdigest() == digest
    assert len(lines) == len(files)


def test_a_signature_holds_for_its_list_alone(tmp_path: Path) -> None:
    if shutil.which("ssh-keygen") is None:
        pytest.skip("ssh-keygen is not installed")
    key = tmp_path / "key"
    subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", str(key)], check=True)
    public = key.with_suffix(".pub").read_text()
    (tmp_path / "allowed").write_text(f"maintainer@example.org {public}")
    write_release({"one": b"1"}, tmp_path, key)
    assert _verified(tmp_path)
    (tmp_path / "SHA256SUMS").write_text(digest_list({"one": b"2"}))
    assert not _verified(tmp_path)
    write_release({"one": b"2"}, tmp_path, None)
    assert not (tmp_path / "SHA256SUMS.sig").exists()


def _verified(folder: Path) -> bool:
    names = ["-f", "allowed", "-I", "maintainer@example.org", "-n", "file", "-s", "SHA256SUMS.sig"]
    done = subprocess.run(
        ["ssh-keygen", "-Y", "verify", *names],
        cwd=folder,
        input=(folder / "SHA256SUMS").read_bytes(),
        capture_output=True,
        check=False,
    )
    return done.returncode == 0


def test_a_key_that_is_missing_or_is_none_is_one_line(tmp_path: Path) -> None:
    listed = tmp_path / "SHA256SUMS"
    listed.write_text("x\n")
    with pytest.raises(SigningError, match="there is no such key; set SIGNING_KEY"):
        sign(listed, tmp_path / "key")
    (tmp_path / "key").write_text("not a key")
    with pytest.raises(SigningError, match="cannot sign with") as raised:
        sign(listed, tmp_path / "key")
    assert "\n" not in str(raised.value)


def test_only_a_checkout_of_git_can_be_released(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path.parent))
    with pytest.raises(NoCheckoutError):
        export(tmp_path, tmp_path)
    monkeypatch.setattr("release.ROOT", tmp_path)
    assert main(["--output", str(tmp_path / "dist")]) == 2
    assert capsys.readouterr().err == f"release.py: {tmp_path} is not a checkout of git\n"


def test_node_reads_every_vector_as_the_suite_expands_it(
    files: dict[str, bytes], tmp_path: Path
) -> None:
    if shutil.which("node") is None or shutil.which("npm") is None:
        pytest.skip("node or npm is not installed")
    tarball = tmp_path / "rejoin-vectors-0.1.0.tgz"
    tarball.write_bytes(files[tarball.name])
    (tmp_path / "package.json").write_text('{"type": "module"}')
    options = ["--offline", "--no-audit", "--no-fund", "--ignore-scripts", "--no-package-lock"]
    subprocess.run(
        ["npm", "install", *options, str(tarball)], cwd=tmp_path, capture_output=True, check=True
    )
    (tmp_path / "list.js").write_text(
        'import { vectors } from "rejoin-vectors";\n'
        "for (const each of vectors('conflict-detection', 'history-merge')) "
        "console.log(JSON.stringify(each));\n"
    )
    done = subprocess.run(
        ["node", "list.js"], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    read = [json.loads(line) for line in done.stdout.splitlines()]
    topics = [name for name in WHOLE if name.startswith("vectors/") and name.count("/") == 2]
    expected = [
        vector.written_out.to_json()
        for name in topics
        if "schema" not in name
        for vector in load_topic_file(ROOT / name)
    ]
    assert [each == other for each, other in zip(read, expected, strict=True)] == [True] * len(read)
