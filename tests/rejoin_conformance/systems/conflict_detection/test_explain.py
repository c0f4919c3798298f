"""A wrong output is explained by the versions and the path between them, or by map entries."""

from __future__ import annotations

import pytest

from rejoin_conformance.contract.asked import Asked
from rejoin_conformance.kit.json_types import Json, JsonObject
from rejoin_conformance.systems.conflict_detection.explain import explain


def version(name: str, *parents: str) -> JsonObject:
    return {"id": name, "parents": [*parents]}


CHAIN: list[Json] = [version("a"), version("b", "a"), version("c", "b"), version("x")]


def told(operation: str, value: JsonObject, expected: JsonObject, observed: JsonObject) -> str:
    """Return the explanation of two outputs."""
    text = explain(
        Asked(
            operation=f"conflict-detection/{operation}",
            reading="repaired",
            input=value,
            expected={"output": expected},
            observed={"output": observed},
        )
    )
    assert text is not None
    return text


@pytest.mark.parametrize(
    ("local", "remote", "relation"),
    [
        ("a", "c", "theirs follows ours: c -> b -> a"),
        ("c", "a", "ours follows theirs: c -> b -> a"),
        ("c", "x", "neither follows the other"),
        ("b", "b", "both are the same version"),
        (None, "c", ""),
    ],
)
def test_a_classification_by_snapshots(local: str | None, remote: str, relation: str) -> None:
    value: JsonObject = {"snapshots": CHAIN, "local": local, "remote": remote}
    text = told(
        "classify-snapshot",
        value,
        {"classification": "overwrite"},
        {"classification": "conflict"},
    )
    own = local or "no version"
    assert text == (
        f"at classification of {remote} by a client with {own}{relation and ', ' + relation}\n"
        "  expected  overwrite\n"
        "  observed  conflict"
    )


@pytest.mark.parametrize(
    ("local", "remote", "entries"),
    [
        ({"A": 1}, {"A": 2}, "theirs is larger at {A}"),
        ({"A": 1, "B": 1}, {"A": 1}, "ours is larger at {B}"),
        ({"A": 1}, {"B": 1}, "theirs is larger at {B}; ours is larger at {A}"),
        ({"A": 1, "B": 0}, {"A": 1}, "no entry differs; a missing entry counts as 0"),
        (None, {"A": 1}, "no version"),
    ],
)
def test_a_classification_by_maps(
    local: JsonObject | None, remote: JsonObject, entries: str
) -> None:
    text = told(
        "classify-version-map",
        {"local": local, "remote": remote},
        {"classification": "same"},
        {"classification": "stale"},
    )
    first, expected, observed = text.splitlines()
    assert first.startswith("at classification of {")
    assert first.endswith(entries)
    assert (expected, observed) == ("  expected  same", "  observed  stale")


def test_whether_a_version_follows_another() -> None:
    value: JsonObject = {"versions": CHAIN, "later": "c", "earlier": "a"}
    assert told("follows", value, {"follows": True}, {"follows": False}) == (
        "at whether c follows a, c -> b -> a\n  expected  true\n  observed  false"
    )
    value = {"versions": CHAIN, "later": "c", "earlier": "x"}
    text = told("follows", value, {"follows": False}, {"follows": True})
    assert text.startswith(
        "at whether c follows x, no path of parents leads from the later to the earlier version"
    )


@pytest.mark.parametrize(
    ("expected", "observed", "why"),
    [
        ("bc", "c", "b is missing: it is not cached, c -> b"),
        ("bc", "abc", "a is extra: it is cached"),
        ("bc", "bcx", "x is extra: it is not an ancestor of c"),
        ("bc", "cb", "the same snapshots in another order"),
    ],
)
def test_the_downloads_of_a_walk(expected: str, observed: str, why: str) -> None:
    value: JsonObject = {"snapshots": CHAIN, "cached": ["a"], "local": None, "remote": "c"}
    text = told(
        "walk",
        value,
        {"downloaded": [*expected], "classification": "overwrite"},
        {"downloaded": [*observed], "classification": "overwrite"},
    )
    assert text.startswith(f"at snapshots, {why}")


