(* Sessions: the messages that are accepted, and the members (spec/history-merge/acceptance.md and
   membership.md). *)

From Coq Require Import List Arith Bool Lia Permutation.
From HistoryMerge Require Import Order Lcau Merge Extend.
Import ListNotations.

Section Acceptance.
Context {T : state_type}.
Implicit Type G : history (state T).

(* A message is accepted if its parents have been accepted and have a merge. *)
(* Clauses: HM-ACCEPT-PARENTS HM-ACCEPT-ANTI-CHAIN *)
Definition accepts G (m : node (state T)) : Prop :=
  known G (parents_of m) /\ exists s, Merge G (parents_of m) s.

(* The history of a session: each message was accepted after those before it. *)
Inductive session : history (state T) -> Prop :=
| no_message : session []
| next_message : forall G m, session G -> accepts G m -> session (G ++ [m]).

Lemma anti_chain_old : forall G H X, well_formed G -> known G X ->
  anti_chain (G ++ H) X <-> anti_chain G X.
Proof.
  intros G H X wf kn. split; intros [nd ac]; split; auto; intros u v Iu Iv L; apply ac; auto.
  - apply le_old; auto.
  - apply le_old in L; auto.
Qed.

Lemma session_reduced : forall G, session G ->
  well_formed G /\ forall v, anti_chain G (parents G v).
Proof.
  intros G S. induction S as [| G m _ [wf red] [kn M]].
  - assert (none : forall v, parents (@nil (node (state T))) v = []) by (intros []; reflexivity).
    split; intro v; rewrite none; [intros p [] |]. split; [constructor | intros u w []].
  - assert (wf' := well_formed_add G m wf kn). split; [exact wf' |]. intro v.
    destruct (Nat.lt_trichotomy v (length G)) as [lt | [-> | gt]].
    + rewrite parents_old by exact lt. apply anti_chain_old; auto.
      intros p Ip. apply wf in Ip. lia.
    + rewrite parents_new. apply anti_chain_old; auto.
      apply (merged_iff_anti_chain T); auto.
    + rewrite parents_unknown by (rewrite app_length; cbn; lia).
      split; [constructor | intros u w []].
Qed.

(* The check of merge(pre(m)) keeps the history of a session transitively reduced: the reduction
   removes no parent. *)
(* Clauses: HM-ACCEPT-ANTI-CHAIN *)
Theorem session_is_reduced : forall G v, session G -> reduced_parents G v = parents G v.
Proof.
  intros G v S. apply session_reduced in S. destruct S as [wf red].
  apply anti_chain_parents_stay; auto.
Qed.

(* A session refuses a message over known parents if and only if the parents are not an anti-chain.
   The states have no part in it. *)
(* Clauses: HM-ACCEPT-ANTI-CHAIN HM-ACCEPT-STATE *)
Theorem accepts_iff_anti_chain : forall G m, session G -> known G (parents_of m) ->
  accepts G m <-> anti_chain G (parents_of m).
Proof.
  intros G m S kn. apply session_reduced in S. destruct S as [wf _].
  rewrite <- (merged_iff_anti_chain T) by auto. unfold accepts. tauto.
Qed.

(* A message without parents is accepted at any time. *)
(* Clauses: HM-ACCEPT-ROOT *)
Theorem root_accepted : forall G s, accepts G (Node [] s).
Proof.
  intros G s. split; [intros v [] |]. exists (default_state T). apply merge_empty. reflexivity.
Qed.

(* The members of a session: the merge of its heads. *)
(* Clauses: HM-MEMBERS-HEADS *)
Definition members G (s : state T) : Prop := Merge G (maximal G (nodes G)) s.

(* Every session has members, however its history has forked. *)
(* Clauses: HM-MEMBERS-HEADS HM-MERGE-CONFLICT-FREE *)
Theorem members_exist : forall G, session G -> exists s, members G s.
Proof.
  intros G S. apply session_reduced in S. destruct S as [wf _].
  apply (merged_iff_anti_chain T); auto.
  - intros v Iv. apply in_maximal in Iv; auto. apply in_nodes, Iv.
  - apply maximal_anti_chain; auto. apply seq_NoDup.
Qed.

(* If there is one head, its state is that of the session. *)
(* Clauses: HM-MEMBERS-ONE-HEAD *)
Theorem one_head : forall G v s, maximal G (nodes G) = [v] -> members G s <-> s = state_at G v.
Proof. intros G v s E. unfold members. rewrite E. apply merge_one. Qed.

(* Clauses: HM-MEMBERS-EMPTY *)
Theorem no_heads : forall s, members [] s <-> s = default_state T.
Proof. intro s. apply merge_empty. Qed.

End Acceptance.
