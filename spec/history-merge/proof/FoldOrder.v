(* Fold orders (spec/history-merge/complete-algorithm.md, "Fold order"). *)

From Coq Require Import List Arith Bool Permutation.
Import ListNotations.

(* The place of a node in a ranking. A node that is not in it comes after all that are. *)
Fixpoint place (ranking : list nat) (v : nat) : nat :=
  match ranking with
  | [] => 0
  | first :: rest => if first =? v then 0 else S (place rest v)
  end.

(* The node with the lower place comes first; of two nodes with the same place, the lower ID. *)
Definition comes_first (ranking : list nat) (u v : nat) : bool :=
  (place ranking u <? place ranking v) || ((place ranking u =? place ranking v) && (u <=? v)).

Fixpoint insert (ranking : list nat) (v : nat) (sorted : list nat) : list nat :=
  match sorted with
  | [] => [v]
  | first :: rest =>
      if comes_first ranking v first then v :: sorted else first :: insert ranking v rest
  end.

(* First the ranked nodes in the order of the ranking, then all others by ascending ID. *)
(* Clauses: HM-FOLD-RANKED *)
Definition ranked (ranking X : list nat) : list nat := fold_right (insert ranking) [] X.

(* Clauses: HM-FOLD-ASCENDING *)
Definition ascending (X : list nat) : list nat := ranked [] X.

Lemma insert_permutation : forall ranking v sorted,
  Permutation (v :: sorted) (insert ranking v sorted).
Proof.
  intros ranking v sorted. induction sorted as [| first rest IH]; cbn; [apply Permutation_refl |].
  destruct (comes_first ranking v first); [apply Permutation_refl |].
  apply perm_trans with (first :: v :: rest); [apply perm_swap |]. apply perm_skip, IH.
Qed.

(* Every fold order takes each node of a set once. *)
Theorem ranked_takes_each_once : forall ranking X, Permutation X (ranked ranking X).
Proof.
  intros ranking X. induction X as [| v X IH]; cbn; [apply perm_nil |].
  apply perm_trans with (v :: ranked ranking X); [apply perm_skip, IH | apply insert_permutation].
Qed.
