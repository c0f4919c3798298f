"""The results of pieces are kept in a file; an interrupted run continues after them."""

from __future__ import annotations

from operator import neg
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

import pytest
from attrs import define, field

from rejoin_conformance.campaigns.kept_lines import KeptResultsError
from rejoin_conformance.campaigns.kept_pieces import KeepingPieces, KeptPieces, kept_pieces
from rejoin_conformance.campaigns.spark.spread import OnSpark
from rejoin_conformance.command_line.main import run
from rejoin_conformance.kit.json_types import Json
from rejoin_conformance.systems.history_merge.exhaust import check
from support.spreads import HERE, silent

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

MODULE = check.__name__


def kept_in(directory: Path, size: int = 5) -> KeptPieces:
    return kept_pieces(directory, "work", MODULE, {"size": size})


def squared(piece: int) -> Json:
    return {"square": piece * piece}


def not_done_again(piece: int) -> NoReturn:
    raise AssertionError(piece)


@define
class Interrupted:
    """Work that is interrupted when it reaches a piece."""

    last: int
    done: list[int] = field(factory=list)

    def __call__(self, piece: int) -> Json:
        """Return the result of a piece."""
        if piece == self.last:
            raise KeyboardInterrupt
        self.done.append(piece)
        return squared(piece)


def test_the_results_are_those_of_the_work_in_order(tmp_path: Path) -> None:
    spread = KeepingPieces(HERE, kept_in(tmp_path))
    assert spread.pieces(squared, 4, "squaring") == HERE.pieces(squared, 4, "squaring")
    assert spread.pieces(squared, 0, "squaring nothing") == []


def test_kept_pieces_are_not_done_again(tmp_path: Path) -> None:
    first = KeepingPieces(HERE, kept_in(tmp_path)).pieces(squared, 4, "squaring")
    again = KeepingPieces(HERE, kept_in(tmp_path))
    assert again.pieces(not_done_again, 4, "squaring") == first


def test_an_interrupted_run_continues_with_the_missing_pieces(tmp_path: Path) -> None:
    with pytest.raises(KeyboardInterrupt):
        KeepingPieces(HERE, kept_in(tmp_path)).pieces(Interrupted(2), 4, "squaring")
    rest = Interrupted(-1)
    spread = KeepingPieces(HERE, kept_in(tmp_path))
    assert spread.pieces(rest, 4, "squaring") == HERE.pieces(squared, 4, "squaring")
    assert rest.done == [2, 3]


def test_activities_are_kept_apart(tmp_path: Path) -> None:
    spread = KeepingPieces(HERE, kept_in(tmp_path))
    spread.pieces(squared, 2, "squaring")
    rest = Interrupted(-1)
    spread.pieces(rest, 2, "squaring once more")
    assert rest.done == [0, 1]


def test_spark_keeps_the_same_results(tmp_path: Path, spark: SparkSession) -> None:
    there = KeepingPieces(OnSpark(spark, silent), kept_in(tmp_path))
    # Spark's processes import the module of a function, and cannot import this one.
    assert there.pieces(neg, 5, "negating") == HERE.pieces(neg, 5, "negating")
    assert kept_in(tmp_path).of("negating") == {piece: -piece for piece in range(5)}


def test_results_of_other_bounds_or_code_are_refused_in_one_line(tmp_path: Path) -> None:
    kept_in(tmp_path)
    with pytest.raises(KeptResultsError, match="other options"):
        kept_in(tmp_path, size=6)
    with pytest.raises(KeptResultsError, match="other code"):
        kept_pieces(tmp_path, "work", KeptPieces.__module__, {"size": 5})


@pytest.mark.parametrize("line", ["{}", '{"activity":"squaring","piece":"0","result":0}', "[]"])
def test_a_line_that_is_not_a_result_is_refused(tmp_path: Path, line: str) -> None:
    file = kept_in(tmp_path).file.path
    file.write_text(f"{file.read_text()}{line}\n")
    with pytest.raises(KeptResultsError, match="a line that is not a result"):
        kept_in(tmp_path)


def test_the_exhaustive_check_reports_the_same_from_kept_results(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    command = ["exhaust", "history-merge", "--nodes", "4", "--registers", "0", "--in-process"]
    assert run(command) == 0
    alone = capsys.readouterr().out
    for _ in range(2):
        assert run([*command, "--directory", str(tmp_path)]) == 0
        assert capsys.readouterr().out == alone
    assert run([*command, "--nodes", "3", "--directory", str(tmp_path)]) == 2
    assert "Delete the file, or choose another folder" in capsys.readouterr().err


def test_a_check_that_is_not_in_pieces_keeps_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["exhaust", "conflict-detection", "--directory", "x"]) == 2
    assert "No such option" in capsys.readouterr().err
