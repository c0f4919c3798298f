(* Histories that grow: a new node changes nothing about the older ones. *)

From Coq Require Import List Arith Bool Lia.
From HistoryMerge Require Import Order Lcau Merge.
Import ListNotations.

Section Order.
Context {S : Type}.
Implicit Type G : history S.

Lemma parents_old : forall G H v, v < length G -> parents (G ++ H) v = parents G v.
Proof. intros G H v Hv. unfold parents. rewrite nth_error_app1 by exact Hv. reflexivity. Qed.

Lemma parents_new : forall G n, parents (G ++ [n]) (length G) = parents_of n.
Proof. intros G n. unfold parents. rewrite nth_error_app2, Nat.sub_diag by lia. reflexivity. Qed.

Lemma parents_unknown : forall G v, length G <= v -> parents G v = [].
Proof. intros G v Hv. unfold parents. apply nth_error_None in Hv. rewrite Hv. reflexivity. Qed.

(* Adding a node over known parents keeps a history well formed. *)
Lemma well_formed_add : forall G n, well_formed G -> known G (parents_of n) ->
  well_formed (G ++ [n]).
Proof.
  intros G n wf kn v p Ip. destruct (Nat.lt_trichotomy v (length G)) as [lt | [-> | gt]].
  - rewrite parents_old in Ip by exact lt. apply wf. exact Ip.
  - rewrite parents_new in Ip. apply kn. exact Ip.
  - rewrite parents_unknown in Ip; [destruct Ip |]. rewrite app_length. cbn. lia.
Qed.

Lemma le_old : forall G H u v, well_formed G -> v < length G -> le (G ++ H) u v <-> le G u v.
Proof.
  intros G H u v wf Hv. split; intro L.
  - revert Hv. induction L as [| p v Ip _ IH]; intro Hv; [constructor |].
    rewrite parents_old in Ip by exact Hv. apply le_parent with p; [exact Ip |].
    apply IH. specialize (wf v p Ip). lia.
  - revert Hv. induction L as [| p v Ip _ IH]; intro Hv; [constructor |].
    apply le_parent with p; [rewrite parents_old by exact Hv; exact Ip |].
    apply IH. specialize (wf v p Ip). lia.
Qed.

Lemma leb_old : forall G H u v, well_formed G -> well_formed (G ++ H) -> v < length G ->
  leb (G ++ H) u v = leb G u v.
Proof.
  intros G H u v wf wf' Hv. apply eq_true_iff_eq. rewrite !leb_le by auto. apply le_old; auto.
Qed.

(* The ancestors of a new node: the node itself, and the ancestors of its parents. *)
Lemma le_new : forall G n u, well_formed G -> known G (parents_of n) ->
  le (G ++ [n]) u (length G) <-> u = length G \/ exists p, In p (parents_of n) /\ le G u p.
Proof.
  intros G n u wf kn. split.
  - intro L. inversion L as [| p v Ip up]; subst; [left; reflexivity | right].
    rewrite parents_new in Ip. exists p. split; [exact Ip |].
    apply le_old in up; auto.
  - intros [-> | [p [Ip up]]]; [constructor |].
    apply le_parent with p; [rewrite parents_new; exact Ip |]. apply le_old; auto.
Qed.

Lemma filter_old : forall G H (p q : nat -> bool),
  (forall v, v < length G -> p v = q v) -> (forall v, length G <= v -> p v = false) ->
  filter p (nodes (G ++ H)) = filter q (nodes G).
Proof.
  intros G H p q same none. unfold nodes. rewrite app_length, seq_app, filter_app.
  rewrite (filter_ext_in p (fun _ => false) (seq (0 + length G) (length H))).
  - assert (N : forall l : list nat, filter (fun _ => false) l = []) by (induction l; auto).
    rewrite N, app_nil_r. apply filter_ext_in. intros v Iv. apply in_seq in Iv. apply same. lia.
  - intros v Iv. apply in_seq in Iv. apply none. lia.
Qed.

Lemma maximal_old : forall G H V, well_formed G -> well_formed (G ++ H) -> known G V ->
  maximal (G ++ H) V = maximal G V.
Proof.
  intros G H V wf wf' kn. unfold maximal. apply filter_ext_in. intros u Iu. f_equal.
  apply eq_true_iff_eq. rewrite !existsb_exists.
  split; intros [v [Iv B]]; exists v; split; auto; unfold before in *;
    [rewrite leb_old in B by auto | rewrite leb_old by auto]; exact B.
Qed.

Lemma lcaU_old : forall G H A b, well_formed G -> well_formed (G ++ H) -> known G (b :: A) ->
  lcaU (G ++ H) A b = lcaU G A b.
Proof.
  intros G H A b wf wf' kn. unfold lcaU.
  rewrite (filter_old G H _ (fun v => leb G v b && existsb (leb G v) A)).
  - apply maximal_old; auto. intros v Iv. apply filter_In in Iv. apply in_nodes, Iv.
  - intros v Hv. rewrite leb_old by (auto; apply kn; left; auto). f_equal.
    apply eq_true_iff_eq. rewrite !existsb_exists.
    split; intros [a [Ia L]]; exists a; split; auto;
      [rewrite <- leb_old with (H := H) | rewrite leb_old]; auto; apply kn; right; exact Ia.
  - intros v Hv. apply andb_false_iff. left. apply not_true_is_false. intro L.
    apply leb_le in L; auto. apply le_listed in L; auto.
    assert (b < length G) by (apply kn; left; auto). lia.
