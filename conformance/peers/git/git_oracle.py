"""Git as a second opinion: it merges branches by the same algorithm.

A file stands for an element of a set, and a commit for a node. `git merge-tree --write-tree` merges
two commits. To merge further nodes, a commit with the result so far takes the part of the
document's temporary node. If two commits have several best common ancestors, git first merges these
into a virtual commit, oldest commit date first. So the dates decide the fold order of origins, and
nodes get their dates in the order of the listing.

Files are empty, or their contents have no line in common. If contents were similar, git would take
a deleted and an added file for a rename, and would not merge them like elements of a set.
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
"""The first version whose `merge-tree` merges many pairs of commits in one process."""

State: TypeAlias = frozenset[str]
SetNode: TypeAlias = Node[State]
Contents: TypeAlias = Literal["empty", "distinct"]

_ANYBODY: Final = "somebody <somebody>"


class NoGitError(Exception):
    """This machine has no git that can merge commits without a working tree."""


def require_git() -> str:
    """Return the path of git. Raises NoGitError if git is missing or too old."""
    path = shutil.which("git")
    wanted = ".".join(map(str, OLDEST_GIT))
    if path is None:
        raise NoGitError(f"git not found. Install git {wanted} or newer")
    answer = _run([path, "version"])
    version = re.search(rb"(\d+)\.(\d+)", answer)
    if version is None or (int(version[1]), int(version[2])) < OLDEST_GIT:
        raise NoGitError(
            f"{path}: {answer.decode().strip()!r} is too old. Install git {wanted} or newer"
        )
    return path


@frozen
class Step:
    """One merge for git: the result of the merges so far, and one more node.

    merged: the nodes merged so far, in fold order; at least one.
    merged_state: their merge.
    further: the next node.
    """

    merged: tuple[str, ...]
    merged_state: State
    further: str


@frozen
class Task:
    """A history and merges of its nodes.

    nodes: parents before children. They get their dates in this order.
    """

    nodes: tuple[SetNode, ...]
    steps: tuple[Step, ...]


@frozen
class Expected:
    """A task, and the states of its steps, merged by the reference in the same fold order."""

    task: Task
    states: tuple[State, ...]


@frozen
class _FoldedByDate:
    """A fold order: a subset of the given nodes in their order, any other set of nodes by date."""

    order: tuple[str, ...]
    date: Mapping[str, int]

    def __call__(self, nodes: frozenset[str]) -> tuple[str, ...]:
        if nodes.issubset(self.order):
            return tuple(node for node in self.order if node in nodes)
        return tuple(sorted(nodes, key=self.date.__getitem__))


def expected_merges(nodes: tuple[SetNode, ...], orders: Iterable[tuple[str, ...]]) -> Expected:
    """Return the task to merge sets of nodes, each in a fold order, with the expected states.

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
    """Return for each task the states of its steps, merged by git in one process.

    Raises NoGitError, and ValueError if git finds a conflict.
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
        """Merge all pairs in one process.

        timeout: in seconds. Raises subprocess.TimeoutExpired after it, and ValueError if git finds
            a conflict.
        """
        return _states(self.git, self.folder, _merge_trees(self, timeout))


@contextmanager
def imported(tasks: Iterable[Task], contents: Contents) -> Iterator[Repository]:
    """Return a repository with the histories of the tasks, for a block. Raises NoGitError."""
    git = require_git()
    with tempfile.TemporaryDirectory(prefix="rejoin-git-") as folder:
        _run([git, "init", "--quiet", "--bare", folder])
        stream = _Import(contents)
        pairs = [pair for task in tasks for pair in _commits(task, stream)]
        oids = stream.carry_out(git, folder)
        yield Repository(git, folder, tuple((oids[a], oids[b]) for a, b in pairs))


def _run(command: Sequence[str], stdin: bytes = b"", timeout: float | None = None) -> bytes:
    done = subprocess.run(command, input=stdin, capture_output=True, check=False, timeout=timeout)
    if done.returncode:
        raise ValueError(f"{' '.join(command[:4])}: {done.stderr.decode(errors='replace')[-500:]}")
    return done.stdout


@define
class _Import:
    """A stream for `git fast-import`: blobs and commits, each identified by its mark.

    A commit starts from the files of its first parent, so the stream lists only the differences.
    """

    contents: Contents
    _lines: list[bytes] = field(factory=list)
    _marks: int = 0
    _blobs: dict[str, int] = field(factory=dict)
    _states: dict[int, State] = field(factory=dict)

    def commit(self, date: int, parents: Sequence[int], state: State) -> int:
        """Add a commit and return its mark."""
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
        """Create the objects in a repository; return mark -> object ID."""
        marks = Path(folder) / "marks"
        _run(
            [git, "-C", folder, "fast-import", "--quiet", "--force", f"--export-marks={marks}"],
            b"\n".join(self._lines),
        )
        pairs = (line.split() for line in marks.read_text(encoding="ascii").splitlines())
        return {int(mark[1:]): oid for mark, oid in pairs}


def unlike_any_other(element: str) -> bytes:
    """Return a text of 4 lines that shares no line with the text of another element."""
    lines = (hashlib.blake2b(f"{element}\n{n}".encode()).hexdigest() for n in range(4))
    return "\n".join(lines).encode()


def _commits(task: Task, stream: _Import) -> Iterator[tuple[int, int]]:
    """Commit the nodes, then the merged state of each step; yield the pairs of marks to merge."""
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
    """Return the tree of the merge of each pair of commits."""
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
    """Return the names of the files in each tree."""
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
    """Return the names in a tree object. An entry is mode, space, name, NUL, 20 bytes of hash."""
    names = set()
    while entries:
        head, _, rest = entries.partition(b"\0")
        names.add(head.partition(b" ")[2].decode())
        entries = rest[20:]
    return frozenset(names)
