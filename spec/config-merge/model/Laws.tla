-------------------------------- MODULE Laws --------------------------------
(***************************************************************************)
(* The invariants and properties of clients and swarm, with their          *)
(* premises. All messages in this model are honest, and all clients use    *)
(* the same N. Each law names its other premises. The laws have the same   *)
(* names as in the checks of random histories.                             *)
(***************************************************************************)
EXTENDS ConfigMerge

(* A message never changes, so each message is checked only when it is   *)
(* new.                                                                  *)
New == IF Real = {} THEN {} ELSE {Len(book)}

TypeOK ==
    /\ agreed = <<>> \/ agreed[1] \in Settings
    /\ \A n \in New :
           LET message == book[n].message
           IN  /\ DOMAIN message = {"seqno", "data", "diff", "rows", "extra", "sign"}
               /\ message.seqno \in Nat
               /\ WellFormed(message.data)
               /\ Range(message.rows) \subseteq DOMAIN book
               /\ past[n].from \subseteq Real
               /\ n \in past[n].all
    /\ \A c \in Client :
           /\ Valid(known[c]) \subseteq Sent
           /\ head[c] = <<>> \/ DOMAIN head[c] = {1}
           /\ edit[c] = <<>> \/ (WellFormed(edit[c][1]) /\ edit[c][1] /= HeadData(c))
           /\ stored[c] /\ head[c] /= <<>> => NumberOf(book, head[c][1]) \in Real
           /\ standing[c] \subseteq Real
    /\ \A side \in DOMAIN swarm : Valid(swarm[side]) \subseteq Sent
    /\ Len(swarm) = IF far = {} THEN 1 ELSE 2
    /\ DOMAIN past = DOMAIN book

(* Hashes of the same seqno are strictly ordered: CM-MESSAGE-RANK. *)
RanksAreTotal ==
    \A m, n \in DOMAIN book : m /= n => Below(book, m, n) \/ Below(book, n, m)

(* CM-MESSAGE-IDENTITY *)
MessagesAreDistinct ==
    \A m, n \in DOMAIN book : book[m].message = book[n].message => m = n

-----------------------------------------------------------------------------
(* The form of the messages that clients make *)

Ascending(rows) == \A k \in 1..(Len(rows) - 1) : Below(book, rows[k], rows[k + 1])

(* CM-DIFFS-ROW-SEQNO, CM-DIFFS-ROW-ORDER, CM-UPDATE-WINDOW, CM-RESOLVE-LAGGED *)
RowsInOrder ==
    \A n \in New :
        LET message == book[n].message
        IN  /\ Ascending(message.rows)
            /\ \A row \in Range(message.rows) :
                   /\ Seqno(book, row) < message.seqno
                   /\ Within(Window, Seqno(book, row), message.seqno)

(* CM-UPDATE-LAGGED, CM-RESOLVE-LAGGED: every message has a row for each *)
(* message that it was made from, if that message is within the window.  *)
(* All its rows name ancestors.                                          *)
RowsAreAncestors ==
    \A n \in New :
        /\ Range(book[n].message.rows) \ DOMAIN FirstBook \subseteq past[n].all \ {n}
        /\ \A m \in past[n].from :
               Within(Window, Seqno(book, m), book[n].message.seqno)
               => m \in Range(book[n].message.rows)

(* The clients that hold a merge and have not pushed it. `standing` has  *)
(* the messages that it was made from.                                   *)
Unsent == {c \in Client : ~stored[c]}

(* CM-RESOLVE-SEQNO, CM-RESOLVE-DIFF-EMPTY, CM-RESOLVE-LAGGED,              *)
(* CM-RESOLVE-REPLAY-OWN, CM-OUTER-UNKNOWN-MERGE.                           *)
MergeForm ==
    \A c \in Unsent :
        LET merge == head[c][1]
            survivors == standing[c]
            newseqno == Largest({Seqno(book, n) : n \in survivors}) + 1
            highest == CHOOSE n \in survivors :
                           \A m \in survivors : m = n \/ Below(book, m, n)
        IN  /\ Cardinality(survivors) > 1
            /\ merge.seqno = newseqno
            /\ merge.diff = Empty
            /\ Ascending(merge.rows)
            /\ \A row \in Range(merge.rows) : Within(Window, Seqno(book, row), newseqno)
            /\ \A n \in survivors : Within(Window, Seqno(book, n), newseqno)
                                    => n \in Range(merge.rows)
            /\ WellFormed(merge.data)
            /\ merge.extra = IF Reading.unknownKeysOnMerge = "highest"
                              THEN book[highest].message.extra ELSE ""

