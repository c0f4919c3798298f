(* Histories in which concurrent operations agree: clause HM-MERGE-AGREEMENT
   (spec/history-merge/complete-algorithm.md). Theorem 1 is the case of one element of a set.

   The last operations of a past decide its state. If concurrent operations have the same state, so do
   all last operations, because no two of them are ordered. *)

From Coq Require Import List Arith Bool Lia Permutation.
From HistoryMerge Require Import Order Lcau Merge Extend Pasts.
Import ListNotations.

Section Agreement.
(* A type of states whose 3-way merge is idempotent and satisfies the laws of every 3-way merge, for
   all proper states. A state that is not proper stands for a conflict. *)
Variable T : state_type.
Variable proper : state T -> Prop.
Hypothesis proper_default : proper (default_state T).
Hypothesis identity : forall o a, proper o -> proper a -> three_way_merge T o a o = a.
Hypothesis commutative : forall o a b, three_way_merge T o a b = three_way_merge T o b a.
Hypothesis idempotent : forall o a, proper o -> proper a -> three_way_merge T o a a = a.
Hypothesis same_or_not : forall a b : state T, {a = b} + {a <> b}.

(* The fold order in which the parents of a node are merged: any function that takes each node of a
   set once. *)
Variable fold_order : list nat -> list nat.
Hypothesis takes_each_once : forall X, Permutation X (fold_order X).

Variable G : history (state T).
Hypothesis wf : well_formed G.
Hypothesis all_proper : forall v, v < length G -> proper (state_at G v).

(* The merge of the parents. Redundant parents are left out, as in the reduction of the history. *)
Definition merge_of_parents (v : nat) : option (state T) :=
  merge fold_order G (reduced_parents G v).

(* An operation is a node whose state differs from the merge of its parents. The merge of no parents is
   the default state, so a root with any other state is an operation. *)
(* Clauses: HM-MERGE-AGREEMENT *)
Definition operation (v : nat) : Prop :=
  v < length G /\ merge_of_parents v <> Some (state_at G v).

(* Any two concurrent operations have the same state. *)
(* Clauses: HM-MERGE-AGREEMENT *)
Definition concurrent_operations_agree : Prop :=
  forall u v, operation u -> operation v -> concurrent G u v -> state_at G u = state_at G v.

Lemma parents_have_a_merge : forall v, v < length G -> exists m, merge_of_parents v = Some m.
Proof.
  intros v Hv. apply (depth_is_enough T fold_order takes_each_once); auto using
    reduced_parents_anti_chain.
  intros p Ip. apply in_reduced_parents in Ip; auto. specialize (wf v p Ip). lia.
Qed.

Definition is_operation (v : nat) : bool :=
  match merge_of_parents v with
  | Some m => if same_or_not m (state_at G v) then false else true
  | None => false
  end.

Lemma is_operation_iff : forall v, v < length G -> is_operation v = true <-> operation v.
Proof.
  intros v Hv. unfold is_operation, operation. destruct (parents_have_a_merge v Hv) as [m ->].
  destruct (same_or_not m (state_at G v)) as [-> | ne]; split; try discriminate.
  - intros [_ no]. congruence.
  - intros _. split; [exact Hv | congruence].
  - reflexivity.
Qed.

(* v is a last operation of D: no operation of D comes after it. *)
Definition last (D : nat -> bool) (v : nat) : Prop :=
  operation v /\ D v = true /\ forall w, operation w -> D w = true -> le G v w -> v = w.

Definition operations_in (D : nat -> bool) : list nat :=
  filter (fun v => D v && is_operation v) (nodes G).

Lemma in_operations : forall D v, In v (operations_in D) <-> operation v /\ D v = true.
Proof.
  intros D v. unfold operations_in. rewrite filter_In, in_nodes, andb_true_iff. split.
  - intros [Hv [Dv Ov]]. split; auto. apply is_operation_iff; auto.
  - intros [Ov Dv]. assert (Hv : v < length G) by apply Ov. repeat split; auto.
    apply is_operation_iff; auto.
Qed.

Lemma last_iff : forall D v, In v (maximal G (operations_in D)) <-> last D v.
Proof.
  intros D v. rewrite in_maximal by exact wf. unfold last. split.
  - intros [Iv H]. apply in_operations in Iv. destruct Iv as [Ov Dv].
    split; [exact Ov | split; [exact Dv |]]. intros w Ow Dw. apply H, in_operations. auto.
  - intros [Ov [Dv H]]. split; [apply in_operations; auto |].
    intros w Iw. apply in_operations in Iw. destruct Iw as [Ow Dw]. apply H; auto.
Qed.

Lemma a_last_after : forall D v, operation v -> D v = true -> exists w, last D w /\ le G v w.
Proof.
  intros D v Ov Dv. destruct (below_a_maximal G v (operations_in D) wf) as [w [Iw vw]].
  - apply in_operations. auto.
  - exists w. split; [apply last_iff, Iw | exact vw].
