"""Topic `four-parties`: the document's example, a vector for each stage of it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from rejoin_conformance.contract.vector import Draft, Scenario, Topic
from rejoin_conformance.systems.conflict_detection.drafts.by_hand.drafts import (
    of_story,
    repaired_only,
)
from rejoin_conformance.systems.conflict_detection.drafts.by_hand.stories import (
    MAPS,
    SNAPSHOTS,
    Story,
    edit,
    poll,
    resolve,
)

CLIENTS: Final = "ABCD"


def topic() -> Topic:
    """The vectors of the example with four parties."""
    return Topic(
        "four-parties",
        "Each vector tells the example up to one stage, from the beginning. A and C work on one "
        "version of the file, B and D on another, until D resolves everything.",
        (*_in_snapshots(), _in_maps()),
    )


def _sync(story: Story) -> None:
    story.step(edit("A", "X"), None, {"A": "foo=X"})
    for client in "BCD":
        story.step(poll(client, "A"), "overwrite", {client: "foo=X"})


def _change(story: Story) -> None:
    story.step(edit("A", "XA"), None, {"A": "foo=XA"})
    story.step(edit("B", "XB"), None, {"B": "foo=XB"})


def _accept(story: Story) -> None:
    story.step(poll("C", "A"), "overwrite", {"C": "foo=XA"})
    story.step(poll("D", "B"), "overwrite", {"D": "foo=XB"})


def _hear(story: Story) -> None:
    for client, other in (("A", "B"), ("C", "B"), ("B", "A"), ("D", "A")):
        own, theirs = ("XA", "XB") if client in "AC" else ("XB", "XA")
        story.step(
            poll(client, other),
            "conflict",
            {client: f"foo={own} foo.conflict-{other}={theirs}"},
        )
    for client, other in (("A", "D"), ("C", "D"), ("B", "C"), ("D", "C")):
        own, theirs = ("XA", "XB") if client in "AC" else ("XB", "XA")
        _hold_two(story, client, other, own, theirs, theirs)


def _hold_two(story: Story, client: str, other: str, own: str, first: str, second: str) -> None:
    """A client polls the second of two that have one version."""
    one, two = ("B", "D") if client in "AC" else ("A", "C")
    shared = {client: f"foo={own} foo.conflict-{one},{two}={second}"}
    story.step(
        poll(client, other),
        "conflict",
        {client: f"foo={own} foo.conflict-{one}={first} foo.conflict-{two}={second}"},
        shared if first == second else None,
    )


def _go_on(story: Story) -> None:
    held = {"A": ("B", "D", "XB"), "B": ("A", "C", "XA"), "C": ("B", "D", "XB"),
            "D": ("A", "C", "XA")}  # fmt: skip
    for client, follower, text in (("A", "C", "XA2"), ("B", "D", "XB2")):
        for name, step, found in (
            (client, edit(client, text), None),
            (follower, poll(follower, client), "overwrite"),
        ):
            one, two, theirs = held[name]
            story.step(
                step,
                found,
                {name: f"foo={text} foo.conflict-{one}={theirs} foo.conflict-{two}={theirs}"},
                {name: f"foo={text} foo.conflict-{one},{two}={theirs}"},
            )


def _update(story: Story) -> None:
    for client, one, two in (("A", "B", "D"), ("C", "B", "D"), ("B", "A", "C"), ("D", "A", "C")):
        own, old, new = ("XA2", "XB", "XB2") if client in "AC" else ("XB2", "XA", "XA2")
        story.step(
            poll(client, one),
            "conflict",
            {client: f"foo={own} foo.conflict-{one}={new} foo.conflict-{two}={old}"},
        )
        _hold_two(story, client, two, own, new, new)


def _change_again(story: Story) -> None:
    shared = {
        "repaired": "foo.conflict-B=XB2 foo.conflict-D=XB2",
        "literal": "foo.conflict-B,D=XB2",
    }
    for client, text in (("A", "XA3"), ("C", "XC3")):
        story.step(
            edit(client, text),
            None,
            {client: f"foo={text} {shared['repaired']}"},
            {client: f"foo={text} {shared['literal']}"},
        )
    for client, other, own, theirs in (("A", "C", "XA3", "XC3"), ("C", "A", "XC3", "XA3")):
        story.step(
            poll(client, other),
            "conflict",
            {client: f"foo={own} {shared['repaired']} foo.conflict-{other}={theirs}"},
            {client: f"foo={own} {shared['literal']} foo.conflict-{other}={theirs}"},
        )
    for client in "BD":
        for other, of_a, of_c in (("A", "XA3", "XA2"), ("C", "XA3", "XC3")):
            story.step(
                poll(client, other),
                "conflict",
                {client: f"foo=XB2 foo.conflict-A={of_a} foo.conflict-C={of_c}"},
            )


def _integrate(story: Story) -> None:
    story.step(resolve("D", "AC", "merged"), None, {"D": "foo=merged"})


def _take_over(story: Story) -> None:
    for client in "ABC":
        story.step(poll(client, "D"), "overwrite", {client: "foo=merged"})


STAGES: Final[tuple[tuple[str, str, Callable[[Story], None]], ...]] = (
    ("1-in-sync", "All four have X", _sync),
    ("2-two-changes", "A and B change the file at once", _change),
    ("3-two-overwrites", "C hears of A's change first, D of B's: overwrites for both", _accept),
    ("4-everyone-hears", "Everyone hears of the other change: conflicts for all four", _hear),
    ("5-going-on", "A and B go on, C and D follow, and nobody minds the conflict", _go_on),
    ("6-conflict-files-updated", "The conflict files follow the others' work", _update),
    ("7-a-second-conflict", "A and C change the file at once", _change_again),
    ("8-integration", "D works the differences into its file", _integrate),
    ("9-the-end", "D's version overwrites everyone's, and all conflict files go", _take_over),
)


def _told(design: str, stages: int) -> Story:
    story = Story(design, CLIENTS)
    for _, _, tell in STAGES[:stages]:
        tell(story)
    return story


def _in_snapshots() -> tuple[Draft, ...]:
    return tuple(
        of_story(
            name,
            summary,
            ("CD-FOUR-PARTIES",),
            _told(SNAPSHOTS, number),
            Scenario("four-parties", str(number)),
        )
        for number, (name, summary, _) in enumerate(STAGES, start=1)
    )


def _in_maps() -> Draft:
    return repaired_only(
        "with-version-maps",
        "The whole example with version maps",
        ("CD-FOUR-PARTIES",),
        _told(MAPS, len(STAGES)),
    )
