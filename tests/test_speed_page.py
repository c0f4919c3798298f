"""The page of speeds shows the last kept measurement of each row."""

from __future__ import annotations

import sys
from contextlib import nullcontext
from pathlib import Path

import pytest

import speed
import speed_page
import speed_trees
from speed import Measured, as_data
from speed_measures import CPU, Sample, work
from speed_page import KEPT, PAGE, keep, kept_rows, page
from speed_rows import Row, rows
from speed_trees import ROOT, StaleBuildError, Tree, compiled_build

COMMIT = "0123456789" * 4
TOY = Measured(
    Row(name="toy", what="toy", unit=CPU, aim="3 times", measure=work("parse"), rounds=1),
    {"before": (Sample(6.0, "d1"),), "now": (Sample(2.0, "d1"),)},
)


def test_the_page_in_the_documentation_shows_the_kept_rows() -> None:
    names = [row.name for row in rows("port")]
    assert PAGE.read_text(encoding="utf-8") == page(kept_rows(), names)
    assert kept_rows().keys() <= set(names)
    assert all(row["same_results"] for row in kept_rows().values()), KEPT.name


def test_a_line_has_the_numbers_the_ratios_the_aim_and_what_was_measured(tmp_path: Path) -> None:
    kept = tmp_path / "kept.json"
    keep(as_data([TOY]), commit=COMMIT, cores=2, path=kept)
    text = page(kept_rows(kept), ["toy", "slow"])
    assert "| toy | CPU s | 6 | 2 | - | 3 | - | 3 times | 01234567, 2 cores |\n" in text
    assert "- toy: `d1`\n" in text
    assert "\nNot measured yet: `slow`.\n" in text


def test_a_new_measurement_replaces_only_that_of_its_row(tmp_path: Path) -> None:
    kept = tmp_path / "kept.json"
    other = as_data([TOY])["toy"]
    keep({"toy": other, "other": other}, commit=COMMIT, cores=2, path=kept)
    keep(as_data([TOY]), commit="f" * 40, cores=8, path=kept)
    assert {name: (row["commit"][:2], row["cores"]) for name, row in kept_rows(kept).items()} == {
        "toy": ("ff", 8),
        "other": ("01", 2),
    }


def test_a_run_with_record_keeps_each_row_that_did_not_fail(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    written, kept = tmp_path / "speed.md", tmp_path / "speed.json"
    monkeypatch.setattr(speed, "PAGE", written)
    monkeypatch.setattr(speed, "keep", lambda data, **of: keep(data, path=kept, **of))
    monkeypatch.setattr(speed, "kept_rows", lambda: kept_rows(kept))
    monkeypatch.setattr(speed, "rows", lambda _port: (TOY.row,))
    monkeypatch.setattr(speed, "has_changes", lambda: False)
    monkeypatch.setattr(speed, "trees", lambda *_: nullcontext((Tree("now", ROOT, Path("no")),)))
    different = Measured(TOY.row, {"before": (Sample(1.0, "a"),), "now": (Sample(1.0, "b"),)})
    monkeypatch.setattr(speed, "measured", lambda *_: different)
    assert speed.main(["--port", "none", "--record"]) == 1
    assert not kept.exists()
    monkeypatch.setattr(speed, "measured", lambda *_: TOY)
    assert speed.main(["--port", "none", "--record"]) == 0
    assert [*kept_rows(kept)] == ["toy"]
    assert written.read_text(encoding="utf-8") == page(kept_rows(kept), ["toy"])


def test_changes_that_no_commit_has_are_not_recorded(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(speed, "has_changes", lambda: True)
    assert speed.main(["--port", "none", "--record"]) == 2
    assert "commit them before --record" in capsys.readouterr().err


def test_a_compiled_build_of_another_source_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    package = tmp_path / "checkout" / "toy"
    installed = tmp_path / "fast" / "lib" / "python3.11" / "site-packages" / "toy"
    python = tmp_path / "fast" / "bin" / "python"
    for folder in (package, installed, python.parent):
        folder.mkdir(parents=True)
    python.symlink_to(sys.executable)
    monkeypatch.setattr(speed_trees, "ROOT", tmp_path)
    monkeypatch.setattr(speed_trees, "PACKAGES", (package,))
    for folder in (package, installed):
        (folder / "module.py").write_text("a = 1\n", encoding="utf-8")
    assert compiled_build(tmp_path / "fast") is not None
    (package / "module.py").write_text("a = 2\n", encoding="utf-8")
    with pytest.raises(StaleBuildError, match=r"module\.py has changed .* Run make fast again"):
        compiled_build(tmp_path / "fast")
    assert compiled_build(tmp_path / "none") is None


def test_a_cell_of_a_version_that_was_not_measured_is_a_dash() -> None:
    assert speed_page.spread(()) == "-"
