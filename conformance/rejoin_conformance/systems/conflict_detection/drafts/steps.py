"""The steps of scenarios, stated as a person works them out."""

from __future__ import annotations

from typing import Final

from rejoin_conformance.contract.drafting import accepted, refused
from rejoin_conformance.contract.vector import Draft, Topic
from rejoin_conformance.systems.conflict_detection.drafts.step_forms import (
    classify,
    does,
    fetch,
    given,
    hold,
    look,
    output,
    overwrite,
    step,
    upload,
)

OPERATION: Final = "conflict-detection/scenario-steps"
LIST: Final = "CD-STEPS-LIST"
TYPES: Final = "CD-STEPS-TYPES"
ORIGINS: Final = "CD-STEPS-ORIGINS"
NOTES: Final = (
    "The steps of scenarios, for implementations that list them: what each poll sees, fetches, "
    "finds and does, and what each change uploads. A version is the index of the step that made it."
)
CONFLICT: Final = (
    does("A", edit="a"),
    does("B", poll="A"),
    does("B", edit="b"),
    does("A", edit="c"),
    does("A", poll="B"),
    does("A", resolve=["B"], text="d"),
    does("B", poll="A"),
)


def _conflict() -> Draft:
    return accepted(
        OPERATION,
        "conflict-and-resolution",
        "A first version, two changes of it, the conflict, its resolution, and the overwrite.",
        f"{LIST} {TYPES} {ORIGINS}",
        given=given(*CONFLICT),
        output=output(
            upload(0, "A", "a"),
            look(1, "B", "A", 0),
            fetch(1, "FIRST", 0),
            classify(1, "first"),
            overwrite(1, "a"),
            upload(2, "B", "b", 0),
            upload(3, "A", "c", 0),
            look(4, "A", "B", 2),
            fetch(4, "STOP", 0, 2),
            classify(4, "conflict"),
            hold(4, "b"),
            upload(5, "A", "d", 2, 3, by="CD-RESOLVE-PARENTS"),
            look(6, "B", "A", 5),
            fetch(6, "STOP", 3, 5),
            classify(6, "overwrite"),
            overwrite(6, "d"),
        ),
        level="may",
    )


def _conflict_in_maps() -> Draft:
    before = (
        upload(0, "A", "a"),
        look(1, "B", "A", 0),
        classify(1, "first"),
        overwrite(1, "a"),
        upload(2, "B", "b", 0),
        upload(3, "A", "c", 0),
        look(4, "A", "B", 2),
        classify(4, "conflict"),
        hold(4, "b"),
        upload(5, "A", "d", 2, 3, by="CD-RESOLVE-PARENTS"),
        look(6, "B", "A", 5),
    )
    return accepted(
        OPERATION,
        "conflict-and-resolution-in-maps",
        "Zooko's design fetches no snapshots. In literal, the resolution does not overwrite.",
        f"{TYPES} {ORIGINS}",
        given=given(*CONFLICT, design="version-maps"),
        output=output(*before, classify(6, "overwrite"), overwrite(6, "d")),
        otherwise={"literal": output(*before, classify(6, "conflict"), hold(6, "d"))},
        level="may",
    )


def _second_conflict() -> Draft:
    return accepted(
        OPERATION,
        "conflicts-with-two-clients",
        "A client that already holds a conflict holds the content of the other client it polls.",
        f"{TYPES} CD-CONFLICT-APPLY",
        given=given(
            does("A", edit="a"),
            does("B", edit="b"),
            does("C", edit="c"),
            does("A", poll="B"),
            does("A", poll="C"),
            clients="ABC",
        ),
        output=output(
            upload(0, "A", "a"),
            upload(1, "B", "b"),
            upload(2, "C", "c"),
            look(3, "A", "B", 1),
            fetch(3, "STOP", 1),
            classify(3, "conflict"),
            hold(3, "b"),
            look(4, "A", "C", 2),
            fetch(4, "STOP", 2),
            classify(4, "conflict"),
            hold(4, "c"),
        ),
        level="may",
    )


def _deletion() -> Draft:
    return accepted(
        OPERATION,
        "deletion",
        "A deletion overwrites, and both clients remove their links when both have it.",
        f"{TYPES} CD-DELETE-DROP-LINK",
        given=given(
            does("A", edit="a"),
            does("B", poll="A"),
            does("B", delete=True),
            does("A", poll="B"),
            does("B", poll="A"),
            does("A", poll="B"),
        ),
        output=output(
            upload(0, "A", "a"),
            look(1, "B", "A", 0),
            fetch(1, "FIRST", 0),
            classify(1, "first"),
            overwrite(1, "a"),
            upload(2, "B", None, 0),
            look(3, "A", "B", 2),
            fetch(3, "STOP", 2),
            classify(3, "overwrite"),
            overwrite(3, None),
            look(4, "B", "A", 2),
            fetch(4, "KNOWN"),
            classify(4, "same"),
            step("drop-link", "CD-DELETE-DROP-LINK", 4),
            look(5, "A", "B", None),
            step("drop-link", "CD-DELETE-DROP-LINK", 5),
        ),
        level="may",
    )


