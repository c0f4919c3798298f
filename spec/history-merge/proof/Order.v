(* History graphs and their order (spec/history-merge/partial-orders.md).

   A comment that begins with "Clauses:" names the clauses that the next definition or theorem
   formalizes. *)

From Coq Require Import List Arith Bool Lia.
Import ListNotations.

(* A node names its parents and carries the whole state after its event. *)
Record node (S : Type) := Node { parents_of : list nat; state_of : S }.
Arguments Node {S} _ _.
Arguments parents_of {S} _.
Arguments state_of {S} _.

(* A history is the list of its nodes. The ID of a node is its place in the list, counted from 0. *)
Definition history (S : Type) := list (node S).

Section Order.
Context {S : Type}.
Implicit Type G : history S.

Definition nodes G : list nat := seq 0 (length G).

Definition parents G (v : nat) : list nat :=
  match nth_error G v with Some n => parents_of n | None => [] end.

(* Every parent is listed before its children, so a parent is in the history and no chain of parents
   is a cycle. Every finite graph without cycles can be listed in this way. *)
(* Clauses: HM-ORDER-UNIQUE HM-ORDER-PARENTS-KNOWN HM-ORDER-ACYCLIC *)
Definition well_formed G : Prop := forall v p, In p (parents G v) -> p < v.

(* All nodes of X are nodes of the history. *)
Definition known G (X : list nat) : Prop := forall v, In v X -> v < length G.

(* u <= v holds if u is v, or if u <= p for a parent p of v. It holds in no other case. *)
(* Clauses: HM-ORDER-BEFORE *)
Inductive le G (u : nat) : nat -> Prop :=
| le_same : le G u u
| le_parent : forall p v, In p (parents G v) -> le G u p -> le G u v.

(* The same relation, computed. A chain of parents that starts at v has at most v steps. *)
Fixpoint leb_within (steps : nat) G (u v : nat) : bool :=
  (u =? v) ||
  match steps with
  | O => false
  | Datatypes.S fewer => existsb (leb_within fewer G u) (parents G v)
  end.

Definition leb G (u v : nat) : bool := leb_within v G u v.

Definition before G (u v : nat) : bool := leb G u v && negb (u =? v).

(* anc(v), and anc*(V): the nodes that are <= some node of V. *)
(* Clauses: HM-ORDER-ANCESTORS HM-ORDER-ANCESTORS-OF-ALL *)
Definition anc G (v : nat) : list nat := filter (fun u => leb G u v) (nodes G).
Definition anc_all G (V : list nat) : list nat := filter (fun u => existsb (leb G u) V) (nodes G).

(* max(V): the nodes of V that are not before another node of V. *)
(* Clauses: HM-ORDER-MAXIMAL *)
Definition maximal G (V : list nat) : list nat :=
  filter (fun u => negb (existsb (before G u) V)) V.

(* No node appears twice, and no node is <= another one. *)
(* Clauses: HM-ORDER-ANTI-CHAIN *)
Definition anti_chain G (X : list nat) : Prop :=
  NoDup X /\ forall u v, In u X -> In v X -> le G u v -> u = v.

(* The parents of a node in the transitive reduction of the history. *)
(* Clauses: HM-ORDER-REDUCTION *)
Definition reduced_parents G (v : nat) : list nat := maximal G (nodup Nat.eq_dec (parents G v)).

(* Neither u <= v nor v <= u. *)
Definition concurrent G (u v : nat) : Prop := ~ le G u v /\ ~ le G v u.

(* ---- The relation <= is a partial order, and leb computes it. ---- *)

Lemma le_trans : forall G u v w, le G u v -> le G v w -> le G u w.
Proof.
  intros G u v w uv vw. induction vw as [| p w In_p _ IH]; [exact uv |].
  exact (le_parent G u p w In_p IH).
Qed.

Lemma le_listed : forall G u v, well_formed G -> le G u v -> u <= v.
Proof.
  intros G u v wf uv. induction uv as [| p v In_p _ IH]; [lia |].
  specialize (wf v p In_p). lia.
Qed.

