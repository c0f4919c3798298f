"""docs/implementations.md is made from the results of the peers."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

RUN = Path(__file__).parents[2] / "conformance" / "peers" / "run.py"


def test_the_page_says_what_the_results_say() -> None:
    done = subprocess.run(
        [sys.executable, str(RUN), "--check"], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")
