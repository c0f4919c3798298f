"""A campaign's directory keeps whole waves of one campaign for one process, or says why not."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from attrs import evolve

from rejoin_conformance.campaigns.directory import manifest
from rejoin_conformance.campaigns.directory.kept import plan_kept
from rejoin_conformance.campaigns.directory.local_store import locked
from rejoin_conformance.campaigns.directory.manifest import (
    FORMAT,
    code_digest,
    differences,
    manifest_of,
    plan_of,
)
from rejoin_conformance.campaigns.directory.open_directory import (
    directory_of,
    directory_to_read,
    local_folder,
)
from rejoin_conformance.campaigns.directory.store import (
    BusyError,
    OtherCampaignError,
    StoreError,
)
from rejoin_conformance.campaigns.plan import BLOCK_SIZE, Plan
from rejoin_conformance.kit.json_types import Json, JsonObject, canonical_json
from support.kept_blocks import PLAN, block

TAKE_THE_LOCK = """
import sys
from pathlib import Path
from rejoin_conformance.campaigns.directory.local_store import locked
with locked(Path(sys.argv[1])):
    print("locked", flush=True)
    sys.stdin.read()
"""


def test_what_is_kept_is_read_back_wave_by_wave(tmp_path: Path) -> None:
    with directory_of(PLAN, str(tmp_path / "new" / "campaign")) as store:
        store.keep([block(2), block(3)])
        store.keep([block(0)])
    store = directory_to_read(str(tmp_path / "new" / "campaign"))
    assert list(store.waves()) == [(block(0),), (block(2), block(3))]
    assert store.manifest() == manifest_of(PLAN)


def test_the_same_campaign_finds_its_directory_again(tmp_path: Path) -> None:
    with directory_of(PLAN, str(tmp_path)) as store:
        store.keep([block(0)])
    with directory_of(PLAN, str(tmp_path)) as store:
        assert list(store.waves()) == [(block(0),)]


@pytest.mark.parametrize(
    ("other", "says"),
    [
        (evolve(PLAN, seed=2), "seed 1 there, 2 here"),
        (evolve(PLAN, system="config-merge"), "system history-merge there, config-merge here"),
        (evolve(PLAN, profile="default"), "profile tiny there, default here"),
        (evolve(PLAN, histories=7), "histories 1000 there, 7 here"),
        (
            evolve(PLAN, readings=("libsession",)),
            'readings ["document"] there, ["libsession"] here',
        ),
    ],
)
def test_another_campaign_is_refused_and_the_difference_named(
    other: Plan, says: str, tmp_path: Path
) -> None:
    with directory_of(PLAN, str(tmp_path)):
        pass
    with pytest.raises(OtherCampaignError) as refused, directory_of(other, str(tmp_path)):
        pass
    assert says in str(refused.value)
    assert "\n" not in str(refused.value)


def test_other_code_and_another_corpus_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with directory_of(PLAN, str(tmp_path)):
        pass
    monkeypatch.setattr(manifest, "code_digest", lambda _system, asking: "0" * 64)
    with pytest.raises(
        OtherCampaignError, match=r"\(code .* there, 0\.1\.0\+0000000000000000 here\)"
    ):
        directory_of(PLAN, str(tmp_path)).__enter__()
    monkeypatch.undo()
    monkeypatch.setattr(manifest, "vectors_digest", lambda: "1" * 64)
    with pytest.raises(OtherCampaignError, match=r"\(vectors .* there, 1"):
        directory_of(PLAN, str(tmp_path)).__enter__()


def test_the_code_of_another_system_and_of_asking_an_adapter_has_another_digest() -> None:
    ours = code_digest("history-merge")
    assert ours == code_digest("history-merge")
    assert len({ours, code_digest("config-merge"), code_digest("history-merge", asking=True)}) == 3
    assert manifest_of(PLAN)["code"] != manifest_of(evolve(PLAN, adapter="./port"))["code"]


@pytest.mark.parametrize(
    "plan", [PLAN, evolve(PLAN, adapter="./port", timeout=3), evolve(PLAN, rule="READING = 'x'")]
)
def test_a_manifest_shows_the_plan(plan: Plan) -> None:
    assert plan_of(manifest_of(plan)) == plan


@pytest.mark.parametrize("other", [{"format": FORMAT - 1}, {"block_size": 2 * BLOCK_SIZE}])
def test_a_manifest_of_another_version_is_reported(other: JsonObject) -> None:
    with pytest.raises(
        ValueError, match=r"^another version of the suite wrote it; use that version$"
    ):
        plan_of({**manifest_of(PLAN), **other})


@pytest.mark.parametrize(
    ("field", "value", "said"),
    [
        ("format", "1", '$.format: expected an integer, found "1"'),
        ("code", 1, "$.code: expected a string, found 1"),
        ("system", [], "$.system: expected a string, found a list of length 0"),
        ("profile", None, "$.profile: expected a string, found null"),
        ("readings", "document", '$.readings: expected a list, found "document"'),
        ("readings", [], "$.readings: expected a value that is not empty"),
        ("readings", [1], "$.readings[0]: expected a string, found 1"),
        ("seed", True, "$.seed: expected an integer, found true"),
        ("histories", 0, "$: 'histories' must be >= 1: 0"),
        ("histories", 10**15, "$: 'histories' must be <= 10000000000: 1000000000000000"),
        ("histories", "many", '$.histories: expected an integer, found "many"'),
        ("adapter", 4, "$.adapter: expected a string, found 4"),
        ("rule", 4, "$.rule: expected a string, found 4"),
        ("odd", 1, '$: unknown field "odd"; the fields are system, profile, readings, '),
    ],
)
def test_a_broken_manifest_is_refused_with_its_first_fault(
    field: str, value: Json, said: str
) -> None:
    with pytest.raises(ValueError, match=r"^it is not the manifest of a campaign: ") as refused:
        plan_of({**manifest_of(PLAN), field: value})
    assert f"campaign: {said}" in str(refused.value)


def test_every_field_of_a_manifest_is_needed() -> None:
    whole = manifest_of(PLAN)
    for field in whole:
        part = {name: value for name, value in whole.items() if name != field}
        with pytest.raises(ValueError, match=f"the field {field} is missing"):
            plan_of(part)


def test_the_layout_of_an_older_version_is_named_alone(tmp_path: Path) -> None:
    older = {name: value for name, value in manifest_of(PLAN).items() if name != "digest"}
    (tmp_path / "manifest.json").write_text(canonical_json({**older, "format": 2, "code": "0.0.1"}))
    with pytest.raises(OtherCampaignError) as refused, directory_of(PLAN, str(tmp_path)):
        pass
    assert "has another campaign (format 2 there, 4 here); choose another" in str(refused.value)
    with pytest.raises(StoreError, match="another version of the suite wrote it"):
        plan_kept(directory_to_read(str(tmp_path)), str(tmp_path))


def test_a_field_that_one_manifest_lacks_is_a_difference() -> None:
    assert differences({"a": 1}, {"a": 1}) == []
    assert differences({"a": 1}, {}) == ["a 1 there, null here"]
    assert differences({}, {"b": "x"}) == ["b null there, x here"]


def test_a_second_process_is_refused_while_the_first_lives(tmp_path: Path) -> None:
    first = subprocess.Popen(
        [sys.executable, "-c", TAKE_THE_LOCK, str(tmp_path)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )
    assert first.stdout is not None
    assert first.stdin is not None
    with first.stdin, first.stdout:
        assert first.stdout.readline() == b"locked\n"
        with pytest.raises(BusyError, match="another process runs the campaign"), locked(tmp_path):
            pass
        first.kill()
        first.wait()
    with locked(tmp_path) as store:
        assert store.folder == tmp_path


def test_a_file_in_the_place_of_the_folder_is_one_clear_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("here first")
    for place in (tmp_path / "file", tmp_path / "file" / "below"):
        with pytest.raises(StoreError, match="cannot be used as a campaign's folder"):
            directory_of(PLAN, str(place)).__enter__()
    assert (tmp_path / "file").read_text() == "here first"


@pytest.mark.parametrize("name", ["thesis.tex", "thesis.unfinished", "chapters/1.unfinished"])
def test_a_folder_with_other_files_is_not_taken_and_left_as_it_is(
    name: str, tmp_path: Path
) -> None:
    mine = tmp_path / name
    mine.parent.mkdir(exist_ok=True)
    mine.write_text("mine")
    before = sorted(tmp_path.rglob("*"))
    with pytest.raises(StoreError, match="has other files but no campaign"):
        directory_of(PLAN, str(tmp_path)).__enter__()
    assert sorted(tmp_path.rglob("*")) == before
    assert mine.read_text() == "mine"


def test_what_others_put_beside_a_campaign_stays(tmp_path: Path) -> None:
    with directory_of(PLAN, str(tmp_path)):
        pass
    notes = tmp_path / "notes" / "1.unfinished"
    notes.parent.mkdir()
    notes.write_text("mine")
    with directory_of(PLAN, str(tmp_path)):
        assert notes.read_text() == "mine"


@pytest.mark.parametrize(
    ("address", "folder"),
    [
        ("campaigns/a", "campaigns/a"),
        ("/campaigns/a", "/campaigns/a"),
        ("file:///campaigns/a%20b", "/campaigns/a b"),
        ("file:/campaigns/a", "/campaigns/a"),
        ("C:/campaigns", "C:/campaigns"),
        ("hdfs:///campaigns/a", None),
        ("s3a://bucket/a", None),
    ],
)
def test_paths_and_file_urls_are_folders_of_this_machine(address: str, folder: str | None) -> None:
    assert local_folder(address) == (None if folder is None else Path(folder))


def test_a_manifest_is_one_canonical_line(tmp_path: Path) -> None:
    with directory_of(PLAN, str(tmp_path)):
        pass
    assert (tmp_path / "manifest.json").read_text() == canonical_json(manifest_of(PLAN)) + "\n"