Lemma le_antisym : forall G u v, well_formed G -> le G u v -> le G v u -> u = v.
Proof. intros G u v wf uv vu. apply le_listed in uv, vu; auto. lia. Qed.

Lemma leb_within_le : forall G steps u v,
  well_formed G -> v <= steps -> leb_within steps G u v = true <-> le G u v.
Proof.
  intros G steps u v wf. revert v. induction steps as [| steps IH]; intros v Hv; cbn;
    rewrite orb_true_iff, Nat.eqb_eq.
  - split; [intros [-> | E]; [constructor | discriminate] |].
    intro H. left. inversion H; subst; auto. specialize (wf v p H0). lia.
  - rewrite existsb_exists. split.
    + intros [-> | [p [In_p H]]]; [constructor |].
      apply (le_parent G u p v In_p). apply IH; [| exact H]. specialize (wf v p In_p). lia.
    + intro H. inversion H; subst; [auto | right].
      exists p. split; [assumption |]. apply IH; [| assumption]. specialize (wf v p H0). lia.
Qed.

Lemma leb_le : forall G u v, well_formed G -> leb G u v = true <-> le G u v.
Proof. intros G u v wf. apply leb_within_le; auto. Qed.

Lemma before_iff : forall G u v, well_formed G -> before G u v = true <-> le G u v /\ u <> v.
Proof.
  intros G u v wf. unfold before. rewrite andb_true_iff, leb_le, negb_true_iff, Nat.eqb_neq by auto.
  reflexivity.
Qed.

(* ---- What the computed sets contain. ---- *)

Lemma in_nodes : forall G v, In v (nodes G) <-> v < length G.
Proof. intros G v. unfold nodes. rewrite in_seq. lia. Qed.

Lemma in_anc : forall G u v, well_formed G -> In u (anc G v) <-> u < length G /\ le G u v.
Proof. intros G u v wf. unfold anc. rewrite filter_In, in_nodes, leb_le by auto. reflexivity. Qed.

Lemma below_some : forall G u V, well_formed G ->
  existsb (leb G u) V = true <-> exists v, In v V /\ le G u v.
Proof.
  intros G u V wf. rewrite existsb_exists.
  split; intros [v [Iv H]]; exists v; split; auto; apply leb_le; auto.
Qed.

Lemma in_anc_all : forall G u V, well_formed G ->
  In u (anc_all G V) <-> u < length G /\ exists v, In v V /\ le G u v.
Proof.
  intros G u V wf. unfold anc_all. rewrite filter_In, in_nodes, below_some by auto. reflexivity.
Qed.

Lemma in_maximal : forall G u V, well_formed G ->
  In u (maximal G V) <-> In u V /\ forall v, In v V -> le G u v -> u = v.
Proof.
  intros G u V wf. unfold maximal. rewrite filter_In, negb_true_iff. split.
  - intros [Iu H]. split; [exact Iu |]. intros v Iv uv.
    destruct (Nat.eq_dec u v) as [| ne]; [assumption |].
    assert (E : existsb (before G u) V = true).
    { rewrite existsb_exists. exists v. rewrite before_iff by auto. auto. }
    congruence.
  - intros [Iu H]. split; [exact Iu |]. apply not_true_is_false. rewrite existsb_exists.
    intros [v [Iv B]]. rewrite before_iff in B by auto. destruct B as [uv ne]. auto.
Qed.

(* Every node of a finite set is <= a maximal node of the set. *)
Lemma below_a_maximal : forall G u V, well_formed G ->
  In u V -> exists m, In m (maximal G V) /\ le G u m.
Proof.
  intros G u V wf.
  assert (bound : exists n, forall v, In v V -> v <= n).
  { exists (list_max V). intros v Iv. pose proof (list_max_le V (list_max V)) as [H _].
    specialize (H (Nat.le_refl _)). rewrite Forall_forall in H. auto. }
  destruct bound as [n bound]. remember (n - u) as gap eqn:Egap.
  revert u Egap. induction gap as [gap IH] using lt_wf_ind. intros u -> Iu.
  destruct (existsb (before G u) V) eqn:E.
  - apply existsb_exists in E. destruct E as [v [Iv B]].
    rewrite before_iff in B by auto. destruct B as [uv ne].
    pose proof (le_listed G u v wf uv). specialize (bound v Iv) as Hv.
    destruct (IH (n - v)) with (u := v) as [m [Im vm]]; auto; [lia |].
    exists m. split; [exact Im |]. apply le_trans with v; auto.
  - exists u. split; [| constructor]. unfold maximal. rewrite filter_In, E. auto.
