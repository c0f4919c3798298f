------------------------- MODULE HistoryMergeSearch -------------------------
(***************************************************************************)
(* HistoryMerge, with what only TLC needs: counts that it prints, and a    *)
(* narrower search for replicas that disagree.                             *)
(***************************************************************************)
EXTENDS HistoryMerge, TLC

(* The premises of search-rules.md that every element meets, by name. *)
Premises ==
  {p \in {"no-concurrent-opposites", "totally-ordered", "added-once", "never-removed",
          "two-operations"} :
     \A e \in Elements :
       CASE p = "no-concurrent-opposites" -> NoConcurrentOpposites(e)
         [] p = "totally-ordered" -> TotallyOrdered(e)
         [] p = "added-once" -> AddedOnce(e)
         [] p = "never-removed" -> NeverRemoved(e)
         [] p = "two-operations" -> TwoOperations(e)}

(* Always true: tells of each history how many messages it has besides the *)
(* root, whether the document's claims hold in it, and what it meets.      *)
Told == PrintT(ToString(<<Len(messages) - 1, OrderFree, Associative, Premises>>))

(* IDs do not matter where every fold order is tried, who has not heard    *)
(* everything need not merge, and a message that changes nothing or adds   *)
(* what is there is one and the same. So nothing is lost here, but time.   *)
SearchNext ==
  \/ \E r \in Replicas, c \in Changes \ {<<{}, {}>>} :
       Post(r, Len(messages) + 1, c[1], c[2])
  \/ \E r \in Replicas, m \in DOMAIN messages : Accept(r, m)
  \/ \E r \in Replicas :
       /\ Len(messages) = MostMessages
       /\ seen[r] = DOMAIN messages
       /\ merged[r].of = {}
       /\ \E list \in Orderings(Heads(r)) : MergeHeads(r, list)

(* Replicas are alike. *)
Alike == Permutations(Replicas)
=============================================================================
