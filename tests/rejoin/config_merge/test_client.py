"""Clients and a swarm: fetch, resolve, edit, push."""

from __future__ import annotations

import pytest
from attrs import evolve
from nacl.signing import SigningKey

from rejoin.config_merge import (
    DOCUMENT,
    LIBSESSION,
    READINGS,
    Client,
    ConfigMergeError,
    Reading,
    Settings,
    Swarm,
    edit,
    encrypt,
    execute,
    fetch,
    open_stored,
    push,
    receive,
    resolve,
    resolve_known,
    storage_id,
    store,
)
from support.config_merge import first

both_readings = pytest.mark.parametrize("reading", READINGS.values(), ids=list(READINGS))

SEED = b"\x05" * 32
PUBLIC = bytes(SigningKey(SEED).verify_key)


def new_client(reading: Reading = DOCUMENT) -> Client:
    return Client(Settings(encryption_key=b"k" * 32, domain=b"test", reading=reading))


def sealed(plaintext: bytes, client: Client) -> bytes:
    settings = client.settings
    return encrypt(
        plaintext, settings.encryption_key, reading=settings.reading, domain=settings.domain
    )


def pushed(client: Client, swarm: Swarm) -> tuple[Client, Swarm]:
    client, batch = push(client)
    return client, swarm if batch is None else execute(swarm, batch)


def caught_up(client: Client, swarm: Swarm) -> Client:
    return resolve_known(fetch(client, swarm.stored.values()))[0]


def head_of(client: Client) -> bytes:
    assert client.head is not None
    return client.head.encoded


@both_readings
def test_what_one_client_pushes_another_sees(reading: Reading) -> None:
    one, swarm = pushed(edit(new_client(reading), {b"a": 1}), Swarm())
    two = caught_up(new_client(reading), swarm)
    assert two.data == one.data == {b"a": 1}
    assert head_of(one) == head_of(two)
    assert one.head is not None
    assert one.head.seqno == 1


@both_readings
def test_an_edit_shows_at_once_and_is_pushed_once(reading: Reading) -> None:
    client = edit(new_client(reading), {b"a": 1})
    assert client.data == {b"a": 1}
    assert client.head is None
    client, batch = push(client)
    assert batch is not None
    assert batch.delete == ()
    assert push(client) == (client, None)


@both_readings
def test_two_racing_clients_merge_to_the_same_bytes(reading: Reading) -> None:
    one, two, swarm = race(reading)
    one, two = caught_up(one, swarm), caught_up(two, swarm)
    assert head_of(one) == head_of(two)
    assert one.data == {b"a": 1, b"b": 1, b"c": 1}
    assert not one.head_is_stored
    _, batch_one = push(one)
    _, batch_two = push(two)
    assert batch_one is not None
    assert batch_two is not None
    assert batch_one.store == batch_two.store
    for batch in (batch_one, batch_two):
        swarm = execute(swarm, batch)
    assert list(swarm.stored.values()) == [batch_one.store]


@both_readings
def test_a_pushed_merge_is_everyones_head(reading: Reading) -> None:
    one, two, swarm = race(reading)
    one, swarm = pushed(caught_up(one, swarm), swarm)
    two = caught_up(two, swarm)
    assert head_of(one) == head_of(two)
    assert two.head_is_stored
    assert push(two) == (two, None)


@both_readings
def test_an_edit_survives_a_merge_and_is_pushed_in_it(reading: Reading) -> None:
    one, two, swarm = race(reading)
    one = edit(one, {b"a": 9, b"b": 1})
    one = caught_up(one, swarm)
    assert one.data == {b"a": 9, b"b": 1, b"c": 1}
    one, swarm = pushed(one, swarm)
    assert one.head is not None
    assert one.head.seqno == 3
    assert one.head.diff == {b"a": b""}
    assert caught_up(two, swarm).data == {b"a": 9, b"b": 1, b"c": 1}


