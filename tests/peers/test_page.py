"""docs/implementations.md is made from the results of the peers."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

from rejoin_conformance.adapters.runner.known_failures import load_known_failures

ROOT = Path(__file__).parents[2]
RUN = ROOT / "conformance" / "peers" / "run.py"


def test_the_page_says_what_the_results_say() -> None:
    done = subprocess.run(
        [sys.executable, str(RUN), "--check"], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")


def test_known_failures_of_peers_name_vectors_and_reasons() -> None:
    vectors = json.loads((ROOT / "vectors" / "index.json").read_text(encoding="utf-8"))["vectors"]
    ids = {each["id"] for each in vectors}
    files = sorted(RUN.parent.glob("*/known-failures.toml"))
    assert [path.parent.name for path in files] == ["git", "libsession_util", "magic_folder"]
    for path in files:
        known = load_known_failures(path)
        assert {each.id for each in known.failures} <= ids
        assert all(each.reason for each in known.failures)
        assert all(each.reason for each in known.differences)