(* CM-UPDATE-SEQNO, CM-UPDATE-DIFF, CM-RESOLVE-LOCAL-CHANGE,             *)
(* CM-MESSAGE-FIRST: the seqno of a message is 1 above the largest seqno *)
(* that it was made from, and its diff names exactly its changes.        *)
RECURSIVE DiffLeaves(_, _)
DiffLeaves(diff, path) ==
    UNION {LET change == diff[key]
               here == Append(path, key)
           IN  CASE change[1] = "assign" -> {<<"assign", here, "">>}
                 [] change[1] = "remove" -> {<<"remove", here, "">>}
                 [] change[1] = "set" -> {<<"add", here, each>> : each \in change[2]}
                                         \cup {<<"discard", here, each>> : each \in change[3]}
                 [] change[1] = "dict" -> DiffLeaves(change[2], here)
           : key \in DOMAIN diff}
UpdateForm ==
    \A n \in New :
        LET message == book[n].message
            seqnos == {Seqno(book, m) : m \in past[n].from}
            named(change) == IF change.act = "assign" THEN "" ELSE change.what
        IN  /\ message.seqno = (IF seqnos = {} THEN 1 ELSE Largest(seqnos) + 1)
            /\ DiffLeaves(message.diff, <<>>)
               = {<<change.act, change.path, named(change)>> : change \in past[n].changes}

-----------------------------------------------------------------------------
(* Resolving *)

(* All orders of up to 3 messages, 2 orders of more messages. *)
Orders(messages) ==
    LET k == Cardinality(messages)
        list == Listed(messages)
    IN  IF k <= 3 THEN {order \in [1..k -> messages] : Range(order) = messages}
        ELSE {[n \in 1..k |-> list[k + 1 - n]], [n \in 1..k |-> list[(n % k) + 1]]}

(* CM-MESSAGE-BYTES, CM-RESOLVE-ORDER, CM-IGNORE-INCLUDED-PAIRWISE,      *)
(* CM-IGNORE-DUPLICATE: the order of the messages in the list, and       *)
(* duplicates in it, make no difference. No premise.                     *)
OrderIndependence ==
    \A c \in Unsent :
        \A order \in Orders(Valid(known[c])) :
            LET usual == Resolved(known[c], TRUE)
            IN  /\ Resolution(book, Window, order, Signature, TRUE) = usual
                /\ Resolution(book, Window, order \o order, Signature, TRUE) = usual

(* CM-IGNORE-STALE, CM-IGNORE-INCLUDED, CM-IGNORE-SURVIVORS: a message   *)
(* survives if and only if it is within N of the largest seqno and is    *)
(* not an ancestor of another message.                                   *)
IgnoredExactly ==
    \A c \in Client :
        LET all == Valid(known[c])
        IN  all /= {} =>
                LET max == Largest({Seqno(book, n) : n \in all})
                IN  Resolved(known[c], TRUE).survivors =
                        {n \in all : /\ Within(Window, Seqno(book, n), max)
                                     /\ \A m \in all \ {n} : n \notin past[m].all}

(* CM-RESOLVE-IDEMPOTENT, CM-RESOLVE-SINGLE: resolving a merge together  *)
(* with the messages that it merged returns the merge unchanged,         *)
(* whatever its hash.                                                    *)
Idempotence ==
    \A c \in Unsent : \A place \in Places(book, head[c][1]) :
        LET with == Entered(book, head[c][1], place)
            merge == NumberOf(with, head[c][1])
            again == Resolution(with, Window, Listed(standing[c] \cup {merge}),
                                Signature, TRUE)
        IN  ~again.merged /\ again.message = head[c][1]

(* CM-CLIENT-CONVERGE: two clients with the same survivors make the same *)
(* merge. Premise: both can sign.                                        *)
SameMessagesSameBytes ==
    \A c \in Unsent, d \in Client :
        Valid(known[d]) /= {} /\ CanSign(d) =>
            LET theirs == Resolved(known[d], TRUE)
            IN  theirs.survivors = standing[c] => theirs.message = head[c][1]

-----------------------------------------------------------------------------
(* No change within the window is lost *)

(* The expected data of a merge: the data of the highest message, with   *)
(* all changes of survivors and their ancestors within the window        *)
(* applied in the order of their ranks.                                  *)
Changers(survivors, oldest) ==
    {n \in UNION {past[s].all : s \in survivors} :
        past[n].changes /= {} /\ Seqno(book, n) >= oldest}

AllDoneInOrder(data, messages) ==
    LET order == Ranked(book, Listed(messages))
        after[k \in 0..Len(order)] ==
            IF k = 0 THEN data ELSE AllDone(after[k - 1], past[order[k]].changes)
    IN  after[Len(order)]

Judged(c, law(_, _, _)) ==
    LET merge == head[c][1]
        ranked == Ranked(book, Listed(standing[c]))
        changers == Changers(standing[c], merge.seqno - Window)
        changes == UNION {past[n].changes : n \in changers}
        due == AllDoneInOrder(DataOf(book, ranked[Len(ranked)]), changers)
    IN  due /= merge.data =>
            \A leaf \in LeavesOf(due) \cup LeavesOf(merge.data) :
                law(AtLeaf(due, leaf), AtLeaf(merge.data, leaf),
                    \E change \in changes : Touches(change, leaf))

