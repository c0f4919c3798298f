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
=============================================================================
