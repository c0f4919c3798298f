"""A bare repository of git: real commits, and the questions that git answers about them.

Objects are written as loose files, which costs no process. All merges and all questions about the
history are answered by git itself.
"""

from __future__ import annotations

import hashlib
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import zlib
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Final

OLDEST_GIT: Final = (2, 38)
"""The first version of git whose `merge-tree` merges two commits without a working tree."""

_DRIVER: Final = Path(__file__).with_name("counter_driver.py")
_OBJECTS_KEPT: Final = 20_000
"""The repository forgets its objects between two questions after this number."""
_FIRST_DATE: Final = 1_000_000_000
_ENVIRONMENT: Final = {
    "PATH": os.environ.get("PATH", os.defpath),
    "HOME": os.devnull,
    "LC_ALL": "C",
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_CONFIG_GLOBAL": os.devnull,
}


class NoGitError(Exception):
    """This machine has no git that can merge commits without a working tree."""


def git_version() -> str:
    """Return the version of git. Raises NoGitError if git is missing or too old."""
    wanted = ".".join(map(str, OLDEST_GIT))
    if shutil.which("git") is None:
        raise NoGitError(f"git not found. Install git {wanted} or newer")
    said = subprocess.run(["git", "version"], capture_output=True, check=True).stdout.decode()
    version = re.search(r"(\d+)\.(\d+)[.\d]*", said)
    if version is None or (int(version[1]), int(version[2])) < OLDEST_GIT:
        raise NoGitError(f"{said.strip()!r} is too old. Install git {wanted} or newer")
    return version[0]


class Repository:
    """A bare repository in a temporary folder. A context manager that removes the folder."""

    def __init__(self) -> None:
        self._folder = tempfile.TemporaryDirectory(prefix="git-peer-")
        self._path = Path(self._folder.name)
        self._written: set[str] = set()
        self._git("init", "--quiet", "--bare", self._folder.name)
        driver = shlex.join([sys.executable, "-IS", str(_DRIVER)])
        self._git("config", "merge.counter.driver", f"{driver} %O %A %B")
        attributes = self._path / "info" / "attributes"
        attributes.parent.mkdir(exist_ok=True)
        attributes.write_text("counter merge=counter\n", encoding="ascii")

    def __enter__(self) -> Repository:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._folder.cleanup()

    def forget(self) -> None:
        """Remove all objects if there are many."""
        if len(self._written) > _OBJECTS_KEPT:
            self._written.clear()
            for folder in (self._path / "objects").glob("??"):
                shutil.rmtree(folder)

    def tree(self, files: Mapping[str, bytes]) -> str:
        """Write the files of a state; return the tree's object name."""
        entries = [
            b"100644 %s\0%s" % (name.encode("ascii"), bytes.fromhex(self._write("blob", content)))
            for name, content in sorted(files.items())
        ]
        return self._write("tree", b"".join(entries))

    def commit(self, tree: str, parents: Iterable[str], date: int, name: str) -> str:
        """Write a commit; return its object name. date: seconds; git compares dates of commits."""
        who = f"somebody <somebody> {_FIRST_DATE + date} +0000"
        lines = [
            f"tree {tree}",
            *(f"parent {parent}" for parent in parents),
            f"author {who}",
            f"committer {who}",
            "",
            name,
        ]
        return self._write("commit", "\n".join(lines).encode())

    def files(self, tree: str) -> dict[str, bytes]:
        """Return the files of a tree: name -> content."""
        files: dict[str, bytes] = {}
        entries = self._read(tree)
        while entries:
            head, _, rest = entries.partition(b"\0")
            files[head.partition(b" ")[2].decode()] = self._read(rest[:20].hex())
            entries = rest[20:]
        return files

    def tree_of(self, commit: str) -> str:
        """Return the tree of a commit."""
        return self._read(commit)[5:45].decode()

    def merged(self, ours: str, theirs: str) -> str | None:
        """Return the tree of the merge of two commits, or None if git finds a conflict."""
        command = ("merge-tree", "--write-tree", "--allow-unrelated-histories", ours, theirs)
        done = self._run(command)
        if done.returncode not in {0, 1}:
            raise RuntimeError(done.stderr.decode(errors="replace")[-500:])
        return done.stdout.split()[0].decode() if done.returncode == 0 else None

    def independent(self, commits: Sequence[str]) -> set[str]:
        """Return the commits that no other one of them reaches."""
        return self._listed("merge-base", "--independent", *commits) if commits else set()

    def merge_bases(self, commit: str, others: Sequence[str]) -> set[str]:
        """Return the best common ancestors of a commit and a merge of the others."""
        return self._listed("merge-base", "--all", commit, *others) if others else set()

    def octopus_bases(self, commits: Sequence[str]) -> set[str]:
        """Return the best common ancestors of all the commits."""
        return self._listed("merge-base", "--all", "--octopus", *commits) if commits else set()

    def is_ancestor(self, earlier: str, later: str) -> bool:
        """Return whether a commit is another one or an ancestor of it."""
        code = self._run(("merge-base", "--is-ancestor", earlier, later)).returncode
        if code not in {0, 1}:
            raise RuntimeError(f"git merge-base --is-ancestor ended with code {code}")
        return code == 0

    def ancestors(self, commits: Sequence[str]) -> set[str]:
        """Return the commits and all their ancestors."""
        return self._listed("rev-list", "--stdin", stdin="\n".join(commits)) if commits else set()

    def changes(self, before: str, after: str) -> tuple[set[str], set[str]]:
        """Return the names of the files that a tree has more than another one, and fewer."""
        said = self._git("diff-tree", "-r", "--no-renames", "--name-status", before, after)
        lines = [line.split("\t") for line in said.decode("ascii").splitlines()]
        return {name for kind, name in lines if kind == "A"}, {
            name for kind, name in lines if kind == "D"
        }

    def _listed(self, *command: str, stdin: str = "") -> set[str]:
        done = self._run(command, stdin)
        if done.returncode not in {0, 1} or done.stderr:
            raise RuntimeError(done.stderr.decode(errors="replace")[-500:])
        return set(done.stdout.decode("ascii").split())

    def _git(self, *command: str) -> bytes:
        done = self._run(command)
        if done.returncode:
            raise RuntimeError(done.stderr.decode(errors="replace")[-500:])
        return done.stdout

    def _run(self, command: Sequence[str], stdin: str = "") -> subprocess.CompletedProcess[bytes]:
        return subprocess.run(
            ["git", "-C", self._folder.name, *command],
            input=stdin.encode("ascii"),
            capture_output=True,
            check=False,
            env=_ENVIRONMENT,
        )

    def _write(self, kind: str, content: bytes) -> str:
        data = b"%s %d\0%s" % (kind.encode("ascii"), len(content), content)
        name = hashlib.sha1(data, usedforsecurity=False).hexdigest()
        if name not in self._written:
            self._written.add(name)
            path = self._path / "objects" / name[:2] / name[2:]
            if not path.exists():
                path.parent.mkdir(exist_ok=True)
                path.write_bytes(zlib.compress(data, 1))
        return name

    def _read(self, name: str) -> bytes:
        path = self._path / "objects" / name[:2] / name[2:]
        return zlib.decompress(path.read_bytes()).partition(b"\0")[2]
