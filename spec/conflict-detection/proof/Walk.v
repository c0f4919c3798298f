(* Leif's snapshots, as repaired (spec/conflict-detection/overwrite-and-conflict.md): the walk and the
   completed history decide the follows relation, although the client caches only a part of the graph. *)

From Coq Require Import List Arith Lia.
From ConflictDetection Require Import Versions.
Import ListNotations.

Section Walk.
Variable G : versions.
Hypothesis wf : well_formed G.
Variables ours theirs : nat.

(* The cached snapshots. Purging keeps them without gaps: a snapshot between two cached snapshots is
   cached. The current snapshot is cached. *)
Variable cached : nat -> Prop.
Hypothesis cached_or_not : forall v, {cached v} + {~ cached v}.

Definition without_gaps (known : nat -> Prop) : Prop :=
  forall x y z, known x -> known z -> follows G z y -> follows G y x -> known y.

(* Clauses: CD-PURGE-INTERMEDIATE *)
Hypothesis no_gaps : without_gaps cached.
(* Clauses: CD-PURGE-CURRENT *)
Hypothesis ours_cached : cached ours.

(* The walk fetches their snapshot, and the parents of what it has fetched, unless they are cached. It
   ends at cached snapshots and at snapshots without parents. *)
(* Clauses: CD-WALK-STOP CD-WALK-KNOWN *)
Inductive fetched : nat -> Prop :=
| fetched_first : ~ cached theirs -> fetched theirs
| fetched_parent : forall v p, fetched v -> In p (parents G v) -> ~ cached p -> fetched p.

Definition met_root : Prop := exists v, fetched v /\ parents G v = [].

(* If the walk fetched a snapshot without parents, the client also fetches all ancestors of its cached
   snapshots. *)
(* Clauses: CD-WALK-COMPLETE *)
Definition known (v : nat) : Prop :=
  cached v \/ fetched v \/ (met_root /\ exists c, cached c /\ follows G c v).

(* The search for an ancestor sees the parents of known snapshots, and of no others. *)
Inductive found : nat -> nat -> Prop :=
| found_parent : forall v p, known v -> In p (parents G v) -> found v p
| found_further : forall v p u, known v -> In p (parents G v) -> found p u -> found v u.

(* A client classifies by what it has found. *)
Inductive classified_by_walk : classification -> Prop :=
| walk_same : theirs = ours -> classified_by_walk same
| walk_overwrite : theirs <> ours -> found theirs ours -> classified_by_walk overwrite
| walk_stale : theirs <> ours -> ~ found theirs ours -> found ours theirs -> classified_by_walk stale
| walk_conflict : theirs <> ours -> ~ found theirs ours -> ~ found ours theirs ->
    classified_by_walk conflict.

Lemma found_follows : forall v u, found v u -> follows G v u.
Proof.
  intros v u F. induction F as [v p _ Ip | v p u _ Ip _ IH].
  - apply directly, Ip.
  - apply by_a_chain with p; auto.
Qed.

Lemma theirs_known : cached theirs \/ fetched theirs.
Proof. destruct (cached_or_not theirs); [left | right; apply fetched_first]; assumption. Qed.

(* From a snapshot that the walk has reached, the client finds every cached ancestor. *)
Lemma finds_cached : forall v u, follows G v u -> cached u -> cached v \/ fetched v -> found v u.
Proof.
  intros v u F Cu. induction F as [v p Ip | v p u Ip pu IH]; intro Kv.
  - apply found_parent; [unfold known; tauto | exact Ip].
  - apply found_further with p; [unfold known; tauto | exact Ip |]. apply IH; auto.
    destruct Kv as [Cv | Fv].
    + left. apply (no_gaps u p v); auto. apply directly, Ip.
    + destruct (cached_or_not p); auto. right. apply fetched_parent with v; auto.
Qed.

(* Each branch of the walk ends at a cached snapshot or at a root. *)
Lemma a_branch_ends : forall v, fetched v -> met_root \/ exists c, cached c /\ follows G v c.
Proof.
  intro v. induction v as [v IH] using lt_wf_ind. intro Fv.
  destruct (parents G v) as [| p ps] eqn:E; [left; exists v; auto |].
  assert (Ip : In p (parents G v)) by (rewrite E; left; auto).
  destruct (cached_or_not p) as [Cp | Np].
  - right. exists p. split; [exact Cp | apply directly, Ip].
  - destruct (IH p (wf v p Ip)) as [M | [c [Cc F]]]; [apply fetched_parent with v; auto | auto |].
    right. exists c. split; [exact Cc | apply by_a_chain with p; auto].
Qed.

(* If a fetched snapshot is an ancestor of a cached one, the walk has met a root. *)
Lemma fetched_below : forall v c, fetched v -> cached c -> follows G c v -> met_root.
Proof.
  intros v c Fv Cc cv. destruct (a_branch_ends v Fv) as [M | [b [Cb vb]]]; [exact M | exfalso].
  assert (Cv : cached v) by (apply (no_gaps b v c); auto).
  destruct Fv as [no | w p _ _ no]; exact (no Cv).
