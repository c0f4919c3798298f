"""Copies of the ports with deliberate faults, one in each system, built and ready to run."""

from __future__ import annotations

import shlex
import shutil
from collections.abc import Sequence
from pathlib import Path

from attrs import frozen

from support.rust_port import built, rename, require_crates

PORTS = Path(__file__).parents[2] / "conformance" / "ports"


@frozen(kw_only=True)
class Fault:
    """A change of a port's source that makes it wrong.

    kind: the kind under which the simplest resulting difference is counted. told: text in its
    explanation.
    """

    system: str
    file: str
    old: str
    new: str
    kind: str
    told: str


JAVASCRIPT = (
    Fault(
        system="config-merge",
        file="config-merge/conflict-resolution.js",
        old="entries.filter((entry) => entry.seqno > seqno - window)",
        new="entries.filter((entry) => entry.seqno >= seqno - window)",
        kind="config-merge/resolve wrong-output",
        told="message.rows[0], ",
    ),
    Fault(
        system="history-merge",
        file="history-merge/three-way-merge.js",
        old="applyToSet(right, diffSets(origin, left))",
        new="applyToSet(right, diffSets(origin, right))",
        kind="history-merge/three-way-merge wrong-output",
        told="A is missing: it is in {left}; it is not in {origin right}",
    ),
    Fault(
        system="conflict-detection",
        file="conflict-detection/version-maps.js",
        old="Math.max(n, joined.get(name) ?? 0)",
        new="n",
        kind="conflict-detection/join-version-maps wrong-output",
        told="expected  (D:1)",
    ),
)

RUST = (
    Fault(
        system="config-merge",
        file="src/config_merge/conflict_resolution.rs",
        old="row.rank.seqno < newseqno - context.window",
        new="row.rank.seqno <= newseqno - context.window",
        kind="config-merge/resolve wrong-output",
        told="message.data.",
    ),
    Fault(
        system="history-merge",
        file="src/history_merge/three_way_merge.rs",
        old="    applied.retain(|element| !deleted.contains(element));\n",
        new="    let _ = (&mut applied, deleted);\n",
        kind="history-merge/apply-diff wrong-output",
        told="A is extra: ",
    ),
    Fault(
        system="conflict-detection",
        file="src/conflict_detection/version_maps.rs",
        old="if reading.resolves_with_whole_map {",
        new="if false {",
        kind="conflict-detection/upload-version-map wrong-output",
        told="expected  (A:",
    ),
)


def faulty_javascript(folder: Path, port: Path) -> str:
    """Return the command of the faulty JavaScript port. port: it with its packages installed."""
    _copy("javascript", folder, JAVASCRIPT)
    if not (folder / "node_modules").is_dir():
        (folder / "node_modules").symlink_to(port / "node_modules")
    return shlex.join(["node", str(folder / "adapter.js")])


def faulty_rust(folder: Path, profile: str = "dev") -> str:
    """Return the command of the faulty Rust port; skip the test if it cannot be built."""
    _copy("rust", folder, RUST)
    rename(folder)
    require_crates(folder)
    return shlex.join([str(built(folder, folder, profile))])


def _copy(port: str, folder: Path, faults: Sequence[Fault]) -> None:
    shutil.copytree(PORTS / port, folder, ignore=shutil.ignore_patterns("target"))
    for fault in faults:
        path = folder / fault.file
        text = path.read_text(encoding="utf-8")
        assert text.count(fault.old) == 1, f"{fault.file} is another now: mend the table of faults"
        path.write_text(text.replace(fault.old, fault.new), encoding="utf-8")