Qed.

(* The state after the past D: that of a last operation, or the default state if there is none. *)
Definition decided (D : nat -> bool) : state T :=
  match maximal G (operations_in D) with
  | [] => default_state T
  | v :: _ => state_at G v
  end.

Lemma decided_by_none : forall D, (forall v, operation v -> D v = false) ->
  decided D = default_state T.
Proof.
  intros D none. unfold decided.
  destruct (maximal G (operations_in D)) as [| v rest] eqn:E; [reflexivity | exfalso].
  assert (Lv : last D v) by (apply last_iff; rewrite E; left; auto).
  destruct Lv as [Ov [Dv _]]. rewrite none in Dv by exact Ov. discriminate.
Qed.

Lemma decided_same : forall D E, (forall v, operation v -> D v = E v) -> decided D = decided E.
Proof.
  intros D E same. unfold decided, operations_in.
  replace (filter (fun v => E v && is_operation v) (nodes G))
    with (filter (fun v => D v && is_operation v) (nodes G)); [reflexivity |].
  apply filter_ext_in. intros v Iv.
  destruct (is_operation v) eqn:Ov; [| rewrite !andb_false_r; reflexivity].
  rewrite !andb_true_r. apply same, is_operation_iff; auto. apply in_nodes, Iv.
Qed.

Lemma decided_proper : forall D, proper (decided D).
Proof.
  intro D. unfold decided. destruct (maximal G (operations_in D)) as [| v rest] eqn:E; auto.
  assert (Lv : last D v) by (apply last_iff; rewrite E; left; auto).
  apply all_proper. apply Lv.
Qed.

Lemma some_or_none : forall D,
  (forall v, operation v -> D v = false) \/ exists v, operation v /\ D v = true.
Proof.
  intro D. destruct (operations_in D) as [| w rest] eqn:E.
  - left. intros v Ov. destruct (D v) eqn:Dv; [exfalso | reflexivity].
    assert (I : In v (operations_in D)) by (apply in_operations; auto). rewrite E in I. destruct I.
  - right. exists w. apply in_operations. rewrite E. left. auto.
Qed.

Hypothesis premise : concurrent_operations_agree.

(* Two last operations are concurrent, so they have the same state. *)
Lemma last_operations_agree : forall D v w, last D v -> last D w -> state_at G v = state_at G w.
Proof.
  intros D v w [Ov [Dv Lv]] [Ow [Dw Lw]].
  destruct (Nat.eq_dec v w) as [-> | ne]; [reflexivity |].
  apply premise; auto. split; intro L; apply ne; [apply Lv | symmetry; apply Lw]; auto.
Qed.

Lemma decided_by_last : forall D v, last D v -> decided D = state_at G v.
Proof.
  intros D v L. unfold decided. destruct (maximal G (operations_in D)) as [| w rest] eqn:E.
  - assert (I : In v []) by (rewrite <- E; apply last_iff, L). destruct I.
  - apply (last_operations_agree D); [| exact L]. apply last_iff. rewrite E. left. auto.
Qed.

(* Let m be a last operation of D and E together, and let D contain it. If E decides otherwise, m is
   after all last operations of E. D contains them, so E has changed nothing since D and E parted. *)
Lemma join_with_last : forall D E m, closed G D -> closed G E ->
  last (union D E) m -> D m = true ->
  three_way_merge T (decided (intersection D E)) (decided D) (decided E) = decided (union D E).
