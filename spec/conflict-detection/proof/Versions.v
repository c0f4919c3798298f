(* Version DAGs and the follows relation (spec/conflict-detection/definitions.md).

   A comment that begins with "Clauses:" names the clauses that the next definition or theorem
   formalizes. *)

From Coq Require Import List Arith Lia.
Import ListNotations.

(* A version names its maker, and the versions that it directly follows. *)
Record version := Version { maker_of : nat; parents_of : list nat }.

(* The versions of a file are a list. The ID of a version is its place in the list, counted from 0. *)
Definition versions := list version.

Definition parents (G : versions) (v : nat) : list nat :=
  match nth_error G v with Some n => parents_of n | None => [] end.

(* Every parent is listed before its children, so the versions have no cycle. Every finite DAG can be
   listed in this way. *)
(* Clauses: CD-DAG-UNIQUE CD-DAG-KNOWN CD-DAG-ACYCLIC *)
Definition well_formed (G : versions) : Prop := forall v p, In p (parents G v) -> p < v.

(* A version follows another one if a chain of one or more steps leads from it to the other. *)
(* Clauses: CD-FOLLOWS-DIRECTLY CD-FOLLOWS-CLOSURE *)
Inductive follows (G : versions) : nat -> nat -> Prop :=
| directly : forall v p, In p (parents G v) -> follows G v p
| by_a_chain : forall v p u, In p (parents G v) -> follows G p u -> follows G v u.

Lemma follows_trans : forall G w v u, follows G w v -> follows G v u -> follows G w u.
Proof.
  intros G w v u wv vu. induction wv as [w p Ip | w p x Ip _ IH].
  - apply by_a_chain with p; auto.
  - apply by_a_chain with p; auto.
Qed.

Lemma follows_listed : forall G v u, well_formed G -> follows G v u -> u < v.
Proof.
  intros G v u wf vu. induction vu as [v p Ip | v p u Ip _ IH].
  - apply wf, Ip.
  - specialize (wf v p Ip). lia.
Qed.

(* Clauses: CD-FOLLOWS-IRREFLEXIVE *)
Theorem follows_irreflexive : forall G v, well_formed G -> ~ follows G v v.
Proof. intros G v wf vv. apply follows_listed in vv; auto. lia. Qed.

Inductive classification := overwrite | conflict | stale | same.

(* What the definitions require for their version, if ours is our current version. *)
(* Clauses: CD-CLASSIFY-OVERWRITE CD-CLASSIFY-CONFLICT CD-CLASSIFY-STALE CD-CLASSIFY-SAME *)
Inductive classified (G : versions) (ours theirs : nat) : classification -> Prop :=
| is_overwrite : follows G theirs ours -> classified G ours theirs overwrite
| is_same : theirs = ours -> classified G ours theirs same
| is_stale : follows G ours theirs -> classified G ours theirs stale
| is_conflict : theirs <> ours -> ~ follows G theirs ours -> ~ follows G ours theirs ->
    classified G ours theirs conflict.
