"""The laws of config merge, each with its premises.

The laws use three terms. A message is *honest* if its rows, diff and data are those that the
protocol makes of the messages that it follows. A *leaf* is a scalar, or one element of a set. In a
merge of seqno S, the window *overrules* the changes of messages whose seqno is below S - N.
"""

from __future__ import annotations

from typing import Final

from rejoin_conformance.contract.law import Law

BOTH: Final = ("document", "libsession")
DOCUMENT_ONLY: Final = ("document",)
HONEST: Final = "all messages at hand are honest; all clients use the same N"

ORDER_INDEPENDENCE: Final = Law(
    name="order-independence",
    statement="Resolve gives the same bytes, survivors and reasons for every order of its input. "
    "For each merged set of survivors, at least 6 orders are tried, or all orders if there are "
    "fewer.",
    premises="none",
    clauses=(
        "CM-MESSAGE-BYTES",
        "CM-RESOLVE-ORDER",
        "CM-RESOLVE-REPLAY-ORDER",
        "CM-IGNORE-INCLUDED-PAIRWISE",
    ),
    claimed_by=BOTH,
)

SAME_MESSAGES_SAME_BYTES: Final = Law(
    name="same-messages-same-bytes",
    statement="Clients with the same messages have the same head, plaintext and ciphertext. So do "
    "clients with the same surviving messages.",
    premises="these clients have the same reading, window and keys; signatures are not required, "
    "or all these clients can sign, or none of them can",
    clauses=("CM-CLIENT-CONVERGE", "CM-MESSAGE-BYTES", "CM-ENCRYPT-DETERMINISTIC"),
    claimed_by=BOTH,
)

REPEATS_CHANGE_NOTHING: Final = Law(
    name="repeats-change-nothing",
    statement="A resolve gives the same bytes if every message is given twice, if the ignored "
    "messages are left out, and if all ancestors of the messages are added.",
    premises=f"for messages given twice: none; for the others: {HONEST}",
    clauses=("CM-IGNORE-DUPLICATE", "CM-IGNORE-INCLUDED", "CM-IGNORE-STALE"),
    claimed_by=BOTH,
)

IGNORED_EXACTLY: Final = Law(
    name="ignored-exactly",
    statement="A valid message survives if and only if it is within N of the largest seqno and is "
    "not an ancestor of another valid message. All other messages are ignored.",
    premises=HONEST,
    clauses=("CM-IGNORE-STALE", "CM-IGNORE-INCLUDED", "CM-IGNORE-SURVIVORS"),
    claimed_by=BOTH,
)

BAD_MESSAGES_SPOIL_NOTHING: Final = Law(
    name="bad-messages-spoil-nothing",
    statement="A resolve reports messages that are invalid by construction as invalid, and gives "
    "the same bytes with and without them.",
    premises="none",
    clauses=("CM-IGNORE-INVALID", "CM-SECURITY-ONE-BAD"),
    claimed_by=BOTH,
)

IDEMPOTENCE: Final = Law(
    name="idempotence",
    statement="A resolve of a merge together with the messages that it merged returns that merge "
    "and does not merge again.",
    premises="none",
    clauses=("CM-RESOLVE-IDEMPOTENT", "CM-RESOLVE-SINGLE"),
    claimed_by=BOTH,
)

MERGE_FORM: Final = Law(
    name="merge-form",
    statement="A merge has the seqno after the largest one, an empty diff, and rows that strictly "
    "ascend and lie within N. The rows contain the seqno and BLAKE2b hash of every merged message "
    "within N. The merge has exactly the unknown keys of the highest-ranked message; in "
    "`libsession` it has none.",
    premises="none",
    clauses=(
        "CM-RESOLVE-SEQNO",
        "CM-RESOLVE-DIFF-EMPTY",
        "CM-RESOLVE-LAGGED",
        "CM-RESOLVE-REPLAY-OWN",
        "CM-MESSAGE-HASH",
        "CM-DIFFS-ROW-ORDER",
        "CM-OUTER-UNKNOWN-MERGE",
    ),
    claimed_by=BOTH,
)

UPDATE_FORM: Final = Law(
    name="update-form",
    statement="An update has the seqno after that of the message it follows, the rows of that "
    "message within N and a row of that message itself, its unknown keys, the data that the "
    "application saw, and a diff that names exactly the changed leaves. A change on top of a merge "
    "has the seqno and rows of the merge.",
    premises="none",
    clauses=(
        "CM-UPDATE-SEQNO",
        "CM-UPDATE-LAGGED",
        "CM-UPDATE-WINDOW",
        "CM-UPDATE-DATA",
        "CM-RESOLVE-LOCAL-CHANGE",
        "CM-OUTER-UNKNOWN-UPDATE",
        "CM-CLIENT-PUSH-EDIT",
    ),
    claimed_by=BOTH,
)

NO_LOST_UPDATE: Final = Law(
    name="no-lost-update",
    statement="After a merge, every leaf has the value that the highest-ranked change of a "
    "survivor or an ancestor gave it, without the changes that the window overrules. A change "
    "touches the leaves that it names, and the leaves that cannot exist beside them.",
    premises=HONEST,
    clauses=(
        "CM-RESOLVE-LATER-WINS",
        "CM-RESOLVE-REPLAY-LAGGED",
        "CM-RESOLVE-REPLAY-SOURCE",
        "CM-DIFF-APPLY-SET",
        "CM-DIFF-APPLY-DICT",
        "CM-DIFF-APPLY-TYPE-MISMATCH",
    ),
    claimed_by=DOCUMENT_ONLY,
)

