"""Examples: each public name of `rejoin.conflict_detection`, in one session.

Folders, clients and their actions:

>>> from rejoin import conflict_detection as cd
>>> design: cd.Design = cd.SnapshotDesign()
>>> folder = cd.add_client(cd.Folder(design), "ann")
>>> folder = cd.add_clients(folder, [("bob", None)])
>>> made: cd.Outcome = cd.edit(folder, "ann", "notes", b"one")
>>> polled = cd.poll(made.folder, "bob", "ann", "notes")
>>> polled.classification, polled.classification == cd.Classification.OVERWRITE
(<Classification.OVERWRITE: 'overwrite'>, True)
>>> bob: cd.Client = cd.client_named(polled.folder, "bob")
>>> cd.local_files(bob)
{'notes': b'one'}
>>> file: cd.LocalFile = cd.file_of(bob, "notes")
>>> file.content, cd.is_blocked(bob, "notes")
(b'one', False)
>>> folder = cd.edit(polled.folder, "ann", "notes", b"A").folder
>>> folder = cd.edit(folder, "bob", "notes", b"B").folder
>>> every: cd.PollOfAll = cd.poll_all(folder, "ann", "bob")
>>> dict(every.classifications)
{'notes': <Classification.CONFLICT: 'conflict'>}
>>> conflicts: cd.Conflicts = cd.file_of(cd.client_named(every.folder, "ann"), "notes").conflicts
>>> held: cd.ConflictFile = conflicts[0]
>>> held.content, cd.naming(conflicts, ["bob"]) == conflicts
(b'B', True)
>>> cd.conflict_file_name("notes", ["bob"]), cd.split_file_name("notes.conflict-bob")
('notes.conflict-bob', ('notes', ('bob',)))
>>> folder = cd.resolve(every.folder, "ann", "notes", ["bob"], b"AB").folder
>>> folder = cd.rename(folder, "ann", "notes", "book").folder
>>> folder = cd.delete(folder, "ann", "book").folder
>>> folder = cd.undelete(folder, "ann", "book", b"new").folder
>>> folder = cd.go_offline(folder, "ann").folder
>>> folder = cd.change_unnoticed(folder, "ann", "book", b"newer").folder
>>> folder = cd.come_back(cd.upload_changes(folder, "ann").folder, "ann").folder
>>> folder = cd.set_back(cd.back_up(folder, "ann").folder, "ann").folder
>>> folder = cd.subscribe(cd.unsubscribe(folder, "ann", "bob"), "ann", "bob")
>>> folder = cd.join_folder(folder, "eve", {"plan": b"x"}).folder
>>> sorted(cd.local_files(cd.client_named(folder, "eve")))
['plan']
>>> cd.check_nickname("ann")
>>> cd.check_path("notes")
>>> cd.checked_scenario(100), cd.checked_steps(100)
(100, 100)
>>> try:
...     cd.edit(folder, "zoe", "notes", b"")
... except cd.ConflictDetectionError as error:
...     error.code in cd.CODES
True

What a grid keeps, and what operations cost:

>>> grid: cd.Grid = made.folder.grid
>>> capability = cd.read_capability(cd.client_named(folder, "ann").write_capability)
>>> directory: cd.Directory = cd.read_directory(grid, capability)
>>> entry: cd.Entry = directory.entries["notes"]
>>> snapshot: cd.Snapshot = cd.fetch_snapshot(grid, entry.capability)
>>> snapshot.content == cd.content_capability(b"one"), cd.fetch_content(grid, snapshot.content)
(True, b'one')
>>> cd.snapshot_capability(snapshot) == entry.capability, cd.is_stored(grid, entry.capability)
(True, True)
>>> cd.find(grid.objects, entry.capability) == snapshot
True
>>> grid, stored = cd.store_snapshot(grid, cd.new_snapshot(None, [entry.capability]))
>>> stored == cd.snapshot_capability(cd.fetch_snapshot(grid, stored))
True
>>> cd.encode_snapshot(cd.new_snapshot(None, [bytes(32)]))[:8]
b'd7:paren'
>>> cd.is_signature_valid(cd.sign_snapshot(snapshot, bytes(32)))
True
>>> spent: cd.Operations = made.operations
>>> cd.total(spent), cd.total(cd.NO_OPERATIONS)
(3, 0)
>>> leases = cd.renew_leases(made.folder, {}, "ann", until=9)
>>> cd.is_stored(cd.collect_garbage(made.folder, leases, now=9).grid, entry.capability)
False
>>> cd.kept(cd.renewed({}, {"a": ["b"], "b": []}.get, ["a"], until=9), now=5) == {"a", "b"}
True
>>> uploaded: cd.Uploaded = design.upload(
...     grid, cd.Maker("ann", None), None, (), {}, b"one", cd.Cache()
... )
>>> uploaded.version == entry.capability
True

The follows relation, and Leif's snapshots:

>>> versions: cd.VersionDag = cd.version_dag([("a", []), ("b", ["a"]), ("c", ["a"])])
>>> cd.check_known(versions, "a", "b")
>>> cd.follows(versions, "b", "a"), cd.desired_classification(versions, "b", "c").value
(True, 'conflict')
>>> parents_of = versions.__getitem__
>>> cd.is_descendant(parents_of, "b", "a")
True
>>> cd.classify_by_graph(cd.REPAIRED, parents_of, "a", "b").value
'overwrite'
>>> walk: cd.Walk = cd.fetch_for_poll(["b", "a"], parents_of, "b", "c")
>>> walk.downloaded
('c',)
>>> common = cd.most_recent_common_ancestors(parents_of, ["b", "c"])
>>> sorted(common), sorted(cd.snapshots_to_keep(parents_of, ["b"], common))
(['a'], ['a', 'b'])
>>> cache: cd.Cache = cd.remember(cd.Cache(), entry.capability, snapshot)
>>> cd.purge(cache, entry.capability, []).snapshots == cache.snapshots
True
>>> looked = cd.examine(cd.REPAIRED, cache, lambda _: None, None, entry.capability)
>>> looked.classification.value, looked.downloads
('overwrite', 0)
>>> len(cd.parents_of_upload(entry.capability, ()))
1

Zooko's version maps:

>>> ours: cd.VersionMap = {"ann": 2, "bob": 1}
>>> theirs = cd.map_of_upload({"ann": 1}, "bob")
>>> cd.check_version_map(theirs)
>>> theirs, cd.classify_by_maps(cd.REPAIRED, ours, theirs).value
({'ann': 1, 'bob': 1}, 'stale')
>>> cd.strictly_follows(cd.REPAIRED, ours, {"ann": 1}), cd.is_same_version(ours, theirs)
(True, False)
>>> cd.join([ours, {"eve": 1}]), cd.without_zeros({"ann": 0})
({'ann': 2, 'bob': 1, 'eve': 1}, {})
>>> cd.local_map_after_overwrite(cd.REPAIRED, "ann", theirs)
{'ann': 1, 'bob': 1}
>>> cd.conflict_map_after_conflict({}, "bob", theirs)
{'bob': 1}
>>> cd.local_map_after_resolution(cd.REPAIRED, ours, theirs, {})
{'ann': 2, 'bob': 1}
>>> cd.is_resolved_by(cd.REPAIRED, ours, theirs)
True
>>> cd.MapDesign().name, design.name
('version-maps', 'snapshots')

Readings, the design that both replace, and the examples of the document:

>>> reading: cd.Reading = cd.READINGS["literal"]
>>> reading == cd.LITERAL
True
>>> before: cd.OldFolder = cd.old_folder(["ann", "bob"])
>>> before, _ = cd.old_edit(before, "ann", b"one")
>>> version: cd.OldVersion = before.versions[0]
>>> client: cd.OldClient = before.clients["bob"]
>>> cd.old_classification(client, version).value
'overwrite'
>>> seen: cd.OldPoll = cd.old_poll(before, "bob", "ann")
>>> seen.classification == seen.required
True
>>> stage: cd.Stage = cd.simultaneous_update(design)[0]
>>> stage.event
'all are in sync at X'
>>> three: cd.ThreeClients = cd.three_clients(cd.REPAIRED)
>>> three.b_after_a.value
'conflict'
"""
