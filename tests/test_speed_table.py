"""The table of speeds measures all versions in turn, and says if their results differ."""

from __future__ import annotations

import re
import shlex
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, nullcontext
from pathlib import Path

import pytest
from attrs import evolve

import speed
from port_alone import Share
from speed import Measured, as_data, headings, measured, table_line
from speed_measures import (
    CPU,
    RATIO,
    WALL,
    DoesNotRunError,
    Measure,
    Sample,
    campaign,
    command,
    make,
    work,
)
from speed_measures import tests as run_tests
from speed_page import spread
from speed_rows import ALL, LATEST, Row, rows
from speed_trees import BASELINE, ROOT, NoBaselineError, Tree, full_name, trees

BEFORE, NOW = (Tree(name, ROOT, Path(sys.executable)) for name in ("before", "now"))
NAMES = ("before", "now")
NO_BUILD = Path("no-such-environment")
SLOW_AND_FAST = {"before": (6.0, 9.0, 7.0), "now": (2.0, 3.0, 1.0)}


def test_a_ratio_is_of_two_measurements_of_one_round() -> None:
    assert of(SLOW_AND_FAST).ratios("now") == (3.0, 3.0, 7.0)


def test_a_cell_is_the_median_with_the_smallest_and_the_largest_number() -> None:
    assert spread((6.0, 9.0, 7.0)) == "7 (6..9)"
    assert spread((4.0,)) == "4"
    assert spread((1760.4, 0.98765)) == "881 (0.988..1760)"


def test_a_line_has_the_numbers_of_each_version_and_their_ratio() -> None:
    numbers = ["7 (6..9)", "2 (1..3)", "3 (3..7) times"]
    assert re.sub(" {2,}", "  ", table_line(of(SLOW_AND_FAST), NAMES)) == "  ".join(
        ["toy, CPU s", *numbers, "aim 3 times"]
    )
    assert headings(NAMES) == ["before", "now", "before / now"]


def test_a_row_whose_measurement_is_a_ratio_has_no_ratio_of_versions() -> None:
    assert "times" not in table_line(of(SLOW_AND_FAST, unit=RATIO), NAMES).partition("aim")[0]


def test_versions_take_turns_after_one_turn_that_does_not_count() -> None:
    order: list[tuple[str, int]] = []

    @contextmanager
    def measure(tree: Tree) -> Iterator[Measure]:
        def once(number: int) -> Sample:
            order.append((tree.name, number))
            return Sample(1.0)

        yield once

    row = Row(name="toy", what="toy", unit=CPU, aim="3 times", measure=measure)
    assert len(measured(row, (BEFORE, NOW), 2).numbers("now")) == 2
    names = [name for name, _ in order]
    assert names == ["before", "now"] * 3
    assert [number for _, number in order] == [0, 0, 0, 0, 1, 1]


def test_different_results_are_reported() -> None:
    samples = {"before": (Sample(1.0, "a"),), "now": (Sample(1.0, "b"),)}
    differing = Measured(of(SLOW_AND_FAST).row, samples)
    assert not differing.same_results
    assert table_line(differing, NAMES).endswith("DIFFERENT RESULTS")
    assert of(SLOW_AND_FAST).same_results


def test_a_version_that_fails_has_no_number_and_the_other_ones_go_on() -> None:
    row = evolve(of(SLOW_AND_FAST).row, measure=failing_in("before"))
    found = measured(row, (BEFORE, NOW), 2)
    assert (found.numbers("before"), len(found.numbers("now"))) == ((), 2)
    line, reason = table_line(found, NAMES).splitlines()
    assert line.split() == ["toy,", "CPU", "s", "-", "1", "(1..1)", "-", "aim", "3", "times"]
    assert reason == "    does not run: before: no such work"
    assert as_data([found])["toy"] == {
        "what": "toy",
        "unit": CPU,
        "aim": "3 times",
        "same_results": True,
        "measured": {"now": (1.0, 1.0)},
        "does_not_run": {"before": "before: no such work"},
        "digest": "",
    }
    assert not found.failed  # the earlier version lacks what the later one has
    assert measured(evolve(row, measure=failing_in("now")), (BEFORE, NOW), 2).failed