def test_the_snapshots_that_a_cache_keeps() -> None:
    value: JsonObject = {"snapshots": CHAIN, "currents": {"A": "c", "B": "b"}}
    expected: JsonObject = {"common_ancestors": ["b"], "kept": ["b", "c"]}
    text = told("purge", value, expected, {**expected, "kept": ["a", "b", "c"]})
    assert "a is extra: of the clients {A, B}, {A, B} have it or a descendant of it" in text
    text = told("purge", value, expected, {**expected, "kept": ["b"]})
    assert "c is missing: of the clients {A, B}, {A} have it or a descendant of it" in text


def test_the_snapshots_that_leases_keep() -> None:
    renewals: list[Json] = [{"links": ["c"], "until": 3}, {"links": ["a"], "until": 5}]
    value: JsonObject = {"snapshots": CHAIN, "renewals": renewals, "now": 4}
    text = told("collect-garbage", value, {"kept": ["a"]}, {"kept": []})
    assert "a is missing: its leases last until 3, 5, and the time is 4" in text
    text = told("collect-garbage", value, {"kept": ["a"]}, {"kept": ["a", "x"]})
    assert "x is extra: no client renewed its lease" in text


def test_an_entry_of_a_computed_map() -> None:
    value: JsonObject = {"maps": [{"A": 1}, {"A": 2}, {}]}
    assert told("join-version-maps", value, {"map": {"A": 2}}, {"map": {"A": 1}}) == (
        "at the entry of A, the given maps have 1, 2, none\n  expected  2\n  observed  1"
    )
    value = {"nickname": "A", "local": {"A": 1}, "removed": {"B": {"A": 0, "B": 3}}}
    expected: JsonObject = {"map": {"A": 2, "B": 3}}
    text = told("upload-version-map", value, expected, {"map": {"A": 1, "B": 3}})
    assert text.startswith("at the entry of A, the given maps have 1, 0, and this client uploads")


def test_a_link_to_a_deletion_is_not_a_missing_link() -> None:
    deletion: JsonObject = {"classification": "same", "files": {}, "links": {"A": {"foo": None}}}
    dropped: JsonObject = {"classification": "same", "files": {}, "links": {"A": {}}}
    said = told(
        "scenario",
        {"steps": [{"client": "A", "poll": "B"}]},
        {"steps": [deletion]},
        {"steps": [dropped]},
    )
    assert "the link of A, foo\n" in said
    assert "expected  a deletion\n" in said
    assert "observed  (nothing)" in said


def test_a_scenario_is_explained_by_its_first_different_step() -> None:
    script: list[Json] = [
        {"client": "A", "edit": "1"},
        {"client": "B", "poll": "A"},
    ]
    value: JsonObject = {"design": "snapshots", "clients": ["A", "B"], "steps": script}
    first: JsonObject = {"classification": None, "files": {"A": {"foo": "1"}, "B": {}}}
    second: JsonObject = {"classification": "overwrite", "files": {"A": {}, "B": {"foo": "1"}}}
    expected: JsonObject = {"steps": [first, second]}
    conflict: JsonObject = {**second, "classification": "conflict"}
    assert told("scenario", value, expected, {"steps": [first, conflict]}) == (
        "at step 1 (B polls foo of A): the classification\n"
        "  expected  overwrite\n"
        "  observed  conflict"
    )
    files: JsonObject = {**second, "files": {"A": {}, "B": {}}}
    assert told("scenario", value, expected, {"steps": [first, files]}) == (
        "at step 1 (B polls foo of A): the files of B, foo\n  expected  1\n  observed  (nothing)"
    )
    text = told("scenario", value, expected, {"steps": [first]})
    assert text.startswith("at number of reports, one report per step")
