"""Real git as a second opinion: it merges branches by the same algorithm.

One file stands for each element of a set, and a node is a commit. `git merge-tree --write-tree`
merges two commits; further nodes are merged with a commit that has the result so far, as the
document's temporary nodes are. Where two commits have several best common ancestors, git merges
these first, the oldest commit date first, each result becoming a virtual commit: so the date is
what decides the fold order of origins, and nodes are dated in the order in which they are listed.

Files are empty, or their contents have nothing in common: git takes a file that goes for a rename
of one that comes if the contents are alike, and then merges something else than a set.
"""

from __future__ import annotations

import hashlib
import re
import shutil
import subprocess
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final, Literal, TypeAlias

from attrs import define, field, frozen

from rejoin.history_merge import SETS, Node, folding_by, graph_of, merge

OLDEST_GIT: Final = (2, 38)
"""The first version whose `merge-tree` merges commits, and many of them in one process."""

State: TypeAlias = frozenset[str]
SetNode: TypeAlias = Node[State]
Contents: TypeAlias = Literal["empty", "distinct"]

_ANYBODY: Final = "somebody <somebody>"


class NoGitError(Exception):
    """There is no git here that can merge commits without a working tree."""


def require_git() -> str:
    """The path of git. Raises NoGitError, saying why, where it is missing or too old."""
    path = shutil.which("git")
    wanted = ".".join(map(str, OLDEST_GIT))
    if path is None:
        raise NoGitError(f"git {wanted} or newer is needed, and there is none")
    answer = _run([path, "version"])
    version = re.search(rb"(\d+)\.(\d+)", answer)
    if version is None or (int(version[1]), int(version[2])) < OLDEST_GIT:
        raise NoGitError(f"git {wanted} or newer is needed, not {answer.decode().strip()!r}")
    return path


@frozen
class Step:
    """One merge for git to carry out: of what is merged already, and one more node.

    merged: the nodes that are merged already, in fold order; one or more.
    merged_state: what they have made.
    further: the node that comes next.
    """

    merged: tuple[str, ...]
    merged_state: State
    further: str


@frozen
class Task:
    """A history, its nodes dated in the order of the listing, and merges of its nodes.

    nodes: parents before children.
    """

    nodes: tuple[SetNode, ...]
    steps: tuple[Step, ...]


@frozen
class Expected:
    """A task, and what the reference merges each of its steps to in the same fold order."""

    task: Task
    states: tuple[State, ...]


@frozen
class _FoldedByDate:
    """A fold order: the given nodes in their order, and sets of other nodes by date."""

    order: tuple[str, ...]
    date: Mapping[str, int]

    def __call__(self, nodes: frozenset[str]) -> tuple[str, ...]:
        if nodes.issubset(self.order):
            return tuple(node for node in self.order if node in nodes)
        return tuple(sorted(nodes, key=self.date.__getitem__))


def expected_merges(nodes: tuple[SetNode, ...], orders: Iterable[tuple[str, ...]]) -> Expected:
    """The task of merging sets of nodes, each in a fold order, and the states to expect.

    Origins are folded in the order in which the nodes are listed, parents before children.
    """
    graph = graph_of(nodes)
    date = {node.id: place for place, node in enumerate(nodes)}
    states: dict[tuple[str, ...], State] = {}
    steps = []
    for order in orders:
        reading = folding_by(_FoldedByDate(order, date))
        for size in range(1, len(order) + 1):
            folded = order[:size]
            if folded not in states:
                states[folded] = merge(graph, folded, SETS, reading)
                if size > 1:
                    steps.append(Step(order[: size - 1], states[order[: size - 1]], folded[-1]))
    expected = (states[(*step.merged, step.further)] for step in steps)
    return Expected(Task(nodes, tuple(steps)), tuple(expected))


def git_merges(tasks: Iterable[Task], contents: Contents) -> list[list[State]]:
    """For each task the states that git merges its steps to. One process does all merges.

    Raises NoGitError; ValueError where git finds a conflict.
    """
    listed = list(tasks)
    with imported(listed, contents) as repository:
        states = iter(repository.merge())
    return [[next(states) for _ in task.steps] for task in listed]


@frozen
class Repository:
    """A bare repository that holds the histories of some tasks.

    pairs: the commits to merge, one pair a step.
    """

    git: str
    folder: str
    pairs: tuple[tuple[str, str], ...]

    def merge(self, timeout: float | None = None) -> list[State]:
        """Merge all pairs in one process. Raises subprocess.TimeoutExpired after so many seconds.

        ValueError where git finds a conflict.
        """
        return _states(self.git, self.folder, _merge_trees(self, timeout))


@contextmanager
def imported(tasks: Iterable[Task], contents: Contents) -> Iterator[Repository]:
    """A repository with the histories of the tasks, until the block ends. Raises NoGitError."""
    git = require_git()
    with tempfile.TemporaryDirectory(prefix="rejoin-git-") as folder:
        _run([git, "init", "--quiet", "--bare", folder])
        stream = _Import(contents)
        pairs = [pair for task in tasks for pair in _commits(task, stream)]
        oids = stream.carry_out(git, folder)
        yield Repository(git, folder, tuple((oids[a], oids[b]) for a, b in pairs))


