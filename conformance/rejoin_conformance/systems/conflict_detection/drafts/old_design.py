"""Topic `old-design`: the baseline of both designs, and the scenarios in which it fails."""

from __future__ import annotations

from typing import Final

from rejoin_conformance.contract.drafting import accepted, refused
from rejoin_conformance.contract.vector import Draft, Topic
from rejoin_conformance.kit.json_types import Json, JsonObject

OPERATION: Final = "conflict-detection/old-design"
UPLOAD: Final = "CD-OLD-UPLOAD"
DOWNLOAD: Final = "CD-OLD-DOWNLOAD"
CLASSIFY: Final = "CD-OLD-CLASSIFY"
COST: Final = "CD-OLD-COST"


def _given(clients: str, actions: str) -> JsonObject:
    """Return the input. actions: `A=text` is an edit by A, and `B<A` is a poll of A by B."""
    steps: list[Json] = []
    for action in actions.split():
        client, mark, rest = action[0], action[1], action[2:]
        steps.append({"client": client, "edit" if mark == "=" else "poll": rest})
    return {"clients": [*clients], "steps": steps}


def _step(done: str) -> JsonObject:
    """Return a step of the output: `edit`, `nothing`, a classification, or `old/required`."""
    if done in {"edit", "nothing"}:
        return {"classification": None, "required": None, "total": 2 if done == "edit" else 0}
    classification, _, required = done.partition("/")
    return {"classification": classification, "required": required or classification, "total": 1}


def _plays(name: str, summary: str, clauses: str, clients: str, actions: str, done: str) -> Draft:
    return accepted(
        OPERATION,
        name,
        summary,
        clauses,
        given=_given(clients, actions),
        output={"steps": [_step(each) for each in done.split()]},
    )


def _refused(name: str, summary: str, clauses: str, actions: str, mended: str) -> Draft:
    return refused(
        OPERATION, name, summary, clauses, given=_given("AB", actions), mended=_given("AB", mended)
    )


TOPIC: Final = Topic(
    "old-design",
    "The old design, which is the baseline of both designs: what it decides, what the definitions "
    "require, and what it costs.",
    (
        _plays(
            "two-clients-in-turn",
            "Two clients that change the file in turn find only overwrites.",
            f"CD-OLD-DESIGN {CLASSIFY}",
            "AB",
            "A=a B<A B=b A<B A=c B<A",
            "edit overwrite edit overwrite edit overwrite",
        ),
        _plays(
            "two-changes-in-a-row",
            "A client that makes two changes in a row still records the last download.",
            f"{UPLOAD} {CLASSIFY}",
            "AB",
            "A=a B<A B=b A<B B=c A<B",
            "edit overwrite edit overwrite edit overwrite",
        ),
        _plays(
            "two-changes-at-once",
            "Two clients that change the file at the same time find a conflict each.",
            CLASSIFY,
            "AB",
            "A=a B<A A=b B=c A<B B<A",
            "edit overwrite edit edit conflict conflict",
        ),
        _plays(
            "conflict-overlooked-later",
            "A download that conflicts is recorded too, so the next change is taken for an answer.",
            f"{DOWNLOAD} {CLASSIFY}",
            "AB",
            "A=a B=b B<A B=c A<B",
            "edit edit conflict edit overwrite/conflict",
        ),
        _plays(
            "never-uploaded",
            "A client that never uploaded finds a conflict in the second version that it sees.",
            CLASSIFY,
            "ABC",
            "A=a B<A C<A B=b C<B",
            "edit overwrite overwrite edit conflict/overwrite",
        ),
        _plays(
            "third-client-answers-an-answer",
            "A client finds a conflict in an answer to another client's answer to its own change.",
            f"{CLASSIFY} {UPLOAD}",
            "ABC",
            "A=a B<A B=b C<B C=c A<C",
            "edit overwrite edit overwrite edit conflict/overwrite",
        ),
        _plays(
            "older-version-of-a-third-client",
            "An older version, which ours follows, conflicts.",
            CLASSIFY,
            "ABC",
            "A=a B<A B=b C<B C<A",
            "edit overwrite edit overwrite conflict/stale",
        ),
        _plays(
            "same-content",
            "Equal contents are one content to the old design, whoever uploaded them.",
            CLASSIFY,
            "ABC",
            "A=a B=a C<B C=c A<C",
            "edit edit overwrite edit overwrite/conflict",
        ),
        _plays(
            "nothing-new",
            "A poll that finds nothing, or the version that it found before, downloads nothing.",
            f"{DOWNLOAD} {COST}",
            "AB",
            "A<B B=b A<B A<B B=c A<B A<B",
            "nothing edit overwrite nothing edit conflict/overwrite nothing",
        ),
        _plays(
            "nothing-new-of-two-clients",
            "A client remembers what it last saw of each other client.",
            DOWNLOAD,
            "ABC",
            "B=b C=c A<B A<C A<B A<C",
            "edit edit overwrite conflict nothing nothing",
        ),
        _plays(
            "no-link-of-a-download",
            "A client does not link what it downloaded, so nobody finds it there.",
            DOWNLOAD,
            "ABC",
            "A=a B<A C<B",
            "edit overwrite nothing",
        ),
        _plays(
            "costs",
            "A local change takes two operations, and a remote change one, conflict or not.",
            COST,
            "AB",
            "A=a B<A B=b A=c A<B",
            "edit overwrite edit edit conflict",
        ),
        _refused(
            "own-directory",
            "A client cannot poll itself.",
            DOWNLOAD,
            "A=a A<A",
            "A=a A<B",
        ),
        _refused(
            "unknown-client",
            "A client that is not in the folder cannot change the file.",
            UPLOAD,
            "C=a",
            "A=a",
        ),
        _refused(
            "unknown-client-polls",
            "A client that is not in the folder cannot poll.",
            DOWNLOAD,
            "C<A",
            "B<A",
        ),
        _refused(
            "unknown-client-polled",
            "A client that is not in the folder cannot be polled.",
            DOWNLOAD,
            "A<C",
            "A<B",
        ),
        refused(
            OPERATION,
            "client-twice",
            "A folder does not have the same client twice.",
            "CD-OLD-DESIGN",
            given=_given("AA", ""),
            mended=_given("AB", ""),
            level="may",
        ),
        refused(
            OPERATION,
            "bad-nickname",
            "A nickname of the old design is a part of file names too.",
            "CD-OLD-DESIGN",
            given={"clients": ["A,B"], "steps": []},
            mended={"clients": ["AB"], "steps": []},
            level="may",
        ),
    ),
)
"""The vectors of the old design."""
