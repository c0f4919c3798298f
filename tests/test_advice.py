"""Every command that a message or a page advises runs, in a fresh folder.

A situation is a command whose output advises others. They run in the same folder, and so do those
that they advise, one of each form. An advised command ends with 0, or with 1 if it finds what it
looks for. Numbers are made small.
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import click
import pytest

from rejoin_conformance.command_line.commands import cli
from rejoin_conformance.command_line.main import run
from rejoin_conformance.kit.locations import vectors_directory
from support.written_texts import texts
from test_docs import RULE_FILES
from test_named_things import commands_in

NAMES: Final = "|".join(cli.list_commands(click.Context(cli)))
ADVICE: Final = re.compile(rf"(?<![\w`./-])rejoin ((?:{NAMES})\b(?:'[^'\n]*'|[^'`\n;|#&()])*)")
END: Final = re.compile(r"[,.:)]*(?: {2,}|$)|[,.:)]+ |, the vectors with")
PLACEHOLDER: Final = re.compile(
    r"\b[A-Z]{2,}\b(?![-\w])|\.\.\.|\{|--(?:adapter|corpus|output|reading|directory)$"
)
"""What makes a command the name of one: a word in capitals, or an option without its value."""
NAME: Final = re.compile(r"(?:vectors |model )?\w+")
WRONG: Final = f"--adapter '{sys.executable} wrong/adapter.py'"
SITUATIONS: Final = (
    f"run {WRONG}",
    f"doctor {WRONG}",
    f"fuzz conflict-detection {WRONG} --histories 5 --directory new",
    "fuzz conflict-detection --reading literal --histories 5 --shrink",
    "init --lang python --directory my-other",
    "show found/conflict-detection/found.json",
    "exhaust conflict-detection --help",
    "exhaust history-merge --help",
    "verify history-merge --reading exclusive.py --id '*/acceptance/no-messages'",
    "show no-such-thing",
    "vectors show no-such-*",
    "vectors list --operation history-merge/diff --clause CM-RESOLVE-BASE",
)
ELSEWHERE: Final = {
    r"(spark|hdfs|s3a|k8s|sc)://|--master yarn|--remote": "needs a cluster: tests/clusters",
    r"^run(?!.*--adapter)": "names an option of a run, without the adapter",
    r"^model ": "runs TLC: tests/rejoin_conformance/command_line/model_checking",
    r"^mutants": "takes minutes: tests/rejoin_conformance/command_line/campaigns",
    r"^vectors (add|generate|describe .*--output)": "writes into the checkout",
    r"^(compare hist|verify conf).* my_rule": "has a rule of another system",
    r"reach.json|^run --conformance|--nodes K|--registers 6": "needs more of its page, or minutes",
    r"rejoin-rust|--jobs 2$|^init --lang|^serve": "tests of the ports, of runs and of skeletons",
}
"""What does not run here: pattern of a command -> why."""
SMALL: Final = {"--histories": "5", "--nodes": "2", "--uploads": "1"}
FEW: Final = {
    "config-merge": "config-merge/*/integer-largest",
    "conflict-detection": "conflict-detection/classify-version-map/*",
    "history-merge": "history-merge/diff-and-apply/*",
}
"""System -> the vectors to run where a page runs them all."""


def _advised(text: str) -> Iterator[str]:
    """Yield the commands in a message."""
    for found in ADVICE.findall(text):
        command = END.split(found)[0].strip()
        if not PLACEHOLDER.search(command) and not _elsewhere(command):
            yield command


def _elsewhere(command: str) -> bool:
    return any(re.search(pattern, command) for pattern in ELSEWHERE)


def _in_pages() -> list[str]:
    """Return the complete commands of the pages and of the help, one for each set of options."""
    found = {
        shlex.join(words)
        for name, text in texts().items()
        if name != "CHANGELOG.md"
        for words in commands_in(text)
    }
    whole = [
        each
        for each in sorted(found)
        if not NAME.fullmatch(each) and not PLACEHOLDER.search(each) and not _elsewhere(each)
    ]
    return [
        *{tuple(re.findall(r"^(?:vectors )?\w+|--[a-z-]+", each)): each for each in whole}.values()
    ]


def _form(command: str) -> tuple[str, ...]:
    """Return the command, its options and the endings of the files that it names."""
    return tuple(re.findall(r"^(?:vectors |model )?\w+|--[a-z-]+|\.[a-z]+\b", command))


def _small(command: str) -> list[str]:
    """Return the words of a command, with small numbers."""
    kept = next(Path().glob("found/*/*.json"), Path())
    words = [re.sub(r"^found/.*\.json", str(kept), each) for each in shlex.split(command)]
    for option, number in SMALL.items():
        if option in words:
            words[words.index(option) + 1] = number
    if words[0] == "run" and "--output" in words:  # the folder has results of another adapter
        words.append("--fresh")
    if words[0] in {"fuzz", "compare"} and "--histories" not in words:
        words += ["--histories", "5"]
    if words[0] in {"fuzz", "compare", "exhaust"} and "--in-process" not in words:
        words.append("--in-process")
    if words[0] == "exhaust" and not {"--nodes", "--uploads"} & {*words}:
        words += {"history-merge": ["--nodes", "2"]}.get(words[1], ["--uploads", "1"])
    chosen = {"--id", "--clause", "--corpus", "--operation", "--laws"}
    if words[0] in {"run", "verify"} and not chosen & {*words}:
        named = [each for each in FEW if each in words] or [*FEW]
        words += [word for each in named for word in ("--id", FEW[each])]
    return words


@pytest.fixture(scope="module")
def prepared(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with the adapters, rules, results and campaigns that pages name."""
    folder = tmp_path_factory.mktemp("prepared")
    here = Path.cwd()
    os.chdir(folder)
    try:
        for name in ("my-adapter", "wrong"):
            assert run(["init", "--lang", "python", "--directory", name]) == 0
        wrong = folder / "wrong" / "adapter.py"
        wrong.write_text(wrong.read_text("utf-8").replace('"stale"', '"same"'), "utf-8")
        module = "rejoin_conformance.command_line.main"
        serve = f"#!/bin/sh\nexec {shlex.quote(sys.executable)} -m {module} serve\n"
        for place in ("adapter", "my-port", "my-adapter/target/release/adapter"):
            program = folder / place
            program.parent.mkdir(parents=True, exist_ok=True)
            program.write_text(serve, "utf-8")
            program.chmod(0o755)
        for name, rule in RULE_FILES.items():
            (folder / name).write_text(rule, "utf-8")
        (folder / "my_rule.py").write_text(RULE_FILES["generous.py"], "utf-8")
        assert run(["run", *shlex.split(WRONG), "--output", "results.ndjson"]) == 1
        for name in ("before", "after", "main", "branch", "rust", "js"):
            shutil.copy("results.ndjson", f"{name}.ndjson")
        fuzz = ["fuzz", "conflict-detection", *shlex.split(WRONG), "--histories", "5"]
        assert run([*fuzz, "--directory", "odd"]) == 1
        shutil.copytree("odd/found", "found")
        assert (
            run(["fuzz", "history-merge", "--histories", "5", "--directory", "campaigns/hm"]) == 0
        )
        (folder / "codes.toml").write_text(
            '[config-merge]\nE_SORT = "set-not-ascending"\n', "utf-8"
        )
        (folder / "old").mkdir()
        for name in ("vectors", "old/vectors", "rejoin-vectors-0.1.0", "rejoin-vectors-0.2.0"):
            (folder / name).symlink_to(vectors_directory())
    finally:
        os.chdir(here)
    return folder


