"""The compiled build fuzzes an adapter, and explains the differences by the source."""

from __future__ import annotations

import json
import sys
from pathlib import Path

from rejoin_conformance.kit.json_types import JsonObject
from support.compiled import rejoin

_FAULTY = """
import sys
from rejoin_conformance.adapters.serve import answer
from rejoin_conformance.kit.json_types import canonical_json

for line in sys.stdin.buffer:
    reply = answer(line)
    if reply is None:
        break
    if b"history-merge/three-way-merge" in line:
        reply["output"]["state"] = reply["output"]["state"][1:]
    print(canonical_json(reply), flush=True)
"""


def test_a_campaign_against_an_adapter_finds_the_differences_of_the_source(
    packages: Path, tmp_path: Path
) -> None:
    adapter = tmp_path / "adapter.py"
    adapter.write_text(_FAULTY)
    found: dict[str, tuple[JsonObject, list[str]]] = {}
    for pure in ("0", "1"):
        folder = tmp_path / pure
        done = rejoin(
            packages,
            *("fuzz", "history-merge", "--histories", "20", "--json"),
            *("--adapter", f"{sys.executable} {adapter}", "--write", str(folder)),
            REJOIN_PURE=pure,
        )
        assert done.returncode == 1, done.stdout + done.stderr
        summary = json.loads(done.stdout)
        vectors = [Path(each.pop("vector")).read_text() for each in summary["found"]]
        assert all("HM-3WAY-ELEMENT" in each["clauses"] for each in summary["found"])
        found[summary.pop("build")] = (summary, vectors)
    assert len(found) == 2, "one ran compiled, and one ran the source"
    compiled, pure_python = found.values()
    assert compiled == pure_python
    assert len(compiled[1]) == 2
