(* Registers: a type of states whose 3-way merge can conflict (spec/history-merge/three-way-merge.md,
   "Other types"). *)

From Coq Require Import List Arith Bool Lia Permutation.
From HistoryMerge Require Import Order Lcau Merge FoldOrder Agreement.
Import ListNotations.

Section Registers.
(* A register contains one value, of any type whose values can be compared. *)
Variable value : Type.
Hypothesis same_or_not : forall a b : value, {a = b} + {a <> b}.
Variable default_value : value.

(* `Some v` is a register that contains v. `None` stands for a conflict: the merge is refused, and so is
   every merge that needs it. *)
(* Clauses: HM-3WAY-REGISTER HM-3WAY-CONFLICT *)
Definition register_merge (o a b : option value) : option value :=
  match o, a, b with
  | Some o, Some a, Some b =>
      if same_or_not a o then Some b
      else if same_or_not a b then Some b
      else if same_or_not b o then Some a
      else None
  | _, _, _ => None
  end.

(* Clauses: HM-3WAY-REGISTER *)
Definition Register : state_type := StateType (option value) (Some default_value) register_merge.

Definition no_conflict (s : option value) : Prop := s <> None.

Ltac compare_values :=
  repeat match goal with
  | |- context [same_or_not ?a ?b] => destruct (same_or_not a b); subst
  end; try congruence; auto.

(* Clauses: HM-3WAY-IDENTITY *)
Theorem register_identity : forall o a, no_conflict o -> no_conflict a ->
  register_merge o o a = a /\ register_merge o a o = a.
Proof.
  intros [o |] [a |] Po Pa; try (exfalso; auto; fail); cbn; split; compare_values.
Qed.

(* Clauses: HM-3WAY-COMMUTATIVE *)
Theorem register_commutative : forall o a b, register_merge o a b = register_merge o b a.
Proof. intros [o |] [a |] [b |]; cbn; compare_values. Qed.

(* Clauses: HM-3WAY-IDEMPOTENT *)
Theorem register_idempotent : forall o a, no_conflict o -> no_conflict a ->
  register_merge o a a = a.
Proof. intros [o |] [a |] Po Pa; try (exfalso; auto; fail); cbn; compare_values. Qed.

Lemma same_register_or_not : forall a b : option value, {a = b} + {a <> b}.
Proof.
  intros [a |] [b |]; try (right; discriminate); try (left; reflexivity).
  destruct (same_or_not a b) as [-> | ne]; [left; reflexivity | right; congruence].
Qed.

(* If no two concurrent operations set different values, every anti-chain has a merge without conflict,
   and it is the same in every fold order. *)
(* Clauses: HM-MERGE-AGREEMENT *)
Theorem registers_agree : forall fold_order G X,
  (forall Y, Permutation Y (fold_order Y)) ->
  well_formed G -> (forall v, v < length G -> no_conflict (state_at (T := Register) G v)) ->
  concurrent_operations_agree Register fold_order G ->
  known G X -> anti_chain G X ->
  exists s, no_conflict s /\ Merge (T := Register) G X s /\
    forall s', Merge (T := Register) G X s' -> s' = s.
Proof.
  intros fold_order G X takes wf pr agree kn ac.
  apply (Agreement.agreement Register no_conflict) with (fold_order := fold_order); auto.
  - discriminate.
  - intros o a Po Pa. apply register_identity; auto.
  - exact register_commutative.
  - exact register_idempotent.
  - exact same_register_or_not.
Qed.

End Registers.

(* Without this premise, the fold order can decide whether there is a conflict at all:
   r "o";  p < r "a";  q < r "a";  s < p "b";  t < p "a" *)
Definition merged_in_order (order : list nat) : option (option nat) :=
  let o := Some 1 in let a := Some 2 in let b := Some 3 in
  merge (T := Register nat Nat.eq_dec 0) (ranked order)
    [Node [] o; Node [0] a; Node [0] a; Node [1] b; Node [1] a] order.

(* The nodes q, s and t are 2, 3 and 4. *)
(* Clauses: HM-3WAY-CONFLICT HM-FOLD-RANKED *)
Example order_q_t_s : merged_in_order [2; 4; 3] = Some (Some 3). Proof. vm_compute. reflexivity. Qed.
Example order_t_q_s : merged_in_order [4; 2; 3] = Some (Some 3). Proof. vm_compute. reflexivity. Qed.
Example order_q_s_t : merged_in_order [2; 3; 4] = Some None. Proof. vm_compute. reflexivity. Qed.
Example order_s_q_t : merged_in_order [3; 2; 4] = Some None. Proof. vm_compute. reflexivity. Qed.
Example order_s_t_q : merged_in_order [3; 4; 2] = Some None. Proof. vm_compute. reflexivity. Qed.
Example order_t_s_q : merged_in_order [4; 3; 2] = Some None. Proof. vm_compute. reflexivity. Qed.