Proof.
  intros D E m cD cE Lm Dm. assert (Lm' := Lm). destruct Lm' as [Om [_ after]].
  assert (LD : last D m).
  { repeat split; try apply Om; auto. intros w Ow Dw. apply after; auto.
    unfold union. rewrite Dw. reflexivity. }
  rewrite (decided_by_last D m LD), (decided_by_last (union D E) m Lm).
  assert (Pm : proper (state_at G m)) by (apply all_proper, Om).
  destruct (same_or_not (decided E) (state_at G m)) as [-> | differ].
  { apply idempotent; auto using decided_proper. }
  enough (Eo : decided (intersection D E) = decided E).
  { rewrite Eo. apply identity; auto using decided_proper. }
  destruct (some_or_none E) as [none | [w [Ow Ew]]].
  - rewrite (decided_by_none E), (decided_by_none (intersection D E)); auto.
    intros v Ov. unfold intersection. rewrite none by exact Ov. apply andb_false_r.
  - destruct (a_last_after E w Ow Ew) as [l [Ll _]]. assert (Ll' := Ll).
    destruct Ll' as [Ol [El afterl]]. rewrite (decided_by_last E l Ll) in *.
    apply decided_by_last.
    assert (lm : le G l m).
    { destruct (leb G l m) eqn:B; [apply leb_le in B; auto | exfalso].
      assert (no1 : ~ le G l m) by (intro L; apply leb_le in L; auto; congruence).
      assert (no2 : ~ le G m l).
      { intro L. apply no1. rewrite (after l Ol); [constructor | | exact L].
        unfold union. rewrite El. apply orb_true_r. }
      apply differ. apply premise; auto. split; auto. }
    repeat split; try apply Ol; auto.
    + unfold intersection. rewrite El, (cD l m lm Dm). reflexivity.
    + intros v Ov Iv. unfold intersection in Iv. apply andb_true_iff in Iv. apply afterl; tauto.
Qed.

Lemma decided_joins : forall D E, closed G D -> closed G E ->
  three_way_merge T (decided (intersection D E)) (decided D) (decided E) = decided (union D E).
Proof.
  intros D E cD cE. destruct (some_or_none (union D E)) as [no | [w [Ow Uw]]].
  - rewrite !decided_by_none; auto; intros v Ov; specialize (no v Ov); unfold union in no;
      apply orb_false_iff in no; unfold intersection; destruct no as [Dv Ev];
      rewrite ?Dv, ?Ev; reflexivity.
  - destruct (a_last_after (union D E) w Ow Uw) as [m [Lm _]].
    assert (Um : union D E m = true) by apply Lm. unfold union in Um. apply orb_true_iff in Um.
    destruct Um as [Dm | Em]; [apply join_with_last with m; auto |].
    rewrite commutative.
    rewrite (decided_same (intersection D E) (intersection E D)) by (intros; apply andb_comm).
    rewrite (decided_same (union D E) (union E D)) by (intros; apply orb_comm).
    apply join_with_last with m; auto. destruct Lm as [Om [_ after]].
    repeat split; try apply Om; auto.
    + unfold union. rewrite Em. reflexivity.
    + intros v Ov Uv. apply after; auto. unfold union in *. rewrite orb_comm. exact Uv.
Qed.

Lemma decided_is_a_meaning : meaning G decided.
Proof.
  split.
  - intros D E same. apply decided_same. intros v Ov. apply same, Ov.
  - apply decided_by_none. reflexivity.
  - exact decided_joins.
Qed.

(* Every node has the state that the last operations of its past decide. *)
Lemma decided_gives : forall v, v < length G -> decided (past G [v]) = state_at G v.
Proof.
  intro v. induction v as [v IH] using lt_wf_ind. intro Hv.
  destruct (is_operation v) eqn:Ov.
  - apply is_operation_iff in Ov; auto. apply decided_by_last. repeat split; try apply Ov.
    + apply past_self; auto. left. auto.
    + intros w _ Pw vw. apply past_iff in Pw; auto. destruct Pw as [x [[<- | []] wx]].
      apply le_antisym with G; auto.
  - destruct (parents_have_a_merge v Hv) as [m Em].
    assert (Sv : m = state_at G v).
    { unfold is_operation in Ov. rewrite Em in Ov.
      destruct (same_or_not m (state_at G v)); [assumption | discriminate]. }
    assert (M := merge_is_Merge T fold_order takes_each_once G _ m Em). rewrite <- Sv.
    rewrite (merge_has_meaning G decided (reduced_parents G v) m wf decided_is_a_meaning); auto.
    + apply decided_same. intros w Ow. apply eq_true_iff_eq. rewrite !past_iff by exact wf.
      rewrite below_reduced_parents by exact wf. split.
      * intros [x [[<- | []] L]]. split; [exact L |]. intros ->. apply Ow. rewrite Em, Sv. auto.
      * intros [L _]. exists v. split; [left; auto | exact L].
    + intros p Ip. apply in_reduced_parents in Ip; auto. specialize (wf v p Ip). lia.
    + intros u Hu Pu. apply IH; auto. apply past_iff in Pu; auto.
      destruct Pu as [p [Ip up]]. apply in_reduced_parents in Ip; auto.
      assert (p < v) by (apply wf; exact Ip). apply le_listed in up; auto. lia.
Qed.

(* **Theorem 1, for any type.** If concurrent operations agree, every result of a merge is the state of
   a last operation of the merged past. *)
(* Clauses: HM-MERGE-AGREEMENT *)
Theorem last_operations_decide : forall X s, known G X -> Merge G X s -> s = decided (past G X).
Proof.
  intros X s kn M. apply merge_has_meaning; auto using decided_is_a_meaning.
  intros v Hv _. apply decided_gives, Hv.
Qed.

(* Hence every anti-chain has a merge without conflict, and it is the same in every fold order. *)
(* Clauses: HM-MERGE-AGREEMENT *)
Theorem agreement : forall X, known G X -> anti_chain G X ->
  exists s, proper s /\ Merge G X s /\ forall s', Merge G X s' -> s' = s.
Proof.
  intros X kn ac. apply (merged_iff_anti_chain T) in ac; auto. destruct ac as [s M].
  assert (E := last_operations_decide X s kn M). exists s. split; [| split; [exact M |]].
  - rewrite E. apply decided_proper.
  - intros s' M'. rewrite E. apply last_operations_decide; auto.
Qed.

End Agreement.
