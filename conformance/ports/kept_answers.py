"""Answers about mutants, kept in a file so that the next run goes on where one was interrupted."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from attrs import frozen


@frozen
class KeptAnswers:
    """Answers in a file, one JSON object on each line.

    path: the file, which may be missing. digest: of everything that can change an answer. It is the
    first line of the file; the answers under another digest are not valid.
    """

    path: Path
    digest: str

    def load(self) -> list[dict[str, Any]]:
        """Return the valid answers, without a last line that was interrupted."""
        lines = self.path.read_text("utf-8").splitlines(keepends=True) if self.path.exists() else []
        if not lines or lines[0].strip() != self.digest:
            self.path.write_text(f"{self.digest}\n", encoding="utf-8")
            return []
        whole = [line for line in lines if line.endswith("\n")]
        self.path.write_text("".join(whole), encoding="utf-8")
        return [json.loads(line) for line in whole[1:]]

    def add(self, answer: Mapping[str, Any]) -> None:
        """Append one answer."""
        with self.path.open("a", encoding="utf-8") as file:
            file.write(json.dumps(answer) + "\n")


def digest_of(folders: Iterable[Path], *texts: str) -> str:
    """Return a digest of all files in some folders, with their paths, and of some texts."""
    hashed = hashlib.sha256("\n".join(texts).encode())
    for folder in folders:
        for path in sorted(each for each in folder.rglob("*") if each.is_file()):
            hashed.update(f"{path.relative_to(folder)} {path.stat().st_size}\n".encode())
            hashed.update(path.read_bytes())
    return hashed.hexdigest()