Qed.

Lemma ours_known : forall v, met_root -> v = ours \/ follows G ours v -> known v.
Proof.
  intros v M [-> | F]; [left; exact ours_cached |].
  right. right. split; [exact M | exists ours; auto].
Qed.

Lemma finds_all : forall v u, met_root -> follows G v u ->
  v = ours \/ follows G ours v -> found v u.
Proof.
  intros v u M F. induction F as [v p Ip | v p u Ip _ IH]; intro B.
  - apply found_parent; [apply ours_known; auto | exact Ip].
  - apply found_further with p; [apply ours_known; auto | exact Ip |].
    apply IH. right. destruct B as [-> | B]; [apply directly, Ip |].
    apply follows_trans with v; [exact B | apply directly, Ip].
Qed.

(* **Theorem 6, snapshots.** The client finds our snapshot behind theirs if and only if theirs follows
   ours, and theirs behind ours if and only if ours follows theirs. *)
(* Clauses: CD-WALK-STOP CD-WALK-COMPLETE CD-PURGE-HARMLESS *)
Theorem walk_decides_follows :
  (found theirs ours <-> follows G theirs ours) /\ (found ours theirs <-> follows G ours theirs).
Proof.
  split; split; try apply found_follows; intro F.
  - apply finds_cached; auto using theirs_known.
  - destruct theirs_known as [Ct | Ft].
    + apply finds_cached; auto.
    + apply finds_all; auto. apply (fetched_below theirs ours); auto.
Qed.

(* **Theorem 6, snapshots.** The walk classifies every version as the definitions require. *)
(* Clauses: CD-CLASSIFY-OVERWRITE CD-CLASSIFY-CONFLICT CD-CLASSIFY-STALE CD-CLASSIFY-SAME CD-PURGE-HARMLESS *)
Theorem walk_classifies : forall k, classified_by_walk k <-> classified G ours theirs k.
Proof.
  intro k. destruct walk_decides_follows as [T O]. split; intros [].
  - constructor; auto.
  - constructor; tauto.
  - constructor; tauto.
  - constructor; tauto.
  - constructor; [| tauto]. intros ->. apply (follows_irreflexive G ours wf); auto.
  - constructor; auto.
  - constructor; [| | tauto].
    + intros ->. apply (follows_irreflexive G ours wf); auto.
    + intro back. apply T in back. apply (follows_irreflexive G ours wf).
      apply follows_trans with theirs; auto.
  - constructor; tauto.
Qed.

(* The client then caches what it knows, and there are no gaps in that either. *)
(* Clauses: CD-PURGE-INTERMEDIATE *)
Theorem known_without_gaps : without_gaps known.
Proof.
  assert (up : forall z y, follows G z y -> fetched z -> fetched y \/ cached y \/
            exists c, cached c /\ follows G c y).
  { intros z y F. induction F as [z p Ip | z p y Ip py IH]; intro Fz;
      destruct (cached_or_not p) as [Cp | Np].
    - auto.
    - left. apply fetched_parent with z; auto.
    - right. right. exists p. auto.
    - apply IH. apply fetched_parent with z; auto. }
  assert (below : forall y c x, cached c -> follows G c y -> follows G y x -> known x -> known y).
  { intros y c x Cc cy yx Kx. destruct Kx as [Cx | [Fx | [M _]]].
    - left. apply (no_gaps x y c); auto.
    - right. right. split; [| exists c; auto]. apply (fetched_below x c); auto.
      apply follows_trans with y; auto.
    - right. right. split; [exact M | exists c; auto]. }
  intros x y z Kx Kz zy yx. destruct Kz as [Cz | [Fz | [M [c [Cc cz]]]]].
  - apply (below y z x); auto.
  - destruct (up z y zy Fz) as [Fy | [Cy | [c [Cc cy]]]]; [right; left; auto | left; auto |].
    apply (below y c x); auto.
  - right. right. split; [exact M |]. exists c. split; [exact Cc |]. apply follows_trans with z; auto.
Qed.

End Walk.

(* Purging keeps what lies between a most recent common ancestor and a client's snapshot, so it makes no
   gaps: `old` and `new` are these two ends. *)
(* Clauses: CD-PURGE-INTERMEDIATE *)
Theorem purging_makes_no_gaps : forall G (cached old new : nat -> Prop),
  without_gaps G cached ->
  without_gaps G (fun v => cached v /\
    (exists a, old a /\ (v = a \/ follows G v a)) /\ (exists s, new s /\ (s = v \/ follows G s v))).
Proof.
  intros G cached old new no_gaps x y z [Cx [[a [Oa xa]] _]] [Cz [_ [s [Ns sz]]]] zy yx.
  split; [apply (no_gaps x y z); auto |]. split.
  - exists a. split; [exact Oa |]. right. destruct xa as [-> | xa]; auto.
    apply follows_trans with x; auto.
  - exists s. split; [exact Ns |]. right. destruct sz as [-> | sz]; auto.
    apply follows_trans with z; auto.
Qed.
