"""The lean model of the search does step by step what whole clients over a grid do."""

from __future__ import annotations

from typing import TypeVar

import pytest

from rejoin_conformance.kit.draw import Draw
from rejoin_conformance.systems.conflict_detection.exhaust.mismatches import PAIRS
from rejoin_conformance.systems.conflict_detection.exhaust.moves import Moves
from rejoin_conformance.systems.conflict_detection.exhaust.searches import (
    SEARCHES,
    Bounds,
    Search,
)
from rejoin_conformance.systems.conflict_detection.exhaust.states import (
    NONE,
    no_versions,
    nothing_yet,
)
from support.conflict_detection_enumeration import (
    World,
    edited,
    new_map_world,
    new_snapshot_world,
    polled,
    removable,
    resolved,
    state_of,
)
from support.conflict_detection_searches import state_in_words

V = TypeVar("V")

BOUNDS = Bounds(4, 6)
STEPS = 40


def id_of(search: Search) -> str:
    return f"{search.design}-{search.reading.name}-{search.variant}"


@pytest.mark.parametrize("search", SEARCHES, ids=id_of)
def test_random_interleavings_lead_to_the_same_states(search: Search) -> None:
    for seed in range(40):
        if search.design == "snapshots":
            _walk_both(search, new_snapshot_world(search, BOUNDS.clients), Draw(seed))
        else:
            _walk_both(search, new_map_world(search, BOUNDS.clients), Draw(seed))


def _walk_both(search: Search, world: World[V], draw: Draw) -> None:
    versions = no_versions(BOUNDS.slots)
    clients = [nothing_yet(BOUNDS.clients)] * BOUNDS.clients
    for _ in range(STEPS):
        moves = Moves(search, BOUNDS, versions)
        client = draw.below(BOUNDS.clients)
        nickname, own = BOUNDS.nicknames[client], clients[client]
        files = [tuple(BOUNDS.nicknames[other] for other in each) for each in moves.removable(own)]
        assert files == list(removable(world, nickname))
        if moves.may_upload and draw.chance(1, 5):
            world = edited(world, nickname)
            versions, clients[client] = moves.upload(client, own)
        elif moves.may_upload and files and draw.chance(1, 3):
            chosen = draw.below(len(files))
            world = resolved(world, nickname, files[chosen])
            others = list(moves.removable(own))[chosen]
            versions, clients[client] = moves.upload(client, own, others)
        else:
            other = (client + 1 + draw.below(BOUNDS.clients - 1)) % BOUNDS.clients
            theirs = moves.linked(other, clients[other])
            outcome = polled(world, nickname, BOUNDS.nicknames[other])
            assert (outcome is None) == (theirs == NONE)
            if outcome is not None:
                world, pair = outcome
                place, clients[client] = moves.poll(client, own, other, theirs)
                assert PAIRS[place] == pair
        assert state_in_words(search, BOUNDS, versions, tuple(clients)) == state_of(world)
