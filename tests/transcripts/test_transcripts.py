"""Each case of the files beside this one: commands print what it shows, and end with its code.

A case begins with `# title`. `file NAME` and indented lines write a file, which no command may
change; `$ rejoin ...` runs a command in the folder of the case. In `toy.txt`, the toy system is the
only one, and `toy_adapter.py` is an adapter of it. Below a command stand its output, `! ` before
each line of standard error, and `[N]` if it ends with code N. `...` stands for any characters of a
line. Progress is left out. `pytest tests/transcripts --update-transcripts` writes the output into
the files; a line with `...` stays if it still fits. Read the diff.
"""

from __future__ import annotations

import re
import shlex
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from rejoin_conformance.command_line.main import run
from support.toy_command import forget_systems, install_toy
from support.toy_runs import TOY_ADAPTER

CASES = [
    pytest.param(path, case, id=f"{path.stem}: {case.partition(chr(10))[0]}")
    for path in sorted(Path(__file__).parent.glob("*.txt"))
    for case in re.split(r"^# ", path.read_text("utf-8"), flags=re.MULTILINE)[1:]
]
STEP = re.compile(
    r"^(?:file (\S+)\n((?:    .*\n|\n(?=    ))+)|\$ rejoin (.*)\n((?:(?!\$ |file ).*\n)*))",
    re.MULTILINE,
)
PROGRESS = re.compile(r"[\w -]+: [\d,]+ of [\d,]+(  .*)?")


def _fits(shown: str, line: str) -> bool:
    return re.fullmatch(re.escape(shown).replace(r"\.\.\.", ".*"), line) is not None


def _printed(command: str, folder: Path, capsys: pytest.CaptureFixture[str]) -> Iterator[str]:
    """Run a command; yield its output, errors and code as a file shows them."""
    code = run(shlex.split(command.replace("PYTHON", shlex.quote(sys.executable))))
    out, err = (each.replace(str(folder), "FOLDER") for each in capsys.readouterr())
    yield from out.replace(sys.executable, "PYTHON").rstrip("\n").split("\n") if out else ()
    yield from (f"! {line}" for line in err.splitlines() if not PROGRESS.fullmatch(line))
    if code:
        yield f"[{code}]"


@pytest.mark.parametrize(("path", "case"), CASES)
def test_commands_print_what_is_shown(
    path: Path, case: str, request: pytest.FixtureRequest, tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    monkeypatch.chdir(tmp_path)
    if spark := sys.modules.get("pyspark.sql"):  # other tests of this process may have a session
        monkeypatch.setattr(spark.SparkSession, "getActiveSession", lambda: None)
    if path.stem == "toy":
        install_toy(tmp_path / "toy", monkeypatch.setattr)
        request.addfinalizer(forget_systems)
        shutil.copy(TOY_ADAPTER, tmp_path)
    written: dict[Path, str] = {}
    now, end = "# ", 0
    for step in STEP.finditer(case):
        name, text, command, shown = step.groups("")
        if name:
            file = tmp_path / name
            written[file] = re.sub("^    ", "", text, flags=re.MULTILINE)
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(written[file], encoding="utf-8")
            continue
        printed, lines = [*_printed(command, tmp_path, capsys)], shown.rstrip("\n").splitlines()
        patterns = [each for each in lines if "..." in each]
        kept = [next((p for p in patterns if _fits(p, each)), each) for each in printed]
        if request.config.getoption("--update-transcripts"):
            now += case[end : step.start(4)] + "".join(f"{each}\n" for each in kept) + "\n"
            end = step.end(4)
        else:
            assert kept == lines, command
    if end:
        whole = path.read_text("utf-8").replace(f"# {case}", now + case[end:])
        path.write_text(whole, "utf-8")
    assert {file: file.read_text("utf-8") for file in written} == written
