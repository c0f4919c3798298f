(* Theorem 3: without the premise, the document's merge of sets depends on the fold order and is not
   associative (spec/history-merge/errata.md, HM-E01 and HM-E02). *)

From Coq Require Import List Arith Bool.
From HistoryMerge Require Import Order Lcau Merge FoldOrder Element.
Import ListNotations.

(* The history of the vectors history-merge/fold-order/five-nodes-*:
   r: {};  p < r: {x};  q < r: {x};  s < p: {};  t < p: {x} *)
Definition r := 0.
Definition p := 1.
Definition q := 2.
Definition s := 3.
Definition t := 4.

Definition five_nodes : history bool := [
  Node []  false;  (* r: {}               *)
  Node [r] true;   (* p < r: {x}          *)
  Node [r] true;   (* q < r: {x}          *)
  Node [p] false;  (* s < p: {}           *)
  Node [p] true    (* t < p: {x}          *)
].

(* The merge of s, q and t in a given order, with the document's 3-way merge of sets. *)
Definition merge_in_order (order : list nat) : option bool :=
  merge (T := Element) (ranked order) five_nodes order.

(* **Theorem 3.** The merge has x in four of the six orders and lacks it in the other two. *)
(* Clauses: HM-FOLD-RANKED HM-MERGE-ORDER-FREE *)
Example q_s_t : merge_in_order [q; s; t] = Some true. Proof. vm_compute. reflexivity. Qed.
Example q_t_s : merge_in_order [q; t; s] = Some false. Proof. vm_compute. reflexivity. Qed.
Example s_q_t : merge_in_order [s; q; t] = Some true. Proof. vm_compute. reflexivity. Qed.
Example s_t_q : merge_in_order [s; t; q] = Some true. Proof. vm_compute. reflexivity. Qed.
Example t_q_s : merge_in_order [t; q; s] = Some false. Proof. vm_compute. reflexivity. Qed.
Example t_s_q : merge_in_order [t; s; q] = Some true. Proof. vm_compute. reflexivity. Qed.

Lemma five_nodes_well_formed : well_formed five_nodes.
Proof.
  intros v u. unfold parents. destruct v as [| [| [| [| [| v]]]]]; cbn; intuition (subst; auto).
  destruct v; cbn in *; contradiction.
Qed.

(* Hence the claim that the order never matters is false. *)
(* Clauses: HM-MERGE-ORDER-FREE *)
Theorem the_order_matters :
  ~ forall G X a b, well_formed G -> known G X -> anti_chain G X ->
      Merge (T := Element) G X a -> Merge (T := Element) G X b -> a = b.
Proof.
  intro claim.
  assert (M : forall order a, Permutation.Permutation order [q; s; t] ->
            merge_in_order order = Some a -> Merge (T := Element) five_nodes [q; s; t] a).
  { intros order a P E. apply Merge_perm with order; [exact P |].
    apply merge_is_Merge with (ranked order); [apply ranked_takes_each_once | exact E]. }
  assert (kn : known five_nodes [q; s; t]) by (intros v [<- | [<- | [<- | []]]]; cbn; auto with arith).
  enough (E : true = false) by discriminate.
  assert (Mx : Merge (T := Element) five_nodes [q; s; t] true).
  { apply M with [q; s; t]; [apply Permutation.Permutation_refl | apply q_s_t]. }
  apply (claim five_nodes [q; s; t]); auto using five_nodes_well_formed.
  - apply (merged_iff_anti_chain Element); auto using five_nodes_well_formed. exists true. exact Mx.
  - apply M with [q; t; s]; [| apply q_t_s].
    apply Permutation.perm_skip, Permutation.perm_swap.
Qed.

(* Merging q and t first, into a new node v with x, loses x as well. *)
Definition with_v : history bool := five_nodes ++ [Node [q; t] true].

(* Clauses: HM-MERGE-ASSOCIATIVE *)
Example merged_together : merge (T := Element) ascending five_nodes [q; s; t] = Some true.
Proof. vm_compute. reflexivity. Qed.
Example merged_first : merge (T := Element) ascending five_nodes [q; t] = Some true.
Proof. vm_compute. reflexivity. Qed.
Example then_with_s : merge (T := Element) ascending with_v [s; 5] = Some false.
Proof. vm_compute. reflexivity. Qed.

(* The document's other way to merge more than two nodes, recurse-fold, is wrong even for its own
   example (spec/history-merge/simple-derivation.md): the element b of the history
   o {a,b};  a < o {a};  u < o {a,b,u};  b < a {a,b};  v < a {a,v}. *)
Definition own_example : history bool := [
  Node []  true;   (* o has b             *)
  Node [0] false;  (* a removes b         *)
  Node [0] true;   (* u keeps b           *)
  Node [1] true;   (* b adds b again      *)
  Node [1] false   (* v keeps it away     *)
].

Definition lca (G : history bool) (X : list nat) : list nat :=
  maximal G (filter (fun v => forallb (leb G v) X) (nodes G)).

Definition recurse_fold_with_one_origin (G : history bool) (X : list nat) : option bool :=
  match lca G X with
  | [o] =>
      let has v := state_at (T := Element) G v in
      match X with
      | [] => Some false
      | first :: rest => Some (fold_left (element_merge (has o)) (map has rest) (has first))
      end
  | _ => None
  end.

(* Clauses: HM-RECURSE-FOLD-DIFFERS *)
Example merge_keeps_b : merge (T := Element) ascending own_example [2; 3; 4] = Some true.
Proof. vm_compute. reflexivity. Qed.
Example recurse_fold_loses_b : recurse_fold_with_one_origin own_example [2; 3; 4] = Some false.
Proof. vm_compute. reflexivity. Qed.
