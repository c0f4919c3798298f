"""Config merge: how competing encrypted config messages merge, byte for byte alike on every client.

The modules follow the sections of the document:

| Section | Module |
|---|---|
| (points that the document leaves open) | `reading` |
| Application-side config data | `application_data` |
| Config message outer metadata | `messages`, `outer_metadata`, `signatures` |
| Config diffs | `config_diffs` |
| Config diff updates | `diff_updates`, `diff_encoding` |
| Client update behaviour | `client_update_behaviour`, `client`, `head_forms`, `swarm` |
| Ignored updates | `windows`, `ignored_updates` |
| Non-conflicting updates | `non_conflicting_updates` |
| Conflict resolution | `conflict_resolution` |
| Examples | `worked_example` |
| Message Encryption | `encryption` |

`errors` defines the exception class and its codes. `examples` shows each exported name in use. An
argument of a wrong type is a TypeError that names it.

>>> from rejoin import config_merge as cm
>>> first = cm.first_message({b"name": b"Ann", b"tags": {b"new"}})
>>> renamed = cm.update([first.encoded], {b"name": b"Anna", b"tags": {b"new"}})
>>> tagged = cm.update([first.encoded], {b"name": b"Ann", b"tags": {b"new", b"old"}})
>>> found = cm.resolve([renamed.encoded, tagged.encoded])
>>> found.merged, found.message.seqno
(True, 3)
>>> cm.encode_data(found.message.data)
b'd4:name4:Anna4:tagsl3:new3:oldee'
"""

from __future__ import annotations

from rejoin.config_merge.application_data import (
    EMPTY,
    Dict,
    Scalar,
    Set,
    Value,
    checked_data,
    encode_data,
    parse_data,
)
from rejoin.config_merge.client import (
    Client,
    LocalChange,
    Opened,
    Settings,
    edit,
    fetch,
    obsoleted_by,
    open_stored,
    push,
    receive,
    resolve_known,
    unpushed_merge_added,
)
from rejoin.config_merge.client_update_behaviour import (
    Resolution,
    parsed_or_error,
    resolve,
    resolve_messages,
    update,
    update_messages,
)
from rejoin.config_merge.config_diffs import LaggedDiff, Rank, lagged_diff, rows_by_prefix
from rejoin.config_merge.conflict_resolution import apply_diff, merge, with_local_change
from rejoin.config_merge.diff_encoding import encode_diff, parse_diff
from rejoin.config_merge.diff_updates import (
    ASSIGNED,
    NO_CHANGES,
    REMOVED,
    Change,
    Diff,
    SetDiff,
    diff,
)
from rejoin.config_merge.encryption import decrypt, encrypt
from rejoin.config_merge.errors import CODES, ConfigMergeError
from rejoin.config_merge.ignored_updates import Ignored, Parsed, Why, set_aside
from rejoin.config_merge.messages import Message, message_hash
from rejoin.config_merge.non_conflicting_updates import first_message, non_conflicting_update
from rejoin.config_merge.outer_metadata import make_message, parse_message, serialise
from rejoin.config_merge.reading import DOCUMENT, LIBSESSION, READINGS, Reading
from rejoin.config_merge.signatures import sign, signed_span, verify
from rejoin.config_merge.swarm import (
    Batch,
    StorageId,
    Swarm,
    checked_report,
    execute,
    storage_id,
    store,
)
from rejoin.config_merge.windows import DEFAULT_WINDOW, applied_window
from rejoin.faces import check_arguments

__all__ = [
    "ASSIGNED",
    "CODES",
    "DEFAULT_WINDOW",
    "DOCUMENT",
    "EMPTY",
    "LIBSESSION",
    "NO_CHANGES",
    "READINGS",
    "REMOVED",
    "Batch",
    "Change",
    "Client",
    "ConfigMergeError",
    "Dict",
    "Diff",
    "Ignored",
    "LaggedDiff",
    "LocalChange",
    "Message",
    "Opened",
    "Parsed",
    "Rank",
    "Reading",
    "Resolution",
    "Scalar",
    "Set",
    "SetDiff",
    "Settings",
    "StorageId",
    "Swarm",
    "Value",
    "Why",
    "applied_window",
    "apply_diff",
    "checked_data",
    "checked_report",
    "decrypt",
    "diff",
    "edit",
    "encode_data",
    "encode_diff",
    "encrypt",
    "execute",
    "fetch",
    "first_message",
    "lagged_diff",
    "make_message",
    "merge",
    "message_hash",
    "non_conflicting_update",
    "obsoleted_by",
    "open_stored",
    "parse_data",
    "parse_diff",
    "parse_message",
    "parsed_or_error",
    "push",
    "receive",
    "resolve",
    "resolve_known",
    "resolve_messages",
    "rows_by_prefix",
    "serialise",
    "set_aside",
    "sign",
    "signed_span",
    "storage_id",
    "store",
    "unpushed_merge_added",
    "update",
    "update_messages",
    "verify",
    "with_local_change",
]

check_arguments(globals(), made={"Client", "Reading", "SetDiff", "Settings", "Swarm"})