def _nothing_linked() -> Draft:
    return accepted(
        OPERATION,
        "nothing-linked-or-offline",
        "A look where nothing is linked has no further step, and a client offline does not look.",
        f"{TYPES} CD-POLL-NOTHING",
        given=given(does("B", poll="A"), does("B", offline=True), does("B", poll="A")),
        output=output(look(0, "B", "A", None)),
        level="may",
    )


def _local_change() -> Draft:
    return accepted(
        OPERATION,
        "overwrite-that-becomes-a-conflict",
        "A change that is not uploaded yet turns an overwrite into a conflict.",
        f"{TYPES} CD-OVERWRITE-UNSAVED",
        given=given(
            does("A", edit="a"),
            does("B", poll="A"),
            does("A", edit="c"),
            does("B", change="b"),
            does("B", poll="A"),
        ),
        output=output(
            upload(0, "A", "a"),
            look(1, "B", "A", 0),
            fetch(1, "FIRST", 0),
            classify(1, "first"),
            overwrite(1, "a"),
            upload(2, "A", "c", 0),
            look(4, "B", "A", 2),
            fetch(4, "STOP", 2),
            classify(4, "overwrite"),
            step("reclassify", "CD-OVERWRITE-UNSAVED", 4),
            hold(4, "c"),
        ),
        level="may",
    )


def _first_conflict() -> Draft:
    return accepted(
        OPERATION,
        "ancestors-of-a-first-conflict",
        "A client without a version fetches the ancestors too if the first version is a conflict.",
        f"{TYPES} CD-WALK-HELD",
        given=given(
            does("A", edit="a"),
            does("A", edit="c"),
            does("B", change="b"),
            does("B", poll="A"),
        ),
        output=output(
            upload(0, "A", "a"),
            upload(1, "A", "c", 0),
            look(3, "B", "A", 1),
            fetch(3, "FIRST", 1),
            classify(3, "first"),
            step("reclassify", "CD-OVERWRITE-UNSAVED", 3),
            fetch(3, "HELD", 0),
            hold(3, "c"),
        ),
        level="may",
    )


def _name_in_the_way() -> Draft:
    return accepted(
        OPERATION,
        "name-in-the-way",
        "A file that stands in the way of a folder turns an overwrite into a conflict.",
        f"{TYPES} CD-PATH-BLOCKED",
        given=given(
            does("A", edit="a", file="foo/bar"),
            does("B", edit="b"),
            does("B", poll="A", file="foo/bar"),
            design="version-maps",
        ),
        output=output(
            upload(0, "A", "a", file="foo/bar"),
            upload(1, "B", "b"),
            look(2, "B", "A", 0, file="foo/bar"),
            classify(2, "first"),
            step("reclassify", "CD-PATH-BLOCKED", 2),
            hold(2, None),
        ),
        level="may",
    )


def _stale() -> Draft:
    before = (
        upload(0, "A", "a"),
        look(1, "B", "A", 0),
        fetch(1, "FIRST", 0),
        classify(1, "first"),
        overwrite(1, "a"),
        upload(2, "B", "b", 0),
        look(3, "B", "A", 0),
        fetch(3, "KNOWN"),
    )
    return accepted(
        OPERATION,
        "stale-version",
        "A version that ours follows is stale, and a conflict in literal.",
        f"{TYPES} CD-CLASSIFY-STALE",
        given=given(
            does("A", edit="a"), does("B", poll="A"), does("B", edit="b"), does("B", poll="A")
        ),
        output=output(*before, classify(3, "stale")),
        otherwise={"literal": output(*before, classify(3, "conflict"), hold(3, "a"))},
        level="may",
    )


def _several_files() -> Draft:
    return accepted(
        OPERATION,
        "paths-in-order",
        "Uploads of one action and looks of one poll are in ascending order of their paths.",
        f"{TYPES} CD-POLL-ALL-ORDER",
        given=given(
            does("A", edit="a"),
            does("A", rename="bar"),
            does("B", poll_all="A"),
        ),
        output=output(
            upload(0, "A", "a"),
            upload(1, "A", "a", file="bar"),
            upload(1, "A", None, 0),
            look(2, "B", "A", 1, file="bar"),
            fetch(2, "FIRST", 1),
            classify(2, "first"),
            overwrite(2, "a"),
            look(2, "B", "A", 1),
            fetch(2, "FIRST", 1),
            classify(2, "first"),
            overwrite(2, None),
        ),
        level="may",
    )


def _refused() -> Draft:
    return refused(
        OPERATION,
        "refused-action",
        "If an action is refused, there are no steps, not even of the actions before it.",
        LIST,
        given=given(does("A", edit="a"), does("A", poll="A")),
        mended=given(does("A", edit="a"), does("A", poll="B")),
        level="may",
    )


TOPIC: Final = Topic(
    "steps",
    NOTES,
    (
        _conflict(),
        _conflict_in_maps(),
        _second_conflict(),
        _deletion(),
        _nothing_linked(),
        _local_change(),
        _first_conflict(),
        _name_in_the_way(),
        _stale(),
        _several_files(),
        _refused(),
    ),
)
"""The vectors about steps."""
