"""Examples: each public name of `rejoin.config_merge`, in one session.

Data, diffs and their encodings:

>>> from rejoin import config_merge as cm
>>> old, new = {b"name": b"Ann", b"n": 1}, {b"name": b"Anna", b"tags": {b"new"}}
>>> data: cm.Dict = cm.checked_data(new)
>>> cm.encode_data(data)
b'd4:name4:Anna4:tagsl3:newee'
>>> cm.parse_data(b"d4:name4:Annae") == {b"name": b"Anna"}
True
>>> value: cm.Value = b"a scalar, a set or a dict"
>>> element: cm.Scalar = 7
>>> elements: cm.Set = frozenset({element, b"seven"})
>>> cm.encode_data(cm.EMPTY)
b'de'
>>> change: cm.Diff = cm.diff(old, new)
>>> change[b"name"] == cm.ASSIGNED, change[b"n"] == cm.REMOVED
(True, True)
>>> kind: cm.Change = change[b"tags"]
>>> kind == cm.SetDiff(frozenset({b"new"}), frozenset())
True
>>> cm.encode_diff(change)
b'd1:n1:-4:name0:4:tagsll3:neweleee'
>>> cm.parse_diff(cm.encode_diff(change)) == change
True
>>> cm.diff(new, new) == cm.NO_CHANGES
True
>>> cm.apply_diff(cm.checked_data(old), change, data) == data
True

Messages, and how they merge:

>>> first: cm.Message = cm.first_message(old)
>>> cm.serialise(first) == first.encoded
True
>>> left = cm.update([first.encoded], new)
>>> right = cm.non_conflicting_update(first, {b"n": 2}, window=cm.DEFAULT_WINDOW)
>>> found: cm.Resolution = cm.resolve([first.encoded, left.encoded, right.encoded])
>>> found.merged, found.message.seqno, sorted(found.message.data)
(True, 3, [b'n', b'tags'])
>>> ignored: cm.Ignored = found.ignored[0]
>>> why: cm.Why = ignored.why
>>> why
'included'
>>> messages: list[cm.Parsed] = [cm.parse_message(left.encoded), right]
>>> cm.resolve_messages(messages) == cm.resolve([left.encoded, right.encoded])
True
>>> cm.set_aside(messages, window=5)[1]
(None, None)
>>> cm.merge([left, right], window=5, reading=cm.DOCUMENT) == found.message
True
>>> cm.update_messages(messages, data) == cm.update([left.encoded, right.encoded], data)
True
>>> cm.with_local_change(found.message, {b"n": 3}).data[b"n"]
3
>>> cm.parsed_or_error(b"no message", window=5, reading=cm.DOCUMENT, verify_key=None).code
'unexpected-byte'
>>> try:
...     cm.parse_message(b"no message")
... except cm.ConfigMergeError as error:
...     error.code in cm.CODES
True
>>> rank: cm.Rank = first.row.rank
>>> rank == (1, cm.message_hash(first.encoded))
True
>>> row: cm.LaggedDiff = cm.lagged_diff(rank, cm.diff({}, old))
>>> cm.make_message(seqno=2, data=data, lagged=[row], diff=change) == left
True
>>> [*cm.rows_by_prefix([row]).values()] == [row]
True

Readings and windows:

>>> reading: cm.Reading = cm.READINGS["libsession"]
>>> reading == cm.LIBSESSION
True
>>> cm.applied_window(5, cm.DOCUMENT)
5

Signatures and encryption:

>>> from nacl.signing import SigningKey
>>> key = SigningKey(bytes(32))
>>> signed = cm.sign(first, bytes(key))
>>> cm.verify(signed, bytes(key.verify_key)), cm.signed_span(signed) in signed.encoded
(True, True)
>>> ciphertext = cm.encrypt(first.encoded, bytes(32))
>>> cm.decrypt(ciphertext, bytes(32)) == first.encoded
True

Clients and a swarm:

>>> settings = cm.Settings(encryption_key=bytes(32))
>>> client = cm.edit(cm.Client(settings), {b"name": b"Ann"})
>>> change: cm.LocalChange = client.local
>>> client, batch = cm.push(client)
>>> isinstance(batch, cm.Batch)
True
>>> swarm = cm.execute(cm.Swarm(), batch)
>>> len(swarm.stored), len(cm.store(swarm, ciphertext).stored)
(1, 2)
>>> name: cm.StorageId = cm.storage_id(ciphertext)
>>> opened: cm.Opened = cm.open_stored(ciphertext, settings)
>>> opened.name == name
True
>>> other = cm.receive(cm.fetch(cm.Client(settings), swarm.stored.values()), [opened])
>>> other, resolution = cm.resolve_known(other)
>>> resolution.merged, cm.unpushed_merge_added(other) == ()
(True, True)
>>> len(cm.obsoleted_by(resolution.message, other))
2
>>> cm.checked_report(100)
100
"""
