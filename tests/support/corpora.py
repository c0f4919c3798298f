"""Small corpora of made-up vectors."""

from __future__ import annotations

import json
from collections.abc import Iterable
from itertools import groupby
from pathlib import Path
from typing import Any

from rejoin_conformance.kit.json_types import digest_of


def vector(name: str = "one", **changed: Any) -> dict[str, Any]:
    """Return a vector of the operation `toy/halve`. changed: fields; None removes a field."""
    fields = {
        "id": f"toy/halves/{name}",
        "operation": "toy/halve",
        "clauses": ["TOY-HALF"],
        "level": "must",
        "summary": "14 is halved.",
        "input": {"number": 14},
        "expected": {"output": {"half": 7}},
    }
    return {key: value for key, value in (fields | changed).items() if value is not None}


def corpus_in(
    folder: Path,
    vectors: Iterable[dict[str, Any]],
    version: str | None = None,
    retired: dict[str, str] | None = None,
) -> Path:
    """Write a corpus, and return its folder."""
    ordered = sorted(vectors, key=lambda each: str(each["id"]))
    for place, grouped in groupby(ordered, key=lambda each: each["id"].rpartition("/")[0]):
        system, topic = place.split("/")
        value = {"schema": 1, "system": system, "topic": topic, "notes": "", "vectors": [*grouped]}
        path = folder / f"{place}.json"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(value))
    listed = [{"id": each["id"], "digest": digest_of(each)} for each in ordered]
    named = {} if version is None else {"version": version}
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "index.json").write_text(json.dumps({"schema": 1, **named, "vectors": listed}))
    if retired is not None:
        entries = [{"id": name, "why": why} for name, why in retired.items()]
        (folder / "retired.json").write_text(json.dumps({"vectors": entries}))
    return folder
