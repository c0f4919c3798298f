"""The texts are put where the generator reads them, and only changed files are written."""

from __future__ import annotations

from pathlib import Path

from rejoin_site.staging import contents_of, linked_files, project_texts, write_changed


def test_a_folder_holds_exactly_the_files_and_keeps_unchanged_ones(tmp_path: Path) -> None:
    assert write_changed(tmp_path, {"a.md": "a", "b/c.md": b"c", "d": "d"}) == 3
    before = (tmp_path / "a.md").stat().st_mtime_ns
    assert write_changed(tmp_path, {"a.md": "a", "b/c.md": b"changed"}) == 1
    assert (tmp_path / "a.md").stat().st_mtime_ns == before
    files = sorted(each.name for each in tmp_path.rglob("*") if each.is_file())
    assert files == ["a.md", "c.md"]


def test_the_texts_of_a_folder_are_below_its_readme_in_the_order_of_its_links() -> None:
    texts = {"x/README.md": "[two](two.md) [far](../far.md)", "x/one.md": "", "x/two.md": ""}
    lines = contents_of(texts, "x/README.md").split()
    assert lines[-3:] == ["two.md", "one.md", "```"]


def test_all_texts_of_the_project_are_there_with_the_files_that_they_link_to() -> None:
    texts = project_texts()
    assert {"README.md", "docs/steps.md", "spec/history-merge/lcau.md"} <= texts.keys()
    assert texts["conformance/ports/rust/README.md"].startswith("---\norphan: true")
    assert {"LICENSE", "action.yml"} <= linked_files(texts).keys()
