(* Merges that are determined by the pasts of the merged nodes.

   Suppose that some function F gives a state for each past, so that the 3-way merge of the states of
   two pasts, with the state of their intersection as the origin, is the state of their union. If F
   gives each node its state, then F(anc*(X)) is the only result of merge(X). *)

From Coq Require Import List Arith Bool Lia.
From HistoryMerge Require Import Order Lcau Merge Extend.
Import ListNotations.

Section Pasts.
Context {T : state_type}.
Implicit Types (G : history (state T)) (D E : nat -> bool) (F : (nat -> bool) -> state T).

(* anc*(X), as a test of nodes. *)
Definition past G (X : list nat) : nat -> bool := fun u => existsb (leb G u) X.

(* D contains the ancestors of each of its nodes. *)
Definition closed G D : Prop := forall u v, le G u v -> D v = true -> D u = true.

Definition union D E : nat -> bool := fun v => D v || E v.
Definition intersection D E : nat -> bool := fun v => D v && E v.
Definition nothing : nat -> bool := fun _ => false.

Record meaning G F : Prop := {
  only_nodes_count : forall D E, (forall v, v < length G -> D v = E v) -> F D = F E;
  of_nothing : F nothing = default_state T;
  joins : forall D E, closed G D -> closed G E ->
    three_way_merge T (F (intersection D E)) (F D) (F E) = F (union D E)
}.

(* F gives each ancestor of X its state. *)
Definition gives_states G F (X : list nat) : Prop :=
  forall v, v < length G -> past G X v = true -> F (past G [v]) = state_at G v.

Lemma past_iff : forall G X u, well_formed G ->
  past G X u = true <-> exists v, In v X /\ le G u v.
Proof. intros G X u wf. apply below_some, wf. Qed.

Lemma past_closed : forall G X, well_formed G -> closed G (past G X).
Proof.
  intros G X wf u v uv Pv. rewrite past_iff in * by exact wf. destruct Pv as [w [Iw vw]].
  exists w. split; [exact Iw |]. apply le_trans with v; auto.
Qed.

Lemma past_self : forall G X v, well_formed G -> In v X -> past G X v = true.
Proof. intros G X v wf Iv. apply past_iff; auto. exists v. split; [exact Iv | constructor]. Qed.

Lemma past_mono : forall G X Y u, well_formed G ->
  (forall x, In x X -> past G Y x = true) -> past G X u = true -> past G Y u = true.
Proof.
  intros G X Y u wf sub P. apply past_iff in P; auto. destruct P as [x [Ix ux]].
  apply (past_closed G Y wf u x ux). auto.
Qed.

Lemma gives_less : forall G F X Y, well_formed G ->
  (forall x, In x X -> past G Y x = true) -> gives_states G F Y -> gives_states G F X.
Proof. intros G F X Y wf sub g v Hv P. apply g; auto. eapply past_mono; eauto. Qed.

Lemma past_lcaU : forall G A b u, well_formed G -> u < length G ->
  past G (lcaU G A b) u = intersection (past G A) (past G [b]) u.
