------------------------------- MODULE Checks -------------------------------
(***************************************************************************)
(* What the configurations beside this module choose from: windows, menus  *)
(* of changes, and bounds.                                                 *)
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

(* Races need not come to an end, see `RacesEnd`: so their number is bounded. *)
Few == Len(book) <= MaxMessages + Len(FirstBook)

(* As long as nobody edits, a message that is made is a merge.  Two clients *)
(* that both know everything need one merge between them.  This says that   *)
(* they never make more than so many: it is not so.  A client that fetches, *)
(* merges and pushes while the other has merged what was there before can   *)
(* be answered in the same way, and so on for ever.                         *)
RacesEnd ==
    Cardinality({n \in Real : past[n].changes = {}}) <= 3
=============================================================================
