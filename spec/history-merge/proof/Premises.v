(* Histories in which the premise of Theorem 1 holds (spec/history-merge/complete-algorithm.md, clause
   HM-MERGE-ORDER-FREE, and search-rules.md, "Premises"). *)

From Coq Require Import List Arith Bool Lia Permutation.
From HistoryMerge Require Import Order Lcau Merge Element Sets.
Import ListNotations.

Section Premises.
Variable element : Type.
Variable fold_order : list nat -> list nat.
Hypothesis takes_each_once : forall X, Permutation X (fold_order X).
Implicit Type G : history (set element).

Notation adds := (adds element fold_order).
Notation removes := (removes element fold_order).
Notation premise := (premise element fold_order).
Notation Sets := (Sets element).

(* All operations on x are ordered among themselves. *)
(* Clauses: HM-MERGE-ORDER-FREE *)
Theorem premise_if_ordered : forall G x,
  (forall u v, adds G x u \/ removes G x u -> adds G x v \/ removes G x v ->
     le G u v \/ le G v u) ->
  premise G x.
Proof. intros G x ordered a r A R [no no']. destruct (ordered a r); auto. Qed.

(* x is never removed. *)
(* Clauses: HM-MERGE-ORDER-FREE *)
Theorem premise_if_never_removed : forall G x, (forall r, ~ removes G x r) -> premise G x.
Proof. intros G x never a r _ R. destruct (never r R). Qed.

(* If a merge has an element, one of the merged nodes has it. *)
Lemma from_a_node : forall G x X s, Merge (T := Sets) G X s -> s x = true ->
  exists v, In v X /\ state_at (T := Sets) G v x = true.
Proof.
  intros G x.
  enough (H :
    (forall X s, Merge (T := Sets) G X s -> s x = true ->
       exists v, In v X /\ state_at (T := Sets) G v x = true) /\
    (forall B A as_ s, Merge_ (T := Sets) G B A as_ s -> s x = true ->
       as_ x = true \/ exists v, In v B /\ state_at (T := Sets) G v x = true) /\
    (forall A as_ b s, MergeU (T := Sets) G A as_ b s -> s x = true ->
       as_ x = true \/ state_at (T := Sets) G b x = true)) by apply H.
  apply merge_induction.
  - intros X s _ IH has. destruct (IH has) as [none | found]; [discriminate | exact found].
  - auto.
  - intros B1 b B2 A as_ s r _ IHU _ IH has. destruct (IH has) as [hs | [v [Iv hv]]].
    + destruct (IHU hs) as [ha | hb]; auto. right. exists b. split; [| exact hb].
      apply in_or_app. right. left. auto.
    + right. exists v. split; [| exact hv]. rewrite in_app_iff in *. cbn. tauto.
  - auto.
  - intros A as_ b o _ _ _ _ has. cbn in has. rewrite set_merge_by_element in has.
    unfold element_merge in has. destruct (o x), (as_ x); cbn in has; auto; discriminate.
Qed.

(* If a node has an element, the node or an ancestor has added it. *)
Lemma added_before : forall G x v, well_formed G -> v < length G ->
  state_at (T := Sets) G v x = true -> exists a, adds G x a /\ le G a v.
Proof.
  intros G x v wf. induction v as [v IH] using lt_wf_ind. intros Hv has.
  assert (small : forall p, In p (reduced_parents G v) -> p < v).
  { intros p Ip. apply wf, in_reduced_parents; auto. }
  destruct (depth_is_enough Sets fold_order takes_each_once G (reduced_parents G v)) as [m Em];
    auto using reduced_parents_anti_chain.
  { intros p Ip. exact (Nat.lt_trans _ _ _ (small p Ip) Hv). }
  destruct (m x) eqn:mx.
  - apply merge_is_Merge in Em; auto. destruct (from_a_node G x _ m Em mx) as [p [Ip hp]].
    assert (Hp := small p Ip). destruct (IH p Hp (Nat.lt_trans _ _ _ Hp Hv) hp) as [a [A ap]].
    exists a. split; [exact A |]. apply le_trans with p; auto.
    apply le_parent with p; [apply in_reduced_parents; auto | constructor].
  - exists v. split; [| constructor]. repeat split; auto. exists m. auto.
Qed.

(* x is added at most once in the history. *)
(* Clauses: HM-MERGE-ORDER-FREE *)
Theorem premise_if_added_once : forall G x, well_formed G ->
  (forall a a', adds G x a -> adds G x a' -> a = a') -> premise G x.
Proof.
  intros G x wf once a r A R [no _]. apply no.
  destruct R as [Hr [_ [m [Em mx]]]]. apply merge_is_Merge in Em; auto.
  destruct (from_a_node G x _ m Em mx) as [p [Ip hp]].
  assert (Ip' := in_reduced_parents G r p wf Ip). assert (Hp : p < r) by (apply wf; exact Ip').
  destruct (added_before G x p wf (Nat.lt_trans _ _ _ Hp Hr) hp) as [a' [A' ap]].
  rewrite (once a a') by auto. apply le_parent with p; auto.
Qed.

End Premises.
