"""The site as a zip that opens from the folder into which it is unpacked."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Final

from archives import zip_of
from python_packages import BuildError

_VERSION: Final = re.compile(r'^__version__ = "(.*)"$', re.MULTILINE)
_PACKAGES: Final = ("reference", "conformance")


def site_archive(tree: Path, epoch: int) -> dict[str, bytes]:
    """Return the zip of the site: file name -> bytes.

    tree: a checkout; its own program builds the site from its own texts. epoch: the time of the
    files, in seconds since 1970. Raises BuildError.
    """
    with tempfile.TemporaryDirectory(prefix="rejoin-site-") as folder:
        site, work = Path(folder) / "site", Path(folder) / "work"
        program = tree / "conformance" / "site" / "build.py"
        done = subprocess.run(
            [sys.executable, str(program), "--output", str(site), "--work", str(work)],
            cwd=tree,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(str(tree / p) for p in _PACKAGES)},
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode != 0:
            reason = (done.stderr or done.stdout).strip().rpartition("\n")[2]
            raise BuildError(f"the site cannot be built: {reason}")
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
