(* Theorem 2: why counters never fail, and symmetric difference neither.

   If states can be added and subtracted, the merge a + b - o is the sum of the changes of all nodes in
   the past of the merged nodes. A sum does not depend on an order. *)

From Coq Require Import List Arith Bool Lia Permutation ZArith.
From HistoryMerge Require Import Order Lcau Merge Extend TemporaryNodes Pasts.
Import ListNotations.

(* An abelian group: addition in any order, with a zero and with an opposite of each state. *)
Record abelian_group := AbelianGroup {
  carrier : Type;
  zero : carrier;
  plus : carrier -> carrier -> carrier;
  opposite : carrier -> carrier;
  plus_assoc : forall a b c, plus a (plus b c) = plus (plus a b) c;
  plus_comm : forall a b, plus a b = plus b a;
  plus_zero : forall a, plus a zero = a;
  plus_opposite : forall a, plus a (opposite a) = zero
}.

Section Group.
Variable K : abelian_group.
Local Notation "a + b" := (plus K a b).
Local Notation "- a" := (opposite K a).
Local Notation "a - b" := (plus K a (opposite K b)).

(* The 3-way merge a + b - o. *)
Definition group_merge (o a b : carrier K) : carrier K := a + b - o.
Definition Group : state_type := StateType (carrier K) (zero K) group_merge.

(* Clauses: HM-3WAY-IDENTITY HM-3WAY-COMMUTATIVE *)
Lemma group_laws : forall o a b,
  group_merge o o a = a /\ group_merge o a o = a /\ group_merge o a b = group_merge o b a.
Proof.
  intros o a b. unfold group_merge. repeat split.
  - rewrite (plus_comm K o a), <- plus_assoc, plus_opposite, plus_zero. reflexivity.
  - rewrite <- plus_assoc, plus_opposite, plus_zero. reflexivity.
  - rewrite (plus_comm K a b). reflexivity.
Qed.

Lemma cancel : forall a b c, a + c = b + c -> a = b.
Proof.
  intros a b c E. rewrite <- (plus_zero K a), <- (plus_zero K b), <- (plus_opposite K c).
  rewrite !plus_assoc, E. reflexivity.
Qed.

Lemma swap : forall a b c d, (a + b) + (c + d) = (a + c) + (b + d).
Proof.
  intros a b c d. rewrite !plus_assoc. f_equal. rewrite <- !plus_assoc. f_equal. apply plus_comm.
Qed.

Lemma take_out : forall a b c, a + (b + c) = b + (a + c).
Proof. intros a b c. rewrite !plus_assoc, (plus_comm K a b). reflexivity. Qed.

Fixpoint sum (changes : list (carrier K)) : carrier K :=
  match changes with [] => zero K | c :: rest => c + sum rest end.

Section History.
(* The fold order in which the parents of a node are merged. Any fold order will do. *)
Variable fold_order : list nat -> list nat.
Hypothesis takes_each_once : forall X, Permutation X (fold_order X).
Variable G : history (state Group).
Hypothesis wf : well_formed G.

(* The change of a node: its state minus the merge of its parents. *)
Definition change (v : nat) : carrier K :=
  match merge (T := Group) fold_order G (reduced_parents G v) with
  | Some m => state_at (T := Group) G v - m
  | None => zero K
  end.

Definition total (D : nat -> bool) : carrier K := sum (map change (filter D (nodes G))).

Lemma total_joins : forall D E,
  total (intersection D E) + total (union D E) = total D + total E.
Proof.
  intros D E. unfold total, intersection, union. induction (nodes G) as [| v X IH]; [reflexivity |].
  cbn. destruct (D v), (E v); cbn; auto.
  - rewrite swap, IH, swap. reflexivity.
  - rewrite take_out, IH, plus_assoc. reflexivity.
  - rewrite take_out, IH, take_out. reflexivity.
Qed.

Lemma total_is_a_meaning : meaning (T := Group) G total.
Proof.
  split.
  - intros D E same. unfold total. do 2 f_equal. apply filter_ext_in. intros v Iv.
    apply same, in_nodes, Iv.
  - unfold total, nothing. induction (nodes G) as [| v X IH]; [reflexivity | exact IH].
  - intros D E _ _. cbn. unfold group_merge. apply cancel with (total (intersection D E)).
    rewrite <- plus_assoc, (plus_comm K (- _)), plus_opposite, plus_zero.
    rewrite <- total_joins. apply plus_comm.
Qed.

(* The past of v is v and the past of its parents. *)
Lemma total_with : forall D v, v < length G -> D v = false ->
  total (fun u => (u =? v) || D u) = total D + change v.
Proof.
  intros D v Hv Dv. unfold total, nodes.
  assert (split_at : seq 0 (length G) = seq 0 v ++ v :: seq (S v) (length G - S v)%nat).
  { replace (length G) with (v + S (length G - S v))%nat at 1 by lia. rewrite seq_app. reflexivity. }
  rewrite split_at, !filter_app. cbn. rewrite Nat.eqb_refl, Dv. cbn.
  assert (others : forall X, ~ In v X -> filter (fun u => (u =? v) || D u) X = filter D X).
  { intros X no. apply filter_ext_in. intros u Iu.
    destruct (Nat.eqb_spec u v) as [-> |]; [contradiction | reflexivity]. }
  rewrite !others by (rewrite in_seq; lia).
  rewrite !map_app. cbn. generalize (map change (filter D (seq 0 v))).
  intro l. induction l as [| c l IH]; cbn; [apply plus_comm |].
  rewrite IH, plus_assoc. reflexivity.
Qed.

