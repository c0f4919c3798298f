(* Theorem 4: the document's laws for one element leave exactly four 3-way merges
   (spec/history-merge/three-way-merge.md, "Laws of every 3-way merge"). *)

From Coq Require Import List Arith Bool Lia Permutation.
From HistoryMerge Require Import Order Lcau Merge FoldOrder Element Pasts Homomorphism Groups Counterexample.
Import ListNotations.

Section FourMerges.
Variable f : bool -> bool -> bool -> bool.  (* of o, a and b *)

(* If one side changed nothing, the result is the other side. *)
(* Clauses: HM-3WAY-IDENTITY *)
Definition identity : Prop := forall o a, f o o a = a /\ f o a o = a.

(* Clauses: HM-3WAY-COMMUTATIVE *)
Definition commutative : Prop := forall o a b, f o a b = f o b a.

(* If both sides reached the same state, the result is that state. *)
(* Clauses: HM-3WAY-IDEMPOTENT *)
Definition idempotent : Prop := forall o a, f o a a = a.

Definition is (g : bool -> bool -> bool -> bool) : Prop := forall o a b, f o a b = g o a b.

(* **Theorem 4.** A merge of one element satisfies the document's laws if and only if it is one of
   four: the two free cells can have any values, and nothing else is free. *)
(* Clauses: HM-3WAY-IDENTITY HM-3WAY-COMMUTATIVE *)
Theorem four_merges : identity /\ commutative <->
  is idempotent_merge \/ is additions_cancel \/ is removals_cancel \/ is symmetric_difference.
Proof.
  assert (table : identity -> is (completed (f false true true) (f true false false))).
  { intros id o a b. destruct (id o a) as [_ left], (id o b) as [right _].
    unfold completed. destruct o, a, b; cbn in *; auto. }
  split.
  - intros [id _]. specialize (table id). destruct (f false true true), (f true false false); auto.
  - unfold idempotent_merge, additions_cancel, removals_cancel, symmetric_difference.
    intros [E | [E | [E | E]]]; split; intros o a; try intro b; rewrite !E;
      destruct o, a; try destruct b; auto.
Qed.

(* For one element, the first law implies the second. *)
(* Clauses: HM-3WAY-IDENTITY HM-3WAY-COMMUTATIVE *)
Theorem identity_suffices : identity -> commutative.
Proof.
  intros id o a b. destruct (id o a) as [oa ao], (id o b) as [ob bo].
  destruct o, a, b; cbn in *; congruence.
Qed.

(* **Theorem 4, the further law.** The document's merge is the only one of the four that is
   idempotent. *)
(* Clauses: HM-3WAY-IDEMPOTENT HM-3WAY-ELEMENT *)
Theorem only_idempotent_merge : identity /\ commutative /\ idempotent <-> is element_merge.
Proof.
  split.
  - intros [id [_ idem]] o a b. destruct (id o a) as [_ left], (id o b) as [right _].
    specialize (idem o a). destruct o, a, b; cbn in *; auto.
  - intro E. split; [| split].
    + intros o a. rewrite !E. destruct o, a; auto.
    + intros o a b. rewrite !E. destruct o, a, b; auto.
    + intros o a. rewrite !E. destruct o, a; auto.
Qed.

(* It is also the only one whose result is always the state of one of the two sides. *)
(* Clauses: HM-3WAY-ELEMENT *)
Theorem only_merge_of_a_side :
  identity /\ (forall o a b, f o a b = a \/ f o a b = b) <-> is element_merge.
Proof.
  split.
  - intros [id side]. apply only_idempotent_merge. split; [exact id |].
    split; [apply identity_suffices, id |]. intros o a. destruct (side o a a); assumption.
  - intro E. split; [apply only_idempotent_merge, E |].
    intros o a b. rewrite E. destruct o, a, b; auto.
Qed.

End FourMerges.

(* The first is the document's. The last is the symmetric difference: the result has the element if one
   or all three of o, a and b have it. *)
(* Clauses: HM-3WAY-ELEMENT *)
Theorem the_document's : is element_merge idempotent_merge.
Proof. intros [] [] []; reflexivity. Qed.

(* Clauses: HM-3WAY-SET-OTHERS *)
Theorem the_symmetric_difference :
  is (fun o a b => xorb (xorb a b) o) symmetric_difference.
Proof. intros [] [] []; reflexivity. Qed.

(* No two of the four are the same. *)
(* Clauses: HM-3WAY-SET-OTHERS *)
Theorem the_four_differ : forall c d c' d',
  is (completed c d) (completed c' d') -> c = c' /\ d = d'.
Proof. intros c d c' d' E. split; [apply (E false true true) | apply (E true false false)]. Qed.

(* Clauses: HM-MERGE-ORDER-FREE *)
Definition order_free (f : bool -> bool -> bool -> bool) : Prop :=
  forall (G : history bool) X s s', well_formed G -> known G X ->
    Merge (T := Merged_with f) G X s -> Merge (T := Merged_with f) G X s' -> s = s'.

(* The history of Theorem 3 shows that three of the four depend on the fold order. *)
Lemma three_depend : forall c d, order_free (completed c d) -> c = false /\ d = true.
Proof.
  intros c d free.
  assert (M : forall order s, Permutation order [q; Counterexample.s; t] ->
    merge (T := Merged_with (completed c d)) (ranked order) five_nodes order = Some s ->
    Merge (T := Merged_with (completed c d)) five_nodes [q; Counterexample.s; t] s).
  { intros order s P E. apply Merge_perm with order; [exact P |].
    apply merge_is_Merge with (ranked order); [apply ranked_takes_each_once | exact E]. }
  assert (kn : known five_nodes [q; Counterexample.s; t]).
  { intros v [<- | [<- | [<- | []]]]; cbn; auto with arith. }
  assert (E : forall a b,
    merge (T := Merged_with (completed c d)) (ranked [q; Counterexample.s; t]) five_nodes
      [q; Counterexample.s; t] = Some a ->
    merge (T := Merged_with (completed c d)) (ranked [q; t; Counterexample.s]) five_nodes
      [q; t; Counterexample.s] = Some b -> a = b).
  { intros a b Ea Eb.
    apply (free five_nodes [q; Counterexample.s; t]); auto using five_nodes_well_formed.
    - apply M with [q; Counterexample.s; t]; auto.
    - apply M with [q; t; Counterexample.s]; auto. apply perm_skip, perm_swap. }
  destruct c, d; try (split; reflexivity);
    exfalso; specialize (E true false eq_refl eq_refl); discriminate.
Qed.

Lemma map_states_same : forall S (G : history S), map_states (fun s => s) G = G.
Proof. intros S G. unfold map_states. rewrite <- map_id. apply map_ext. intros []. reflexivity. Qed.

(* **Theorem 4, order.** Of the four merges, symmetric difference is the only one whose result never
   depends on the fold order, in histories of any size. *)
(* Clauses: HM-MERGE-ORDER-FREE *)
Theorem only_order_free_merge : forall both_add both_remove,
  order_free (completed both_add both_remove) <-> both_add = false /\ both_remove = true.
Proof.
  intros c d. split; [apply three_depend |]. intros [-> ->] G X s s' wf kn M M'.
  assert (sum : forall x, Merge (T := Merged_with (completed false true)) G X x ->
                          Merge (T := Symmetric_difference) G X x).
  { intros x Mx. rewrite <- (map_states_same bool G).
    apply (Merge_map_states (Merged_with (completed false true)) Symmetric_difference (fun b => b));
      auto. intros [] [] []; reflexivity. }
  apply (group_order_free exclusive_or G X); auto; apply sum; auto.
Qed.
