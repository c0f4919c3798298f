"""Commands say how often an overridden function was called, and never that nothing changes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from rejoin_conformance.command_line.main import run

SET_MERGE = "rejoin.history_merge.three_way_merge.set_three_way_merge"
ELEMENT_MERGE = "rejoin.history_merge.three_way_merge.element_three_way_merge"
UNREACHED = "rejoin.history_merge.three_way_merge.element_diff"
LARGE = "rejoin.history_merge.fast_partial_orders.fast_transitive_reduction"


def overriding(folder: Path, function: str, target: str = SET_MERGE) -> str:
    path = folder / "rule.py"
    path.write_text(f"OVERRIDES = {{{target!r}: {function}}}\n")
    return str(path)


@pytest.fixture
def exclusive(tmp_path: Path) -> str:
    """Return a rule file under which an element stays if an odd number of the states have it."""
    return overriding(tmp_path, "lambda o, a, b: o ^ a ^ b")


def test_verify_counts_the_calls_of_a_function_that_a_table_holds(
    exclusive: str, capsys: pytest.CaptureFixture[str]
) -> None:
    chosen = ["--id", "*/three-way-merge/*", "--reading", exclusive]
    assert run(["verify", "history-merge", *chosen, "--json"]) == 1
    found = json.loads(capsys.readouterr().out)
    calls = found["overridden"][SET_MERGE]
    assert calls["calls"] == calls["cases"] > len(found["moved"])
    assert calls["differed"] == len(found["moved"]) > 0


def test_verify_puts_the_clauses_of_the_changed_code_first(
    exclusive: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["verify", "history-merge", "--id", "*-merge/o*", "--reading", exclusive]) == 1
    lines = capsys.readouterr().out.splitlines()
    start = lines.index("clauses of the changed code, by the share of their vectors that change")
    assert lines[start + 1].split()[0].startswith("HM-3WAY-")


def test_verify_lists_a_clause_of_the_changed_code_of_which_no_vector_changes(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rule = tmp_path / "low.py"
    rule.write_text(
        "def by_rank(message):\n"
        "    return message.seqno, bytes(255 - byte for byte in message.hash)\n"
        "OVERRIDES = {'rejoin.config_merge.messages.by_rank': by_rank}\n"
    )
    chosen = ["--id", "*/resolve/[tu]*", "--reading", str(rule)]
    assert run(["verify", "config-merge", *chosen]) == 1
    lines = capsys.readouterr().out.splitlines()
    start = lines.index("clauses of the changed code, by the share of their vectors that change")
    assert lines[start + 1].startswith("  CM-MESSAGE-RANK  0 of ")


def test_verify_says_that_a_rule_without_effect_was_tried(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    same = overriding(tmp_path, "lambda o, a, b: ((a | b) - o) | (a & b & o)")
    chosen = ["--id", "*/three-way-merge/*", "--reading", same]
    assert run(["verify", "history-merge", *chosen]) == 0
    out = capsys.readouterr().out
    assert "; the answer differed from the original's 0 times in 0 vectors" in out
    assert "vectors change from document to rule.py" in out


def test_verify_ends_with_3_if_no_chosen_vector_calls_the_function(
    exclusive: str, capsys: pytest.CaptureFixture[str]
) -> None:
    chosen = ["--id", "*/partial-orders/*", "--reading", exclusive]
    assert run(["verify", "history-merge", *chosen]) == 3
    said = capsys.readouterr()
    assert "not tried: 0 calls" in said.out
    assert "vectors call an overridden function" in said.out
    assert "change from" not in said.out
    assert f"rejoin: not tried: {SET_MERGE}: 0 calls; these vectors call it: " in said.err
    vector = said.err.rpartition("--id ")[2].strip()
    assert run(["verify", "history-merge", "--id", vector, "--reading", exclusive]) in (0, 1)


def test_verify_names_a_profile_if_only_histories_call_the_function(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rule = overriding(tmp_path, "lambda o, a, b: a", ELEMENT_MERGE)
    chosen = ["--id", "*/three-way-merge/*", "--reading", rule]
    assert run(["verify", "history-merge", *chosen]) == 3
    assert "run: rejoin fuzz history-merge --reading rule.py --profile " in capsys.readouterr().err


def test_a_function_that_nothing_calls_is_wrong_usage(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rule = overriding(tmp_path, "lambda o, a: a", UNREACHED)
    for command in (["verify"], ["fuzz"], ["replay"]):
        assert run([*command, "history-merge", "--reading", rule]) == 2
        assert "no operation and no history calls" in capsys.readouterr().err
    assert run(["compare", "history-merge", "--b", rule, "--in-process"]) == 2


def test_fuzz_counts_the_calls_in_its_histories(
    exclusive: str, capsys: pytest.CaptureFixture[str]
) -> None:
    few = ["--histories", "5", "--profile", "tiny", "--reading", exclusive]
    assert run(["fuzz", "history-merge", *few]) in (0, 1)
    out = capsys.readouterr().out
    assert f"overridden functions\n  {SET_MERGE}\n    called " in out
    assert " in 5 histories; the answer differed from the original's " in out


def test_fuzz_ends_with_3_if_no_history_calls_the_function(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rule = overriding(tmp_path, "lambda graph: ()", LARGE)
    few = ["--histories", "2", "--profile", "tiny", "--reading", rule]
    assert run(["fuzz", "history-merge", *few]) == 3
    assert f"rejoin: not tried: {LARGE}: 0 calls; these vectors" in capsys.readouterr().err


def test_replay_counts_the_calls_of_one_history(
    exclusive: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["replay", "history-merge", "--profile", "tiny", "--reading", exclusive]) in (0, 1)
    assert " in 1 history; the answer differed" in capsys.readouterr().out


def test_replay_shows_a_rule_that_raises_as_a_broken_law(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rule = overriding(tmp_path, "lambda o, a, b: 1 // 0")
    run(["replay", "history-merge", "--profile", "tiny", "--index", "1", "--reading", rule])
    assert "ZeroDivisionError" in capsys.readouterr().out


def test_compare_ends_with_3_if_no_history_calls_the_function(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rule = overriding(tmp_path, "lambda graph: ()", LARGE)
    few = ["--histories", "2", "--profile", "tiny", "--in-process", "--no-stories", "--no-samples"]
    assert run(["compare", "history-merge", "--b", rule, *few]) == 3
    said = capsys.readouterr()
    assert f"{LARGE}: not tried: called in 0 of 2 histories" in said.out
    assert f"rejoin: not tried: {LARGE}: 0 calls; these vectors" in said.err
