------------------------------- MODULE Checks -------------------------------
(***************************************************************************)
(* Values for the configurations in this folder: windows, menus of         *)
(* changes, and bounds.                                                    *)
(***************************************************************************)
EXTENDS Laws

CONSTANT MaxMessages

Agreements(windows) == [window : windows, signed : {FALSE}, readers : {{}}]
WindowOf1 == Agreements({1})
WindowOf2 == Agreements({2})
WindowOf3 == Agreements({3})
WindowOf5 == Agreements({5})
Windows == Agreements({1, 2, 3})
OneReader == [window : {2}, signed : {TRUE}, readers : {{c} : c \in Client}]

ScalarMenu == {Assign(<<"a">>, "1"), Assign(<<"b">>, "1"), Remove(<<"a">>)}
SetMenu == {Add(<<"s">>, "1"), Add(<<"s">>, "2"), Discard(<<"s">>, "1")}
NestedMenu == {Assign(<<"d", "x">>, "1"), Assign(<<"d", "y">>, "1"), Remove(<<"d", "x">>)}
KindMenu == {Assign(<<"d">>, "1"), Assign(<<"d", "x">>, "1"), Remove(<<"d", "x">>)}
MixedMenu == {Assign(<<"a">>, "1"), Add(<<"s">>, "1"), Discard(<<"s">>, "1"),
              Assign(<<"d", "x">>, "1"), Remove(<<"d", "x">>)}
FewMenu == {Assign(<<"a">>, "1"), Add(<<"s">>, "1")}
OneMenu == {Assign(<<"a">>, "1"), Assign(<<"a">>, "2")}
ThreeMenu == OneMenu \cup {Add(<<"s">>, "1")}
NoMenu == {}

Alike == Permutations(Client)

(* A race may never end (see `RacesEnd`), so this bounds the number of   *)
(* messages.                                                             *)
Few == Len(book) <= MaxMessages + Len(FirstBook)

(* If nobody edits, every new message is a merge. Two clients that both  *)
(* know everything need one merge between them. This property says that  *)
(* they never make more than 3. It is false: a client that fetches,      *)
(* merges and pushes while the other client merges the older messages    *)
(* can be answered in the same way, without end.                         *)
RacesEnd ==
    Cardinality({n \in Real : past[n].changes = {}}) <= 3

-----------------------------------------------------------------------------
(* What a configuration must reach. TLC must find each of these          *)
(* properties violated; if it does not, the configuration is empty.      *)

(* A client merges three messages, as 126b does. *)
AtMostTwoSurvivors == \A c \in Client : Cardinality(standing[c]) <= 2

(* A message of seqno 127 has a merge of three messages among its        *)
(* ancestors, as 127 has 126b.                                           *)
NoMessage127 ==
    \A n \in Real :
        Seqno(book, n) = 127 => \A m \in past[n].all : Cardinality(past[m].from) <= 2

-----------------------------------------------------------------------------
(* The messages 118 to 122 of the document's example, known to all       *)
(* clients. Only 118 has a change.                                       *)
First118 == [First(<<>>, 5, Done(Empty, Assign(<<"a">>, "1")), "") EXCEPT !.seqno = 118]
Chain[k \in 1..5] ==
    IF k = 1 THEN Entered(<<>>, First118, 1)
    ELSE Entered(Chain[k - 1],
                 Following(Chain[k - 1], 5, k - 1, DataOf(Chain[k - 1], k - 1), ""), 1)
From122 ==
    /\ agreed \in {<<setting>> : setting \in Settings}
    /\ book = Chain[5]
    /\ known = [c \in Client |-> {<<5, 0>>}]
    /\ head = [c \in Client |-> <<Chain[5][5].message>>]
    /\ stored = [c \in Client |-> TRUE]
    /\ edit = [c \in Client |-> <<>>]
    /\ swarm = <<{<<5, 0>>}>>
    /\ far = {}
    /\ wire = <<>>
    /\ past = [n \in 1..5 |->
                  [ from    |-> {n - 1} \ {0},
                    all     |-> 1..n,
                    changes |-> IF n = 1 THEN {Assign(<<"a">>, "1")} ELSE {},
                    sent    |-> TRUE ]]
    /\ standing = [c \in Client |-> {5}]
    /\ edits = 0
    /\ lost = FALSE
SpecFrom122 == From122 /\ [][Next]_vars
=============================================================================