@pytest.fixture
def fresh(prepared: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Go to a copy of the prepared folder."""
    folder = tmp_path / "fresh"
    shutil.copytree(prepared, folder, symlinks=True)
    monkeypatch.chdir(folder)
    return folder


@pytest.mark.parametrize("situation", SITUATIONS)
def test_what_a_message_advises_runs(
    situation: str, fresh: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    first = run(_small(situation))
    assert first in {0, 1, 2, 3}
    tried: dict[str, int] = {}
    forms: set[object] = set()
    while True:
        printed = "".join(capsys.readouterr())
        moved = re.search(r"^ +cd (\S+)$", printed, re.MULTILINE)
        if moved:
            os.chdir(moved[1])
        new = {_form(each): each for each in _advised(printed) if _form(each) not in forms}
        if not new:
            break
        forms |= {*new}
        for each in new.values():
            tried[each] = run(_small(each))
    assert tried, "the situation advises nothing"
    assert {command: code for command, code in tried.items() if code not in {0, 1}} == {}
    assert fresh.is_dir()


@pytest.mark.parametrize(
    "command", ["fuzz history-merge --reading", "compare history-merge --no-samples --against"]
)
def test_the_smallest_histories_that_a_rule_moves_can_be_shown(
    command: str, fresh: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(_small(f"{command} exclusive.py")) == 0
    (advised,) = (each for each in _advised(capsys.readouterr().out) if "show found/" in each)
    assert run(shlex.split(advised)) == 0
    printed = capsys.readouterr().out
    assert "unanimity-" in printed
    assert "the answer differed from the original's" in printed
    assert run(["vectors", "check", "--corpus", str(fresh / "found")]) == 0


@pytest.mark.long
@pytest.mark.parametrize("command", _in_pages())
def test_what_a_page_advises_runs(command: str, fresh: Path) -> None:
    words = _small(command)
    assert fresh.is_dir()
    assert run(words) in {0, 1}
