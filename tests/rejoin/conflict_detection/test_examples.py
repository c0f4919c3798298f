"""The printed examples of three and four clients."""

from __future__ import annotations

from rejoin import conflict_detection as cd
from support.conflict_detection_histories import (
    LITERAL_SNAPSHOTS,
    SNAPSHOTS,
    V,
    directory,
    files,
)

Files = dict[str, dict[str, str]]


def stages(design: cd.Design[V]) -> list[Files]:
    return [
        {nickname: files(stage.folder, nickname) for nickname in "ABCD"}
        for stage in cd.simultaneous_update(design)
    ]


def alike(names: str, expected: dict[str, str]) -> Files:
    return dict.fromkeys(names, expected)


def test_as_printed_the_files_are_those_of_the_document() -> None:
    assert stages(LITERAL_SNAPSHOTS) == [
        alike("ABCD", {"foo": "X"}),
        {"A": {"foo": "XA"}, "B": {"foo": "XB"}, "C": {"foo": "X"}, "D": {"foo": "X"}},
        alike("AC", {"foo": "XA"}) | alike("BD", {"foo": "XB"}),
        alike("AC", {"foo": "XA", "foo.conflict-B,D": "XB"})
        | alike("BD", {"foo": "XB", "foo.conflict-A,C": "XA"}),
        alike("AC", {"foo": "XA2", "foo.conflict-B,D": "XB"})
        | alike("BD", {"foo": "XB2", "foo.conflict-A,C": "XA"}),
        alike("AC", {"foo": "XA2", "foo.conflict-B,D": "XB2"})
        | alike("BD", {"foo": "XB2", "foo.conflict-A,C": "XA2"}),
        {
            "A": {"foo": "XA3", "foo.conflict-B,D": "XB2", "foo.conflict-C": "XC3"},
            "C": {"foo": "XC3", "foo.conflict-B,D": "XB2", "foo.conflict-A": "XA3"},
        }
        | alike("BD", {"foo": "XB2", "foo.conflict-A": "XA3", "foo.conflict-C": "XC3"}),
        {
            "A": {"foo": "XA3", "foo.conflict-B,D": "XB2", "foo.conflict-C": "XC3"},
            "B": {"foo": "XB2", "foo.conflict-A": "XA3", "foo.conflict-C": "XC3"},
            "C": {"foo": "XC3", "foo.conflict-B,D": "XB2", "foo.conflict-A": "XA3"},
            "D": {"foo": "merged"},
        },
        alike("ABCD", {"foo": "merged"}),
    ]


def test_the_directories_link_what_the_document_says() -> None:
    stage = cd.simultaneous_update(SNAPSHOTS)[3]
    links = {nickname: directory(stage.folder, nickname).entries for nickname in "ABCD"}
    assert links["A"] == links["C"]
    assert links["B"] == links["D"]
    assert links["A"] != links["B"]


def test_three_clients_update_and_resolve_as_the_document_prints() -> None:
    example = cd.three_clients(cd.REPAIRED)
    assert example.of_a == {"A": 11, "B": 20, "C": 30}
    assert example.of_b == {"A": 10, "B": 21, "C": 30}
    assert (example.a_alone, example.b_alone) == ("overwrite", "overwrite")
    assert example.b_after_a == "conflict"
    assert example.resolution == {"A": 11, "B": 21, "C": 31}
    assert (example.a_takes, example.b_takes) == ("overwrite", "overwrite")


def test_the_printed_rule_contradicts_the_printed_example() -> None:
    example = cd.three_clients(cd.LITERAL)
    assert (example.a_alone, example.b_alone) == ("conflict", "conflict")
    assert (example.a_takes, example.b_takes) == ("conflict", "conflict")
