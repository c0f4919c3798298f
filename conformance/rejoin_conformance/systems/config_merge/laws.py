"""The laws of config merge, each with its premises.

The laws use three terms. A message is *honest* if its rows, diff and data are those that the
protocol makes of the messages that it follows. A *leaf* is a scalar, or one element of a set. In a
merge of seqno S, the window *overrules* the changes of messages whose seqno is below S - N.
"""

from __future__ import annotations

from typing import Final

from rejoin_conformance.contract.law import laws_told

_HONEST: Final = "all messages at hand are honest; all clients use the same N"
_TEXT: Final = """
order-independence: Resolve gives the same bytes, survivors and reasons for every order of its
    input. For each merged set of survivors, at least 6 orders are tried, or all orders if there are
    fewer. CM-MESSAGE-BYTES CM-RESOLVE-ORDER CM-RESOLVE-REPLAY-ORDER CM-IGNORE-INCLUDED-PAIRWISE
same-messages-same-bytes: Clients with the same messages have the same head, plaintext and
    ciphertext. So do clients with the same surviving messages. Premise: these clients have the same
    reading, window and keys; signatures are not required, or all these clients can sign, or none of
    them can. CM-CLIENT-CONVERGE CM-MESSAGE-BYTES CM-ENCRYPT-DETERMINISTIC
repeats-change-nothing: A resolve gives the same bytes if every message is given twice, if the
    ignored messages are left out, and if all ancestors of the messages are added. Premise: for
    messages given twice: none; for the others: HONEST. CM-IGNORE-DUPLICATE CM-IGNORE-INCLUDED
    CM-IGNORE-STALE
ignored-exactly: A valid message survives if and only if it is within N of the largest seqno and is
    not an ancestor of another valid message. All other messages are ignored. Premise: HONEST.
    CM-IGNORE-STALE CM-IGNORE-INCLUDED CM-IGNORE-SURVIVORS
bad-messages-spoil-nothing: A resolve reports messages that are invalid by construction as invalid,
    and gives the same bytes with and without them. CM-IGNORE-INVALID CM-SECURITY-ONE-BAD
idempotence: A resolve of a merge together with the messages that it merged returns that merge and
    does not merge again. CM-RESOLVE-IDEMPOTENT CM-RESOLVE-SINGLE
merge-form: A merge has the seqno after the largest one, an empty diff, and rows that strictly
    ascend and lie within N. The rows contain the seqno and BLAKE2b hash of every merged message
    within N. The merge has exactly the unknown keys of the highest-ranked message; in `libsession`
    it has none. CM-RESOLVE-SEQNO CM-RESOLVE-DIFF-EMPTY CM-RESOLVE-LAGGED CM-RESOLVE-REPLAY-OWN
    CM-MESSAGE-HASH CM-DIFFS-ROW-ORDER CM-OUTER-UNKNOWN-MERGE
update-form: An update has the seqno after that of the message it follows, the rows of that message
    within N and a row of that message itself, its unknown keys, the data that the application saw,
    and a diff that names exactly the changed leaves. A change on top of a merge has the seqno and
    rows of the merge. CM-UPDATE-SEQNO CM-UPDATE-LAGGED CM-UPDATE-WINDOW CM-UPDATE-DATA
    CM-RESOLVE-LOCAL-CHANGE CM-OUTER-UNKNOWN-UPDATE CM-CLIENT-PUSH-EDIT
no-lost-update (document only): After a merge, every leaf has the value that the highest-ranked
    change of a survivor or an ancestor gave it, without the changes that the window overrules. A
    change touches the leaves that it names, and the leaves that cannot exist beside them. Premise:
    HONEST. CM-RESOLVE-LATER-WINS CM-RESOLVE-REPLAY-LAGGED CM-RESOLVE-REPLAY-SOURCE
    CM-DIFF-APPLY-SET CM-DIFF-APPLY-DICT CM-DIFF-APPLY-TYPE-MISMATCH
untouched-leaves-stay (document only): After a merge, a leaf that no change within the window
    touches is the same as in the highest-ranked message. Premise: HONEST. CM-RESOLVE-BASE
    CM-RESOLVE-REPLAY-CUTOFF CM-DIFF-APPLY-UNTOUCHED
replay-of-everything (document only): At the end, the data are the result of all changes of the
    history, carried out in the order of their messages' ranks, no matter in which steps they were
    merged. Premise: HONEST; the window overruled no change: every message is an ancestor of the
    last, and the survivors of each merge have the same ancestors below newseqno - N.
    CM-RESOLVE-LATER-WINS CM-RESOLVE-REPLAY-ORDER
edit-survives-resolve (document only): An edit that is not pushed yet survives a resolve: the
    application sees the data of the new head with the edit's changes applied to it.
    CM-CLIENT-EDIT-KEPT
exchange-converges: If clients fetch, resolve and push in turn, nothing changes after at most 2
    rounds per client and 4 more rounds. Then all clients hold the same head, the swarm has stored
    it, and no client has an edit left. Premise: all clients have the same reading, window and keys;
    the seqnos are not exhausted; no client has an edit that it cannot sign. CM-CLIENT-CONVERGE
    CM-CLIENT-RESOLVE CM-CLIENT-PUSH-MERGE CM-CLIENT-PUSH-CONFLICT CM-RESOLVE-PUBLISH
deletion-loses-nothing: At the end, a new client that fetches the stored messages, and a new client
    that gets all messages of the history, both hold the head that all clients hold. Premise:
    HONEST; the exchange has converged. CM-CLIENT-BATCH CM-CLIENT-DELETE-REFUSED
    CM-CLIENT-KEEP-KNOWN
deletes-only-obsolete: A push deletes only ancestors of the message that it stores, and messages
    whose seqno is at least N below the seqno of that message. It never deletes a ciphertext that
    the client cannot decrypt. It deletes an invalid message only if the reading makes a client find
    the stored form of its head by place (CM-E69). Premise: the pushed message is honest, and so are
    the messages that it follows. CM-CLIENT-BATCH CM-CLIENT-DELETE-KNOWN CM-CLIENT-DELETE-FORMS
    CM-IGNORE-OLD-VERSION-KEPT
canonical-form: A message parses to the parts from which it was made. Serialising these parts gives
    the same bytes, which are canonical bt-encoding. Premise: an honest program made the message.
    CM-BT-ENCODE CM-OUTER-SERIALISE CM-DATA-SET-ORDER
diff-and-apply: Applying the diff between two states of the data to the first state gives the second
    state, in both directions. The diff is not empty unless the states are equal. CM-DIFF-ROUND-TRIP
    CM-DIFF-MAKE-EQUAL CM-UPDATE-DIFF
ciphertext-opens: The ciphertext that a client stores decrypts to the message that it pushed, and is
    40 bytes longer than the message. CM-ENCRYPT-FORM CM-ENCRYPT-CIPHER CM-ENCRYPT-NONCE
"""
LAW: Final = laws_told(_TEXT, ("document", "libsession"), {"HONEST": _HONEST})
"""The laws by name."""

LAWS: Final = tuple(LAW.values())
"""The laws, in the order of reports."""
