"""Every contract says what its clause says: CrossHair refutes a faulty function."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from importlib.resources import files
from pathlib import Path
from typing import Final

import pytest

from test_contracts import REFERENCE

_REFERENCE: Final = Path(str(files("rejoin")))

FAULTS: Final = (
    ("config_merge.messages.next_seqno", "return largest + 1", "return largest + 2"),
    (
        "config_merge.windows.within",
        "return seqno > largest - window",
        "return seqno >= largest - window",
    ),
    ("config_merge.windows.checked_window", "not 1 <= window", "not 0 <= window"),
    (
        "config_merge.swarm.checked_report",
        "size > LARGEST_REPORT:",
        "size > LARGEST_REPORT + 1:",
    ),
    (
        "config_merge.conflict_resolution.scalar_after",
        "assigned if change == ASSIGNED",
        "assigned if change != ASSIGNED",
    ),
    (
        "config_merge.conflict_resolution.elements_after",
        "(elements | added) - removed",
        "(elements - removed) | added",
    ),
    (  # reversed
        "config_merge.application_data.precedes",
        "isinstance(second, bytes) and first < second",
        "isinstance(second, bytes) and first > second",
    ),
    (  # shorter strings first
        "config_merge.application_data.precedes",
        "isinstance(second, bytes) and first < second",
        "isinstance(second, bytes) and (len(first), first) < (len(second), second)",
    ),
    (
        "config_merge.application_data.precedes",
        "not isinstance(second, int) or first < second",
        "isinstance(second, int) and first < second",
    ),
    (
        "conflict_detection.version_maps.entry_at_least",
        "return later >= earlier",
        "return later > earlier",
    ),
    (
        "conflict_detection.version_maps.join_entries",
        "return left if entry_at_least(left, right) else right",
        "return right",
    ),
    (
        "conflict_detection.version_maps.is_same_version",
        "all(nickname in left or version == 0",
        "all(nickname in left",
    ),
    (
        "conflict_detection.version_maps.without_zeros",
        "sorted(version_map.items()) if version}",
        "sorted(version_map.items())}",
    ),
    (
        "conflict_detection.cost_model.total",
        "+ operations.content_downloads",
        "+ operations.content_downloads + operations.directory_reads",
    ),
    (
        "conflict_detection.cost_model.plus",
        "left.snapshot_downloads + right.snapshot_downloads",
        "left.snapshot_downloads",
    ),
    (
        "conflict_detection.cost_model.local_change",
        "content_uploads=int(has_content)",
        "content_uploads=1",
    ),
    (
        "conflict_detection.local_names._is_in_the_way",
        'file.startswith(name + "/") or name.startswith(file + "/")',
        "file.startswith(name) or name.startswith(file)",
    ),
    (
        "history_merge.three_way_merge.element_three_way_merge",
        "return (a and b) if o else (a or b)",
        "return a or b",
    ),
    (
        "history_merge.three_way_merge.element_diff",
        "return None if a == o else a",
        "return None if a else a",
    ),
    (
        "history_merge.three_way_merge.element_apply",
        "return b if diff is None else diff",
        "return b if not diff else diff",
    ),
    (
        "history_merge.three_way_merge.set_three_way_merge_by_element",
        "for x in o | a | b if",
        "for x in a if",
    ),
    (
        "history_merge.three_way_merge.counter_three_way_merge",
        "return a + b - o",
        "return a + b",
    ),
)
"""(function, text of it, faulty text): each contract has one at least."""


def _refuted(folder: Path, function: str, old: str, new: str) -> bool:
    """Return whether CrossHair prints a counterexample to the contract of a faulty function."""
    copy = folder / "rejoin"
    shutil.copytree(_REFERENCE, copy, ignore=shutil.ignore_patterns("__pycache__"))
    path = copy.joinpath(*function.split(".")[:-1]).with_suffix(".py")
    text = path.read_text(encoding="utf-8")
    assert text.count(old) == 1, (function, old)
    path.write_text(text.replace(old, new), encoding="utf-8")
    answer = subprocess.run(
        [
            *(sys.executable, "-m", "crosshair", "check", "--analysis_kind=PEP316"),
            *("--per_condition_timeout=20", f"rejoin.{function}"),
        ],
        cwd=folder,
        env={"PYTHONPATH": str(folder)},
        capture_output=True,
        text=True,
        check=False,
    )
    return "error: false when calling" in answer.stdout


def test_each_contract_has_a_fault() -> None:
    systems = Counter(function.split(".")[1] for function in REFERENCE)
    assert systems.total() >= 20
    assert min(systems.values()) >= 5
    assert {f"rejoin.{function}" for function, _, _ in FAULTS} == set(REFERENCE)


@pytest.mark.long
def test_each_fault_is_refuted(tmp_path: Path) -> None:
    """`make contracts` runs this too."""
    with ThreadPoolExecutor(2) as pool:
        refuted = [
            pool.submit(_refuted, tmp_path / f"{n}", *fault) for n, fault in enumerate(FAULTS)
        ]
    missed = [fault for fault, each in zip(FAULTS, refuted, strict=True) if not each.result()]
    assert not missed