def _run(command: Sequence[str], stdin: bytes = b"", timeout: float | None = None) -> bytes:
    done = subprocess.run(  # noqa: S603 - fixed commands of git on a repository of our own, no shell
        command, input=stdin, capture_output=True, check=False, timeout=timeout
    )
    if done.returncode:
        raise ValueError(f"{' '.join(command[:4])}: {done.stderr.decode(errors='replace')[-500:]}")
    return done.stdout


@define
class _Import:
    """A stream for `git fast-import`: blobs and commits, each known by its mark.

    A commit starts from the files of its first parent, so only what differs from them is written.
    """

    contents: Contents
    _lines: list[bytes] = field(factory=list)
    _marks: int = 0
    _blobs: dict[str, int] = field(factory=dict)
    _states: dict[int, State] = field(factory=dict)

    def commit(self, date: int, parents: Sequence[int], state: State) -> int:
        """Add a commit, and say its mark."""
        before = self._states[parents[0]] if parents else frozenset[str]()
        files = [(self._blob(element), element) for element in sorted(state - before)]
        self._marks += 1
        self._states[self._marks] = state
        lines = [
            *([] if parents else ["reset refs/heads/all"]),
            "commit refs/heads/all",
            f"mark :{self._marks}",
            f"committer {_ANYBODY} {date} +0000",
            "data 0",
            *(f"{'merge' if place else 'from'} :{parent}" for place, parent in enumerate(parents)),
            *(f"D {element}" for element in sorted(before - state)),
            *(f"M 100644 :{mark} {element}" for mark, element in files),
            "",
        ]
        self._lines.append("\n".join(lines).encode())
        return self._marks

    def _blob(self, element: str) -> int:
        if element not in self._blobs:
            self._marks += 1
            self._blobs[element] = self._marks
            text = b"" if self.contents == "empty" else unlike_any_other(element)
            self._lines.append(b"blob\nmark :%d\ndata %d\n%s" % (self._marks, len(text), text))
        return self._blobs[element]

    def carry_out(self, git: str, folder: str) -> dict[int, str]:
        """Make the objects: mark -> object ID."""
        marks = Path(folder) / "marks"
        _run(
            [git, "-C", folder, "fast-import", "--quiet", "--force", f"--export-marks={marks}"],
            b"\n".join(self._lines),
        )
        pairs = (line.split() for line in marks.read_text(encoding="ascii").splitlines())
        return {int(mark[1:]): oid for mark, oid in pairs}


def unlike_any_other(element: str) -> bytes:
    """A text of some lines that has no line in common with that of another element."""
    lines = (hashlib.blake2b(f"{element}\n{n}".encode()).hexdigest() for n in range(4))
    return "\n".join(lines).encode()


def _commits(task: Task, stream: _Import) -> Iterator[tuple[int, int]]:
    """Commit the nodes, then what each step has merged already; yields the marks to merge."""
    marks: dict[tuple[str, ...], int] = {}
    for date, node in enumerate(task.nodes, start=1):
        parents = [marks[parent,] for parent in sorted(node.parents)]
        marks[node.id,] = stream.commit(date, parents, node.state)
    for step in task.steps:
        if step.merged not in marks:
            *before, last = step.merged
            marks[step.merged] = stream.commit(
                len(task.nodes) + len(step.merged),
                [marks[tuple(before)], marks[last,]],
                step.merged_state,
            )
        yield marks[step.merged], marks[step.further,]


def _merge_trees(repository: Repository, timeout: float | None) -> list[str]:
    """The tree that each pair of commits merges to."""
    answer = _run(
        [
            *(repository.git, "-C", repository.folder, "merge-tree"),
            *("--write-tree", "--allow-unrelated-histories", "--stdin"),
        ],
        "".join(f"{a} {b}\n" for a, b in repository.pairs).encode(),
        timeout,
    )
    trees = []
    for (a, b), each in zip(repository.pairs, answer.split(b"\0\0")[:-1], strict=True):
        clean, _, tree = each.partition(b"\0")
        if clean != b"1":
            raise ValueError(f"git finds a conflict between the commits {a} and {b}")
        trees.append(tree.decode("ascii"))
    return trees


def _states(git: str, folder: str, trees: Sequence[str]) -> list[State]:
    """The names of the files in each tree."""
    distinct = sorted(set(trees))
    answer = _run(
        [git, "-C", folder, "cat-file", "--batch"],
        "".join(f"{tree}\n" for tree in distinct).encode(),
    )
    states: dict[str, State] = {}
    position = 0
    for tree in distinct:
        header_end = answer.index(b"\n", position)
        size = int(answer[position:header_end].split()[2])
        entries = answer[header_end + 1 : header_end + 1 + size]
        states[tree] = _names(entries)
        position = header_end + 1 + size + 1
    return [states[tree] for tree in trees]


def _names(entries: bytes) -> State:
    """The names in a tree object: mode, space, name, NUL, 20 bytes of hash, and so on."""
    names = set()
    while entries:
        head, _, rest = entries.partition(b"\0")
        names.add(head.partition(b" ")[2].decode())
        entries = rest[20:]
    return frozenset(names)
