from __future__ import annotations

from rejoin.conflict_detection.objects import Objects, capabilities, find, only, store


def key(number: int) -> bytes:
    return number.to_bytes(32, "big")


def test_what_is_stored_is_found_in_the_new_value_and_not_in_the_old() -> None:
    empty: Objects[str] = Objects()
    one = store(empty, key(1), "one")
    assert find(one, key(1)) == "one"
    assert find(empty, key(1)) is None


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


def test_only_some_objects_can_be_kept() -> None:
    objects: Objects[str] = store(store(Objects(), key(1), "one"), key(2), "two")
    left = only(objects, [key(2), key(3)])
    assert list(capabilities(left)) == [key(2)]
