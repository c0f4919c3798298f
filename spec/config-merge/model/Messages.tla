------------------------------ MODULE Messages ------------------------------
(***************************************************************************)
(* Messages, their order, and the resolution of a list of messages.        *)
(*                                                                         *)
(* A message is a record of its parts:                                     *)
(*   seqno  its seqno                                                      *)
(*   data   the application data                                           *)
(*   diff   its own changes                                                *)
(*   rows   the lagged rows, as a sequence of the messages they name       *)
(*   extra  the unknown keys, as one name; "" for none                     *)
(*   sign   the signature, as one name; "" for none                        *)
(* Two messages with the same parts have the same bytes and are the same   *)
(* message.                                                                *)
(*                                                                         *)
(* All messages of a behaviour are in a *book*: a sequence of entries      *)
(* [message, place], with one entry for each message. Rows and all other   *)
(* references name a message by the number of its entry. The diff of a     *)
(* row is the diff of the message that it names. Therefore the model can   *)
(* only express honest rows; the errata describe forged rows (CM-E22).     *)
(*                                                                         *)
(* Hashes are unpredictable. Only their order matters, and only among      *)
(* messages of the same seqno (CM-MESSAGE-RANK). `place` is the place of   *)
(* a message's hash among the hashes of its seqno. A new message takes     *)
(* any place, and the messages above it move up. So every order of         *)
(* hashes is possible.                                                     *)
(*                                                                         *)
(* Clauses: CM-MESSAGE-HASH, CM-MESSAGE-RANK, CM-MESSAGE-IDENTITY,         *)
(* CM-DIFFS-ROW, CM-OUTER-UNKNOWN-ALLOWED.                                 *)
(***************************************************************************)
EXTENDS Leaves

Range(list) == {list[k] : k \in DOMAIN list}
Largest(numbers) == CHOOSE n \in numbers : \A m \in numbers : m <= n

(* A set of messages as a list. No result may depend on its order. *)
RECURSIVE Listed(_)
Listed(messages) ==
    IF messages = {} THEN <<>>
    ELSE LET least == CHOOSE n \in messages : \A m \in messages : n <= m
         IN  <<least>> \o Listed(messages \ {least})

-----------------------------------------------------------------------------
(* The book *)

Seqno(book, n) == book[n].message.seqno
DataOf(book, n) == book[n].message.data

(* CM-MESSAGE-RANK: seqno first, hash second. *)
Below(book, m, n) ==
    \/ Seqno(book, m) < Seqno(book, n)
    \/ Seqno(book, m) = Seqno(book, n) /\ book[m].place < book[n].place

(* CM-RESOLVE-ORDER *)
Ranked(book, list) == SortSeq(list, LAMBDA m, n : Below(book, m, n))

(* The number of a message, or 0 if it is not in the book. *)
NumberOf(book, message) ==
    LET same == {n \in DOMAIN book : /\ book[n].message.seqno = message.seqno
                                     /\ book[n].message = message}
    IN  IF same = {} THEN 0 ELSE CHOOSE n \in same : TRUE

(* The possible places of a message's hash. If the message is in the     *)
(* book, this is its place there.                                        *)
Places(book, message) ==
    LET n == NumberOf(book, message)
    IN  IF n /= 0 THEN {book[n].place} ELSE 1..(1 + Cardinality({m \in DOMAIN book : Seqno(book, m) = message.seqno}))

(* The book with a message entered at that place. *)
Entered(book, message, place) ==
    IF NumberOf(book, message) /= 0 THEN book
    ELSE LET moved(n) == IF Seqno(book, n) = message.seqno /\ book[n].place >= place THEN 1 ELSE 0
         IN  Append([n \in DOMAIN book |-> [book[n] EXCEPT !.place = @ + moved(n)]],
                    [message |-> message, place |-> place])

-----------------------------------------------------------------------------
(* The window *)

Within(window, seqno, largest) == seqno > largest - window

(* CM-UPDATE-WINDOW, CM-RESOLVE-LAGGED *)
RowsWithin(book, window, rows, newseqno) ==
    SelectSeq(rows, LAMBDA n : Within(window, Seqno(book, n), newseqno))

-----------------------------------------------------------------------------
(* Ignored updates. `list` is a list of messages in any order, perhaps   *)
(* with duplicates. It has no invalid messages (CM-IGNORE-INVALID).      *)

Max(book, list) == Largest({Seqno(book, n) : n \in Range(list)})

(* CM-IGNORE-INCLUDED, CM-IGNORE-INCLUDED-PAIRWISE *)
Included(book, list) == UNION {Range(book[n].message.rows) : n \in Range(list)}

(* CM-IGNORE-DUPLICATE, CM-IGNORE-STALE, CM-IGNORE-SURVIVORS *)
Survivors(book, window, list) ==
    LET max == Max(book, list)
        included == Included(book, list)
        survives(k) == /\ \A j \in 1..(k - 1) : list[j] /= list[k]
                       /\ Within(window, Seqno(book, list[k]), max)
                       /\ list[k] \notin included
        places == {k \in DOMAIN list : survives(k)}
        kept[k \in 0..Len(list)] ==
            IF k = 0 THEN <<>>
            ELSE IF k \in places THEN Append(kept[k - 1], list[k]) ELSE kept[k - 1]
    IN  kept[Len(list)]

-----------------------------------------------------------------------------
(* Non-conflicting updates *)

(* CM-MESSAGE-FIRST. If the reading counts from a message of seqno 0     *)
(* that is never sent (CM-E37), that message is entry 1 of the book.     *)
Zero == [seqno |-> 0, data |-> Empty, diff |-> Empty, rows |-> <<>>, extra |-> "", sign |-> ""]
FirstBook == IF Reading.firstMessageLagsZero THEN <<[message |-> Zero, place |-> 1]>> ELSE <<>>

First(book, window, data, sign) ==
    [ seqno |-> 1,
      data  |-> data,
      diff  |-> Diff(Empty, data),
      rows  |-> IF Reading.firstMessageLagsZero THEN RowsWithin(book, window, <<1>>, 1) ELSE <<>>,
      extra |-> "",
      sign  |-> sign ]

(* CM-UPDATE-SEQNO, CM-UPDATE-DATA, CM-UPDATE-LAGGED, CM-UPDATE-WINDOW,     *)
(* CM-UPDATE-DIFF, CM-OUTER-UNKNOWN-UPDATE.                                 *)
Following(book, window, current, data, sign) ==
    LET old == book[current].message
        newseqno == old.seqno + 1
    IN  [ seqno |-> newseqno,
          data  |-> data,
          diff  |-> Diff(old.data, data),
          rows  |-> RowsWithin(book, window, Append(old.rows, current), newseqno),
          extra |-> old.extra,
          sign  |-> sign ]

-----------------------------------------------------------------------------
(* Conflict resolution *)

(* The merge of two or more survivors, given in any order. *)
Merge(book, window, survivors, sign) ==
    LET (* 1 *) newseqno == Max(book, survivors) + 1           \* CM-RESOLVE-SEQNO
        (* 2 *) ranked == Ranked(book, survivors)              \* CM-RESOLVE-ORDER
        (* 3 *) highest == book[ranked[Len(ranked)]].message   \* CM-RESOLVE-BASE
        (* 4 *) oldest == newseqno - window
                replayed(n) == Seqno(book, n) >= oldest \/ ~Reading.replayCutoff
                                                               \* CM-RESOLVE-REPLAY-CUTOFF
                lagged == UNION {{n \in Range(book[s].message.rows) : replayed(n)} :
                                 s \in Range(survivors)}       \* CM-RESOLVE-REPLAY-LAGGED
                replay == Range(survivors) \cup lagged         \* CM-RESOLVE-REPLAY-OWN
                carriers(n) == {k \in DOMAIN ranked : n \in Range(book[ranked[k]].message.rows)}
                source(n) == IF n \in Range(survivors) THEN n
                             ELSE ranked[Largest(carriers(n))] \* CM-RESOLVE-REPLAY-SOURCE
        (* 5 *) entries == Ranked(book, Listed(replay))        \* CM-RESOLVE-REPLAY-ORDER
        (* 6 *) after[k \in 0..Len(entries)] ==
                    IF k = 0 THEN highest.data
                    ELSE AppliedEntry(after[k - 1], book[entries[k]].message.diff,
                                      DataOf(book, source(entries[k])))
    IN  [ seqno |-> newseqno,
          data  |-> AtTheEnd(after[Len(entries)]),             \* CM-RESOLVE-PRUNE
        (* 7 *)
          rows  |-> RowsWithin(book, window, entries, newseqno), \* CM-RESOLVE-LAGGED
        (* 8 *)
          diff  |-> Empty,                                     \* CM-RESOLVE-DIFF-EMPTY
          extra |-> IF Reading.unknownKeysOnMerge = "highest" THEN highest.extra ELSE "",
                                                               \* CM-OUTER-UNKNOWN-MERGE
          sign  |-> sign ]

(* The resolution of a list of messages: the resulting message, whether  *)
(* it is a new merge, and the survivors. CM-RESOLVE-SINGLE,              *)
(* CM-SIGN-CANNOT-MERGE.                                                 *)
Resolution(book, window, list, sign, canSign) ==
    LET survivors == TLCEval(Survivors(book, window, list))
        ranked == Ranked(book, survivors)
        merged == Len(survivors) > 1 /\ canSign
    IN  [ message   |-> IF merged THEN Merge(book, window, survivors, sign)
                        ELSE book[ranked[Len(ranked)]].message,
          merged    |-> merged,
          survivors |-> Range(survivors) ]

(* CM-RESOLVE-LOCAL-CHANGE, CM-RESOLVE-LOCAL-NO-CHANGE *)
WithLocalChange(merge, data) == [merge EXCEPT !.data = data, !.diff = Diff(merge.data, data)]
=============================================================================