UNTOUCHED_LEAVES_STAY: Final = Law(
    name="untouched-leaves-stay",
    statement="After a merge, a leaf that no change within the window touches is the same as in "
    "the highest-ranked message.",
    premises=HONEST,
    clauses=("CM-RESOLVE-BASE", "CM-RESOLVE-REPLAY-CUTOFF", "CM-DIFF-APPLY-UNTOUCHED"),
    claimed_by=DOCUMENT_ONLY,
)

REPLAY_OF_EVERYTHING: Final = Law(
    name="replay-of-everything",
    statement="At the end, the data are the result of all changes of the history, carried out in "
    "the order of their messages' ranks, no matter in which steps they were merged.",
    premises=f"{HONEST}; the window overruled no change: every message is an ancestor of the last, "
    f"and the survivors of each merge have the same ancestors below newseqno - N",
    clauses=("CM-RESOLVE-LATER-WINS", "CM-RESOLVE-REPLAY-ORDER"),
    claimed_by=DOCUMENT_ONLY,
)

EDIT_SURVIVES_RESOLVE: Final = Law(
    name="edit-survives-resolve",
    statement="An edit that is not pushed yet survives a resolve: the application sees the data of "
    "the new head with the edit's changes applied to it.",
    premises="none",
    clauses=("CM-CLIENT-EDIT-KEPT",),
    claimed_by=DOCUMENT_ONLY,
)

EXCHANGE_CONVERGES: Final = Law(
    name="exchange-converges",
    statement="If clients fetch, resolve and push in turn, nothing changes after at most 2 rounds "
    "per client and 4 more rounds. Then all clients hold the same head, the swarm has stored it, "
    "and no client has an edit left.",
    premises="all clients have the same reading, window and keys; the seqnos are not exhausted; no "
    "client has an edit that it cannot sign",
    clauses=(
        "CM-CLIENT-CONVERGE",
        "CM-CLIENT-RESOLVE",
        "CM-CLIENT-PUSH-MERGE",
        "CM-CLIENT-PUSH-CONFLICT",
        "CM-RESOLVE-PUBLISH",
    ),
    claimed_by=BOTH,
)

DELETION_LOSES_NOTHING: Final = Law(
    name="deletion-loses-nothing",
    statement="At the end, a new client that fetches the stored messages, and a new client that "
    "gets all messages of the history, both hold the head that all clients hold.",
    premises=f"{HONEST}; the exchange has converged",
    clauses=("CM-CLIENT-BATCH", "CM-CLIENT-DELETE-REFUSED", "CM-CLIENT-KEEP-KNOWN"),
    claimed_by=BOTH,
)

DELETES_ONLY_OBSOLETE: Final = Law(
    name="deletes-only-obsolete",
    statement="A push deletes only ancestors of the message that it stores, and messages whose "
    "seqno is at least N below the seqno of that message. It never deletes a ciphertext that the "
    "client cannot decrypt. It deletes an invalid message only if the reading makes a client find "
    "the stored form of its head by place (CM-E69).",
    premises="the pushed message is honest, and so are the messages that it follows",
    clauses=(
        "CM-CLIENT-BATCH",
        "CM-CLIENT-DELETE-KNOWN",
        "CM-CLIENT-DELETE-FORMS",
        "CM-IGNORE-OLD-VERSION-KEPT",
    ),
    claimed_by=BOTH,
)

CANONICAL_FORM: Final = Law(
    name="canonical-form",
    statement="A message parses to the parts from which it was made. Serialising these parts gives "
    "the same bytes, which are canonical bt-encoding.",
    premises="an honest program made the message",
    clauses=("CM-BT-ENCODE", "CM-OUTER-SERIALISE", "CM-DATA-SET-ORDER"),
    claimed_by=BOTH,
)

DIFF_AND_APPLY: Final = Law(
    name="diff-and-apply",
    statement="Applying the diff between two states of the data to the first state gives the "
    "second state, in both directions. The diff is not empty unless the states are equal.",
    premises="none",
    clauses=("CM-DIFF-ROUND-TRIP", "CM-DIFF-MAKE-EQUAL", "CM-UPDATE-DIFF"),
    claimed_by=BOTH,
)

CIPHERTEXT_OPENS: Final = Law(
    name="ciphertext-opens",
    statement="The ciphertext that a client stores decrypts to the message that it pushed, and is "
    "40 bytes longer than the message.",
    premises="none",
    clauses=("CM-ENCRYPT-FORM", "CM-ENCRYPT-CIPHER", "CM-ENCRYPT-NONCE"),
    claimed_by=BOTH,
)

LAWS: Final = (
    ORDER_INDEPENDENCE,
    SAME_MESSAGES_SAME_BYTES,
    REPEATS_CHANGE_NOTHING,
    IGNORED_EXACTLY,
    BAD_MESSAGES_SPOIL_NOTHING,
    IDEMPOTENCE,
    MERGE_FORM,
    UPDATE_FORM,
    NO_LOST_UPDATE,
    UNTOUCHED_LEAVES_STAY,
    REPLAY_OF_EVERYTHING,
    EDIT_SURVIVES_RESOLVE,
    EXCHANGE_CONVERGES,
    DELETION_LOSES_NOTHING,
    DELETES_ONLY_OBSOLETE,
    CANONICAL_FORM,
    DIFF_AND_APPLY,
    CIPHERTEXT_OPENS,
)
"""All laws, in the order of reports."""
