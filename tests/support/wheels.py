"""The wheel in an environment of its own, with its declared dependencies and nothing else."""

from __future__ import annotations

import os
import subprocess
import sys
import venv
import zipfile
from collections.abc import Iterable
from email.parser import HeaderParser
from importlib.metadata import distribution
from pathlib import Path
from typing import Final

from packaging.requirements import Requirement

from python_packages import wheel

CHECKOUT: Final = Path(__file__).parents[2]


def environment_of_wheel(folder: Path) -> Path:
    """Build the wheel, install it into a new environment, and return its command `rejoin`.

    The packages that the wheel declares, without extras, are links to those that run the tests. So
    nothing is downloaded, and a dependency that is not declared is missing.
    """
    [(name, data)] = wheel(CHECKOUT, 0).items()
    path = folder / name
    path.write_bytes(data)
    environment = folder / "environment"
    venv.create(environment, symlinks=True)
    python = environment / "bin" / "python"
    options = ["--no-index", "--no-deps", "--no-compile", "--disable-pip-version-check", "--quiet"]
    subprocess.run(
        [sys.executable, "-m", "pip", "--python", str(python), "install", *options, str(path)],
        check=True,
    )
    [packages] = (environment / "lib").glob("python*/site-packages")
    link_packages(required_by(path), packages)
    return environment / "bin" / "rejoin"


def run_outside(rejoin: Path, folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run the command in a folder outside the checkout, which it cannot find."""
    known = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    return subprocess.run(
        [str(rejoin), *arguments],
        cwd=folder,
        env=known,
        capture_output=True,
        text=True,
        check=False,
    )


def required_by(path: Path) -> frozenset[str]:
    """Return the names of the packages that a wheel needs, directly or indirectly."""
    with zipfile.ZipFile(path) as archive:
        [metadata] = [each for each in archive.namelist() if each.endswith(".dist-info/METADATA")]
        headers = HeaderParser().parsestr(archive.read(metadata).decode())
    return closure(_names(headers.get_all("Requires-Dist", [])))


def closure(names: Iterable[str]) -> frozenset[str]:
    """Return the packages of these names and all packages that they need."""
    found: set[str] = set()
    left = {*names}
    while left:
        name = left.pop()
        if name not in found:
            found.add(name)
            left |= _names(distribution(name).requires or ())
    return frozenset(found)


def _names(requirements: Iterable[str]) -> set[str]:
    """Return the names of the requirements that hold here, without those of extras."""
    needed = (Requirement(each) for each in requirements)
    return {each.name for each in needed if not each.marker or each.marker.evaluate({"extra": ""})}


def link_packages(names: Iterable[str], packages: Path) -> None:
    """Make the packages of these names importable from a folder, by links."""
    for name in names:
        known = distribution(name)
        tops = {file.parts[0] for file in known.files or () if file.parts[0] not in {"..", "bin"}}
        for top in tops - {"__pycache__"}:
            target = packages / top
            if not target.exists():
                target.symlink_to(str(known.locate_file(top)))