(* CM-RESOLVE-LATER-WINS, CM-RESOLVE-REPLAY-LAGGED,                      *)
(* CM-RESOLVE-REPLAY-SOURCE: if several changes within the window touch  *)
(* a leaf, the highest-ranked change wins.                               *)
NoLostUpdate ==
    \A c \in Unsent : Judged(c, LAMBDA due, found, touched : touched => due = found)

(* CM-RESOLVE-BASE, CM-DIFF-APPLY-UNTOUCHED: if no change within the     *)
(* window touches a leaf, the leaf is the same as in the highest-ranked  *)
(* message.                                                              *)
UntouchedLeavesStay ==
    \A c \in Unsent : Judged(c, LAMBDA due, found, touched : ~touched => due = found)

(* CM-CLIENT-EDIT-KEPT: a waiting edit makes the same changes to the new *)
(* head as it made to the old head. A property of steps.                 *)
EditSurvivesResolve ==
    [][\A c \in Client :
           edit[c] /= <<>> /\ known' = known /\ book' = book /\ edits' = edits =>
               Seen(c)' = AllDone(HeadData(c)', Changes(HeadData(c), Seen(c)))]_vars

-----------------------------------------------------------------------------
(* The final state *)

(* Nothing is left to do: every client has fetched and resolved all      *)
(* stored forms, and has nothing to push.                                *)
Quiet ==
    /\ agreed /= <<>>
    /\ wire = <<>>
    /\ Len(swarm) = 1
    /\ \A c \in Client :
           /\ swarm[1] \subseteq known[c]
           /\ edit[c] = <<>>
           /\ stored[c]
           /\ IF Valid(known[c]) = {} THEN head[c] = <<>>
              ELSE head[c] = <<Resolved(known[c], CanSign(c)).message>>

(* CM-CLIENT-CONVERGE: all clients have the same head. Premises: no      *)
(* batch was lost; every client can sign.                                *)
ExchangeConverges ==
    Quiet /\ ~lost /\ agreed[1].readers = {} => \A c, d \in Client : head[c] = head[d]

(* CM-CLIENT-BATCH, CM-CLIENT-DELETE-REFUSED, CM-CLIENT-KEEP-KNOWN: two  *)
(* new clients get the same head as every other client: one that fetches *)
(* the forms still stored, and one that is given all messages ever sent. *)
(* Premises: as above.                                                   *)
DeletionLosesNothing ==
    Quiet /\ ~lost /\ agreed[1].readers = {} /\ Real /= {} =>
        \A c \in Client :
            /\ head[c] = <<Resolved(swarm[1], TRUE).message>>
            /\ head[c] = <<Resolution(book, Window, Listed(Sent), Signature, TRUE).message>>

(* CM-RESOLVE-LATER-WINS, CM-RESOLVE-REPLAY-ORDER: in the final state,   *)
(* the data are the result of applying all changes in the order of their *)
(* ranks. Premises: no batch was lost, every client can sign, and the    *)
(* window overruled nothing. The window overruled nothing if every       *)
(* message is an ancestor of the head, and the messages that a message   *)
(* was made from have the same ancestors below its seqno - N.            *)
WindowOverruledNothing(top) ==
    /\ Real \subseteq past[top].all
    /\ \A n \in Real : \A s \in past[n].from : \A m \in past[n].all \ {n} :
           Seqno(book, m) < book[n].message.seqno - Window => m \in past[s].all

ReplayOfEverything ==
    Quiet /\ ~lost /\ agreed[1].readers = {} /\ Real /= {} =>
        \A c \in Client :
            WindowOverruledNothing(NumberOf(book, head[c][1]))
            => head[c][1].data = AllDoneInOrder(Empty, Real)

(* CM-CLIENT-DELETE-KNOWN, CM-CLIENT-BATCH: a push deletes a message     *)
(* only if the message that it stores contains it, or if it is outside   *)
(* the window of the stored message. The stored message is a different   *)
(* one. It is stored in the same step, or it came with a late batch, and *)
(* a later batch may have deleted it again. A property of steps.         *)
DeletesOnlyObsolete ==
    [][\A side \in DOMAIN swarm \cap DOMAIN swarm' :
           \A form \in swarm[side] \ swarm'[side] :
               /\ form[1] /= 0
               /\ \E n \in Valid(swarm'[side]) \cup {batch.store[1] : batch \in Range(wire)} :
                      /\ n /= form[1]
                      /\ \/ form[1] \in past'[n].all
                         \/ ~Within(Window, Seqno(book, form[1]), Seqno(book', n))]_vars

(* CM-CLIENT-CONVERGE as a liveness property: if edits stop and every    *)
(* client keeps fetching, resolving and pushing, the system eventually   *)
(* stays quiet. Premise: no two messages ever compete. Without this      *)
(* premise the property is false, see `RacesEnd` and CM-E65.             *)
QuietInTheEnd == <>[](agreed /= <<>> => Quiet)
=============================================================================