Lemma total_gives : forall v, v < length G -> total (past G [v]) = state_at (T := Group) G v.
Proof.
  intro v. induction v as [v IH] using lt_wf_ind. intro Hv.
  assert (small : forall p, In p (reduced_parents G v) -> p < v).
  { intros p Ip. apply in_reduced_parents in Ip; auto. }
  assert (kn : known G (reduced_parents G v)) by (intros p Ip; specialize (small p Ip); lia).
  destruct (depth_is_enough Group fold_order takes_each_once G (reduced_parents G v)) as [m Em];
    auto using reduced_parents_anti_chain.
  assert (M := merge_is_Merge Group fold_order takes_each_once G _ m Em).
  apply (merge_has_meaning (T := Group) G total) in M; auto using total_is_a_meaning.
  - transitivity (total (fun u => (u =? v) || past G (reduced_parents G v) u)).
    + apply (only_nodes_count (T := Group) G total total_is_a_meaning). intros u _.
      apply eq_true_iff_eq. rewrite orb_true_iff, Nat.eqb_eq, !past_iff by exact wf.
      rewrite below_reduced_parents by exact wf. split.
      * intros [x [[<- | []] L]]. destruct (Nat.eq_dec u v); auto.
      * intros [-> | [L _]]; exists v; (split; [left; reflexivity |]); [constructor | exact L].
    + rewrite total_with; auto.
      * rewrite <- M. unfold change. rewrite Em.
        rewrite (plus_comm K (state_at (T := Group) G v)), plus_assoc, plus_opposite.
        rewrite plus_comm, plus_zero. reflexivity.
      * apply not_true_is_false. rewrite past_iff by exact wf. intros [p [Ip L]].
        specialize (small p Ip). apply le_listed in L; auto. lia.
  - intros u Hu Pu. apply past_iff in Pu; auto. destruct Pu as [p [Ip L]].
    specialize (small p Ip). apply le_listed in L; auto. apply IH; lia.
Qed.

Lemma total_gives_states : forall X, gives_states (T := Group) G total X.
Proof. intros X v Hv _. apply total_gives, Hv. Qed.

(* **Theorem 2.** Every result of a merge is the sum of the changes of all ancestors of the merged
   nodes, whatever the fold orders. *)
(* Clauses: HM-3WAY-COUNTER HM-MERGE-FOLD HM-MERGE-ORIGIN *)
Theorem merge_is_a_sum : forall X s, known G X ->
  Merge (T := Group) G X s -> s = sum (map change (anc_all G X)).
Proof.
  intros X s kn M.
  apply (merge_has_meaning (T := Group) G total); auto using total_is_a_meaning, total_gives_states.
Qed.

End History.

(* **Theorem 2, order.** Hence the fold order has no effect. *)
(* Clauses: HM-3WAY-COUNTER *)
Theorem group_order_free : forall (G : history (state Group)) X s s',
  well_formed G -> known G X ->
  Merge (T := Group) G X s -> Merge (T := Group) G X s' -> s = s'.
Proof.
  intros G X s s' wf kn M M'.
  rewrite (merge_is_a_sum (fun X => X) (@Permutation_refl nat) G wf X s),
    (merge_is_a_sum (fun X => X) (@Permutation_refl nat) G wf X s'); auto.
Qed.

(* **Theorem 2, associativity.** Hence merging the nodes A first, into a new node, has no effect. *)
(* Clauses: HM-3WAY-COUNTER *)
Theorem group_associative : forall (G : history (state Group)) A B m s s',
  well_formed G -> known G (A ++ B) ->
  Merge (T := Group) G A m ->
  Merge (T := Group) G (A ++ B) s ->
  Merge (T := Group) (G ++ [Node A m]) (length G :: B) s' -> s = s'.
Proof.
  intros G A B m s s' wf kn. set (same := fun X : list nat => X).
  assert (takes : forall X, Permutation X (same X)) by (intro; apply Permutation_refl).
  apply (meaning_associative (T := Group) G (total same G)); auto.
  - apply total_is_a_meaning.
  - apply total_gives_states; auto.
Qed.

(* **Theorem 2, temporary nodes.** The merge with temporary nodes gives the same sum. *)
(* Clauses: HM-3WAY-COUNTER HM-TEMP-AGREES *)
Theorem group_temporary_nodes : forall (G : history (state Group)) X s s',
  well_formed G -> known G X -> anti_chain G X ->
  Fold_recurse (T := Group) G X s -> Merge (T := Group) G X s' -> s = s'.
Proof.
  intros G X s s' wf kn ac F M. apply (group_order_free G X); auto.
  apply fold_to_merge; auto.
Qed.

End Group.

(* Counters: integers with a + b - o. *)
(* Clauses: HM-3WAY-COUNTER *)
Definition counters : abelian_group :=
  AbelianGroup Z 0%Z Z.add Z.opp Z.add_assoc Z.add_comm Z.add_0_r Z.add_opp_diag_r.

(* Clauses: HM-3WAY-COUNTER *)
Definition Counter : state_type := Group counters.

Example counter_merge : forall o a b : Z, three_way_merge Counter o a b = (a + b - o)%Z.
Proof. reflexivity. Qed.

(* Symmetric difference, for one element: the exclusive or of o, a and b. *)
Lemma xorb_assoc' : forall a b c, xorb a (xorb b c) = xorb (xorb a b) c.
Proof. intros [] [] []; reflexivity. Qed.

Definition exclusive_or : abelian_group :=
  AbelianGroup bool false xorb (fun a => a) xorb_assoc' xorb_comm xorb_false_r xorb_nilpotent.

Definition Symmetric_difference : state_type := Group exclusive_or.

Example symmetric_difference_merge : forall o a b : bool,
  three_way_merge Symmetric_difference o a b = xorb (xorb a b) o.
Proof. reflexivity. Qed.
