"""Tests that run other programs: all of them run when something that they read changed.

A test marked `full_run("NAME")` belongs to the group NAME of `GROUPS`. `tests/full-runs.txt` holds
the digest of a group's inputs at the last run in which all its tests passed. While the digest is
equal, an ordinary run leaves the group out and says so; small cases of it stay unmarked.
`make long-test` runs every group and renews the digests.

    python3 full_runs.py GROUP...

ends with 0 if the inputs of these groups have not changed, and with 1 otherwise.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    import pytest

MARKER: Final = "full_run"
_CHECKOUT: Final = Path(__file__).parents[2]
_RECORD: Final = Path(__file__).parents[1] / "full-runs.txt"
_NOT_SOURCE: Final = frozenset({"node_modules", "target", "__pycache__", "build", "Cargo.lock"})


def _model(system: str) -> tuple[str, ...]:
    """The inputs of the tests that compare a system's formal model with the reference."""
    package = system.replace("-", "_")
    return (
        f"spec/{system}/model/*",
        f"reference/rejoin/{package}/**/*.py",
        f"conformance/rejoin_conformance/systems/{package}/**/*.py",
        "conformance/rejoin_conformance/model_checking/**/*",
        "tests/rejoin_conformance/systems/model/*.py",
        f"tests/support/planted/{system}.txt",
        "docs/models.md",
    )


GROUPS: Final[Mapping[str, tuple[str, ...]]] = {
    "contracts": (
        "reference/rejoin/*.py",
        "reference/rejoin/config_merge/*.py",
        "reference/rejoin/conflict_detection/*.py",
        "reference/rejoin/history_merge/errors.py",
        "reference/rejoin/history_merge/three_way_merge.py",
        "tests/support/*_lemmas.py",
        "tests/test_contract*.py",
    ),
    "model of config merge": _model("config-merge"),
    "model of conflict detection": _model("conflict-detection"),
    "model of history merge": _model("history-merge"),
    "model checker": (
        "conformance/rejoin_conformance/command_line/model*.py",
        "conformance/rejoin_conformance/kit/tla_values.py",
        "conformance/rejoin_conformance/model_checking/**/*",
        "tests/rejoin_conformance/command_line/model_checking/*.py",
        "tests/rejoin_conformance/model_checking/**/*",
        "tests/support/toy_model.py",
    ),
    "ports": (
        "conformance/ports/javascript/**/*",
        "conformance/ports/rust/**/*",
        "vectors/**/*.json",
        "action.yml",
        "tests/ports/conftest.py",
        "tests/ports/test_action.py",
        "tests/ports/test_javascript.py",
        "tests/ports/test_rust.py",
        "tests/support/*_port*.py",
    ),
    "knock-outs": (
        "conformance/mutants/*/knockouts/*.toml",
        "conformance/rejoin_conformance/campaigns/mutants/*.py",
        "conformance/rejoin_conformance/systems/*/operations.py",
        "reference/rejoin/**/*.py",
        "spec/*/*.md",
        "tests/rejoin_conformance/campaigns/mutants/test_knockouts.py",
        "vectors/*/*.json",
    ),
    "mutants": (
        "conformance/mutants/*/*.toml",
        "conformance/rejoin_conformance/campaigns/mutants/*.py",
        "reference/rejoin/**/*.py",
        "tests/rejoin_conformance/campaigns/mutants/test_mutants.py",
        "vectors/*/*.json",
    ),
    "oracle": (
        "conformance/ports/oracle/**/*",
        "conformance/ports/rust/**/*",
        "conformance/rejoin_conformance/adapters/doctor/oracle.py",
        "conformance/rejoin_conformance/adapters/oracle.py",
        "conformance/rejoin_conformance/campaigns/*.py",
        "conformance/rejoin_conformance/systems/*/examine.py",
        "conformance/rejoin_conformance/systems/*/histories.py",
        "tests/rejoin_conformance/campaigns/test_laws_by.py",
        "tests/rejoin_conformance/campaigns/test_oracle.py",
        "tests/support/changed_oracle.py",
        "vectors/*/*.json",
    ),
    "packages": (
        "action.yml",
        "conformance/ports/oracle/**/*",
        "conformance/releases/python_packages.py",
        "conformance/wheel_data.py",
        "pyproject.toml",
        "tests/ports/test_action.py",
        "tests/ports/test_wheel.py",
        "tests/support/wheels.py",
    ),
    "search of conflict detection": (
        "conformance/rejoin_conformance/systems/conflict_detection/exhaust/*",
        "reference/rejoin/conflict_detection/*.py",
        "tests/rejoin_conformance/systems/conflict_detection/exhaust/*.py",
        "tests/support/conflict_detection_second_search.py",
    ),
    "Spark": (
        "conformance/rejoin_conformance/campaigns/kept/*.py",
        "conformance/rejoin_conformance/campaigns/spark/*.py",
        "conformance/rejoin_conformance/spark/*.py",
        "constraints.txt",
        "docs/spark.md",
        "tests/rejoin_conformance/campaigns/spark/*.py",
        "tests/rejoin_conformance/command_line/test_vectors_on_spark.py",
        "tests/rejoin_conformance/spark/*.py",
        "tests/rejoin_conformance/systems/test_exhaust.py",
        "tests/test_spark_page.py",
    ),
    "compiled skeletons": (
        "conformance/rejoin_conformance/adapters/doctor/*.py",
        "conformance/rejoin_conformance/adapters/skeletons/**/*",
        "docs/check-your-implementation.md",
        "vectors/history-merge/diff-and-apply.json",
        "tests/rejoin_conformance/adapters/skeletons/*.py",
    ),
    "playground": (
        "conformance/ports/javascript/**/*",
        "conformance/site/playground/**/*",
        "conformance/site/rejoin_site/packed.py",
        "spec/*/examples.toml",
        "tests/site/playground/*",
        "tests/support/browser.py",
    ),
    "corpus in a page": (
        "conformance/ports/javascript/**/*",
        "conformance/site/playground/**/*",
        "vectors/**/*.json",
        "tests/site/playground/conftest.py",
        "tests/site/playground/test_corpus_page.py",
    ),
}
"""Group -> patterns of the files that its tests read."""


