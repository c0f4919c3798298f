"""The laws of config merge, each with its premises.

Three things are said about a message in the premises. It is *honest* if its rows, diff and data are
what the protocol makes of the messages that it follows. A leaf is a scalar, or one element of a
set. A change is *overruled by the window* in a merge of seqno S if its own seqno is below S - N.
"""

from __future__ import annotations

from typing import Final

from rejoin_conformance.contract.law import Law

BOTH: Final = ("document", "libsession")
DOCUMENT_ONLY: Final = ("document",)
HONEST: Final = "all messages at hand are honest; all clients use the same N"

ORDER_INDEPENDENCE: Final = Law(
    name="order-independence",
    statement="Resolve gives the same bytes, survivors and reasons in every order of its input; at "
    "least 6 orders are tried, or all there are, for each set of survivors that is merged.",
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
    statement="Clients that know the same messages hold the same head, plaintext and ciphertext; "
    "so do clients with the same surviving messages.",
    premises="the clients can sign, or signatures are not required, or both cannot sign",
    clauses=("CM-CLIENT-CONVERGE", "CM-MESSAGE-BYTES", "CM-ENCRYPT-DETERMINISTIC"),
    claimed_by=BOTH,
)

REPEATS_CHANGE_NOTHING: Final = Law(
    name="repeats-change-nothing",
    statement="A resolve gives the same bytes when every message is given twice, when the ignored "
    "ones are left out, and when all ancestors of the survivors are thrown in.",
    premises=f"none for doubled messages; for the rest: {HONEST}",
    clauses=("CM-IGNORE-DUPLICATE", "CM-IGNORE-INCLUDED", "CM-IGNORE-STALE"),
    claimed_by=BOTH,
)

IGNORED_EXACTLY: Final = Law(
    name="ignored-exactly",
    statement="Of the valid messages at hand those survive that are within N of the largest seqno "
    "and are not an ancestor of another one; the others are ignored.",
    premises=HONEST,
    clauses=("CM-IGNORE-STALE", "CM-IGNORE-INCLUDED", "CM-IGNORE-SURVIVORS"),
    claimed_by=BOTH,
)

BAD_MESSAGES_SPOIL_NOTHING: Final = Law(
    name="bad-messages-spoil-nothing",
    statement="Messages that are invalid by construction are reported as invalid, and a resolve "
    "gives the same bytes with and without them.",
    premises="none",
    clauses=("CM-IGNORE-INVALID", "CM-SECURITY-ONE-BAD"),
    claimed_by=BOTH,
)

IDEMPOTENCE: Final = Law(
    name="idempotence",
    statement="A merge that is resolved together with the messages that it merged comes out as it "
    "is, and is not merged again.",
    premises="none",
    clauses=("CM-RESOLVE-IDEMPOTENT", "CM-RESOLVE-SINGLE"),
    claimed_by=BOTH,
)

MERGE_FORM: Final = Law(
    name="merge-form",
    statement="A merge has the seqno after the largest, an empty diff, rows that strictly ascend "
    "and lie within N, and among them the seqno and BLAKE2b hash of every merged message that "
    "does so too. It keeps the unknown keys of the highest-ranked one, and no others "
    "(`libsession`: none).",
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
    statement="An update has the seqno after that of the message it follows, its rows within N and "
    "a row of that message itself, its unknown keys, the data that the application saw, and a diff "
    "that names exactly the leaves that were changed. A change on top of a merge has the merge's "
    "own seqno and rows.",
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
    statement="After a merge every leaf that was changed by a survivor or an ancestor, and not "
    "overruled by the window, is what the highest-ranked of those changes made of it. A change "
    "touches the leaves that it names, and those that cannot stand beside them.",
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
    statement="A leaf that no change within the window touches is, after a merge, what it was in "
    "the highest-ranked message.",
    premises=HONEST,
    clauses=("CM-RESOLVE-BASE", "CM-RESOLVE-REPLAY-CUTOFF", "CM-DIFF-APPLY-UNTOUCHED"),
    claimed_by=DOCUMENT_ONLY,
)

REPLAY_OF_EVERYTHING: Final = Law(
    name="replay-of-everything",
    statement="In the end the data are those that all changes of the history give when they are "
    "carried out in the order of their messages' ranks, however they were merged on the way.",
    premises=f"{HONEST}; the window overruled nothing: every message is an ancestor of the last, "
    "and the survivors of each merge agree on all ancestors below newseqno - N",
    clauses=("CM-RESOLVE-LATER-WINS", "CM-RESOLVE-REPLAY-ORDER"),
    claimed_by=DOCUMENT_ONLY,
)

EDIT_SURVIVES_RESOLVE: Final = Law(
    name="edit-survives-resolve",
    statement="An edit that is not pushed yet stands after a resolve: the application sees the new "
    "head's data with the edit's leaves changed as it changed them.",
    premises="none",
    clauses=("CM-CLIENT-EDIT-KEPT",),
    claimed_by=DOCUMENT_ONLY,
)

EXCHANGE_CONVERGES: Final = Law(
    name="exchange-converges",
    statement="When clients fetch, resolve and push in turn, nothing changes after at most 2 "
    "rounds a client and 4 more, and all hold the same head, stored and without an edit left.",
    premises="the seqnos are not exhausted; no client is left with an edit that it cannot sign",
    clauses=("CM-CLIENT-CONVERGE", "CM-CLIENT-RESOLVE", "CM-CLIENT-PUSH-MERGE"),
    claimed_by=BOTH,
)

DELETION_LOSES_NOTHING: Final = Law(
    name="deletion-loses-nothing",
    statement="In the end a new client that fetches what is still stored, and one that is given "
    "all that ever was, both hold the head that everyone holds.",
    premises=f"{HONEST}; the exchange has converged",
    clauses=("CM-CLIENT-BATCH", "CM-CLIENT-DELETE-REFUSED", "CM-CLIENT-KEEP-KNOWN"),
    claimed_by=BOTH,
)

DELETES_ONLY_OBSOLETE: Final = Law(
    name="deletes-only-obsolete",
    statement="What a push deletes is an ancestor of the message that it stores, or has a seqno N "
    "or more below it. What cannot be read is never deleted.",
    premises="the message that is pushed, and so what it follows, is honest",
    clauses=("CM-CLIENT-BATCH", "CM-CLIENT-DELETE-KNOWN", "CM-IGNORE-OLD-VERSION-KEPT"),
    claimed_by=BOTH,
)

CANONICAL_FORM: Final = Law(
    name="canonical-form",
    statement="A message parses to the parts that it was made of, and is serialised from them to "
    "the same bytes, which are canonical bt-encoding.",
    premises="an honest program made it",
    clauses=("CM-BT-ENCODE", "CM-OUTER-SERIALISE", "CM-DATA-SET-ORDER"),
    claimed_by=BOTH,
)

DIFF_AND_APPLY: Final = Law(
    name="diff-and-apply",
    statement="The diff between two states of the data leads from the one to the other, forwards "
    "and backwards, and is not empty unless they are equal.",
    premises="none",
    clauses=("CM-DIFF-ROUND-TRIP", "CM-DIFF-MAKE-EQUAL", "CM-UPDATE-DIFF"),
    claimed_by=BOTH,
)

CIPHERTEXT_OPENS: Final = Law(
    name="ciphertext-opens",
    statement="What a client stores opens to the message that it pushed, and is 40 bytes longer.",
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
"""Every law, in the order in which they are shown."""
