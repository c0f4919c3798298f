"""The modules of the playground that need no page: Node runs their tests."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

from support.wheels import CHECKOUT


def test_the_tests_of_the_modules_pass(sources: Path) -> None:
    known = {**os.environ, "REJOIN_VECTORS": str(CHECKOUT / "vectors")}
    done = subprocess.run(
        ["npm", "test"], cwd=sources, env=known, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout
    assert "# fail 0" in done.stdout


def test_the_playground_uses_the_packages_of_the_port(sources: Path) -> None:
    port = sources.parents[1] / "ports" / "javascript"
    own, its = (json.loads((each / "package.json").read_text()) for each in (sources, port))
    assert its["dependencies"].items() <= own["dependencies"].items()
    pinned = {**own["dependencies"], **own["devDependencies"]}.values()
    assert all(part.isdigit() for version in pinned for part in version.split("."))