Qed.

End Order.

Section Merge.
Context {T : state_type}.
Implicit Type G : history (state T).

Lemma state_at_old : forall G H v, v < length G -> state_at (G ++ H) v = state_at G v.
Proof. intros G H v Hv. unfold state_at. rewrite nth_error_app1 by exact Hv. reflexivity. Qed.

Lemma state_at_new : forall G n, state_at (G ++ [n]) (length G) = state_of n.
Proof. intros G n. unfold state_at. rewrite nth_error_app2, Nat.sub_diag by lia. reflexivity. Qed.

(* If two histories have the same states and the same lcaU among the nodes below n, they have the
   same merges of these nodes. *)
Lemma same_merges : forall G1 G2 n,
  (forall v, v < n -> state_at G1 v = state_at G2 v) ->
  (forall A b, (forall v, In v (b :: A) -> v < n) -> lcaU G1 A b = lcaU G2 A b) ->
  (forall A b v, (forall v, In v (b :: A) -> v < n) -> In v (lcaU G1 A b) -> v < n) ->
  forall X s, (forall v, In v X -> v < n) -> Merge G1 X s -> Merge G2 X s.
Proof.
  intros G1 G2 n same_state same_lca below.
  enough (H :
    (forall X s, Merge G1 X s -> (forall v, In v X -> v < n) -> Merge G2 X s) /\
    (forall B A as_ s, Merge_ G1 B A as_ s ->
       (forall v, In v (B ++ A) -> v < n) -> Merge_ G2 B A as_ s) /\
    (forall A as_ b s, MergeU G1 A as_ b s ->
       (forall v, In v (b :: A) -> v < n) -> MergeU G2 A as_ b s)).
  { intros X s kn M. apply H; auto. }
  apply merge_induction.
  - intros X s _ IH kn. constructor. apply IH. rewrite app_nil_r. exact kn.
  - intros. constructor.
  - intros B1 b B2 A as_ s r _ IHU _ IH kn. apply merge_next with s.
    + apply IHU. intros v Iv. apply kn. rewrite <- app_assoc. apply in_or_app. right.
      destruct Iv as [<- | Iv]; [left; auto | right; apply in_or_app; auto].
    + apply IH. intros v Iv. apply kn. rewrite !in_app_iff in *. cbn in *. tauto.
  - intros as_ b kn. rewrite same_state by (apply kn; left; auto). constructor.
  - intros A as_ b o ne free _ IH kn. rewrite same_state by (apply kn; left; auto).
    rewrite same_lca in free, IH by exact kn. constructor; auto.
    apply IH. intros v Iv. apply (below A b); auto. rewrite same_lca by exact kn. exact Iv.
Qed.

(* A merge depends on the history of the merged nodes only: nodes that are added later have no
   effect on it. Merged states that a session remembers therefore stay valid. *)
(* Clauses: HM-MERGE-HISTORY HM-ACCEPT-CACHE *)
Theorem merge_of_older_nodes : forall G H X s,
  well_formed G -> well_formed (G ++ H) -> known G X ->
  Merge (G ++ H) X s <-> Merge G X s.
Proof.
  intros G H X s wf wf' kn. split; apply same_merges with (n := length G); auto.
  - intros. apply state_at_old; auto.
  - intros. apply lcaU_old; auto.
  - intros A b v kn' Iv. rewrite lcaU_old in Iv by auto. apply (lcaU_known G wf A b v Iv).
  - intros. symmetry. apply state_at_old; auto.
  - intros. symmetry. apply lcaU_old; auto.
  - intros A b v _ Iv. apply (lcaU_known G wf A b v Iv).
Qed.

(* A merge depends on the edges only through the order <=: histories with the same nodes, states and
   order have the same merges. This holds in particular for a history and its reduction. *)
(* Clauses: HM-MERGE-REDUNDANT-PARENTS *)
Theorem merge_depends_on_order : forall G1 G2 X s,
  well_formed G1 -> well_formed G2 -> length G1 = length G2 ->
  (forall v, state_at G1 v = state_at G2 v) -> (forall u v, le G1 u v <-> le G2 u v) ->
  known G1 X -> Merge G1 X s -> Merge G2 X s.
Proof.
  intros G1 G2 X s wf1 wf2 len same_state same_le kn. apply same_merges with (length G1); auto.
  - intros A b _.
    assert (same_leb : forall u v, leb G1 u v = leb G2 u v).
    { intros u v. apply eq_true_iff_eq. rewrite !leb_le by auto. apply same_le. }
    assert (E : filter (fun v => leb G1 v b && existsb (leb G1 v) A) (nodes G1)
              = filter (fun v => leb G2 v b && existsb (leb G2 v) A) (nodes G2)).
    { unfold nodes. rewrite len. apply filter_ext. intro v. rewrite same_leb. f_equal.
      induction A as [| a A IH]; [reflexivity |]. cbn. rewrite same_leb, IH. reflexivity. }
    unfold lcaU. rewrite E. unfold maximal. apply filter_ext. intro u. f_equal.
    generalize (filter (fun v => leb G2 v b && existsb (leb G2 v) A) (nodes G2)).
    induction l as [| v l IH]; [reflexivity |]. cbn. rewrite IH. unfold before.
    rewrite same_leb. reflexivity.
  - intros A b v _ Iv. apply (lcaU_known G1 wf1 A b v Iv).
Qed.

End Merge.
