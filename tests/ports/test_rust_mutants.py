"""The answers about the mutants of the Rust port, and the names under which they are listed."""

from __future__ import annotations

from mutants import PARTS, part_of
from port_mutants import KILLED, SURVIVED
from rust_mutants import files_of_rust, judged, with_known_names


def test_any_vector_can_kill() -> None:
    distilled = ["history-merge/distilled/a"]
    for killed_by, random, fate in (
        ("history-merge/sizes/wide", [], KILLED),
        (None, distilled, KILLED),
        (None, [], SURVIVED),
    ):
        line = {"mutant": 7, "reached": True, "killed_by": killed_by, "random": random}
        assert judged(line).fate == fate


def test_known_names_move_nothing() -> None:
    source = "fn a(b: u8) -> Outcome<u8> { c(b) }\nfn d() -> Parsed<()> { e() }\n"
    named = with_known_names(source)
    assert named == "fn a(b: u8) -> Result <u8> { c(b) }\nfn d() -> Result<()> { e() }\n"
    assert len(named) == len(source)


def test_every_source_file_belongs_to_a_part() -> None:
    assert {part_of(file) for file in files_of_rust()} == set(PARTS)
    assert part_of("src/config_merge/messages.rs") == "config-merge"
    assert part_of("src/bt.rs") == "shared"
