from __future__ import annotations

import pytest

from rejoin import conflict_detection as cd
from support.conflict_detection_histories import (
    OVERWRITE,
    SNAPSHOTS,
    edits,
    foo,
    found,
    in_sync,
)

LINKS = {"x": ["cx"], "a": ["x", "ca"], "b": ["x", "cb"], "cx": [], "ca": [], "cb": []}


def test_a_lease_is_renewed_and_never_shortened() -> None:
    leases = cd.renewed({"x": 9, "z": 1}, LINKS.__getitem__, ["a"], 5)
    assert leases == {"x": 9, "z": 1, "a": 5, "ca": 5, "cx": 5}


def test_what_a_lease_covers_is_kept_until_the_lease_ends() -> None:
    assert cd.kept({"x": 5, "y": 6}, 5) == {"y"}


def test_what_everyone_unlinked_goes_and_the_rest_stays() -> None:
    folder = edits(in_sync(SNAPSHOTS, "AB"), ("B", "b"))
    lone = foo(folder, "B").version
    assert lone is not None
    leases = cd.renew_leases(folder, cd.renew_leases(folder, {}, "A", 10), "B", 5)
    early = cd.collect_garbage(folder, leases, 4)
    assert found(early, "AB") is OVERWRITE
    late = cd.collect_garbage(folder, leases, 5)
    with pytest.raises(cd.ConflictDetectionError) as refusal:
        cd.fetch_snapshot(late.grid, lone)
    assert refusal.value.code == "missing-object"
    own = foo(folder, "A").version
    assert own is not None
    assert cd.fetch_snapshot(late.grid, own).parents == ()
