"""Questions, answers and random histories of conflict detection are read as they are written."""

from __future__ import annotations

import hashlib
from collections import defaultdict

import pytest
from attrs import evolve

from rejoin_conformance.contract.history import history_seed
from rejoin_conformance.contract.notation import Example
from rejoin_conformance.contract.operation import Output
from rejoin_conformance.contract.registry import system_named
from rejoin_conformance.contract.vector import Topic, Vector
from rejoin_conformance.corpus.generate import vectors_of
from rejoin_conformance.corpus.load import load_system
from rejoin_conformance.corpus.paragraph import lines_of, parse_paragraph
from rejoin_conformance.corpus.paragraph_text import render_paragraph
from rejoin_conformance.kit.json_types import JsonObject
from rejoin_conformance.systems.conflict_detection.notation import NOTATION, variants
from rejoin_conformance.systems.conflict_detection.notation.steps import spelled_step

SYSTEM = system_named("conflict-detection")
WITHOUT_NOTATION = {
    "conflict-detection/old-design",
    "conflict-detection/scenario-steps",
    "conflict-detection/sign-snapshot",
    "conflict-detection/verify-snapshot",
}
VECTORS: dict[str, list[Vector]] = defaultdict(list)
for _vector in load_system("conflict-detection"):
    VECTORS[_vector.topic].append(_vector)


def _parse(text: str) -> Example:
    return NOTATION.parse(text.split("\n"))


def _answer(text: str, lines: str) -> JsonObject:
    return NOTATION.parse_output(lines.split("\n"), _parse(text))


def _steps(example: Example) -> list[JsonObject]:
    assert example.output is not None
    steps = example.output["steps"]
    assert isinstance(steps, list)
    return [step for step in steps if isinstance(step, dict)]


def test_a_graph_comes_before_the_question_about_it() -> None:
    assert _parse("x; a < x; m < a x\nm follows x = yes") == Example(
        operation="conflict-detection/follows",
        input={
            "versions": [
                {"id": "x", "parents": []},
                {"id": "a", "parents": ["x"]},
                {"id": "m", "parents": ["a", "x"]},
            ],
            "later": "m",
            "earlier": "x",
        },
        output={"follows": True},
    )


def test_diamonds_and_ranges_stand_for_many_names() -> None:
    walk = _parse("2 diamonds\nours t0   cached nothing   theirs t2   downloads t1..2   conflict")
    assert walk.input["snapshots"] == [
        {"id": "t0", "parents": []},
        {"id": "l1", "parents": ["t0"]},
        {"id": "r1", "parents": ["t0"]},
        {"id": "t1", "parents": ["l1", "r1"]},
        {"id": "l2", "parents": ["t1"]},
        {"id": "r2", "parents": ["t1"]},
        {"id": "t2", "parents": ["l2", "r2"]},
    ]
    assert walk.output == {"downloaded": ["t1", "t2"], "classification": "conflict"}


def test_version_maps_stand_in_parentheses() -> None:
    assert _parse("ours none   theirs (A:3 B:2) = overwrite") == Example(
        operation="conflict-detection/classify-version-map",
        input={"local": None, "remote": {"A": 3, "B": 2}},
        output={"classification": "overwrite"},
    )
    assert _parse("A uploads from ()   resolving B=(B:1)").input == {
        "nickname": "A",
        "local": {},
        "removed": {"B": {"B": 1}},
    }


def test_a_scenario_shows_step_by_step_what_is_done_and_observed() -> None:
    conflict = _parse(
        "in sync: A B\nA edits foo=a\nB edits foo=b\n"
        "A polls B   conflict   A: foo=a foo.conflict-B=b    1 snapshot, 1 content"
    )
    assert conflict.input == {
        "design": "snapshots",
        "clients": ["A", "B"],
        "steps": [
            {"client": "A", "edit": "X"},
            {"client": "B", "poll": "A"},
            {"client": "A", "poll": "B"},
            {"client": "A", "edit": "a"},
            {"client": "B", "edit": "b"},
            {"client": "A", "poll": "B"},
        ],
        "report": ["operations"],
    }
    assert [step["classification"] for step in _steps(conflict)] == [
        None, "overwrite", "same", None, None, "conflict",
    ]  # fmt: skip
    assert _steps(conflict)[-1]["files"] == {
        "A": {"foo": "a", "foo.conflict-B": "b"},
        "B": {"foo": "b"},
    }
    assert [step["operations"]["total"] for step in _steps(conflict)] == [3, 3, 0, 3, 3, 2]  # type: ignore[index,call-overload]  # JSON of this shape