def test_a_row_measures_only_its_versions() -> None:
    row = evolve(of(SLOW_AND_FAST).row, measure=failing_in("before"), versions=LATEST)
    found = measured(row, (BEFORE, NOW), 1)
    assert not found.failures
    assert table_line(found, NAMES).split()[3:6] == ["-", "1", "-"]


def test_the_table_has_each_work_of_the_issue() -> None:
    all_rows = {row.name: row for row in rows("port")}
    for system in ("config-merge", "conflict-detection", "history-merge"):
        assert all_rows[f"histories-{system}"].aim == "3 times"
        assert all_rows[f"adapter-{system}"].aim == "3 times"
        assert all_rows[f"first-result-{system}"].aim == "1.5 s"
        assert all_rows[f"first-result-warm-spark-{system}"].aim == "5 s"
        assert all_rows[f"spark-{system}"].what.startswith("100,000 histories")
        assert all_rows[f"million-{system}"].aim == "600 s"
    assert {"resolve", "parse", "verify", "tests", "fast-test", "exhaust-8"} <= all_rows.keys()
    assert {row.versions for row in all_rows.values() if not row.on_request} == {ALL}


def test_an_interrupted_campaign_is_resumed_and_a_finished_one_is_removed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "now-history-merge-1000"
    commands: list[tuple[str, ...]] = []

    def rejoin(_tree: Tree, arguments: tuple[str, ...]) -> str:
        commands.append(arguments)
        folder.mkdir(exist_ok=True)
        if len(commands) == 1:
            raise DoesNotRunError("interrupted")
        return '{"active_seconds": 590, "digest": "d"}'

    monkeypatch.setattr("speed_measures.CAMPAIGNS", tmp_path)
    monkeypatch.setattr("speed_measures.rejoin", rejoin)
    with campaign("history-merge", 1000)(NOW) as measure:
        with pytest.raises(DoesNotRunError):
            measure(0)
        assert folder.exists()
        assert measure(0) == Sample(590.0, "d")
    assert not folder.exists()
    run = ("fuzz", "history-merge", "--histories", "1000", "--directory", str(folder), "--json")
    assert commands == [run, run, ("campaign", "status", str(folder), "--json")]


def test_make_uses_this_environment_and_names_a_failure() -> None:
    with make("no-such-target")(NOW) as measure, pytest.raises(DoesNotRunError, match="no-such"):
        measure(0)
    with make("help")(NOW) as measure:
        assert measure(0).measured > 0


def test_the_tests_of_the_earlier_commit_are_measured_even_if_some_of_them_fail(
    tmp_path: Path,
) -> None:
    environment = Path(sys.prefix)
    (tmp_path / "Makefile").write_text(f"setup:\n\tln -sfn {environment} .venv\n")
    (tmp_path / "test_toy.py").write_text("def test_toy() -> None:\n    assert False\n")
    toy = (str(tmp_path / "test_toy.py"), "-p", "no:cacheprovider")
    with run_tests(*toy)(evolve(BEFORE, root=tmp_path)) as measure:
        assert measure(0).measured > 0
    with run_tests(*toy)(NOW) as measure, pytest.raises(DoesNotRunError, match="1 failed"):
        measure(0)
    with (
        run_tests("no-such-file.py")(evolve(BEFORE, root=tmp_path)) as measure,
        pytest.raises(DoesNotRunError, match="no-such-file"),
    ):
        measure(0)


def test_a_digest_is_that_of_all_rounds_or_none() -> None:
    samples = {"before": (Sample(1.0, "a"), Sample(1.0, "a")), "now": (Sample(1.0, "a"),) * 2}
    same = Measured(of(SLOW_AND_FAST).row, samples)
    assert same.digest == "a"
    other = Measured(
        same.row, {name: (Sample(1.0, "b"), each[1]) for name, each in samples.items()}
    )
    assert other.same_results
    assert other.digest == ""