Qed.

Lemma maximal_anti_chain : forall G V, well_formed G -> NoDup V -> anti_chain G (maximal G V).
Proof.
  intros G V wf nd. split; [apply NoDup_filter; exact nd |].
  intros u v Iu Iv uv. rewrite in_maximal in Iu, Iv by auto. apply Iu; [apply Iv | exact uv].
Qed.

(* max(V) and V have the same ancestors. *)
(* Clauses: HM-ORDER-MAXIMAL *)
Theorem anc_maximal : forall G V u, well_formed G ->
  (exists v, In v (maximal G V) /\ le G u v) <-> (exists v, In v V /\ le G u v).
Proof.
  intros G V u wf. split; intros [v [Iv uv]].
  - apply in_maximal in Iv; auto. exists v. split; [apply Iv | exact uv].
  - destruct (below_a_maximal G v V wf Iv) as [m [Im vm]].
    exists m. split; [exact Im |]. apply le_trans with v; auto.
Qed.

Lemma filter_all : forall (f : nat -> bool) X, (forall v, In v X -> f v = true) -> filter f X = X.
Proof.
  intros f X H. induction X as [| v X IH]; [reflexivity |]. cbn.
  rewrite (H v) by (left; reflexivity). f_equal. apply IH. intros w Iw. apply H. right. exact Iw.
Qed.

Lemma anti_chain_maximal : forall G X, well_formed G -> anti_chain G X -> maximal G X = X.
Proof.
  intros G X wf [_ ac]. unfold maximal. apply filter_all.
  intros u Iu. rewrite negb_true_iff. apply not_true_is_false.
  rewrite existsb_exists. intros [v [Iv B]]. rewrite before_iff in B by auto.
  destruct B as [uv ne]. apply ne, ac; auto.
Qed.

(* If the parents of a node are an anti-chain, the reduction keeps all of them. *)
(* Clauses: HM-ORDER-REDUCTION *)
Theorem anti_chain_parents_stay : forall G v, well_formed G ->
  anti_chain G (parents G v) -> reduced_parents G v = parents G v.
Proof.
  intros G v wf ac. unfold reduced_parents. rewrite nodup_fixed_point by apply ac.
  apply anti_chain_maximal; auto.
Qed.

Lemma in_reduced_parents : forall G v p, well_formed G ->
  In p (reduced_parents G v) -> In p (parents G v).
Proof.
  intros G v p wf Ip. unfold reduced_parents in Ip. apply in_maximal in Ip; auto.
  destruct Ip as [Ip _]. rewrite nodup_In in Ip. exact Ip.
Qed.

Lemma reduced_parents_anti_chain : forall G v, well_formed G -> anti_chain G (reduced_parents G v).
Proof. intros G v wf. apply maximal_anti_chain; auto. apply NoDup_nodup. Qed.

(* u is before v if and only if u is <= a parent of v; redundant parents are not needed for this. *)
(* Clauses: HM-ORDER-REDUCTION *)
Theorem below_reduced_parents : forall G u v, well_formed G ->
  (exists p, In p (reduced_parents G v) /\ le G u p) <-> le G u v /\ u <> v.
Proof.
  intros G u v wf. unfold reduced_parents. rewrite anc_maximal by auto. split.
  - intros [p [Ip up]]. rewrite nodup_In in Ip. split; [exact (le_parent G u p v Ip up) |].
    apply le_listed in up; auto. specialize (wf v p Ip). lia.
  - intros [uv ne]. inversion uv; subst; [contradiction |].
    exists p. rewrite nodup_In. auto.
Qed.

End Order.