def digest_of(group: str) -> str:
    """Return the digest of the names and bytes of the files that a group's tests read."""
    digest = blake2b(digest_size=16)
    for path in sorted({path for pattern in GROUPS[group] for path in _CHECKOUT.glob(pattern)}):
        relative = path.relative_to(_CHECKOUT)
        if path.is_file() and not _NOT_SOURCE & {*relative.parts}:
            content = path.read_bytes()
            digest.update(f"{relative.as_posix()} {len(content)}\n".encode() + content)
    return digest.hexdigest()


def recorded() -> dict[str, str]:
    """Return group -> digest of its inputs at its last full run."""
    lines = _RECORD.read_text(encoding="ascii").splitlines() if _RECORD.exists() else []
    return {name: digest for digest, _, name in (line.partition("  ") for line in lines)}


def record(groups: Iterable[str]) -> None:
    """Write the present digest of each of these groups; the others keep theirs."""
    kept = recorded() | {group: digest_of(group) for group in groups}
    lines = [f"{kept[group]}  {group}\n" for group in GROUPS if group in kept]
    _RECORD.write_text("".join(lines), encoding="ascii")


def unchanged(groups: Iterable[str]) -> frozenset[str]:
    """Return those of some groups whose inputs are those of their last full run."""
    known = recorded()
    return frozenset(each for each in {*groups} if known.get(each) == digest_of(each))


def group_of(item: pytest.Item) -> str | None:
    """Return the group of a test; None for a test in no group and for a long one.

    Raises KeyError if the group is not in the table.
    """
    marker = item.get_closest_marker(MARKER)
    if marker is None or item.get_closest_marker("long"):
        return None
    (name,) = marker.args
    if name not in GROUPS:
        raise KeyError(f"{item.nodeid}: there is no group {name!r} in support/full_runs.py")
    return str(name)


if __name__ == "__main__":
    sys.exit(unchanged(sys.argv[1:]) != {*sys.argv[1:]})
