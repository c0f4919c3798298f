"""The archive of the site holds what the program of the checkout wrote, with reproducible bytes."""

from __future__ import annotations

import io
import zipfile
from pathlib import Path

import pytest

from python_packages import BuildError
from release import BUILDERS
from site_archive import site_archive

EPOCH = 1_700_000_000
PROGRAM = """
import os, sys
from pathlib import Path
out = Path(sys.argv[sys.argv.index("--output") + 1])
(out / "vectors").mkdir(parents=True)
(out / "index.html").write_text("<h1>Rejoin</h1>")
(out / "vectors" / "a.html").write_text(os.environ["PYTHONPATH"].split("/")[-1])
"""


def tree_with(folder: Path, program: str) -> Path:
    """Write a checkout whose program of the site is the given one."""
    for path, text in {
        "conformance/site/build.py": program,
        "reference/rejoin/__init__.py": '__version__ = "1.2.3"\n',
    }.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text)
    return folder


def test_a_release_has_the_site() -> None:
    assert site_archive in BUILDERS


def test_the_archive_has_what_the_program_wrote_and_the_same_bytes_each_time(
    tmp_path: Path,
) -> None:
    files = site_archive(tree_with(tmp_path / "one", PROGRAM), EPOCH)
    assert files == site_archive(tree_with(tmp_path / "other", PROGRAM), EPOCH)
    with zipfile.ZipFile(io.BytesIO(files["rejoin-site-1.2.3.zip"])) as archive:
        assert archive.namelist() == [
            "rejoin-site-1.2.3/index.html",
            "rejoin-site-1.2.3/vectors/a.html",
        ]
        assert archive.read("rejoin-site-1.2.3/vectors/a.html") == b"conformance"


def test_a_site_that_cannot_be_built_is_one_line(tmp_path: Path) -> None:
    tree = tree_with(tmp_path, "import sys; sys.exit('first line\\nlast line')")
    with pytest.raises(BuildError, match=r"^site/build.py fails: last line$"):
        site_archive(tree, EPOCH)
