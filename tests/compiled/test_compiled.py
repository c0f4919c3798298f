"""The compiled build gives the results of the source, and replaces functions only in the source."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from rejoin_conformance.contract.registry import system_named, system_names
from support.compiled import digests, python, rejoin

_RULE = """
from rejoin.config_merge.windows import within as original


def within(window: int, seqno: int, largest: int) -> bool:
    return original(window + 1, seqno, largest)


OVERRIDES = {"rejoin.config_merge.windows.within": within}
"""

_OVERRIDE = """
from rejoin_conformance.kit.source import CompiledError
from rejoin_conformance.readings.overriding import override_of, overriding
import rejoin.config_merge.windows as windows

try:
    override = override_of("rejoin.config_merge.windows.within", lambda *_: "replaced")
except CompiledError as error:
    print(error)
else:
    with overriding([override]):
        print(windows.within(5, 1, 1))
"""

_COMMAND = """
import rejoin_conformance
import rejoin.bencode
from rejoin_conformance.command_line.main import main

main()
"""

_MANIFEST = """
from rejoin_conformance.campaigns.directory.manifest import manifest_of
from rejoin_conformance.campaigns.plan import Plan

plan = Plan(system="config-merge", profile="default", readings=("document",), seed=1, histories=1)
print(manifest_of(plan)["build"])
"""


def test_the_wheel_is_for_one_platform_and_has_the_source_of_each_compiled_module(
    wheel_compiled: Path, packages: Path
) -> None:
    assert "none-any" not in wheel_compiled.name
    compiled = [path for path in packages.rglob("*") if path.suffix in {".so", ".pyd"}]
    assert compiled
    for path in compiled:
        assert path.with_name(f"{path.name.partition('.')[0]}.py").exists(), path


def test_the_version_says_what_runs(packages: Path) -> None:
    assert "compiled by Cython" in rejoin(packages, "--version").stdout
    assert rejoin(packages, "--version", REJOIN_PURE="1").stdout.endswith(", pure\n")


@pytest.mark.parametrize(("pure", "build"), [("0", "compiled by Cython"), ("1", "pure")])
def test_a_manifest_and_json_say_what_ran(pure: str, build: str, packages: Path) -> None:
    assert python(packages, _MANIFEST, REJOIN_PURE=pure).stdout.startswith(build)
    done = rejoin(
        packages, *["fuzz", "history-merge", "--histories", "5", "--json"], REJOIN_PURE=pure
    )
    assert json.loads(done.stdout)["build"].startswith(build), done.stderr


def test_histories_have_the_digests_of_the_source(packages: Path) -> None:
    pure, compiled = (digests(each, 25, "default", system_names()) for each in (None, packages))
    assert pure.pop("bencode").endswith(".py")
    assert not compiled.pop("bencode").endswith(".py")
    assert pure.pop("build") == "pure"
    assert compiled.pop("build").startswith("compiled by Cython")
    assert compiled == pure


@pytest.mark.parametrize("chosen", ["*hostile*", "config-merge/decode/*", "*/deep*"])
def test_the_corpus_has_the_results_of_the_source(chosen: str, packages: Path) -> None:
    done = rejoin(packages, "verify", "--id", chosen)
    assert done.returncode == 0, done.stdout + done.stderr


def test_a_rule_runs_on_the_source(packages: Path, tmp_path: Path) -> None:
    rule = tmp_path / "generous.py"
    rule.write_text(_RULE)
    done = rejoin(
        packages, "fuzz", "config-merge", "--histories", "30", "--reading", str(rule), "--json"
    )
    result = json.loads(done.stdout)
    assert result["build"] == "pure"
    [reach] = result["overridden"].values()
    assert reach["differed"] > 0


def test_an_override_in_compiled_modules_is_refused(packages: Path) -> None:
    refused = python(packages, _OVERRIDE)
    assert "rejoin.bencode is compiled; set REJOIN_PURE=1" in refused.stdout, refused.stderr
    assert python(packages, _OVERRIDE, REJOIN_PURE="1").stdout == "replaced\n"


@pytest.mark.parametrize(
    ("command", "what"),
    [
        ("trace", "watching functions of the reference"),
        (
            "mutants history-merge --every 2000 --in-process",
            "watching functions of the reference",
        ),
        (
            "compare config-merge --b window.py --histories 5 --in-process",
            "replacing functions of the reference",
        ),
    ],
)
def test_a_command_that_compiled_modules_cannot_obey_ends_with_2_and_the_reason(
    command: str, what: str, packages: Path, tmp_path: Path
) -> None:
    """The caller has loaded a compiled module before it runs the command."""
    rule = tmp_path / "window.py"
    rule.write_text(_RULE)
    words = [str(rule) if word == rule.name else word for word in command.split()]
    refused = python(packages, _COMMAND, *words)
    assert refused.returncode == 2, refused.stdout + refused.stderr
    reason = f"{what} needs the Python source, but rejoin.bencode is compiled; set REJOIN_PURE=1"
    *progress, last = refused.stderr.splitlines()
    assert last == f"rejoin: {reason}"
    assert "Traceback" not in "".join(progress)


@pytest.mark.long
def test_mutants_run_on_the_source(packages: Path) -> None:
    done = rejoin(packages, *["mutants", "history-merge", "--every", "2000", "--in-process"])
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.long
@pytest.mark.parametrize("system", system_names())
def test_all_profiles_and_readings_have_the_digests_of_the_source(
    system: str, packages: Path
) -> None:
    pure, compiled = (digests(each, 250, "all", [system]) for each in (None, packages))
    assert len(pure) == 2 + len(system_named(system).histories.profiles)
    ran = ("bencode", "build")
    assert {name: compiled[name] for name in compiled if name not in ran} == {
        name: pure[name] for name in pure if name not in ran
    }


@pytest.mark.long
def test_the_whole_corpus_has_the_results_of_the_source(packages: Path) -> None:
    done = rejoin(packages, "verify")
    assert done.returncode == 0, done.stdout + done.stderr
