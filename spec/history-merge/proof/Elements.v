(* One element of a set: a state says whether the set has the element.

   Theorem 1 for one element: if no addition is concurrent with a removal, the last operations of the
   past decide every merge. *)

From Coq Require Import List Arith Bool Lia Permutation.
From HistoryMerge Require Import Order Lcau Merge Element Extend Pasts.
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

(* The merge of the parents. Redundant parents are left out, as in the reduction of the history. *)
Definition merge_of_parents (v : nat) : option bool :=
  merge (T := Element) fold_order G (reduced_parents G v).

(* An addition has the element although the merge of its parents lacks it. The merge of no parents
   lacks it, so a root that has the element is an addition. *)
(* Clauses: HM-MERGE-ORDER-FREE *)
Definition addition (v : nat) : Prop :=
  v < length G /\ has v = true /\ merge_of_parents v = Some false.

(* A removal lacks the element although the merge of its parents has it. *)
Definition removal (v : nat) : Prop :=
  v < length G /\ has v = false /\ merge_of_parents v = Some true.

Definition operation (v : nat) : Prop := addition v \/ removal v.

Definition no_addition_concurrent_with_a_removal : Prop :=
  forall a r, addition a -> removal r -> ~ concurrent G a r.

Lemma parents_have_a_merge : forall v, v < length G -> exists m, merge_of_parents v = Some m.
Proof.
  intros v Hv. apply (depth_is_enough Element fold_order takes_each_once); auto using reduced_parents_anti_chain.
  intros p Ip. apply in_reduced_parents in Ip; auto. specialize (wf v p Ip). lia.
Qed.

Definition is_operation (v : nat) : bool :=
  match merge_of_parents v with
  | Some m => xorb m (has v)
  | None => false
  end.

Lemma is_operation_iff : forall v, v < length G -> is_operation v = true <-> operation v.
Proof.
  intros v Hv. unfold is_operation, operation, addition, removal.
  destruct (parents_have_a_merge v Hv) as [m ->].
  destruct m, (has v); cbn; split; auto; try discriminate;
    intros [[_ [? ?]] | [_ [? ?]]]; congruence.
Qed.

Lemma operation_known : forall v, operation v -> v < length G.
Proof. intros v [[H _] | [H _]]; exact H. Qed.

(* v is a last operation of D: no operation of D comes after it. *)
Definition last (D : nat -> bool) (v : nat) : Prop :=
  operation v /\ D v = true /\ forall w, operation w -> D w = true -> le G v w -> v = w.

Definition operations_in (D : nat -> bool) : list nat :=
  filter (fun v => D v && is_operation v) (nodes G).

Lemma in_operations : forall D v, In v (operations_in D) <-> operation v /\ D v = true.
Proof.
  intros D v. unfold operations_in. rewrite filter_In, in_nodes, andb_true_iff. split.
  - intros [Hv [Dv Ov]]. split; auto. apply is_operation_iff; auto.
  - intros [Ov Dv]. assert (Hv := operation_known v Ov). repeat split; auto.
    apply is_operation_iff; auto.
Qed.

Lemma last_iff : forall D v, In v (maximal G (operations_in D)) <-> last D v.
Proof.
  intros D v. rewrite in_maximal by exact wf. unfold last. split.
  - intros [Iv H]. apply in_operations in Iv. destruct Iv as [Ov Dv]. repeat split; auto.
    intros w Ow Dw. apply H, in_operations. auto.
  - intros [Ov [Dv H]]. split; [apply in_operations; auto |].
    intros w Iw. apply in_operations in Iw. destruct Iw as [Ow Dw]. apply H; auto.
Qed.

Lemma a_last_after : forall D v, operation v -> D v = true -> exists w, last D w /\ le G v w.
Proof.
  intros D v Ov Dv. destruct (below_a_maximal G v (operations_in D) wf) as [w [Iw vw]].
  - apply in_operations. auto.
  - exists w. split; [apply last_iff, Iw | exact vw].
Qed.

(* The element is present after the past D if and only if a last operation of D is an addition. *)
Definition decided (D : nat -> bool) : bool :=
  existsb has (maximal G (operations_in D)).

Lemma decided_by_none : forall D, (forall v, operation v -> D v = false) -> decided D = false.
Proof.
  intros D none. unfold decided. apply not_true_is_false. rewrite existsb_exists.
  intros [v [Iv _]]. apply last_iff in Iv. destruct Iv as [Ov [Dv _]].
  rewrite none in Dv by exact Ov. discriminate.
