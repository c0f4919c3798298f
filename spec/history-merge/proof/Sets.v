(* Theorem 1: sets, under the premise that no addition of an element is concurrent with a removal of
   it (spec/history-merge/complete-algorithm.md, "Guarantees"). *)

From Coq Require Import List Arith Bool Lia Permutation.
From HistoryMerge Require Import Order Lcau Merge Element Extend Pasts Homomorphism Agreement Elements.
Import ListNotations.

Section Sets.
(* The elements can be of any type, and a set can have any number of them. A set is given by its
   elements: `s x` says whether the set s has the element x. Two sets are equal if they have the same
   elements. *)
Variable element : Type.
Definition set : Type := element -> bool.

Definition empty : set := fun _ => false.
Definition union (a b : set) : set := fun x => a x || b x.
Definition minus (a b : set) : set := fun x => a x && negb (b x).

(* b + (a \ o) \ (o \ a), read from left to right *)
(* Clauses: HM-3WAY-SET *)
Definition set_merge (o a b : set) : set := minus (union b (minus a o)) (minus o a).

Definition Sets : state_type := StateType set empty set_merge.

(* Sets merge element by element. *)
(* Clauses: HM-3WAY-ELEMENT HM-3WAY-SET *)
Theorem set_merge_by_element : forall o a b x,
  set_merge o a b x = element_merge (o x) (a x) (b x).
Proof.
  intros o a b x. unfold set_merge, minus, union. destruct (o x), (a x), (b x); reflexivity.
Qed.

(* a + b \ o + (a * b * o), read from left to right, gives the same sets. *)
(* Clauses: HM-3WAY-SYMMETRIC-FORM *)
Theorem symmetric_form : forall o a b x,
  set_merge o a b x = union (minus (union a b) o) (fun y => a y && b y && o y) x.
Proof.
  intros o a b x. unfold set_merge, minus, union. destruct (o x), (a x), (b x); reflexivity.
Qed.

(* The history as one element sees it: each state is replaced by whether it has the element. *)
Definition history_of (x : element) (G : history set) : history bool :=
  map_states (fun s => s x) G.

(* Clauses: HM-3WAY-ELEMENT *)
Theorem merge_by_element : forall x G X s,
  Merge (T := Sets) G X s -> Merge (T := Element) (history_of x G) X (s x).
Proof.
  intros x G X s M. apply (Merge_map_states Sets Element (fun s => s x)); auto.
  intros o a b. apply set_merge_by_element.
Qed.

Section Premise.
(* The fold order in which the parents of a node are merged. Any fold order will do. *)
Variable fold_order : list nat -> list nat.
Hypothesis takes_each_once : forall X, Permutation X (fold_order X).
Implicit Type G : history set.

(* The node v has the element x although the merge of its parents lacks it. *)
(* Clauses: HM-MERGE-ORDER-FREE *)
Definition adds G (x : element) (v : nat) : Prop :=
  v < length G /\ state_at (T := Sets) G v x = true /\
  exists m, merge (T := Sets) fold_order G (reduced_parents G v) = Some m /\ m x = false.

(* The node v lacks the element x although the merge of its parents has it. *)
(* Clauses: HM-MERGE-ORDER-FREE *)
Definition removes G (x : element) (v : nat) : Prop :=
  v < length G /\ state_at (T := Sets) G v x = false /\
  exists m, merge (T := Sets) fold_order G (reduced_parents G v) = Some m /\ m x = true.

(* No addition of x is concurrent with a removal of x. *)
(* Clauses: HM-MERGE-ORDER-FREE *)
Definition premise G (x : element) : Prop :=
  forall a r, adds G x a -> removes G x r -> ~ concurrent G a r.

Lemma merge_of_parents_at : forall G x v,
  merge_of_parents fold_order (history_of x G) v =
  option_map (fun s => s x) (merge (T := Sets) fold_order G (reduced_parents G v)).
Proof.
  intros G x v. unfold merge_of_parents, Agreement.merge_of_parents, history_of.
  replace (reduced_parents _ v) with (reduced_parents G v).
  - apply (merge_map_states Sets Element (fun s => s x)); auto.
    intros o a b. apply set_merge_by_element.
  - symmetry. apply (reduced_parents_map_states (fun s : set => s x)).
Qed.

Lemma kind_at : forall G x v k,
  v < length (history_of x G) /\ state_at (T := Element) (history_of x G) v = k /\
    merge_of_parents fold_order (history_of x G) v = Some (negb k) <->
  v < length G /\ state_at (T := Sets) G v x = k /\
    exists m, merge (T := Sets) fold_order G (reduced_parents G v) = Some m /\ m x = negb k.
Proof.
  intros G x v k. rewrite merge_of_parents_at. unfold history_of at 1. rewrite length_map_states.
  unfold history_of. rewrite (state_at_map_states Sets Element (fun s => s x) eq_refl).
  split; intros [Hv [S M]]; repeat split; auto.
  - destruct (merge (T := Sets) fold_order G (reduced_parents G v)) as [m |]; [| discriminate].
    injection M as M. exists m. auto.
  - destruct M as [m [-> Mx]]. cbn. rewrite Mx. reflexivity.
Qed.

Lemma concurrent_at : forall G x u v, well_formed G ->
  concurrent (history_of x G) u v <-> concurrent G u v.
Proof.
  intros G x u v wf. unfold concurrent, history_of.
  rewrite <- !leb_le by (try apply well_formed_map_states; exact wf).
  rewrite !leb_map_states. reflexivity.
Qed.

