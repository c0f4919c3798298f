(* The complete algorithm: mergeU, merge_ and merge (spec/history-merge/complete-algorithm.md). *)

From Coq Require Import List Arith Bool Lia Permutation.
From HistoryMerge Require Import Order Lcau.
Import ListNotations.

(* Only the 3-way merge looks into states. If a 3-way merge can conflict, the type of state has one
   more value for "no result", and the 3-way merge of this value with anything is this value. *)
(* Clauses: HM-MERGE-ANY-TYPE *)
Record state_type := StateType {
  state : Type;
  default_state : state;
  three_way_merge : state -> state -> state -> state  (* of o, a and b *)
}.

Section Merge.
Variable T : state_type.
Implicit Type G : history (state T).

Definition state_at G (v : nat) : state T :=
  match nth_error G v with Some n => state_of n | None => default_state T end.

(* `Merge G X s` says that s is a result of merge(G, X). Each step takes *any* remaining node, and
   so does each merge of origins. A set can thus have more than one result. *)
(* Clauses: HM-MERGE-EMPTY HM-MERGE-ONE HM-MERGE-FOLD HM-MERGE-STEP HM-MERGE-ORIGIN HM-MERGE-NO-ORIGIN HM-MERGE-CHECK *)
Inductive Merge G : list nat -> state T -> Prop :=
| merge_start : forall X s,
    Merge_ G X [] (default_state T) s ->
    Merge G X s
(* Merge_ G B A as s: merging the nodes B, one after the other, with `as`, the state of A, gives s. *)
with Merge_ G : list nat -> list nat -> state T -> state T -> Prop :=
| merge_end : forall A as_,
    Merge_ G [] A as_ as_
| merge_next : forall B1 b B2 A as_ s result,
    MergeU G A as_ b s ->
    Merge_ G (B1 ++ B2) (b :: A) s result ->
    Merge_ G (B1 ++ b :: B2) A as_ result
(* MergeU G A as b s: merging `as`, the state of A, with the node b gives s. *)
with MergeU G : list nat -> state T -> nat -> state T -> Prop :=
| mergeU_first : forall as_ b,
    MergeU G [] as_ b (state_at G b)
| mergeU_further : forall A as_ b o,
    A <> [] ->
    check (lcaU G A b) A b = true ->
    Merge G (lcaU G A b) o ->
    MergeU G A as_ b (three_way_merge T o as_ (state_at G b)).

Scheme Merge_min := Minimality for Merge Sort Prop
with Merge__min := Minimality for Merge_ Sort Prop
with MergeU_min := Minimality for MergeU Sort Prop.
Combined Scheme merge_induction from Merge_min, Merge__min, MergeU_min.

(* The same algorithm as a function, with a given fold order: a function that lists the nodes of a
   set in the order in which they are taken. The result is None if the merge is refused. *)
(* Clauses: HM-MERGE-STEP HM-MERGE-ORIGIN HM-MERGE-CHECK *)
Definition mergeU (merge_of_origins : list nat -> option (state T)) G
    (A : list nat) (as_ : state T) (b : nat) : option (state T) :=
  match A with
  | [] => Some (state_at G b)
  | _ =>
      let O := lcaU G A b in
      if check O A b then
        match merge_of_origins O with
        | Some o => Some (three_way_merge T o as_ (state_at G b))
        | None => None
        end
      else None
  end.

(* Clauses: HM-MERGE-FOLD HM-MERGE-EMPTY HM-MERGE-ONE *)
Fixpoint merge_ (merge_of_origins : list nat -> option (state T)) G
    (B A : list nat) (as_ : state T) : option (state T) :=
  match B with
  | [] => Some as_
  | b :: B' =>
      match mergeU merge_of_origins G A as_ b with
      | Some s => merge_ merge_of_origins G B' (b :: A) s
      | None => None
      end
  end.

(* Coq accepts a recursion only with a bound on its depth. Theorem `depth_is_enough` shows that the
   bound in `merge` is never reached. *)