Proof.
  intros G A b u wf Hu. apply eq_true_iff_eq. unfold intersection. rewrite andb_true_iff.
  pose proof (anc_lcaU G wf A b u) as E. rewrite !in_anc_all, in_anc in E by exact wf.
  rewrite !past_iff by exact wf. split.
  - intro H. destruct E as [E _]. destruct (E (conj Hu H)) as [[_ a] [_ ub]].
    split; [exact a |]. exists b. split; [left; reflexivity | exact ub].
  - intros [a [b' [[<- | []] ub]]]. apply E. auto.
Qed.

(* The result of a merge depends on the past of the merged nodes only. *)
(* Clauses: HM-MERGE-AGREEMENT *)
Theorem merge_has_meaning : forall G F X s,
  well_formed G -> meaning G F -> known G X -> gives_states G F X ->
  Merge G X s -> s = F (past G X).
Proof.
  intros G F X s wf mean kn gives.
  enough (H :
    (forall X s, Merge G X s -> known G X -> gives_states G F X -> s = F (past G X)) /\
    (forall B A as_ s, Merge_ G B A as_ s -> known G (B ++ A) -> gives_states G F (B ++ A) ->
       as_ = F (past G A) -> s = F (past G (B ++ A))) /\
    (forall A as_ b s, MergeU G A as_ b s -> known G (b :: A) -> gives_states G F (b :: A) ->
       as_ = F (past G A) -> s = F (past G (b :: A)))).
  { intro M. apply H; auto. }
  clear X s kn gives. apply merge_induction.
  - intros X s _ IH kn gives. rewrite app_nil_r in IH. apply IH; auto.
    rewrite <- (of_nothing G F mean). reflexivity.
  - intros A as_ _ _ E. exact E.
  - intros B1 b B2 A as_ s r _ IHU _ IH kn gives E.
    assert (part : forall v, In v (b :: A) -> In v ((B1 ++ b :: B2) ++ A)).
    { intros v Iv. rewrite !in_app_iff. cbn in *. tauto. }
    assert (same : forall v, In v ((B1 ++ B2) ++ b :: A) <-> In v ((B1 ++ b :: B2) ++ A)).
    { intro v. rewrite !in_app_iff. cbn. tauto. }
    rewrite (IH).
    + apply (only_nodes_count G F mean). intros v _. apply eq_true_iff_eq.
      rewrite !past_iff by exact wf. split; intros [w [Iw vw]]; exists w; split; auto; apply same; auto.
    + intros v Iv. apply kn, same, Iv.
    + refine (gives_less _ _ _ _ wf _ gives). intros v Iv. apply past_self; auto. apply same, Iv.
    + apply IHU; auto.
      * intros v Iv. apply kn, part, Iv.
      * refine (gives_less _ _ _ _ wf _ gives). intros v Iv. apply past_self; auto.
  - intros as_ b kn gives _. symmetry. apply gives; [apply kn; left; auto |].
    apply past_self; auto. left. auto.
  - intros A as_ b o _ _ _ IH kn gives E.
    assert (Eo : o = F (intersection (past G A) (past G [b]))).
    { rewrite IH.
      - apply (only_nodes_count G F mean). intros u Hu. apply past_lcaU; auto.
      - apply lcaU_known, wf.
      - refine (gives_less _ _ _ _ wf _ gives). intros v Iv. apply in_lcaU in Iv; auto.
        destruct Iv as [_ [vb _]]. apply past_iff; auto. exists b. split; [left; auto | exact vb]. }
    assert (Eb : state_at G b = F (past G [b])).
    { symmetry. apply gives; [apply kn; left; auto |]. apply past_self; auto. left. auto. }
    rewrite Eo, E, Eb, (joins G F mean); auto using past_closed.
    apply (only_nodes_count G F mean). intros u _. unfold union, past. cbn.
    rewrite orb_false_r. apply orb_comm.
Qed.

(* Hence the fold order has no effect. *)
(* Clauses: HM-MERGE-ORDER-FREE *)
Theorem meaning_order_free : forall G F X s s',
  well_formed G -> meaning G F -> known G X -> gives_states G F X ->
  Merge G X s -> Merge G X s' -> s = s'.
Proof.
  intros G F X s s' wf mean kn gives M M'.
  rewrite (merge_has_meaning G F X s), (merge_has_meaning G F X s'); auto.
Qed.

(* A new node over A whose state is a merge of A has the state that F gives to its past. *)
Definition restricted G F : (nat -> bool) -> state T :=
  fun D => F (fun v => (v <? length G) && D v).

Lemma meaning_restricted : forall G n F, well_formed G -> meaning G F ->
  meaning (G ++ [n]) (restricted G F).
Proof.
  intros G n F wf mean. split; unfold restricted.
  - intros D E same. apply (only_nodes_count G F mean). intros v Hv.
    rewrite same; [reflexivity |]. rewrite app_length. lia.
  - rewrite <- (of_nothing G F mean). apply (only_nodes_count G F mean). intros v Hv.
    unfold nothing. apply andb_false_r.
  - intros D E cD cE.
    assert (closed_part : forall D, closed (G ++ [n]) D ->
              closed G (fun v => (v <? length G) && D v)).
    { intros C cC u v uv Cv. rewrite andb_true_iff, Nat.ltb_lt in *. destruct Cv as [Hv Cv].
      assert (u <= v) by (apply le_listed with G; auto). split; [lia |].
      apply (cC u v); auto. apply le_old; auto. }
    set (D' := fun v => (v <? length G) && D v). set (E' := fun v => (v <? length G) && E v).
    transitivity (F (union D' E')); [rewrite <- (joins G F mean D' E') by (apply closed_part; assumption); f_equal |];
      apply (only_nodes_count G F mean); intros v Hv; apply Nat.ltb_lt in Hv;
      unfold intersection, union, D', E'; rewrite Hv; reflexivity.
Qed.

Lemma past_old : forall G n X u, well_formed G -> well_formed (G ++ [n]) -> known G X ->
  past (G ++ [n]) X u = past G X u.
Proof.
  intros G n X u wf wf' kn. apply eq_true_iff_eq. rewrite !past_iff by auto.
  split; intros [x [Ix ux]]; exists x; split; auto;
    [apply le_old in ux | apply le_old]; auto.
Qed.

Lemma past_new : forall G n u, well_formed G -> known G (parents_of n) -> u < length G ->
  past (G ++ [n]) [length G] u = past G (parents_of n) u.
Proof.
  intros G n u wf kn Hu. assert (wf' := well_formed_add G n wf kn).
  apply eq_true_iff_eq. rewrite !past_iff by auto. split.
  - intros [x [[<- | []] ux]]. apply le_new in ux; auto. destruct ux as [-> | H]; [lia | exact H].
  - intro H. exists (length G). split; [left; auto |]. apply le_new; auto.
Qed.

Lemma restricted_gives : forall G F A m X, well_formed G -> meaning G F -> known G A ->
  gives_states G F (A ++ X) -> m = F (past G A) -> known G X ->
  gives_states (G ++ [Node A m]) (restricted G F) (length G :: X).
Proof.
  intros G F A m X wf mean knA gives Em knX v Hv P.
  assert (wf' := well_formed_add G (Node A m) wf knA).
  unfold restricted. destruct (Nat.eq_dec v (length G)) as [-> | ne].
  - rewrite state_at_new. cbn [state_of]. rewrite Em. apply (only_nodes_count G F mean). intros u Hu.
    rewrite past_new by auto. apply Nat.ltb_lt in Hu. rewrite Hu. reflexivity.
  - assert (Hv' : v < length G) by (rewrite app_length in Hv; cbn in Hv; lia).
    rewrite state_at_old by exact Hv'. rewrite <- gives; auto.
    + apply (only_nodes_count G F mean). intros u Hu.
      rewrite past_old; auto; [| intros w [<- | []]; exact Hv'].
      apply Nat.ltb_lt in Hu. rewrite Hu. reflexivity.
    + apply past_iff in P; auto. destruct P as [x [[<- | Ix] vx]].
      * apply le_new in vx; auto. destruct vx as [| [a [Ia va]]]; [congruence |].
        apply past_iff; auto. exists a. rewrite in_app_iff. auto.
      * apply le_old in vx; auto. apply past_iff; auto. exists x. rewrite in_app_iff. auto.
Qed.

(* Hence the merge is associative: merge(A + B) = merge({v} + B), where v is a new node whose parents
   are A and whose state is merge(A). *)
(* Clauses: HM-MERGE-ASSOCIATIVE *)
Theorem meaning_associative : forall G F A B m s s',
  well_formed G -> meaning G F -> known G (A ++ B) -> gives_states G F (A ++ B) ->
  Merge G A m -> Merge G (A ++ B) s -> Merge (G ++ [Node A m]) (length G :: B) s' -> s = s'.
Proof.
  intros G F A B m s s' wf mean kn gives MA MAB MvB.
  assert (knA : known G A) by (intros v Iv; apply kn, in_or_app; auto).
  assert (knB : known G B) by (intros v Iv; apply kn, in_or_app; auto).
  assert (wf' := well_formed_add G (Node A m) wf knA).
  assert (Em : m = F (past G A)).
  { apply merge_has_meaning; auto. refine (gives_less _ _ _ _ wf _ gives).
    intros v Iv. apply past_self, in_or_app; auto. }
  rewrite (merge_has_meaning G F (A ++ B) s); auto.
  rewrite (merge_has_meaning (G ++ [Node A m]) (restricted G F) (length G :: B) s'); auto.
  - unfold restricted. apply (only_nodes_count G F mean). intros u Hu.
    assert (E : u <? length G = true) by (apply Nat.ltb_lt; exact Hu). rewrite E. cbn [andb].
    apply eq_true_iff_eq. rewrite !past_iff by auto. split.
    + intros [x [Ix ux]]. apply in_app_or in Ix. destruct Ix as [Ix | Ix].
      * exists (length G). split; [left; auto |]. apply le_new; auto. right. exists x. auto.
      * exists x. split; [right; auto |]. apply le_old; auto.
    + intros [x [[<- | Ix] ux]].
      * apply le_new in ux; auto. destruct ux as [-> | [a [Ia ua]]]; [lia |].
        exists a. rewrite in_app_iff. auto.
      * apply le_old in ux; auto. exists x. rewrite in_app_iff. auto.
  - apply meaning_restricted; auto.
  - intros v [<- | Iv]; rewrite app_length; cbn; [lia |]. specialize (knB v Iv). lia.
  - apply restricted_gives; auto.
Qed.

End Pasts.
