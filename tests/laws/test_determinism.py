"""Determinism: the same input has the same bytes.

What the machines ask is asked again: by processes with other hash seeds, in another partitioning
and another order, and by another Python of the matrix (`make long-test`).
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tomllib
from importlib import import_module
from pathlib import Path
from typing import Final

import pytest
from hypothesis import Phase, settings

from rejoin_conformance.adapters.protocol import Reply
from rejoin_conformance.adapters.runner.cases import Case
from rejoin_conformance.contract.registry import system_names
from rejoin_conformance.kit.json_types import canonical_json
from rejoin_conformance.laws.machine import CI
from support.laws import held, the_reference

ROOT: Final = Path(__file__).parents[2]
OTHERS: Final = tuple(each for each in ("3.11", "3.12", "3.13") if each not in sys.version[:5])
ASKED: Final = 100
"""The number of questions of each system."""
SOURCES: Final = os.pathsep.join([f"{ROOT / 'reference'}", f"{ROOT / 'conformance'}"])
_ANSWER: Final = """
import sys
from rejoin_conformance.contract.registry import system_named
from rejoin_conformance.kit.json_types import canonical_json, strict_json
for line in sys.stdin.buffer:
    operation, value = strict_json(line)
    system = system_named(operation.partition("/")[0])
    answer = system.operation(operation).run(value, system.default_reading)
    print(canonical_json(answer.to_json()))
"""


class EnoughError(BaseException):
    """All questions that are wanted are asked. Hypothesis searches no smaller example of it."""


def questions(name: str) -> dict[str, str]:
    """The first questions of the machine of a system, with their answers in this process."""
    answers: dict[str, str] = {}

    def ask(case: Case) -> Reply:
        answer = the_reference(case)
        question = canonical_json([case.operation.name, case.vector.input])
        answers[question] = canonical_json(answer.to_json())
        if len(answers) == ASKED:
            raise EnoughError
        return answer

    with pytest.raises(EnoughError):
        held(name, ask, settings(CI, phases=[Phase.generate]))
    return answers


@pytest.fixture(scope="module")
def asked() -> dict[str, str]:
    """Questions of all systems, with their answers in this process."""
    return {each: answer for name in system_names() for each, answer in questions(name).items()}


def answers_of(questions: list[str], seed: int, python: str = sys.executable) -> list[str]:
    """The answers of another process."""
    done = subprocess.run(
        [python, "-c", _ANSWER],
        input="\n".join(questions),
        env={**os.environ, "PYTHONHASHSEED": f"{seed}", "PYTHONPATH": SOURCES},
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout.splitlines()


def test_other_hash_seeds_another_partitioning_and_another_order_have_the_same_answers(
    asked: dict[str, str],
) -> None:
    assert answers_of([*asked][::2], seed=1) == [*asked.values()][::2]
    assert answers_of([*asked][::-2], seed=2) == [*asked.values()][::-2]


def test_the_questions_do_not_depend_on_the_modules_that_are_loaded(
    asked: dict[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Hypothesis draws constants of loaded modules; where a number is large, this shows.

    It draws a number of up to 254 itself, for the rules that a run leaves out.
    """
    (tmp_path / "of_a_project.py").write_text(f"NUMBERS = {[*range(255, 1000)]}\n")
    monkeypatch.syspath_prepend(tmp_path)
    import_module("of_a_project")
    assert questions("history-merge").items() <= asked.items()


@pytest.mark.long
@pytest.mark.parametrize("version", OTHERS)
def test_another_python_answers_the_same(
    version: str, asked: dict[str, str], tmp_path: Path
) -> None:
    """A Python on the path or of pyenv, with the dependencies in the versions of the project."""
    pyenv = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv"), "versions")
    found = [shutil.which(f"python{version}"), *pyenv.glob(f"{version}.*/bin/python")]
    runs = [f"{each}" for each in found if each and reports(f"{each}", version)]
    if not runs:
        pytest.skip(f"there is no Python {version} on the path or in {pyenv}")
    subprocess.run([runs[0], "-m", "venv", tmp_path], check=True)
    python = f"{tmp_path / 'bin' / 'python'}"
    needs = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["dependencies"]
    install = [python, "-m", "pip", "install", "-q", "-c", f"{ROOT / 'constraints.txt'}", *needs]
    subprocess.run(install, check=True)
    assert reports(python, version)
    assert answers_of([*asked], seed=4, python=python) == [*asked.values()]


def reports(python: str, version: str) -> bool:
    """Whether a command runs and is Python of a version; a shim of pyenv can fail."""
    says = [python, "-c", "import sys; print(*sys.version_info[:2], sep='.')"]
    return (
        subprocess.run(says, capture_output=True, check=False, text=True).stdout == f"{version}\n"
    )