def test_a_user_sees_in_the_files_at_once_what_the_user_does() -> None:
    told = _parse(
        "snapshots: A; A edits foo=1; A edits bar=2; A renames bar to baz; A deletes foo\n"
        "A edits foo.conflict-B,C=3; A edits foo.conflict-D=4\n"
        "A resolves foo=5 against C   A links nothing"
    )
    assert [step["files"] for step in _steps(told)][2:] == [
        {"A": {"foo": "1", "baz": "2"}},
        {"A": {"baz": "2"}},
        {"A": {"baz": "2", "foo.conflict-B,C": "3"}},
        {"A": {"baz": "2", "foo.conflict-B,C": "3", "foo.conflict-D": "4"}},
        {"A": {"baz": "2", "foo.conflict-D": "4", "foo": "5"}},
    ]


def test_sharing_a_file_is_an_edit_and_a_poll_by_each_other_client() -> None:
    shared = "version maps: A B C; B shares bar=X; A edits foo=1   A: foo=1 bar=X"
    assert _parse(shared) == _parse(
        "version maps: A B C\nB edits bar=X\n"
        "A polls bar of B   overwrite   A: bar=X\nC polls bar of B   overwrite   C: bar=X\n"
        "A edits foo=1"
    )


def test_a_scenario_states_no_answer_if_no_poll_says_what_it_finds() -> None:
    assert _parse("snapshots: A B; A edits foo=a; B polls A").output is None
    assert _parse("snapshots: A B; A edits foo=a; B polls A   nothing").output is not None
    assert _parse("snapshots: A; nothing happens").output == {"steps": []}


def test_the_id_of_a_snapshot_is_the_hash_of_its_encoding() -> None:
    content = hashlib.blake2b(b"1:X", digest_size=32).digest()
    encoded = b"d7:content32:" + content + b"e"
    identity = hashlib.blake2b(encoded, digest_size=32).hexdigest()
    text = 'identify X   encodes "d7:content32:" #(X) e'
    assert _parse(text).output == {
        "content_id": content.hex(),
        "encoded": encoded.hex(),
        "id": identity,
    }
    for told in ("snapshots: A\n#x: X\n", "#x: X; snapshots: A\n"):
        steps = _steps(_parse(f"{told}A edits foo=X   A has foo=#x"))
        assert steps[0]["versions"] == {"A": {"foo": identity}}


def test_bytes_are_texts_hex_and_ids_one_after_the_other() -> None:
    assert _parse("identify ab 0x00ff 0x61..63 after #00").input == {
        "content": b"ab\0\xffabc".hex(),
        "parents": ["00"],
    }


@pytest.mark.parametrize(
    ("words", "step"),
    [
        ("A edits x=1", {"edit": "1", "file": "x"}),
        ("A polls B", {"poll": "B"}),
        ("A polls x of B", {"poll": "B", "file": "x"}),
        ("A polls all of B", {"poll_all": "B"}),
        ("A resolves foo against B C", {"resolve": ["B", "C"]}),
        ('A resolves foo="" against nobody', {"resolve": [], "text": ""}),
        ("A deletes foo", {"delete": True}),
        ('A brings back foo="a b"', {"undelete": "a b"}),
        ("A renames foo to bar", {"rename": "bar"}),
        ("A goes offline", {"offline": True}),
        ("A comes back", {"online": True}),
        ("A joins", {"join": {}}),
        ("A joins with a=1 b=2", {"join": {"a": "1", "b": "2"}}),
        ("A subscribes to B", {"subscribe": "B"}),
        ("A unsubscribes from B", {"unsubscribe": "B"}),
    ],
)
def test_a_step_is_a_sentence(words: str, step: JsonObject) -> None:
    assert _parse(f"snapshots: A\n{words}").input["steps"] == [{"client": "A", **step}]
    assert spelled_step({"client": "A", **step}) == words


