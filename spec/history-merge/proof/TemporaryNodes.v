(* merge-fold-recurse: the merge with temporary nodes (spec/history-merge/simple-derivation.md). It gives
   the same results as the complete algorithm, for states of any type. *)

From Coq Require Import List Arith Bool Lia Permutation.
From HistoryMerge Require Import Order Lcau Merge Extend.
Import ListNotations.

Section TemporaryNodes.
Context {T : state_type}.
Implicit Type G : history (state T).

(* lca(a, b) = max({ v : v <= a and v <= b }) *)
(* Clauses: HM-LCA-TWO *)
Definition lca2 G (a b : nat) : list nat :=
  maximal G (filter (fun v => leb G v a && leb G v b) (nodes G)).

(* `Fold_recurse G X s` says that s is a result of merge-fold-recurse(G, X). *)
(* Clauses: HM-TEMP-FOLD *)
Inductive Fold_recurse : history (state T) -> list nat -> state T -> Prop :=
| fold_nothing : forall G,
    Fold_recurse G [] (default_state T)
| fold_first : forall G X1 a X2 s,
    Fold_from G a (X1 ++ X2) s ->
    Fold_recurse G (X1 ++ a :: X2) s
(* Fold_from G t X s: merging the node t with each of the nodes X, one after the other, gives s. Each
   merge makes a temporary node, which is merged with the next node of X. *)
with Fold_from : history (state T) -> nat -> list nat -> state T -> Prop :=
| fold_end : forall G t,
    Fold_from G t [] (state_at G t)
| fold_next : forall G t X1 b X2 o s,
    Fold_recurse G (lca2 G t b) o ->
    Fold_from (G ++ [Node [t; b] (three_way_merge T o (state_at G t) (state_at G b))])
              (length G) (X1 ++ X2) s ->
    Fold_from G t (X1 ++ b :: X2) s.

Scheme Fold_recurse_min := Minimality for Fold_recurse Sort Prop
with Fold_from_min := Minimality for Fold_from Sort Prop.
Combined Scheme fold_induction from Fold_recurse_min, Fold_from_min.

(* In G followed by temporary nodes H, the node t stands for the merge `as` of the nodes A of G. *)
Record stands_for G H (t : nat) (A : list nat) (as_ : state T) : Prop := {
  is_node : t < length (G ++ H);
  has_state : state_at (G ++ H) t = as_;
  has_past : forall u, u < length G -> le (G ++ H) u t <-> exists a, In a A /\ le G u a
}.

Lemma lca2_is_lcaU : forall G H t A as_ b,
  well_formed G -> well_formed (G ++ H) -> stands_for G H t A as_ -> b < length G ->
  lca2 (G ++ H) t b = lcaU G A b.
Proof.
  intros G H t A as_ b wf wf' st Hb. unfold lca2, lcaU.
  rewrite (filter_old G H _ (fun v => leb G v b && existsb (leb G v) A)).
  - apply maximal_old; auto. intros v Iv. apply filter_In in Iv. apply in_nodes, Iv.
  - intros v Hv. rewrite leb_old with (v := b) by auto. rewrite andb_comm. f_equal.
    apply eq_true_iff_eq. rewrite leb_le, below_some by auto. apply (has_past G H t A as_ st v Hv).
  - intros v Hv. apply andb_false_iff. right. apply not_true_is_false. intro L.
    apply leb_le in L; auto. apply le_listed in L; auto. lia.
Qed.

(* The temporary node over t and b stands for the merge of A and b. *)
Lemma temporary_node : forall G H t A as_ b s,
  well_formed G -> well_formed (G ++ H) -> stands_for G H t A as_ -> b < length G ->
  well_formed (G ++ H ++ [Node [t; b] s]) /\
  stands_for G (H ++ [Node [t; b] s]) (length (G ++ H)) (b :: A) s.