Fixpoint merge_within (depth : nat) (fold_order : list nat -> list nat) G (X : list nat)
    : option (state T) :=
  match depth with
  | O => None
  | S less => merge_ (merge_within less fold_order G) G (fold_order X) [] (default_state T)
  end.

(* Clauses: HM-MERGE-FOLD HM-MERGE-EMPTY HM-MERGE-ONE *)
Definition merge (fold_order : list nat -> list nat) G (X : list nat) : option (state T) :=
  merge_within (S (length G)) fold_order G X.

(* ---- Basic facts ---- *)

(* Clauses: HM-MERGE-EMPTY *)
Theorem merge_empty : forall G s, Merge G [] s <-> s = default_state T.
Proof.
  intros G s. split.
  - intro H. inversion H as [X s' H' EX Es]; subst. inversion H' as [| B1 b B2]; subst; auto.
    destruct B1; discriminate.
  - intros ->. constructor. constructor.
Qed.

(* Clauses: HM-MERGE-ONE *)
Theorem merge_one : forall G v s, Merge G [v] s <-> s = state_at G v.
Proof.
  intros G v s. split.
  - intro H. inversion H as [X s' H' EX Es]; subst.
    inversion H' as [| B1 b B2 A as_ s1 r HU H1 EB]; subst.
    destruct B1 as [| x B1]; [| destruct B1; discriminate]. cbn in *.
    injection EB as -> ->. inversion HU; subst; [| congruence].
    inversion H1 as [| B1 b B2' A as_' s1 r HU1 H2 EB]; subst; auto. destruct B1; discriminate.
  - intros ->. constructor. apply merge_next with (B1 := []) (B2 := []) (s := state_at G v).
    + constructor.
    + constructor.
Qed.

(* ---- The check ---- *)

Lemma anti_chain_perm : forall G X Y,
  Permutation X Y -> anti_chain G X -> anti_chain G Y.
Proof.
  intros G X Y P [nd ac]. split; [apply Permutation_NoDup with X; auto |].
  intros u v Iu Iv. apply Permutation_sym in P.
  apply ac; eapply Permutation_in; eauto.
Qed.

Lemma anti_chain_app_r : forall G X Y, anti_chain G (X ++ Y) -> anti_chain G Y.
Proof.
  intros G X Y [nd ac]. split.
  - induction X as [| x X IH]; [exact nd |]. inversion nd; subst. apply IH; auto.
    intros u v Iu Iv. apply ac; right; auto.
  - intros u v Iu Iv. apply ac; apply in_or_app; auto.
Qed.

Lemma step_perm : forall (B1 B2 A : list nat) b,
  Permutation (B1 ++ b :: B2 ++ A) ((B1 ++ B2) ++ b :: A).
Proof.
  intros. rewrite <- Permutation_middle. rewrite app_assoc. apply Permutation_middle.
Qed.

Lemma only_anti_chains_ : forall G, well_formed G ->
  forall B A as_ s, Merge_ G B A as_ s ->
  known G (B ++ A) -> anti_chain G A -> anti_chain G (B ++ A).
Proof.
  intros G wf B A as_ s H. induction H as [A as_ | B1 b B2 A as_ s r HU H IH]; intros kn ac; auto.
  rewrite <- app_assoc in kn |- *. cbn in kn |- *.
  assert (P := step_perm B1 B2 A b). apply anti_chain_perm with ((B1 ++ B2) ++ b :: A).
  { apply Permutation_sym, P. }
  assert (knb : known G (b :: A)).
  { intros v Iv. apply kn. apply in_or_app. right. destruct Iv as [<- | Iv]; [left; auto |].
    right. apply in_or_app. auto. }
  apply IH.
  - intros v Iv. apply kn. eapply Permutation_in; [apply Permutation_sym, P | exact Iv].
  - inversion HU; subst.
    + split; [constructor; [auto | constructor] |]. intros u v [<- | []] [<- | []] _. reflexivity.
    + apply check_detects in H1; auto.
