"""Random histories are pure functions of profile and seed, and match their profiles."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from attrs import evolve

from rejoin.history_merge import DOCUMENT
from rejoin_conformance.kit.json_types import canonical_json, strict_json
from rejoin_conformance.systems.history_merge.histories import HISTORIES
from rejoin_conformance.systems.history_merge.histories.events import History, Post
from rejoin_conformance.systems.history_merge.histories.generate import member_names
from rejoin_conformance.systems.history_merge.histories.profiles import PROFILES
from rejoin_conformance.systems.history_merge.histories.run import Run, run_history


def _histories(profile: str, count: int) -> Iterator[History]:
    for seed in range(count):
        yield HISTORIES.generate(profile, seed)


def _runs(profile: str, count: int) -> Iterator[Run]:
    for history in _histories(profile, count):
        yield run_history(history, DOCUMENT)


@pytest.mark.parametrize("profile", PROFILES)
def test_a_seed_gives_the_same_history_again(profile: str) -> None:
    assert HISTORIES.generate(profile, 7) == HISTORIES.generate(profile, 7)
    assert HISTORIES.generate(profile, 7) != HISTORIES.generate(profile, 8)


def test_a_seed_gives_this_history_on_every_machine() -> None:
    posts = [event for event in HISTORIES.generate("tiny", 1).events if isinstance(event, Post)]
    assert [(post.author, post.kind, "".join(post.who)) for post in posts] == [
        ("A", "found", "ABC"),
        ("B", "kick", "C"),
        ("A", "leave", "A"),
        ("B", "kick", "A"),
        ("B", "reinvite", "C"),
        ("A", "reinvite", "A"),
        ("B", "kick", "C"),
    ]


@pytest.mark.parametrize("profile", PROFILES)
def test_a_history_survives_the_way_through_json(profile: str) -> None:
    for history in _histories(profile, 3):
        text = canonical_json(HISTORIES.to_json(history))
        value = strict_json(text)
        assert isinstance(value, dict)
        assert HISTORIES.from_json(value) == history


@pytest.mark.parametrize("profile", PROFILES)
def test_a_profile_keeps_its_numbers(profile: str) -> None:
    wanted = PROFILES[profile]
    for run in _runs(profile, {"long": 3, "large": 1}.get(profile, 30)):
        assert wanted.posts_low <= len(run.messages) <= wanted.posts_high
        assert len({message.post.author for message in run.messages}) <= wanted.authors_high
        members = {name for message in run.messages for name in message.state}
        assert members <= set(member_names(wanted.members_high))


def test_every_kind_of_post_occurs() -> None:
    kinds = {message.post.kind for run in _runs("default", 40) for message in run.messages}
    assert kinds == {"found", "talk", "join", "kick", "leave", "reinvite"}


def test_ids_are_unique_and_say_nothing_about_the_order_of_posting() -> None:
    in_order = 0
    for run in _runs("default", 40):
        ids = [message.post.id for message in run.messages]
        assert len(set(ids)) == len(ids)
        in_order += ids == sorted(ids)
    assert in_order == 0


def test_profiles_differ_in_shape() -> None:
    def widest(profile: str) -> int:
        return sum(len(run.session.graph.heads()) for run in _runs(profile, 60))

    def both_ways(profile: str) -> int:
        return sum(
            len(operations.additions) > 1 and len(operations.removals) > 1
            for run in _runs(profile, 60)
            for operations in run.operations.values()
        )

    assert widest("racing") > widest("default")
    assert both_ways("adversarial") > both_ways("default") > both_ways("tiny")


def test_large_histories_have_dozens_of_heads_and_hundreds_of_messages() -> None:
    for run in _runs("large", 3):
        assert len(run.messages) >= 400
        assert len(run.session.graph.heads()) > 25
        assert max(len(message.state) for message in run.messages) > 30


def test_some_histories_have_several_roots() -> None:
    assert any(
        sum(not message.parents for message in run.messages) > 1 for run in _runs("default", 150)
    )


def test_an_event_can_be_left_out_and_the_rest_still_is_a_history() -> None:
    for history in _histories("default", 5):
        for place in range(0, len(history.events), 3):
            events = history.events[:place] + history.events[place + 1 :]
            HISTORIES.examine(evolve(history, events=events), "document")


def test_names_go_on_after_z() -> None:
    assert member_names(28)[24:] == ("Y", "Z", "A1", "B1")