@both_readings
def test_an_edit_on_a_stored_head_is_an_update(reading: Reading) -> None:
    client, _ = pushed(edit(new_client(reading), {b"a": 1}), Swarm())
    client, batch = push(edit(client, {b"a": 1, b"b": {2}}))
    assert batch is not None
    assert client.head is not None
    assert client.head.seqno == 2
    assert client.local is None
    assert client.head_is_stored


@both_readings
def test_an_edit_that_leads_back_is_none(reading: Reading) -> None:
    client, _ = pushed(edit(new_client(reading), {b"a": 1}), Swarm())
    client = edit(edit(client, {b"a": 2}), {b"a": 1})
    assert client.local is None
    assert push(client) == (client, None)


@both_readings
def test_an_edit_that_somebody_else_made_too_is_none(reading: Reading) -> None:
    one, swarm = pushed(edit(new_client(reading), {b"a": 1}), Swarm())
    two = caught_up(new_client(reading), swarm)
    two, swarm = pushed(edit(two, {b"a": 2}), swarm)
    one = caught_up(edit(one, {b"a": 2}), swarm)
    assert one.local is None
    assert one.data == {b"a": 2}


@both_readings
def test_an_edit_stands_on_the_head_of_the_last_resolve(reading: Reading) -> None:
    one, swarm = pushed(edit(new_client(reading), {b"a": 0}), Swarm())
    two = caught_up(new_client(reading), swarm)
    one = edit(one, {b"a": 1})
    two, swarm = pushed(edit(two, {b"a": 1}), swarm)
    one = caught_up(one, swarm)
    two, swarm = pushed(edit(two, {b"a": 2}), swarm)
    one = caught_up(one, swarm)
    assert one.data == {b"a": 2}


@both_readings
def test_fetching_alone_moves_nothing(reading: Reading) -> None:
    one, _, swarm = race(reading)
    before = head_of(one)
    one = fetch(one, swarm.stored.values())
    assert head_of(one) == before
    assert len(one.known) == 3


@both_readings
def test_a_push_before_a_resolve_follows_the_old_head(reading: Reading) -> None:
    one, _, swarm = race(reading)
    one = fetch(one, swarm.stored.values())
    one, batch = push(edit(one, {b"a": 5, b"b": 1}))
    assert batch is not None
    assert one.head is not None
    assert one.head.seqno == 3
    assert b"c" not in one.data


@both_readings
def test_a_push_deletes_what_it_makes_obsolete_and_knows(reading: Reading) -> None:
    one, two, swarm = race(reading)
    late, swarm_before = one, swarm
    names = set(swarm.stored)
    two, batch = push(caught_up(two, swarm))
    assert batch is not None
    assert set(batch.delete) >= names
    assert two.head is not None
    late, late_batch = push(edit(late, {b"a": 7}))
    assert late_batch is not None
    assert set(late_batch.delete) <= set(late.known)
    assert execute(swarm_before, late_batch).stored.keys() - {storage_id(late_batch.store)}


@both_readings
def test_where_nothing_can_be_deleted_the_outcome_is_the_same(reading: Reading) -> None:
    one, two, swarm = race(reading)
    hoarder = evolve(swarm, deletion_permitted=False)
    one, batch = push(caught_up(one, swarm))
    assert batch is not None
    kept = caught_up(two, execute(hoarder, batch))
    deleted = caught_up(two, execute(swarm, batch))
    assert head_of(kept) == head_of(deleted) == head_of(one)


@both_readings
def test_what_cannot_be_read_is_not_followed(reading: Reading) -> None:
    client = new_client(reading)
    good = first(1, {b"a": 1}).encoded
    newer_version = b'd1:"0:1:#i9e1:&de1:<le1:=dee'
    swarm = Swarm()
    for ciphertext in (b"rubbish", sealed(newer_version, client), sealed(good, client)):
        swarm = store(swarm, ciphertext)
    client = caught_up(client, swarm)
    assert head_of(client) == good
    client, batch = push(edit(client, {b"a": 2}))
    assert batch is not None
    # CM-E69: the library takes the form at place 0 of (newer version, good) for that of its head.
    taken = [sealed(newer_version, client)] if reading is LIBSESSION else []
    assert batch.delete == tuple(map(storage_id, [*taken, sealed(good, client)]))
    assert client.taken_for_head == ()