Qed.

Section GivenOrder.
Variable fold_order : list nat -> list nat.
Hypothesis takes_each_once : forall X, Permutation X (fold_order X).

Lemma merge_in_order_ : forall G origins,
  (forall X s, origins X = Some s -> Merge G X s) ->
  forall B A as_ s, merge_ origins G B A as_ = Some s -> Merge_ G B A as_ s.
Proof.
  intros G origins IHo B. induction B as [| b B IH]; intros A as_ s H; cbn in H.
  - injection H as ->. constructor.
  - destruct (mergeU origins G A as_ b) as [s1 |] eqn:EU; [| discriminate].
    apply merge_next with (B1 := []) (s := s1); [| apply IH; exact H].
    unfold mergeU in EU. destruct A as [| a A].
    + injection EU as <-. constructor.
    + destruct (check (lcaU G (a :: A) b) (a :: A) b) eqn:EC; [| discriminate].
      destruct (origins (lcaU G (a :: A) b)) as [o |] eqn:EO; [| discriminate].
      injection EU as <-. constructor; auto. discriminate.
Qed.

Lemma Merge__perm : forall G B A as_ s, Merge_ G B A as_ s ->
  forall B', Permutation B B' -> Merge_ G B' A as_ s.
Proof.
  intros G B A as_ s H. induction H as [A as_ | B1 b B2 A as_ s r HU H IH]; intros B' P.
  - apply Permutation_nil in P. subst. constructor.
  - assert (Ib : In b B') by (eapply Permutation_in; [exact P |]; apply in_or_app; right; left; auto).
    apply in_split in Ib. destruct Ib as [B1' [B2' ->]].
    apply merge_next with s; [exact HU |]. apply IH. apply Permutation_app_inv in P. exact P.
Qed.

(* The nodes to merge are a set: their order in the list X has no meaning. *)
Lemma Merge_perm : forall G X Y s, Permutation X Y -> Merge G X s -> Merge G Y s.
Proof.
  intros G X Y s P H. inversion H; subst. constructor. eapply Merge__perm; eauto.
Qed.

Lemma merge_within_is_Merge : forall G depth X s,
  merge_within depth fold_order G X = Some s -> Merge G X s.
Proof.
  intros G depth. induction depth as [| less IH]; intros X s H; [discriminate |].
  cbn in H. apply Merge_perm with (fold_order X); [apply Permutation_sym, takes_each_once |].
  constructor. eapply merge_in_order_; eauto.
Qed.

(* The function computes one of the results that the relation allows. *)
(* Clauses: HM-MERGE-FOLD HM-FOLD-ASCENDING HM-FOLD-RANKED *)
Theorem merge_is_Merge : forall G X s, merge fold_order G X = Some s -> Merge G X s.
Proof. intros G X s. apply merge_within_is_Merge. Qed.

Lemma merge_total_ : forall G origins, well_formed G ->
  forall B A as_,
  (forall A b, In b B -> check (lcaU G A b) A b = true ->
     exists o, origins (lcaU G A b) = Some o) ->
  known G (B ++ A) -> anti_chain G (B ++ A) -> exists s, merge_ origins G B A as_ = Some s.
Proof.
  intros G origins wf B. induction B as [| b B IH]; intros A as_ IHo kn ac; [cbn; eauto |]. cbn.
  assert (acA : anti_chain G (b :: A)).
  { apply anti_chain_app_r with B. eapply anti_chain_perm; [| exact ac]. apply Permutation_middle. }
  assert (knA : known G (b :: A)).
  { intros v [<- | Iv]; apply kn; [left; auto | right; apply in_or_app; auto]. }
  assert (EU : exists s1, mergeU origins G A as_ b = Some s1).
  { unfold mergeU. destruct A as [| a A]; [eauto |].
    assert (EC : check (lcaU G (a :: A) b) (a :: A) b = true).
    { apply check_detects; auto. apply (anti_chain_app_r G [b] (a :: A)). exact acA. }
    rewrite EC. destruct (IHo (a :: A) b) as [o ->]; eauto. left. auto. }
  destruct EU as [s1 ->]. apply IH.
  - intros. apply IHo; auto. right. auto.
  - intros v Iv. apply kn. eapply Permutation_in; [apply Permutation_sym, Permutation_middle | exact Iv].
  - eapply anti_chain_perm; [apply Permutation_middle | exact ac].
