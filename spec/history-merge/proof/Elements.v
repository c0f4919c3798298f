(* Theorem 1 for one element of a set: if no addition is concurrent with a removal, the last operations
   of the past decide every merge. *)

From Coq Require Import List Arith Bool Lia Permutation.
From HistoryMerge Require Import Order Lcau Merge Element Pasts Agreement.
Import ListNotations.

Section Premise.
(* The fold order in which the parents of a node are merged: any function that takes each node of a
   set once. *)
Variable fold_order : list nat -> list nat.
Hypothesis takes_each_once : forall X, Permutation X (fold_order X).

Variable G : history (state Element).
Hypothesis wf : well_formed G.

(* The history has the element at the node v. *)
Definition has (v : nat) : bool := state_at (T := Element) G v.

Definition merge_of_parents (v : nat) : option bool :=
  Agreement.merge_of_parents Element fold_order G v.

(* An addition has the element although the merge of its parents lacks it. The merge of no parents
   lacks it, so a root that has the element is an addition. *)
(* Clauses: HM-MERGE-ORDER-FREE *)
Definition addition (v : nat) : Prop :=
  v < length G /\ has v = true /\ merge_of_parents v = Some false.

(* A removal lacks the element although the merge of its parents has it. *)
(* Clauses: HM-MERGE-ORDER-FREE *)
Definition removal (v : nat) : Prop :=
  v < length G /\ has v = false /\ merge_of_parents v = Some true.

Definition no_addition_concurrent_with_a_removal : Prop :=
  forall a r, addition a -> removal r -> ~ concurrent G a r.

Definition operation (v : nat) : Prop := addition v \/ removal v.

(* Additions and removals are the nodes that do not keep the merge of their parents. *)
Lemma operation_iff : forall v, Agreement.operation Element fold_order G v <-> operation v.
Proof.
  intro v. unfold operation, addition, removal, Agreement.operation, has. split.
  - intros [Hv no].
    destruct (parents_have_a_merge Element fold_order takes_each_once G wf v Hv) as [m Em].
    unfold merge_of_parents. rewrite Em in no |- *.
    destruct m, (state_at (T := Element) G v); auto; congruence.
  - intros [[Hv [S M]] | [Hv [S M]]]; split; auto; unfold merge_of_parents in M; rewrite M, S;
      discriminate.
Qed.

Definition decided : (nat -> bool) -> bool := Agreement.decided Element bool_dec fold_order G.

Definition last : (nat -> bool) -> nat -> Prop := Agreement.last Element fold_order G.

Hypothesis premise : no_addition_concurrent_with_a_removal.

Lemma operations_agree : concurrent_operations_agree Element fold_order G.
Proof.
  intros u v Ou Ov [no no']. apply operation_iff in Ou, Ov.
  destruct Ou as [Au | Ru], Ov as [Av | Rv].
  - transitivity true; [apply Au | symmetry; apply Av].
  - destruct (premise u v Au Rv). split; auto.
  - destruct (premise v u Av Ru). split; auto.
  - transitivity false; [apply Ru | symmetry; apply Rv].
Qed.

Lemma decided_is_a_meaning : meaning (T := Element) G decided.
Proof.
  unfold decided.
  apply Agreement.decided_is_a_meaning with (T := Element) (proper := fun _ => True);
    auto using operations_agree, element_commutative, element_idempotent.
  intros o a _ _. apply element_identity.
Qed.

(* Every node has the state that the last operations of its past decide. *)
Lemma decided_gives : forall v, v < length G -> decided (past G [v]) = state_at (T := Element) G v.
Proof.
  unfold decided.
  apply Agreement.decided_gives with (T := Element) (proper := fun _ => True);
    auto using operations_agree, element_commutative, element_idempotent.
  intros o a _ _. apply element_identity.
Qed.

(* **Theorem 1, for one element.** Every result of a merge has the element if and only if a last
   operation of the merged past is an addition. *)
(* Clauses: HM-MERGE-ORDER-FREE *)
Theorem last_operations_decide : forall X s, known G X ->
  Merge (T := Element) G X s -> s = decided (past G X).
Proof.
  intros X s kn M. apply merge_has_meaning; auto using decided_is_a_meaning.
  intros v Hv _. apply decided_gives, Hv.
Qed.

Lemma decided_iff : forall D, decided D = true <-> exists a, last D a /\ has a = true.
Proof.
  intro D. destruct (some_or_none Element bool_dec fold_order takes_each_once G wf D)
    as [none | [w [Ow Dw]]].
  - unfold decided. rewrite Agreement.decided_by_none by auto. split; [discriminate |].
    intros [a [[Oa [Da _]] _]]. rewrite none in Da by exact Oa. discriminate.
  - destruct (a_last_after Element bool_dec fold_order takes_each_once G wf D w Ow Dw) as [l [Ll _]].
    unfold decided.
    rewrite (Agreement.decided_by_last Element bool_dec fold_order takes_each_once G wf
               operations_agree D l Ll).
    split; [intro E; exists l; auto |]. intros [a [La Sa]]. rewrite <- Sa. symmetry.
    apply (last_operations_agree Element fold_order G operations_agree D); auto.
Qed.

End Premise.
