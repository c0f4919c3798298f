"""However a campaign ends, no process of the adapter that it asks is left."""

from __future__ import annotations

import shlex
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from support.processes import descendants, processes, until

STUBBORN = """
import os, sys, time
from pathlib import Path
from rejoin_conformance.adapters.serve import serve
Path(sys.argv[1], str(os.getpid())).touch()
serve(sys.stdin.buffer, sys.stdout.buffer)
time.sleep(600)
"""
"""The reference as an adapter that leaves its number in a folder, and does not end by itself."""
MAIN = "from rejoin_conformance.command_line.main import main; main()"


@pytest.mark.long  # starts a JVM
@pytest.mark.parametrize("sent", [signal.SIGKILL, signal.SIGINT])
def test_no_adapter_is_left_of_a_campaign_that_is_ended(
    sent: signal.Signals, tmp_path: Path
) -> None:
    script, traces = tmp_path / "stubborn.py", tmp_path / "traces"
    script.write_text(STUBBORN, encoding="utf-8")
    traces.mkdir()
    adapter = shlex.join([sys.executable, str(script), str(traces)])
    command = [sys.executable, "-c", MAIN, "fuzz", "history-merge", "--adapter", adapter]
    command += ["--profile", "tiny", "--histories", "50000", "--master", "local[2]"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as campaign:
        try:
            until(lambda: len(running(traces)) == 2)
            started = descendants(campaign.pid)
            campaign.send_signal(sent)
            campaign.communicate(timeout=300)
        finally:
            campaign.kill()
    until(lambda: not running(traces))
    until(lambda: not {each.pid for each in started} & {each.pid for each in processes()})
    assert campaign.returncode == (3 if sent == signal.SIGINT else -sent)


def running(traces: Path) -> set[int]:
    """The adapters that run."""
    alive = {each.pid for each in processes()}
    return {int(path.name) for path in traces.iterdir()} & alive
