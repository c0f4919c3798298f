"""Readings: the points at which the document and the deployed library part, and those where not.

The numbers are those of the errata: point 2 is CM-E02.
"""

from __future__ import annotations

from collections.abc import Mapping

import attrs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rejoin import bencode
from rejoin.config_merge import (
    DOCUMENT,
    LIBSESSION,
    READINGS,
    Client,
    ConfigMergeError,
    Dict,
    Reading,
    Settings,
    apply_diff,
    checked_data,
    diff,
    edit,
    encode_diff,
    encrypt,
    message_hash,
    parse_diff,
    parse_message,
    push,
    resolve,
    sign,
    update,
)
from support.config_merge import first, outer
from support.config_merge_strategies import alike_dicts

both_readings = pytest.mark.parametrize("reading", READINGS.values(), ids=list(READINGS))
HASH = b"h" * 32

Data = Mapping[bytes, object]


def merged(*messages: bytes, reading: Reading) -> Dict:
    return resolve(messages, reading=reading).message.data


def applied(data: Data, changes: bytes, source: Data, reading: Reading) -> Dict:
    return apply_diff(
        checked_data(data),
        parse_diff(changes, reading=reading),
        checked_data(source),
        reading=reading,
    )


def in_both(data: Data, changes: bytes, source: Data) -> tuple[Dict, Dict]:
    return (
        applied(data, changes, source, DOCUMENT),
        applied(data, changes, source, LIBSESSION),
    )


def test_readings_have_names() -> None:
    assert Reading.named("document") is DOCUMENT
    assert Reading.named("libsession") is LIBSESSION
    assert Reading() == DOCUMENT
    with pytest.raises(ConfigMergeError) as caught:
        Reading.named("lib")
    assert caught.value.code == "unknown-reading"


def test_the_readings_part_at_every_field_but_the_window() -> None:
    same = [
        field.name
        for field in attrs.fields(Reading)
        if field.eq and getattr(DOCUMENT, field.name) == getattr(LIBSESSION, field.name)
    ]
    assert same == ["window"]
    assert DOCUMENT.window is None


def test_a_reading_can_fix_the_window_of_every_function() -> None:
    fixed = attrs.evolve(DOCUMENT, window=2)
    oldest = first(7, {b"a": 1}).encoded
    messages = [oldest]
    for value in range(4):
        messages.append(update(messages, {b"n": value}, window=2).encoded)
    assert update(messages, {}, reading=fixed) == update(messages, {}, window=2)
    assert update(messages, {}, reading=fixed) != update(messages, {})
    long = update(messages, {}).encoded
    assert parse_message(long, reading=fixed) == parse_message(long, window=2)
    assert resolve([oldest, long], reading=fixed) == resolve([oldest, long], window=2)
    client = Client(Settings(encryption_key=bytes(32), reading=fixed))
    narrow = Client(Settings(encryption_key=bytes(32), window=2))
    for value in range(4):
        client, batch = push(edit(client, {b"n": value}))
        narrow, same = push(edit(narrow, {b"n": value}))
        assert batch == same


def test_a_fixed_window_is_checked() -> None:
    with pytest.raises(ValueError, match="'window' must be >= 1"):
        attrs.evolve(DOCUMENT, window=0)
    with pytest.raises(ConfigMergeError) as caught:
        resolve([first(7, {}).encoded], reading=attrs.evolve(DOCUMENT, window=2**31))
    assert caught.value.code == "bad-window"


@both_readings
def test_01_ties_are_broken_by_hash_and_not_by_the_messages(reading: Reading) -> None:
    messages = [first(7, {b"a": value}).encoded for value in range(20)]
    by_bytes, by_hash = max(messages), max(messages, key=message_hash)
    assert by_bytes != by_hash
    resolution = resolve(messages, reading=reading)
    assert resolution.survivors[-1].encoded == by_hash
    assert resolution.message.data == parse_message(by_hash).data


def test_02_the_replay_cutoff() -> None:
    row: bencode.Value = [5, HASH, {b"a": b""}]
    late = outer(8, data={b"a": 1}, lagged=[row])
    current = outer(10, data={b"b": 1})
    assert merged(late, current, reading=DOCUMENT) == {b"b": 1}
    assert merged(late, current, reading=LIBSESSION) == {b"a": 1, b"b": 1}


@both_readings
def test_02_a_row_at_the_cutoff_is_replayed(reading: Reading) -> None:
    row: bencode.Value = [6, HASH, {b"a": b""}]
    late = outer(8, data={b"a": 1}, lagged=[row])
    current = outer(10, data={b"b": 1})
    assert merged(late, current, reading=reading) == {b"a": 1, b"b": 1}


@both_readings
def test_03_an_assigned_value_that_the_source_has_not_removes_the_key(reading: Reading) -> None:
    sources: list[Data] = [{}, {b"k": {1}}, {b"k": {b"a": 1}}]
    current: list[Data] = [{b"k": 1}, {b"k": {2}}, {b"k": {b"b": 2}}, {}]
    for source in sources:
        for data in current:
            assert applied(data, b"d1:k0:e", source, reading) == {}


