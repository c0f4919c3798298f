(* The 3-way merge of one element of a set (spec/history-merge/three-way-merge.md). A state says whether
   the set has the element. *)

From Coq Require Import Bool.
From HistoryMerge Require Import Merge.

(* If o has the element, the result has it if both sides have it. If o lacks the element, the result
   has it if one of the sides has it. *)
(* Clauses: HM-3WAY-ELEMENT *)
Definition element_merge (o a b : bool) : bool := if o then a && b else a || b.

Definition Element : state_type := StateType bool false element_merge.

(* Clauses: HM-3WAY-IDENTITY *)
Lemma element_identity : forall o a, element_merge o o a = a /\ element_merge o a o = a.
Proof. intros [] []; auto. Qed.

(* Clauses: HM-3WAY-COMMUTATIVE *)
Lemma element_commutative : forall o a b, element_merge o a b = element_merge o b a.
Proof. intros [] [] []; auto. Qed.

(* Clauses: HM-3WAY-IDEMPOTENT *)
Lemma element_idempotent : forall o a, element_merge o a a = a.
Proof. intros [] []; auto. Qed.

(* The laws leave two cells of the table open: the result if both sides add the element, and the result
   if both sides remove it. In all other cells, a side has changed nothing. *)
Definition completed (both_add both_remove o a b : bool) : bool :=
  if eqb a o then b else if eqb b o then a else if o then both_remove else both_add.

(* The four merges, under the names of the spec. *)
(* Clauses: HM-3WAY-ELEMENT *)
Definition idempotent_merge := completed true false.
(* Clauses: HM-3WAY-SET-OTHERS *)
Definition additions_cancel := completed false false.
(* Clauses: HM-3WAY-SET-OTHERS *)
Definition removals_cancel := completed true true.
(* Clauses: HM-3WAY-SET-OTHERS *)
Definition symmetric_difference := completed false true.

(* A history over one element, merged with f. *)
Definition Merged_with (f : bool -> bool -> bool -> bool) : state_type := StateType bool false f.
