"""Multi-party conflict detection: does a downloaded version overwrite ours, or conflict with it?

Ground truth is the follows relation (`definitions`). Two designs compute it, snapshots and version
maps; each module is a section of the document, and the actions of clients are the same in both:
`local_changes` (edit, rename, offline), `directories_and_polling` (poll), `resolution` (resolve),
`deletion` (delete, undelete), `local_merge` (join late).
"""
