"""Multi-party conflict detection: does a downloaded version overwrite ours, or conflict with it?

Ground truth is the follows relation (`follows`). Two designs compute it, snapshots and version
maps; each module is a section of the document, and the actions of clients are the same in both:
`local_changes` (edit, rename, offline), `directories_and_polling` (poll), `resolution` (resolve),
`deletion` (delete, undelete), `local_merge` (join late).

For searches that ask millions of times, these need no grid:
`overwrite_and_conflict.classify_by_graph`, `version_maps.classify_by_maps`, `classify_by_entries`
and `join`, `follows.classify_by_closure`.
"""