def test_another_reading_names_the_steps_that_differ() -> None:
    stale = "snapshots: A B; A shares foo=X; A edits foo=a\nA polls B   stale\nB polls A   same"
    output = _answer(stale, "A polls B   conflict   A: foo=a foo.conflict-B=X")
    found = [step["classification"] for step in output["steps"]]  # type: ignore[union-attr,index,call-overload]  # JSON of this shape
    assert found == [None, "overwrite", None, "conflict", "same"]
    assert _answer("x\nours x   theirs x = same", "conflict") == {"classification": "conflict"}


@pytest.mark.parametrize(
    ("text", "mended"),
    [
        ("snapshots: A B; A edits foo=a\nB deletes foo", "B polls A; B deletes foo"),
        ("snapshots: A B; A edits foo=a\nB deletes foo", "nothing happens"),
        ("snapshots: A A; A edits foo=a", "snapshots: A B\nA edits foo=a"),
        ("a; b < c\nb follows a", "a; b < a"),
        ("a; b < a\nb follows c", "b follows a"),
        ("a; b < c\nb follows d", "a; b < a\nb follows a"),
        ("ours (A:-1)   theirs ()", "ours (A:1)   theirs ()"),
        ("identify deletion", "identify x"),
    ],
)
def test_a_mended_question_leaves_out_what_it_shares(text: str, mended: str) -> None:
    assert NOTATION.parse_mended is not None
    assert NOTATION.render_mended is not None
    example = _parse(text)
    repaired = NOTATION.parse_mended(mended.split("\n"), example)
    assert repaired.operation == example.operation
    assert NOTATION.render_mended(repaired, example) == mended


def test_a_scenario_in_both_designs_is_two_and_the_second_for_the_repaired_reading() -> None:
    lines = ["both designs: A B", "A polls B   stale", "in literal:", "  A polls B   same", "x"]
    assert variants(lines) == {
        "snapshots": [(0, "snapshots: A B"), *[*enumerate(lines)][1:]],
        "maps": [
            (0, "version maps: A B"),
            (1, "A polls B   stale"),
            (4, "x"),
            (4, "only in repaired"),
        ],
    }
    assert variants(["snapshots: A B"]) == {}


@pytest.mark.parametrize("topic", VECTORS)
def test_each_vector_of_the_corpus_is_read_as_it_is_rendered(topic: str) -> None:
    for vector in VECTORS[topic]:
        text = render_paragraph(SYSTEM, vector)
        if text is None:
            assert vector.recipe or vector.operation in WITHOUT_NOTATION
            continue
        draft = parse_paragraph(SYSTEM, lines_of(text.rstrip("\n"))).draft
        if vector.lineage is not None:
            draft = evolve(draft, lineage=vector.lineage)
        (again,) = vectors_of(SYSTEM, Topic(topic, "", (draft,)))
        assert again == evolve(vector, summary=draft.summary)


@pytest.mark.parametrize("profile", SYSTEM.histories.profiles)
def test_random_histories_are_read_as_they_are_rendered(profile: str) -> None:
    for index in range(3 if profile == "large" else 50):
        seed = history_seed(1, SYSTEM.name, profile, index)
        history = SYSTEM.histories.generate(profile, seed)
        assert NOTATION.parse_history(NOTATION.render_history(history)) == history


@pytest.mark.parametrize("reading", SYSTEM.readings)
def test_calls_of_random_histories_are_read_as_they_are_rendered(reading: str) -> None:
    for index in range(20):
        seed = history_seed(2, SYSTEM.name, "default", index)
        for call in SYSTEM.histories.calls(SYSTEM.histories.generate("default", seed), reading):
            operation = SYSTEM.operation(call.operation)
            assert operation is not None
            result = operation.run(call.input, reading)
            output = result.value if isinstance(result, Output) else None
            example = Example(operation=call.operation, input=call.input, output=output)
            text = NOTATION.render(example)
            assert (text is None) == (call.operation in WITHOUT_NOTATION)
            assert text is None or _parse(text) == example