def test_only_decrypted_messages_have_a_place_in_the_list_of_the_library() -> None:
    client = new_client(LIBSESSION)
    good = first(1, {b"a": 1}).encoded
    client = fetch(client, [b"rubbish", b"r" * 80, sealed(good, client)])
    form = storage_id(sealed(good, client))
    assert client.arrived == (form,)
    client, _ = resolve_known(client)
    assert client.arrived == ()
    assert client.taken_for_head == (form,)


@both_readings
def test_a_client_that_can_read_nothing_pushes_nothing(reading: Reading) -> None:
    client = caught_up(new_client(reading), store(Swarm(), b"rubbish"))
    assert client.head is None
    client = edit(client, {b"a": 1})
    assert push(client) == (client, None)
    assert client.data == {b"a": 1}


@both_readings
def test_what_was_opened_once_can_be_received_by_many(reading: Reading) -> None:
    one, two, swarm = race(reading)
    opened = [open_stored(ciphertext, one.settings) for ciphertext in swarm.stored.values()]
    assert receive(one, opened) == fetch(one, swarm.stored.values())
    assert receive(two, opened) == fetch(two, swarm.stored.values())


@both_readings
def test_a_merge_that_was_not_pushed_is_made_anew(reading: Reading) -> None:
    one, two, swarm = race(reading)
    one = caught_up(one, swarm)
    assert not one.head_is_stored
    two, swarm = pushed(edit(two, {b"a": 1, b"c": 2}), swarm)
    one = caught_up(one, swarm)
    expected = resolve(
        [known.encoded for known in one.known.values() if not isinstance(known, ConfigMergeError)],
        reading=reading,
    )
    assert head_of(one) == expected.message.encoded


def test_a_client_without_the_signing_key_reads_and_does_not_write() -> None:
    writer = evolve_keys(new_client(), SEED)
    reader = evolve_keys(new_client(), None)
    writer, swarm = pushed(edit(writer, {b"a": 1}), Swarm())
    reader = caught_up(reader, swarm)
    assert reader.data == {b"a": 1}
    with pytest.raises(ConfigMergeError) as caught:
        push(edit(reader, {b"a": 2}))
    assert caught.value.code == "signing-key-missing"


def test_a_client_without_the_signing_key_waits_for_a_merge() -> None:
    writers = [evolve_keys(new_client(), SEED) for _ in range(2)]
    swarm = Swarm()
    for number, writer in enumerate(writers):
        _, swarm = pushed(edit(writer, {b"n": number}), swarm)
    reader = caught_up(evolve_keys(new_client(), None), swarm)
    assert reader.head_is_stored
    assert push(reader) == (reader, None)
    writer, swarm = pushed(caught_up(writers[0], swarm), swarm)
    assert head_of(caught_up(reader, swarm)) == head_of(writer)


def evolve_keys(client: Client, signing_key: bytes | None) -> Client:
    settings = evolve(client.settings, verify_key=PUBLIC, signing_key=signing_key)
    return evolve(client, settings=settings)


def race(reading: Reading) -> tuple[Client, Client, Swarm]:
    """Two clients that changed the same message at the same time."""
    one, swarm = pushed(edit(new_client(reading), {b"a": 1}), Swarm(deletion_permitted=False))
    two = caught_up(new_client(reading), swarm)
    one, swarm = pushed(edit(one, {b"a": 1, b"b": 1}), swarm)
    two, swarm = pushed(edit(two, {b"a": 1, b"c": 1}), swarm)
    return one, two, evolve(swarm, deletion_permitted=True)
