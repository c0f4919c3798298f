(* lcaU, the lowest common ancestors of a set of nodes and one more node
   (spec/history-merge/lcau.md), and the check that rests on it. *)

From Coq Require Import List Arith Bool Lia.
From HistoryMerge Require Import Order.
Import ListNotations.

Section Lcau.
Context {S : Type}.
Variable G : history S.
Hypothesis wf : well_formed G.

(* lcaU(A, b) = max({ v : v <= b, and v <= a for some a in A }) *)
(* Clauses: HM-LCAU-LOWEST *)
Definition lcaU (A : list nat) (b : nat) : list nat :=
  maximal G (filter (fun v => leb G v b && existsb (leb G v) A) (nodes G)).

(* CHECK( O & (A | {b}) is empty ) *)
(* Clauses: HM-MERGE-CHECK *)
Definition check (O A : list nat) (b : nat) : bool :=
  negb (existsb (fun v => existsb (Nat.eqb v) (b :: A)) O).

Lemma in_common : forall A b v,
  In v (filter (fun v => leb G v b && existsb (leb G v) A) (nodes G)) <->
  v < length G /\ le G v b /\ exists a, In a A /\ le G v a.
Proof.
  intros A b v. rewrite filter_In, in_nodes, andb_true_iff, leb_le, below_some by exact wf.
  tauto.
Qed.

Lemma in_lcaU : forall A b v, In v (lcaU A b) ->
  v < length G /\ le G v b /\ exists a, In a A /\ le G v a.
Proof.
  intros A b v H. unfold lcaU in H. apply in_maximal in H; auto. apply in_common. apply H.
Qed.

Lemma lcaU_known : forall A b, known G (lcaU A b).
Proof. intros A b v H. apply in_lcaU in H. apply H. Qed.

Lemma lcaU_anti_chain : forall A b, anti_chain G (lcaU A b).
Proof. intros A b. apply maximal_anti_chain; auto. apply NoDup_filter, seq_NoDup. Qed.

(* **Theorem 5, the equation on which the algorithm stands.**
   anc*(lcaU(A, b)) = anc*(A) intersected with anc(b). *)
(* Clauses: HM-LCAU-LOWEST HM-MERGE-ORIGIN *)
Theorem anc_lcaU : forall A b u,
  In u (anc_all G (lcaU A b)) <-> In u (anc_all G A) /\ In u (anc G b).
Proof.
  intros A b u. rewrite !in_anc_all, in_anc by auto. unfold lcaU. rewrite anc_maximal by auto.
  split.
  - intros [Hu [v [Iv uv]]]. apply in_common in Iv. destruct Iv as [_ [vb [a [Ia va]]]].
    repeat split; auto; [exists a; split; auto |]; apply le_trans with v; auto.
  - intros [[Hu [a [Ia ua]]] [_ ub]]. split; [exact Hu |].
    exists u. split; [apply in_common | constructor]. repeat split; auto. exists a. auto.
Qed.

(* If A and b have no common ancestor, lcaU(A, b) is empty. *)
(* Clauses: HM-LCAU-NONE *)
Theorem lcaU_none : forall A b,
  (forall u, ~ (In u (anc_all G A) /\ In u (anc G b))) -> lcaU A b = [].
Proof.
  intros A b none. destruct (lcaU A b) as [| v rest] eqn:E; [reflexivity | exfalso].
  apply (none v). apply anc_lcaU. rewrite in_anc_all by auto.
  assert (Iv : In v (lcaU A b)) by (rewrite E; left; reflexivity).
  split; [apply (lcaU_known A b v Iv) |]. exists v. split; [exact Iv | constructor].
Qed.

Lemma check_spec : forall O A b,
  check O A b = true <-> forall v, In v O -> v <> b /\ ~ In v A.
Proof.
  intros O A b. unfold check. rewrite negb_true_iff. split.
  - intros E v Iv.
    assert (H : ~ In v (b :: A)).
    { intro H. enough (existsb (fun v => existsb (Nat.eqb v) (b :: A)) O = true) by congruence.
      rewrite existsb_exists. exists v. split; [exact Iv |].
      rewrite existsb_exists. exists v. split; [exact H | apply Nat.eqb_refl]. }
    split; intro; apply H; [left; auto | right; auto].
  - intro H. apply not_true_is_false. rewrite existsb_exists. intros [v [Iv E]].
    rewrite existsb_exists in E. destruct E as [w [Iw E]]. apply Nat.eqb_eq in E. subst w.
    destruct (H v Iv) as [ne ni]. destruct Iw as [-> | Iw]; auto.
Qed.

(* **Theorem 5, one step of the anti-chain check.** Suppose that A is an anti-chain. The check of b
   passes if and only if A together with b is an anti-chain. *)
(* Clauses: HM-MERGE-CHECK *)
Theorem check_detects : forall A b, anti_chain G A -> known G (b :: A) ->
  check (lcaU A b) A b = true <-> anti_chain G (b :: A).
Proof.
  intros A b [nd ac] kn. rewrite check_spec. split.
  - intro free.
    assert (up : forall a, In a A -> ~ le G b a).
    { intros a Ia ba. destruct (free b); [| congruence].
      apply in_maximal; [exact wf |]. split.
      - apply in_common. split; [apply kn; left; reflexivity |]. split; [constructor | exists a; auto].
      - intros v Iv bv. apply in_common in Iv. apply le_antisym with G; auto. apply Iv. }
    assert (down : forall a, In a A -> ~ le G a b).
    { intros a Ia ab. destruct (free a) as [_ no]; [| exact (no Ia)].
      apply in_maximal; [exact wf |]. split.
      - apply in_common. split; [apply kn; right; exact Ia |]. split; [exact ab |].
        exists a. split; [exact Ia | constructor].
      - intros v Iv av. apply in_common in Iv. destruct Iv as [_ [_ [a' [Ia' va']]]].
        assert (a = a') by (apply ac; auto; apply le_trans with v; auto). subst a'.
        apply le_antisym with G; auto. }
    split.
    + constructor; [| exact nd]. intro Ib. apply (up b Ib). constructor.
    + intros u v [<- | Iu] [<- | Iv] uv; auto; exfalso; [exact (up v Iv uv) | exact (down u Iu uv)].
  - intros [nd' ac'] v Iv. apply in_lcaU in Iv. destruct Iv as [_ [vb [a [Ia va]]]].
    inversion nd' as [| ? ? nb _]; subst.
    split.
    + intros ->. apply nb. rewrite (ac' b a); [exact Ia | left; reflexivity | right; exact Ia | exact va].
    + intro IvA. apply nb.
      rewrite <- (ac' v b); [exact IvA | right; exact IvA | left; reflexivity | exact vb].
Qed.

End Lcau.
