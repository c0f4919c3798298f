"""The swarm stores and deletes, and looks into nothing."""

from __future__ import annotations

from rejoin.config_merge import Batch, Swarm, execute, storage_id, store


def stored(swarm: Swarm) -> list[bytes]:
    return list(swarm.stored.values())


def test_a_swarm_stores_in_order_and_each_ciphertext_once() -> None:
    swarm = Swarm()
    for ciphertext in (b"b", b"a", b"b", b""):
        swarm = store(swarm, ciphertext)
    assert stored(swarm) == [b"b", b"a", b""]


def test_a_swarm_that_stores_is_another_swarm() -> None:
    empty = Swarm()
    assert stored(store(empty, b"x")) == [b"x"]
    assert stored(empty) == []


def test_a_batch_stores_one_and_deletes_the_others() -> None:
    swarm = store(store(store(Swarm(), b"one"), b"two"), b"three")
    batch = Batch(store=b"new", delete=(storage_id(b"one"), storage_id(b"three")))
    assert stored(execute(swarm, batch)) == [b"two", b"new"]


def test_what_is_not_there_can_be_deleted() -> None:
    assert stored(execute(Swarm(), Batch(b"new", (storage_id(b"other"),)))) == [b"new"]


def test_where_deletion_is_not_permitted_the_new_one_is_stored_all_the_same() -> None:
    swarm = store(Swarm(deletion_permitted=False), b"old")
    swarm = execute(swarm, Batch(b"new", (storage_id(b"old"),)))
    assert stored(swarm) == [b"old", b"new"]
    assert not swarm.deletion_permitted


def test_a_batch_that_is_sent_twice_changes_nothing() -> None:
    swarm = store(Swarm(), b"old")
    batch = Batch(b"new", (storage_id(b"old"),))
    assert execute(execute(swarm, batch), batch) == execute(swarm, batch)
