"""The site as a zip that opens from the folder into which it is unpacked."""

from __future__ import annotations

import re
import tempfile
from pathlib import Path
from typing import Final

from archives import zip_of
from python_packages import BuildError, run_program

_VERSION: Final = re.compile(r'^__version__ = "(.*)"$', re.MULTILINE)


def site_archive(tree: Path, epoch: int) -> dict[str, bytes]:
    """Return the zip of the site: file name -> bytes.

    tree: a checkout; its own program builds the site from its own texts. epoch: the time of the
    files, in seconds since 1970. Raises BuildError.
    """
    with tempfile.TemporaryDirectory(prefix="rejoin-site-") as folder:
        site, work = Path(folder) / "site", Path(folder) / "work"
        run_program(tree, "site/build.py", "--output", str(site), "--work", str(work))
        name = f"rejoin-site-{_version(tree)}"
        files = {
            f"{name}/{path.relative_to(site).as_posix()}": path.read_bytes()
            for path in site.rglob("*")
            if path.is_file()
        }
    return {f"{name}.zip": zip_of(files, epoch)}


def _version(tree: Path) -> str:
    source = (tree / "reference" / "rejoin" / "__init__.py").read_text(encoding="utf-8")
    found = _VERSION.search(source)
    if found is None:
        raise BuildError("reference/rejoin/__init__.py has no version")
    return found[1]
