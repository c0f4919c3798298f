"""A compiled wheel, unpacked, and commands that run on it."""

from __future__ import annotations

import importlib.util
import json
import os
import shutil
import subprocess
import sys
import sysconfig
import zipfile
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Final

from support.wheels import CHECKOUT

_OF_CHECKOUT: Final = [str(CHECKOUT / "reference"), str(CHECKOUT / "conformance")]


def missing() -> str:
    """Return why nothing can be compiled here, or an empty text."""
    for name in ("Cython", "setuptools", "hatchling"):
        if importlib.util.find_spec(name) is None:
            return f"{name} is not installed"
    compiler = (sysconfig.get_config_var("CC") or "cc").split()[0]
    return "" if shutil.which(compiler) else f"there is no C compiler {compiler}"


def compiled_wheel(folder: Path) -> Path:
    """Build a compiled wheel into a folder and return its path. It is built without optimizing."""
    done = subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "--directory", folder, "--target", "wheel"],
        cwd=CHECKOUT,
        env={**os.environ, "REJOIN_COMPILE": "1", "CFLAGS": "-O0 -w"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    [path] = folder.glob("*.whl")
    return path


def unpacked(path: Path, folder: Path) -> Path:
    """Unpack a wheel into a folder, as an installation has it, and return the folder."""
    with zipfile.ZipFile(path) as archive:
        archive.extractall(folder)
    return folder


def python(
    packages: Path | None, program: str, *arguments: str, **variables: str
) -> subprocess.CompletedProcess[str]:
    """Run a program on an installation, or on the checkout if there is none."""
    places = _OF_CHECKOUT if packages is None else [str(packages)]
    known = {name: value for name, value in os.environ.items() if not name.startswith("REJOIN_")}
    return subprocess.run(
        [sys.executable, "-c", program, *arguments],
        env={**known, "PYTHONPATH": os.pathsep.join(places), **variables},
        cwd="/",
        capture_output=True,
        text=True,
        check=False,
    )


def rejoin(packages: Path, *arguments: str, **variables: str) -> subprocess.CompletedProcess[str]:
    """Run the command `rejoin` on an installation."""
    program = "from rejoin_conformance.command_line.main import main; main()"
    return python(packages, program, *arguments, **variables)


_DIGESTS: Final = """
import json, sys
import rejoin.bencode
from rejoin_conformance.campaigns.block import examine_block
from rejoin_conformance.campaigns.plan import Plan
from rejoin_conformance.contract.registry import system_named
from rejoin_conformance.kit.source import build

most, profiles, *names = sys.argv[1:]
found = {"build": build(), "bencode": rejoin.bencode.__file__}
for system in map(system_named, names):
    for profile in system.histories.profiles:
        if profile != "default" and profiles == "default":
            continue
        count = min(int(most), {"long": 25, "large": 3}.get(profile, 250))
        plan = Plan(system=system.name, profile=profile, readings=system.readings, seed=1,
                    histories=count)
        found[f"{system.name} {profile}"] = examine_block(plan, 0).digest
print(json.dumps(found))
"""


def digests(
    packages: Path | None, histories: int, profiles: str, systems: Iterable[str]
) -> dict[str, Any]:
    """Return the digest of a block of each system under all readings, and the code that ran.

    profiles: `default`, or `all`. Fewer histories run of `long` and `large`, whose histories take
    10 and 100 times as long as the others.
    """
    done = python(packages, _DIGESTS, str(histories), profiles, *systems)
    assert done.returncode == 0, done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    return found