Lemma premise_at : forall G x, well_formed G -> premise G x ->
  no_addition_concurrent_with_a_removal fold_order (history_of x G).
Proof.
  intros G x wf p a r A R. rewrite concurrent_at by exact wf.
  apply p; [apply (kind_at G x a true), A | apply (kind_at G x r false), R].
Qed.

Lemma meaning_at : forall G x, well_formed G -> premise G x ->
  meaning (T := Element) (history_of x G) (decided fold_order (history_of x G)).
Proof.
  intros G x wf p. apply decided_is_a_meaning; auto using premise_at.
  apply well_formed_map_states, wf.
Qed.

Lemma gives_at : forall G x X, well_formed G -> premise G x ->
  gives_states (T := Element) (history_of x G) (decided fold_order (history_of x G)) X.
Proof.
  intros G x X wf p v Hv _. apply decided_gives; auto using premise_at.
  apply well_formed_map_states, wf.
Qed.

Lemma known_at : forall G x X, known G X -> known (history_of x G) X.
Proof. intros G x X kn v Iv. unfold history_of. rewrite length_map_states. apply kn, Iv. Qed.

(* **Theorem 1, order.** If no addition of x is concurrent with a removal of x, then the merge of X
   has x in every fold order or in none: any two results agree on x. *)
(* Clauses: HM-MERGE-ORDER-FREE *)
Theorem order_free : forall G x X s s', well_formed G -> known G X -> premise G x ->
  Merge (T := Sets) G X s -> Merge (T := Sets) G X s' -> s x = s' x.
Proof.
  intros G x X s s' wf kn p M M'.
  apply (meaning_order_free (T := Element) (history_of x G) (decided fold_order (history_of x G)) X);
    auto using meaning_at, gives_at, known_at, merge_by_element.
  apply well_formed_map_states, wf.
Qed.

(* **Theorem 1, associativity.** Let v be a new node whose parents are A and whose state is merge(A).
   If no addition of x is concurrent with a removal of x, then the merges of A and B together and of
   v and B agree on x, in any fold orders. *)
(* Clauses: HM-MERGE-ASSOCIATIVE *)
Theorem associative : forall G x A B m s s', well_formed G -> known G (A ++ B) -> premise G x ->
  Merge (T := Sets) G A m ->
  Merge (T := Sets) G (A ++ B) s ->
  Merge (T := Sets) (G ++ [Node A m]) (length G :: B) s' -> s x = s' x.
Proof.
  intros G x A B m s s' wf kn p MA MAB MvB.
  apply (meaning_associative (T := Element) (history_of x G) (decided fold_order (history_of x G))
           A B (m x));
    auto using meaning_at, gives_at, known_at, merge_by_element.
  - apply well_formed_map_states, wf.
  - apply (merge_by_element x) in MvB. unfold history_of, map_states in *.
    rewrite map_app, map_length in *. exact MvB.
Qed.

(* The element is in the merge if and only if a last operation on it is an addition. *)
(* Clauses: HM-MERGE-ORDER-FREE *)
Theorem last_operation_counts : forall G x X s, well_formed G -> known G X -> premise G x ->
  Merge (T := Sets) G X s ->
  s x = true <->
  exists a, In a (anc_all G X) /\ adds G x a /\
    forall v, In v (anc_all G X) -> adds G x v \/ removes G x v -> le G a v -> a = v.
Proof.
  intros G x X s wf kn p M.
  assert (wf' : well_formed (history_of x G)) by (apply well_formed_map_states; exact wf).
  assert (here : forall u, past (T := Element) (history_of x G) X u = true <-> exists v, In v X /\ le G u v).
  { intro u. unfold past, history_of. rewrite existsb_exists.
    split; intros [v [Iv L]]; exists v; split; auto;
      [rewrite leb_map_states in L | rewrite leb_map_states]; apply leb_le; auto. }
  assert (op : forall v, operation fold_order (history_of x G) v <-> adds G x v \/ removes G x v).
  { intro v. unfold operation. rewrite (kind_at G x v true), (kind_at G x v false). reflexivity. }
  assert (le_at : forall u v, le (history_of x G) u v <-> le G u v).
  { intros u v. rewrite <- !leb_le by auto. unfold history_of. rewrite leb_map_states. reflexivity. }
  apply (merge_by_element x) in M.
  rewrite (last_operations_decide fold_order takes_each_once (history_of x G) wf'
             (premise_at G x wf p) X (s x) (known_at G x X kn) M).
  rewrite decided_iff by auto using premise_at. split.
  - intros [a [[Oa [Pa La]] Sa]]. apply operation_iff in Oa; auto. rewrite here in Pa.
    exists a. rewrite in_anc_all by exact wf.
    assert (Aa : adds G x a).
    { apply (kind_at G x a true). destruct Oa as [Aa | [_ [Ra _]]]; [exact Aa | congruence]. }
    split; [split; [apply Aa | exact Pa] |]. split; [exact Aa |].
    intros v Iv Ov L. apply La; [apply operation_iff, op; auto | | apply le_at, L].
    apply here. apply in_anc_all in Iv; auto. apply Iv.
  - intros [a [Ia [Aa La]]]. exists a. split; [| apply (kind_at G x a true), Aa].
    apply in_anc_all in Ia; auto. split; [apply operation_iff, op; auto |].
    split; [apply here, Ia |].
    intros w Ow Pw L. apply operation_iff, op in Ow; auto. apply La; [| exact Ow | apply le_at, L].
    apply in_anc_all; auto. split; [| apply here, Pw].
    destruct Ow as [[H _] | [H _]]; exact H.
Qed.

End Premise.
End Sets.
