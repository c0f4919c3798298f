------------------------- MODULE HistoryMergeSearch -------------------------
(***************************************************************************)
(* HistoryMerge with two additions for TLC: counts that it prints, and a   *)
(* narrower search for replicas that disagree.                             *)
(***************************************************************************)
EXTENDS HistoryMerge, TLC

(* The names of the premises of search-rules.md that every element       *)
(* meets.                                                                *)
Premises ==
  {p \in {"no-concurrent-opposites", "totally-ordered", "added-once", "never-removed",
          "two-operations"} :
     \A e \in Elements :
       CASE p = "no-concurrent-opposites" -> NoConcurrentOpposites(e)
         [] p = "totally-ordered" -> TotallyOrdered(e)
         [] p = "added-once" -> AddedOnce(e)
         [] p = "never-removed" -> NeverRemoved(e)
         [] p = "two-operations" -> TwoOperations(e)}

(* Always true. Prints for each history the number of messages without   *)
(* the root, whether each claim of the document holds, and the premises  *)
(* that it meets.                                                        *)
Printed == PrintT(ToString(<<Len(messages) - 1, OrderFree, Associative, Premises>>))

(* This search skips only redundant steps. IDs do not matter, because it *)
(* tries every fold order. A replica that has not seen every message     *)
(* need not merge. A message that changes nothing has the same effect as *)
(* one that adds an existing element.                                    *)
SearchNext ==
  \/ \E r \in Replicas, c \in Changes \ {<<{}, {}>>} :
       Post(r, Len(messages) + 1, c[1], c[2])
  \/ \E r \in Replicas, m \in DOMAIN messages : Accept(r, m)
  \/ \E r \in Replicas :
       /\ Len(messages) = MostMessages
       /\ seen[r] = DOMAIN messages
       /\ merged[r].of = {}
       /\ \E list \in Orderings(Heads(r)) : MergeHeads(r, list)

(* Replicas are interchangeable. *)
Alike == Permutations(Replicas)
=============================================================================