Qed.

Lemma merge_within_total : forall G depth X, well_formed G ->
  known G X -> (forall v, In v X -> S v < depth) -> 0 < depth -> anti_chain G X ->
  exists s, merge_within depth fold_order G X = Some s.
Proof.
  intros G depth. induction depth as [| less IH]; intros X wf kn small pos ac; [lia |].
  assert (P := takes_each_once X). cbn. apply merge_total_; auto.
  - intros A b Ib free. rewrite check_spec in free.
    assert (Hb : S b < S less).
    { apply small. eapply Permutation_in; [apply Permutation_sym, P | exact Ib]. }
    apply IH; auto.
    + apply lcaU_known; auto.
    + intros v Iv. destruct (free v Iv) as [ne _]. apply in_lcaU in Iv; auto.
      destruct Iv as [_ [vb _]]. apply le_listed in vb; auto. lia.
    + lia.
    + apply lcaU_anti_chain; auto.
  - rewrite app_nil_r. intros v Iv. apply kn. eapply Permutation_in; [apply Permutation_sym, P | exact Iv].
  - rewrite app_nil_r. eapply anti_chain_perm; eauto.
Qed.

(* The merge of an anti-chain never reaches the bound on the depth, and is never refused. *)
(* Clauses: HM-MERGE-CONFLICT-FREE HM-MERGE-DEEP *)
Theorem depth_is_enough : forall G X, well_formed G -> known G X -> anti_chain G X ->
  exists s, merge fold_order G X = Some s.
Proof.
  intros G X wf kn ac. apply merge_within_total; auto; [| lia].
  intros v Iv. specialize (kn v Iv). lia.
Qed.

End GivenOrder.

(* **Theorem 5, the anti-chain check.** A merge has a result if and only if X is an anti-chain. *)
(* Clauses: HM-MERGE-CHECK HM-MERGE-DUPLICATE HM-MERGE-CONFLICT-FREE *)
Theorem merged_iff_anti_chain : forall G X, well_formed G -> known G X ->
  (exists s, Merge G X s) <-> anti_chain G X.
Proof.
  intros G X wf kn. split.
  - intros [s H]. inversion H; subst. rewrite <- (app_nil_r X). eapply only_anti_chains_; eauto.
    + rewrite app_nil_r. exact kn.
    + split; [constructor | intros u v []].
  - intro ac. destruct (depth_is_enough (fun X => X) (@Permutation_refl nat) G X wf kn ac) as [s H].
    exists s. apply (merge_is_Merge (fun X => X)); auto.
Qed.

(* The same for the function: it refuses X if and only if X is not an anti-chain. *)
(* Clauses: HM-MERGE-CHECK HM-MERGE-DUPLICATE *)
Theorem refused_iff_no_anti_chain : forall fold_order,
  (forall X, Permutation X (fold_order X)) ->
  forall G X, well_formed G -> known G X ->
  merge fold_order G X = None <-> ~ anti_chain G X.
Proof.
  intros fold_order takes G X wf kn. split.
  - intros E ac. destruct (depth_is_enough fold_order takes G X wf kn ac). congruence.
  - intro no. destruct (merge fold_order G X) as [s |] eqn:E; [exfalso | reflexivity].
    apply no, merged_iff_anti_chain; auto. exists s. apply merge_is_Merge with fold_order; auto.
Qed.

End Merge.

Arguments Merge {T} _ _ _.
Arguments Merge_ {T} _ _ _ _ _.
Arguments MergeU {T} _ _ _ _ _.
Arguments state_at {T} _ _.
Arguments merge {T} _ _ _.