Qed.

Lemma decided_same : forall D E, (forall v, operation v -> D v = E v) -> decided D = decided E.
Proof.
  intros D E same. unfold decided, operations_in. f_equal. f_equal. apply filter_ext_in.
  intros v Iv. destruct (is_operation v) eqn:Ov; [| rewrite !andb_false_r; reflexivity].
  rewrite !andb_true_r. apply same, is_operation_iff; auto. apply in_nodes, Iv.
Qed.

Hypothesis premise : no_addition_concurrent_with_a_removal.

(* Two last operations are concurrent, so they are of one kind. *)
Lemma last_operations_agree : forall D v w, last D v -> last D w ->
  has v = has w.
Proof.
  intros D v w [Ov [Dv Lv]] [Ow [Dw Lw]].
  destruct (Nat.eq_dec v w) as [-> | ne]; [reflexivity |].
  assert (c : concurrent G v w).
  { split; intro L; apply ne; [apply Lv | symmetry; apply Lw]; auto. }
  assert (c' : concurrent G w v) by (destruct c; split; auto).
  destruct Ov as [Av | Rv], Ow as [Aw | Rw].
  - destruct Av as [_ [-> _]], Aw as [_ [-> _]]. reflexivity.
  - exfalso. exact (premise v w Av Rw c).
  - exfalso. exact (premise w v Aw Rv c').
  - destruct Rv as [_ [-> _]], Rw as [_ [-> _]]. reflexivity.
Qed.

Lemma decided_by_last : forall D v, last D v -> decided D = has v.
Proof.
  intros D v L. unfold decided. destruct (has v) eqn:Sv.
  - rewrite existsb_exists. exists v. split; [apply last_iff, L | exact Sv].
  - apply not_true_is_false. rewrite existsb_exists. intros [w [Iw Sw]]. apply last_iff in Iw.
    rewrite (last_operations_agree D v w) in Sv by auto. congruence.
Qed.

(* Let m be a last operation of D and E together, and let D contain it. If E decides otherwise, m is
   after all last operations of E. D contains them, so E has changed nothing since D and E parted. *)
Lemma join_with_last : forall D E m, closed G D -> closed G E ->
  last (union D E) m -> D m = true ->
  element_merge (decided (intersection D E)) (decided D) (decided E) = decided (union D E).
Proof.
  intros D E m cD cE Lm Dm. assert (Lm' := Lm). destruct Lm' as [Om [_ after]].
  assert (LD : last D m).
  { repeat split; auto. intros w Ow Dw. apply after; auto. unfold union. rewrite Dw. reflexivity. }
  rewrite (decided_by_last D m LD), (decided_by_last (union D E) m Lm).
  destruct (bool_dec (decided E) (has m)) as [-> | differ].
  { apply element_idempotent. }
  enough (Eo : decided (intersection D E) = decided E) by (rewrite Eo; apply element_identity).
  destruct (operations_in E) as [| w rest] eqn:none.
  - rewrite (decided_by_none E), (decided_by_none (intersection D E)); auto.
    + intros v Ov. unfold intersection. destruct (E v) eqn:Ev; [| apply andb_false_r].
      exfalso. assert (I : In v (operations_in E)) by (apply in_operations; auto).
      rewrite none in I. destruct I.
    + intros v Ov. destruct (E v) eqn:Ev; [exfalso | reflexivity].
      assert (I : In v (operations_in E)) by (apply in_operations; auto). rewrite none in I. destruct I.
  - assert (I : In w (operations_in E)) by (rewrite none; left; auto).
    apply in_operations in I. destruct I as [Ow Ew].
    destruct (a_last_after E w Ow Ew) as [l [Ll _]]. assert (Ll' := Ll). destruct Ll' as [Ol [El afterl]].
    rewrite (decided_by_last E l Ll) in *. apply decided_by_last.
    assert (lm : le G l m).
    { destruct (leb G l m) eqn:B; [apply leb_le in B; auto | exfalso].
      assert (no1 : ~ le G l m) by (intro L; apply leb_le in L; auto; congruence).
      assert (no2 : ~ le G m l).
      { intro L. apply no1. rewrite (after l Ol); [constructor | | exact L].
        unfold union. rewrite El. apply orb_true_r. }
      destruct Ol as [Al | Rl], Om as [Am | Rm].
      - destruct Al as [_ [Sl _]], Am as [_ [Sm _]]. congruence.
      - exact (premise l m Al Rm (conj no1 no2)).
      - exact (premise m l Am Rl (conj no2 no1)).
      - destruct Rl as [_ [Sl _]], Rm as [_ [Sm _]]. congruence. }
    repeat split; auto.
    + unfold intersection. rewrite El, (cD l m lm Dm). reflexivity.
    + intros v Ov Iv. unfold intersection in Iv. apply andb_true_iff in Iv. apply afterl; tauto.
Qed.

Lemma decided_joins : forall D E, closed G D -> closed G E ->
  element_merge (decided (intersection D E)) (decided D) (decided E) = decided (union D E).
Proof.
  intros D E cD cE. destruct (operations_in (union D E)) as [| w rest] eqn:none.
  - assert (no : forall v, operation v -> union D E v = false).
    { intros v Ov. destruct (union D E v) eqn:Uv; [exfalso | reflexivity].
      assert (I : In v (operations_in (union D E))) by (apply in_operations; auto).
      rewrite none in I. destruct I. }
    rewrite !decided_by_none; auto; intros v Ov; specialize (no v Ov); unfold union in no;
      apply orb_false_iff in no; unfold intersection; destruct no as [Dv Ev];
      rewrite ?Dv, ?Ev; reflexivity.
  - assert (I : In w (operations_in (union D E))) by (rewrite none; left; auto).
    apply in_operations in I. destruct (a_last_after (union D E) w) as [m [Lm _]]; try apply I.
    assert (Um : union D E m = true) by apply Lm. unfold union in Um. apply orb_true_iff in Um.
    destruct Um as [Dm | Em]; [apply join_with_last with m; auto |].
    rewrite element_commutative.
    rewrite (decided_same (intersection D E) (intersection E D)) by (intros; apply andb_comm).
    rewrite (decided_same (union D E) (union E D)) by (intros; apply orb_comm).
    apply join_with_last with m; auto. destruct Lm as [Om [_ after]]. repeat split; auto.
    + unfold union. rewrite Em. reflexivity.
    + intros v Ov Uv. apply after; auto. unfold union in *. rewrite orb_comm. exact Uv.
Qed.

Lemma decided_is_a_meaning : meaning (T := Element) G decided.
Proof.
  split.
  - intros D E same. apply decided_same. intros v Ov. apply same, operation_known, Ov.
  - apply decided_by_none. reflexivity.
  - exact decided_joins.
Qed.

(* Every node has the state that the last operations of its past decide. *)
Lemma decided_gives : forall v, v < length G -> decided (past G [v]) = has v.
Proof.
  intro v. induction v as [v IH] using lt_wf_ind. intro Hv.
  destruct (is_operation v) eqn:Ov.
  - apply decided_by_last. repeat split.
    + apply is_operation_iff; auto.
    + apply past_self; auto. left. auto.
    + intros w _ Pw vw. apply past_iff in Pw; auto. destruct Pw as [x [[<- | []] wx]].
      apply le_antisym with G; auto.
  - destruct (parents_have_a_merge v Hv) as [m Em].
    unfold is_operation in Ov. rewrite Em in Ov.
    assert (Sv : has v = m) by (destruct m, (has v); auto; discriminate).
    assert (Em' := Em). apply (merge_is_Merge Element fold_order takes_each_once) in Em.
    rewrite Sv.
    rewrite (merge_has_meaning G decided (reduced_parents G v) m wf decided_is_a_meaning); auto.
    + apply decided_same. intros w Ow. apply eq_true_iff_eq. rewrite !past_iff by exact wf.
      rewrite below_reduced_parents by exact wf. split.
      * intros [x [[<- | []] L]]. split; [exact L |]. intros ->.
        apply is_operation_iff in Ow; [| exact Hv].
        unfold is_operation in Ow. rewrite Em', Sv, xorb_nilpotent in Ow. discriminate.
      * intros [L _]. exists v. split; [left; auto | exact L].
    + intros p Ip. apply in_reduced_parents in Ip; auto. specialize (wf v p Ip). lia.
    + intros u Hu Pu. apply IH; auto. apply past_iff in Pu; auto.
      destruct Pu as [p [Ip up]]. apply in_reduced_parents in Ip; auto.
      assert (p < v) by (apply wf; exact Ip). apply le_listed in up; auto. lia.
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

End Premise.
