from __future__ import annotations

from rejoin.conflict_detection.objects import Objects, capabilities, find, store


def key(number: int) -> bytes:
    return number.to_bytes(32, "big")


def test_storing_again_changes_nothing() -> None:
    one: Objects[str] = store(Objects(), key(1), "one")
    assert store(one, key(1), "other") is one


def test_many_objects_stand_in_few_layers() -> None:
    objects: Objects[int] = Objects()
    for number in range(5_000):
        objects = store(objects, key(number), number)
    assert len(objects.layers) <= 8
    assert all(find(objects, key(number)) == number for number in range(5_000))
    assert sorted(capabilities(objects)) == [key(number) for number in range(5_000)]