Proof.
  intros G H t A as_ b s wf wf' st Hb.
  assert (kn : known (G ++ H) (parents_of (Node [t; b] s))).
  { intros v [<- | [<- | []]]; [apply (is_node G H t A as_ st) | rewrite app_length; lia]. }
  assert (wf'' := well_formed_add (G ++ H) (Node [t; b] s) wf' kn). rewrite app_assoc. split; auto.
  split; rewrite ?app_assoc.
  - rewrite (app_length (G ++ H)). cbn. lia.
  - apply state_at_new.
  - intros u Hu. rewrite le_new by auto. cbn [parents_of]. split.
    + intros [-> | [p [[<- | [<- | []]] L]]].
      * rewrite app_length in Hu. lia.
      * apply (has_past G H t A as_ st u Hu) in L. destruct L as [a [Ia L]].
        exists a. split; [right; exact Ia | exact L].
      * apply le_old in L; auto. exists b. split; [left; auto | exact L].
    + intros [a [[<- | Ia] L]]; right.
      * exists b. split; [right; left; auto |]. apply le_old; auto.
      * exists t. split; [left; auto |]. apply (has_past G H t A as_ st u Hu). exists a. auto.
Qed.

Lemma node_stands_for_itself : forall G H a,
  well_formed G -> a < length G -> stands_for G H a [a] (state_at G a).
Proof.
  intros G H a wf Ha. split.
  - rewrite app_length. lia.
  - apply state_at_old, Ha.
  - intros u Hu. rewrite le_old by auto. split.
    + intro L. exists a. split; [left; auto | exact L].
    + intros [x [[<- | []] L]]. exact L.
Qed.

Lemma fold_to_merge : forall G X s, well_formed G -> known G X -> anti_chain G X ->
  Fold_recurse G X s -> Merge G X s.
Proof.
  enough (Hf :
    (forall G' X s, Fold_recurse G' X s -> forall G H, G' = G ++ H ->
       well_formed G -> well_formed G' -> known G X -> anti_chain G X -> Merge G X s) /\
    (forall G' t B s, Fold_from G' t B s -> forall G H A as_, G' = G ++ H ->
       well_formed G -> well_formed G' -> stands_for G H t A as_ -> A <> [] ->
       known G (B ++ A) -> anti_chain G (B ++ A) -> Merge_ G B A as_ s)).
  { intros G X s wf kn ac F. destruct Hf as [Hf _].
    apply (Hf G X s F G []); auto. symmetry. apply app_nil_r. }
  apply fold_induction.
  - intros G' G H _ _ _ _ _. apply merge_empty. reflexivity.
  - intros G' X1 a X2 s _ IH G H -> wf wf' kn ac. constructor.
    assert (Ha : a < length G) by (apply kn, in_or_app; right; left; auto).
    assert (P : Permutation (X1 ++ a :: X2) ((X1 ++ X2) ++ [a])).
    { rewrite <- Permutation_middle. apply Permutation_cons_append. }
    apply merge_next with (state_at G a); [constructor |].
    apply (IH G H); auto using node_stands_for_itself; [discriminate | |].
    + intros v Iv. apply kn. eapply Permutation_in; [apply Permutation_sym, P | exact Iv].
    + eapply anti_chain_perm; [exact P | exact ac].
  - intros G' t G H A as_ -> wf wf' st _ _ _. rewrite (has_state G H t A as_ st). constructor.
  - intros G' t X1 b X2 o s _ IHo _ IH G H A as_ -> wf wf' st ne kn ac.
    assert (Hb : b < length G) by (apply kn; rewrite !in_app_iff; cbn; auto).
    rewrite <- app_assoc in kn, ac. cbn in kn, ac.
    assert (P := step_perm X1 X2 A b).
    assert (ac' := anti_chain_perm _ _ _ _ P ac).
    assert (kn' : known G ((X1 ++ X2) ++ b :: A)).
    { intros v Iv. apply kn. eapply Permutation_in; [apply Permutation_sym, P | exact Iv]. }
    assert (acA : anti_chain G (b :: A)) by (eapply anti_chain_app_r; exact ac').
    rewrite (has_state G H t A as_ st), state_at_old in IH by exact Hb.
    rewrite (lca2_is_lcaU G H t A as_ b) in IHo by auto.
    set (s1 := three_way_merge T o as_ (state_at G b)) in *.
    destruct (temporary_node G H t A as_ b s1 wf wf' st Hb) as [wf'' st''].
    apply merge_next with s1.
    + apply mergeU_further; auto.
      * apply check_detects; auto; [apply (anti_chain_app_r T G [b] A acA) |].
        intros v Iv. apply kn', in_or_app. auto.
      * apply (IHo G H); auto using lcaU_known, lcaU_anti_chain.
    + apply (IH G (H ++ [Node [t; b] s1])); auto.
      * rewrite app_assoc. reflexivity.
      * rewrite <- app_assoc. exact wf''.
      * discriminate.
Qed.

Lemma merge_to_fold : forall G X s, well_formed G -> known G X ->
  Merge G X s -> Fold_recurse G X s.
Proof.
  intros G X s wf.
  enough (Hm :
    (forall X s, Merge G X s -> known G X ->
       forall H, well_formed (G ++ H) -> Fold_recurse (G ++ H) X s) /\
    (forall B A as_ s, Merge_ G B A as_ s -> known G (B ++ A) ->
       forall H, well_formed (G ++ H) ->
       (A = [] -> as_ = default_state T -> Fold_recurse (G ++ H) B s) /\
       (A <> [] -> forall t, stands_for G H t A as_ -> Fold_from (G ++ H) t B s)) /\
    (forall A as_ b s, MergeU G A as_ b s -> known G (b :: A) ->
       (A = [] -> s = state_at G b) /\
       (A <> [] -> exists o, s = three_way_merge T o as_ (state_at G b) /\
          forall H, well_formed (G ++ H) -> Fold_recurse (G ++ H) (lcaU G A b) o))).
  { intros kn M. destruct Hm as [Hm _]. rewrite <- (app_nil_r G). apply Hm; auto.
    rewrite app_nil_r. exact wf. }
  apply merge_induction.
  - intros Y r _ IH kn H wf'. apply IH; auto. rewrite app_nil_r. exact kn.
  - intros A as_ _ H _. split.
    + intros _ ->. constructor.
    + intros _ t st. rewrite <- (has_state G H t A as_ st). constructor.
  - intros B1 b B2 A as_ s1 r _ IHU _ IH kn H wf'.
    assert (kn' : known G ((B1 ++ B2) ++ b :: A)).
    { intros v Iv. apply kn. rewrite !in_app_iff in *. cbn in *. tauto. }
    assert (knU : known G (b :: A)) by (intros v Iv; apply kn', in_or_app; auto).
    assert (Hb : b < length G) by (apply knU; left; auto).
    destruct (IHU knU) as [first further]. split.
    + intros -> _. apply fold_first. rewrite (first eq_refl) in IH.
      apply (IH kn' H wf'); [discriminate |]. apply node_stands_for_itself; auto.
    + intros ne t st. destruct (further ne) as [o [-> Ho]].
      destruct (temporary_node G H t A as_ b (three_way_merge T o as_ (state_at G b)) wf wf' st Hb)
        as [wf'' st''].
      apply fold_next with o.
      * rewrite (lca2_is_lcaU G H t A as_ b) by auto. apply Ho, wf'.
      * rewrite (has_state G H t A as_ st), state_at_old by exact Hb. rewrite <- app_assoc.
        apply (IH kn' _ wf''); [discriminate | exact st''].
  - intros as_ b _. split; [reflexivity | congruence].
  - intros A as_ b o ne _ _ IH _. split; [congruence |]. intros _. exists o. split; auto.
    intros H wf'. apply IH; auto. apply lcaU_known, wf.
Qed.

(* The merge with temporary nodes has the same results as the complete algorithm, for every history,
   every anti-chain and states of any type. *)
(* Clauses: HM-TEMP-AGREES HM-TEMP-FOLD HM-TEMP-VANISH *)
Theorem temporary_nodes_agree : forall G X s,
  well_formed G -> known G X -> anti_chain G X -> Fold_recurse G X s <-> Merge G X s.
Proof. intros G X s wf kn ac. split; auto using fold_to_merge, merge_to_fold. Qed.

End TemporaryNodes.
