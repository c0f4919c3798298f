"""Work in forked processes has the results that it has in one process."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable

import pytest

from rejoin_conformance.kit import forks
from rejoin_conformance.kit.forks import in_forks


@pytest.fixture(params=[1, 2, 3], autouse=True)
def cores(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> int:
    """The number of cores."""
    monkeypatch.setattr(forks, "_cores", lambda: request.param)
    count: int = request.param
    return count


def _done(work: Callable[[int], object], count: int) -> dict[int, object]:
    with in_forks(work, range(count)) as results:
        return dict(results)


@pytest.mark.parametrize("count", [0, 1, 15, 16, 17, 3000])
def test_each_piece_has_one_result(count: int) -> None:
    with in_forks(lambda piece: piece * piece, range(count)) as results:
        pairs = [*results]
    assert sorted(pairs) == [(piece, piece * piece) for piece in range(count)]


def test_the_work_runs_in_other_processes_if_there_are_cores_and_enough_pieces(cores: int) -> None:
    assert (os.getpid() in _done(lambda _: os.getpid(), 40).values()) == (cores == 1)
    assert {*_done(lambda _: os.getpid(), 15).values()} == {os.getpid()}


def test_the_parent_does_the_pieces_of_a_child_that_dies(cores: int) -> None:
    parent = os.getpid()

    def work(piece: int) -> int:
        if piece in (3, 20) and os.getpid() != parent:
            os.kill(os.getpid(), signal.SIGKILL)
        return piece

    assert _done(work, 40) == {piece: piece for piece in range(40)}, cores


def test_an_exception_in_a_piece_is_raised_in_the_parent() -> None:
    with pytest.raises(ZeroDivisionError):
        _done(lambda piece: 1 // (piece - 20), 40)


def test_no_process_is_left_behind_by_a_loop_that_ends_early(
    cores: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    children = []
    fork = os.fork

    def noted_fork() -> int:
        children.append(fork())
        return children[-1]

    monkeypatch.setattr(os, "fork", noted_fork)
    with in_forks(lambda piece: piece, range(5000)) as results:
        assert next(results) is not None
    assert len(children) == (cores if cores > 1 else 0)
    for child in children:
        with pytest.raises(ChildProcessError):
            os.waitpid(child, os.WNOHANG)