def test_04_a_set_diff_whose_source_has_no_set() -> None:
    added, removed = b"d1:slli1eeleee", b"d1:slleli1eeee"
    sources: list[Data] = [{}, {b"s": 1}, {b"s": {b"a": 1}}]
    for source in sources:
        assert in_both({b"s": {5}}, added, source) == ({b"s": frozenset({1, 5})}, {})
        assert in_both({b"s": {1, 5}}, removed, source) == ({b"s": frozenset({5})}, {})


def test_04_loses_a_concurrent_addition_in_the_library() -> None:
    base = first(1, {b"s": {1}}).encoded
    kept = update([base], {b"o": 1, b"s": {1}}).encoded
    emptied = update([kept], {b"o": 2}).encoded
    grown = update([base], {b"s": {1, 2}}).encoded
    assert merged(emptied, grown, reading=DOCUMENT) == {b"o": 2, b"s": frozenset({2})}
    assert merged(emptied, grown, reading=LIBSESSION) == {b"o": 2}


def test_05_a_dict_diff_whose_source_has_no_dict() -> None:
    sources: list[Data] = [{}, {b"d": 1}, {b"d": {1}}]
    for source in sources:
        assert in_both({b"d": {b"o": 5}}, b"d1:dd1:k1:-ee", source) == ({b"d": {b"o": 5}}, {})
        assert in_both({b"d": {b"k": 1, b"o": 5}}, b"d1:dd1:k0:ee", source) == (
            {b"d": {b"o": 5}},
            {},
        )
        nested_set = b"d1:dd1:slli1eeleeee"
        assert in_both({b"d": {b"o": 5}}, nested_set, source) == (
            {b"d": {b"o": 5, b"s": frozenset({1})}},
            {},
        )


@both_readings
def test_06_the_highest_message_supplies_the_value_of_a_shared_row(reading: Reading) -> None:
    row: bencode.Value = [7, HASH, {b"a": b""}]
    messages = [outer(seqno, data={b"a": seqno}, lagged=[row]) for seqno in (8, 9, 10)]
    assert merged(*messages, reading=reading) == {b"a": 10}


@given(alike_dicts, alike_dicts, alike_dicts, st.sampled_from([*READINGS.values()]))
def test_07_the_moment_of_pruning_makes_no_difference(
    base: Data, one: Data, two: Data, reading: Reading
) -> None:
    start = first(1, base).encoded
    messages = [update([start], data).encoded for data in (one, two)]
    messages.append(update([messages[0]], base).encoded)
    sooner = attrs.evolve(reading, prune_after_each_entry=True)
    later = attrs.evolve(reading, prune_after_each_entry=False)
    in_time = resolve(messages[1:], reading=sooner).message
    at_the_end = resolve(messages[1:], reading=later).message
    assert in_time.encoded == at_the_end.encoded


@both_readings
def test_08_a_value_that_changes_its_kind_replaces_the_old_one(reading: Reading) -> None:
    base = first(1, {b"k": 1}).encoded
    changed = update([base], {b"k": {b"a": 1}}, reading=reading)
    other = update([base], {b"k": 1, b"o": 1}, reading=reading)
    assert changed.diff == {b"k": {b"a": b""}}
    assert merged(changed.encoded, other.encoded, reading=reading) == {b"k": {b"a": 1}, b"o": 1}


@both_readings
def test_09_an_equal_value_is_no_change(reading: Reading) -> None:
    base = first(1, {b"k": 1, b"s": {1}}).encoded
    assert update([base], {b"k": 1, b"s": {1}}, reading=reading).diff == {}


def test_10_an_element_that_a_set_diff_both_adds_and_removes() -> None:
    overlapping = b"d1:slli1ei2eeli2eeee"
    with pytest.raises(ConfigMergeError) as caught:
        parse_diff(overlapping)
    assert (caught.value.code, caught.value.position) == ("set-diff-overlap", 14)
    data = applied({b"s": {2, 3}}, overlapping, {b"s": {1}}, LIBSESSION)
    assert data == {b"s": frozenset({1, 3})}


def test_11_unknown_keys_on_a_merge() -> None:
    pair = [outer(7, A=1), outer(8, B=b"b")]
    assert resolve(pair, reading=DOCUMENT).message.unknown == ((b"B", b"1:b"),)
    assert resolve(pair, reading=LIBSESSION).message.unknown == ()


@both_readings
def test_17_the_hash_covers_the_signature(reading: Reading) -> None:
    unsigned = first(1, {b"a": 1})
    signed = sign(unsigned, bytes(32))
    assert parse_message(signed.encoded, reading=reading).hash == message_hash(signed.encoded)
    assert signed.hash != unsigned.hash


@both_readings
def test_18_without_a_key_to_sign_the_highest_stands(reading: Reading) -> None:
    seed = b"\x07" * 32
    public = bytes.fromhex("ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c")
    pair = [sign(first(1, {b"a": value}), seed) for value in (1, 2)]
    resolution = resolve([one.encoded for one in pair], reading=reading, verify_key=public)
    assert resolution.message == max(pair, key=lambda one: one.rank)
    assert not resolution.merged


