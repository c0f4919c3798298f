"""Campaigns that are killed and resumed on the way, as rows of a table.

There is a campaign of the laws of each system, one more if the oracle can run its histories, and
one against each port for each system. Each is killed with SIGKILL when it has kept about a third of
its blocks, and the same command resumes it. Run again with the same directory, the program goes on
where it was. A port answers as many calls as there are histories in a campaign of laws.
"""

from __future__ import annotations

import argparse
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final

import pyarrow.parquet as pq
from attrs import frozen

import ports
from rejoin_conformance.campaigns.campaign import summary_in
from rejoin_conformance.campaigns.laws_by import why_not
from rejoin_conformance.campaigns.plan import BLOCK_SIZE
from rejoin_conformance.contract.registry import system_named, system_names
from rejoin_conformance.kit.json_types import Json
from tables import Table, table_of

SAMPLE: Final = 500
"""The histories of a small campaign that shows how many calls a history makes."""

_MAIN: Final = "from rejoin_conformance.command_line.main import main; main()"
_KILLED: Final = "killed"
_HEADS: Final = (
    "campaign | histories | answers | CPU ms per history | wall minutes | cores | rows | MB | "
    "killed after | classes of failures | digest"
)


@frozen
class Campaign:
    """A campaign to record.

    port: the port that is asked, with its command; None for the laws. by_oracle: whether the oracle
    runs the histories whose laws are checked.
    """

    system: str
    port: tuple[str, str] | None = None
    by_oracle: bool = False

    @property
    def name(self) -> str:
        """Return the name of the campaign, and of its folder."""
        if self.port is not None:
            return f"{self.system}, {self.port[0]}"
        return f"{self.system}, laws by the oracle" if self.by_oracle else self.system

    def command(self, histories: int, folder: Path, place: str = "--spark") -> list[str]:
        """Return the command line of the campaign."""
        asked: tuple[str, ...] = ("--laws-by", "oracle") if self.by_oracle else ()
        if self.port is not None:
            asked = ("--adapter", self.port[1])
        what = ("--histories", str(histories), "--directory", str(folder), "--json", place)
        return [sys.executable, "-c", _MAIN, "fuzz", self.system, *what, *asked]


def measured(*arguments: str) -> Table:
    """Run what is missing, and return a row for each campaign."""
    parser = argparse.ArgumentParser(description="Record campaigns that are killed and resumed.")
    parser.add_argument("names", nargs="*", metavar="CAMPAIGN", help="only these campaigns")
    parser.add_argument("--histories", type=int, default=1_000_000)
    parser.add_argument("--directory", type=Path, default=Path("build") / "campaigns")
    chosen = parser.parse_args(arguments)
    rows: list[tuple[Json, ...]] = []
    for campaign in campaigns():
        if not chosen.names or campaign.name in chosen.names:
            folder = chosen.directory / campaign.name.replace(",", "").replace(" ", "-")
            histories = chosen.histories
            if campaign.port is not None:
                histories = histories_for(campaign, chosen.histories, folder)
            run(campaign, histories, folder)
            rows.append(row_of(campaign, folder))
            print(rows[-1], flush=True)
    return table_of(_HEADS, rows)


def campaigns() -> Iterator[Campaign]:
    """Yield the campaigns of laws, and those against each port that can be built here."""
    yield from map(Campaign, system_names())
    yield from (Campaign(each, by_oracle=True) for each in system_names() if _runs(each))
    for language, command in ports.built():
        yield from (Campaign(system, (language, command)) for system in system_names())


def _runs(system: str) -> bool:
    return not why_not(system, system_named(system).default_reading)


def histories_for(campaign: Campaign, answers: int, folder: Path) -> int:
    """Return the histories after which a port has given some number of answers, or a few more."""
    sample = folder.with_name(f"{folder.name}-sample")
    _run_to_the_end(campaign.command(SAMPLE, sample, "--in-process"))
    wanted = -(-answers * SAMPLE // max(1, rows_in(sample)["verdicts"]))
    return -(-wanted // BLOCK_SIZE) * BLOCK_SIZE


def run(campaign: Campaign, histories: int, folder: Path) -> None:
    """Run a campaign; kill it once when a third of its blocks are kept, if it is not yet done."""
    command, third = campaign.command(histories, folder), -(-histories // BLOCK_SIZE) // 3
    if not (folder / _KILLED).exists():
        with subprocess.Popen(command, stdout=subprocess.DEVNULL, start_new_session=True) as driver:
            while driver.poll() is None and rows_in(folder).get("blocks", 0) < max(1, third):
                time.sleep(0.2)
            if driver.poll() is None:
                os.killpg(driver.pid, signal.SIGKILL)
        (folder / _KILLED).write_text(f"{rows_in(folder)['blocks'] * BLOCK_SIZE}\n")
    _run_to_the_end(command)


def row_of(campaign: Campaign, folder: Path) -> tuple[Json, ...]:
    """Return the row of a campaign that is kept in a folder."""
    summary, rows = summary_in(str(folder)), rows_in(folder)
    assert summary.complete, f"{folder} is not complete"
    size = sum(path.stat().st_size for path in folder.glob("*/*.parquet"))
    return (
        campaign.name,
        summary.histories,
        rows.get("verdicts", 0) if campaign.port else "",
        f"{summary.cpu_micros / summary.histories / 1000:.2f}",
        f"{summary.active_seconds() / 60:.1f}",
        os.cpu_count(),
        sum(rows.values()),
        f"{size / 1e6:.1f}",
        int((folder / _KILLED).read_text()),
        len(summary.failures()),
        f"`{summary.digest[:16]}`",
    )


def rows_in(folder: Path) -> dict[str, int]:
    """Return table -> the number of its rows, for the tables that a folder has."""
    found: dict[str, int] = {}
    for path in folder.glob("*/*.parquet"):
        rows = pq.read_metadata(path).num_rows
        found[path.parent.name] = found.get(path.parent.name, 0) + rows
    return found


def _run_to_the_end(command: Sequence[str]) -> Any:
    ended = subprocess.run(command, stdout=subprocess.PIPE, check=False)
    if ended.returncode not in {0, 1}:
        raise SystemExit(f"exit code {ended.returncode} of: {' '.join(command)}")
    return json.loads(ended.stdout)