def test_the_table_names_the_rows_that_did_not_run(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    toy = evolve(of(SLOW_AND_FAST).row, unit=WALL, measure=failing_in("none"))
    monkeypatch.setattr(
        speed, "rows", lambda _port: (toy, evolve(toy, name="slow", on_request=True))
    )
    monkeypatch.setattr(speed, "trees", lambda *_: nullcontext((BEFORE, NOW)))
    assert speed.main(["--port", "none", "--rounds", "1"]) == 0
    said = capsys.readouterr().out
    assert "not run, because they take long: slow\n" in said
    assert "run them with: python conformance/benchmarks/speed.py ROW" in said
    assert speed.main(["--port", "none", "--rounds", "1", "--all"]) == 0
    assert "not run" not in capsys.readouterr().out


def test_one_version_can_be_measured_without_the_others(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    both = evolve(of(SLOW_AND_FAST).row, unit=WALL, measure=failing_in("before"))
    alone = evolve(both, name="alone", what="alone", versions=("before",))
    monkeypatch.setattr(speed, "rows", lambda _port: (both, alone))
    monkeypatch.setattr(speed, "trees", lambda *_: nullcontext((BEFORE, NOW)))
    assert speed.main(["--port", "none", "--rounds", "1", "--only", "now"]) == 0
    heading, toy = capsys.readouterr().out.splitlines()
    assert heading.split() == ["before", "now", "before", "/", "now"]
    assert toy.split() == ["toy,", "wall", "s", "-", "1", "-", "aim", "3", "times"]


@pytest.mark.parametrize("name", ["parse", "resolve"])
def test_a_worker_measures_seconds_and_the_same_digest_each_round(name: str) -> None:
    row = next(each for each in rows(None) if each.name == name)
    with row.measure(NOW) as measure:
        first, second = measure(0), measure(1)
    assert first.measured > 0
    assert first.digest == second.digest != ""


def test_an_adapter_alone_answers_the_questions_of_a_campaign_from_a_file() -> None:
    serve = "from rejoin_conformance.command_line.main import run; run(['serve'])"
    adapter = shlex.join([sys.executable, "-c", serve])
    share = Share("history-merge", adapter, histories=3)
    ratio, digest = share.measure(0)
    assert ratio > 0
    assert share.measure(1)[1] == digest


def test_a_program_that_fails_is_named_with_its_last_line() -> None:
    with (
        command("verify", "no-such-vector")(NOW) as measure,
        pytest.raises(DoesNotRunError, match=r"^now: .*no-such-vector"),
    ):
        measure(0)
    with work("histories", "no-such-system")(NOW) as measure, pytest.raises(DoesNotRunError):
        measure(0)


def test_a_repository_without_the_baseline_says_what_to_do() -> None:
    with (
        pytest.raises(NoBaselineError, match="git fetch --unshallow"),
        trees("no-such-commit", NO_BUILD),
    ):
        pass


def test_an_unknown_row_is_wrong_usage(capsys: pytest.CaptureFixture[str]) -> None:
    assert speed.main(["--port", "none", "no-such-row"]) == 2
    assert capsys.readouterr().err.startswith("no row is named no-such-row; choose from histories-")


def test_the_baseline_is_a_full_name() -> None:
    with pytest.raises(NoBaselineError):
        full_name("no-such-commit")
    assert full_name(full_name("HEAD")) == full_name("HEAD")
    assert len(BASELINE) == 40


def failing_in(version: str) -> Callable[[Tree], AbstractContextManager[Measure]]:
    """Return a measurement that takes a second, and fails in one version."""

    @contextmanager
    def measure(tree: Tree) -> Iterator[Measure]:
        def once(_number: int) -> Sample:
            if tree.name == version:
                raise DoesNotRunError(f"{version}: no such work")
            return Sample(1.0)

        yield once

    return measure


def of(numbers: Mapping[str, tuple[float, ...]], unit: str = CPU) -> Measured:
    """Return a measured toy row."""
    row = Row(name="toy", what="toy", unit=unit, aim="3 times", measure=work("parse"))
    return Measured(row, {name: tuple(map(Sample, each)) for name, each in numbers.items()})