def test_19_keys_and_nonces_of_the_encryption() -> None:
    plaintext, key = b"plaintext", b"k" * 32
    in_document = encrypt(plaintext, key, domain=b"domain")
    in_library = encrypt(plaintext, key, domain=b"domain", reading=LIBSESSION)
    assert in_document[:-24] != in_library[:-24]
    assert in_document[-24:] != in_library[-24:]


@both_readings
def test_20_identical_merges_need_identical_sets_of_messages(reading: Reading) -> None:
    base = first(1, {b"a": 1}).encoded
    one, two, three = (
        update([base], {b"a": value}, reading=reading).encoded for value in (2, 3, 4)
    )
    everything = resolve([one, two, three], reading=reading).message
    assert resolve([three, one, base, two], reading=reading).message == everything
    assert resolve([one, two], reading=reading).message != everything
    assert update([one, two, three], {b"z": 1}, reading=reading) != everything


def test_21_a_diff_that_only_removes_meets_a_value_of_another_kind() -> None:
    for value in (5, b"x", {b"o": 1}):
        data: Data = {b"k": value}
        assert in_both(data, b"d1:klleli1eeee", {b"k": {2}}) == (data, {})
    for scalar in (5, b"x"):
        data = {b"k": scalar}
        assert in_both(data, b"d1:kd1:a1:-ee", {b"k": {b"b": 1}}) == (data, {})
        assert in_both(data, b"d1:kd1:ad1:b1:-eee", {b"k": {b"a": {b"c": 1}}}) == (data, {})


def test_21_a_set_stays_where_a_dict_diff_only_removes() -> None:
    data: Data = {b"k": {7}}
    document, library = in_both(data, b"d1:kd1:a1:-ee", {b"k": {b"b": 1}})
    assert document == {b"k": frozenset({7})}
    assert library == {}


@both_readings
def test_21_a_diff_that_adds_or_assigns_replaces_it(reading: Reading) -> None:
    for value in (5, b"x"):
        data: Data = {b"k": value}
        assert applied(data, b"d1:klli1eeleee", {b"k": {1}}, reading) == {b"k": frozenset({1})}
        assert applied(data, b"d1:kd1:a0:ee", {b"k": {b"a": 1}}, reading) == {b"k": {b"a": 1}}


@both_readings
def test_21_also_where_nothing_is_left_of_what_was_assigned(reading: Reading) -> None:
    base = first(1, {b"k": 5}).encoded
    turned = update([base], {b"k": {b"x": 1}}, reading=reading).encoded
    gone = update([turned], {b"o": 1}, reading=reading).encoded
    kept = base
    for value in range(4):
        kept = update([kept], {b"k": 5, b"n": value}, reading=reading).encoded
    expected = {b"n": 3, b"o": 1}
    assert merged(gone, kept, reading=reading) == expected
    assert merged(turned, gone, kept, reading=reading) == expected


@both_readings
def test_22_a_forged_row_suppresses_the_message_that_it_names(reading: Reading) -> None:
    victim = first(7, {b"precious": 1}).encoded
    forged = outer(8, data={b"evil": 1}, lagged=[[7, message_hash(victim), {}]])
    resolution = resolve([victim, forged], reading=reading)
    assert resolution.message.encoded == forged
    assert [item.why for item in resolution.ignored] == ["included"]


def test_37_the_first_message() -> None:
    assert update([], {}, reading=DOCUMENT).lagged == ()
    assert [row.seqno for row in update([], {}, reading=LIBSESSION).lagged] == [0]


@pytest.mark.parametrize("changes", [b"d1:adee", b"d1:slleleee", b"d1:ad1:bdeee"])
def test_39_empty_diffs_within_a_diff(changes: bytes) -> None:
    with pytest.raises(ConfigMergeError) as caught:
        parse_diff(changes)
    assert caught.value.code in {"dict-diff-empty", "set-diff-empty"}
    assert parse_diff(changes, reading=LIBSESSION)
    assert applied({b"o": 1}, changes, {b"o": 2}, LIBSESSION) == {b"o": 1}


@given(alike_dicts, alike_dicts)
def test_where_no_value_is_lost_or_of_another_kind_the_readings_agree(old: Data, new: Data) -> None:
    before, after = checked_data(old), checked_data(new)
    changes = diff(before, after)
    assert apply_diff(before, changes, after, reading=DOCUMENT) == apply_diff(
        before, changes, after, reading=LIBSESSION
    )


@pytest.mark.parametrize("changes", [b"d1:sllleeleee", b"d1:slleldeeee", b"d1:slldeeli1eeee"])
def test_67_a_lone_list_or_dict_in_a_set_diff_is_carried_and_changes_nothing(
    changes: bytes,
) -> None:
    with pytest.raises(ConfigMergeError) as caught:
        parse_diff(changes)
    assert caught.value.code == "set-element-type"
    assert encode_diff(parse_diff(changes, reading=LIBSESSION)) == changes
    assert applied({b"s": {7}}, changes, {b"s": {8}}, LIBSESSION) == {b"s": frozenset({7})}
    assert applied({b"s": {7}}, changes, {b"s": 8}, LIBSESSION) == {}
