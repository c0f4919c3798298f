(* Merging states and looking at one part of them gives the same as merging that part alone. *)

From Coq Require Import List Arith Bool Lia.
From HistoryMerge Require Import Order Lcau Merge.
Import ListNotations.

(* The same history with each state replaced by f of it. *)
Definition map_states {S S' : Type} (f : S -> S') (G : history S) : history S' :=
  map (fun n => Node (parents_of n) (f (state_of n))) G.

Section Order.
Context {S S' : Type} (f : S -> S').
Implicit Type G : history S.

Lemma length_map_states : forall G, length (map_states f G) = length G.
Proof. intro G. apply map_length. Qed.

Lemma parents_map_states : forall G v, parents (map_states f G) v = parents G v.
Proof.
  intros G v. unfold parents, map_states. rewrite nth_error_map.
  destruct (nth_error G v); reflexivity.
Qed.

Lemma well_formed_map_states : forall G, well_formed (map_states f G) <-> well_formed G.
Proof.
  intro G. split; intros wf v p Ip; apply wf; [rewrite parents_map_states |
    rewrite parents_map_states in Ip]; exact Ip.
Qed.

Lemma existsb_same : forall (p q : nat -> bool) X, (forall v, p v = q v) -> existsb p X = existsb q X.
Proof. intros p q X same. induction X as [| v X IH]; [reflexivity |]. cbn. rewrite same, IH. auto. Qed.

Lemma leb_map_states : forall G u v, leb (map_states f G) u v = leb G u v.
Proof.
  intros G u v. unfold leb. generalize v at 1 3. intro steps. revert v.
  induction steps as [| steps IH]; intro v; cbn; [reflexivity |].
  rewrite parents_map_states. f_equal. apply existsb_same. exact IH.
Qed.

Lemma maximal_map_states : forall G X, maximal (map_states f G) X = maximal G X.
Proof.
  intros G X. apply filter_ext. intro u. f_equal. apply existsb_same. intro v.
  unfold before. rewrite leb_map_states. reflexivity.
Qed.

Lemma lcaU_map_states : forall G A b, lcaU (map_states f G) A b = lcaU G A b.
Proof.
  intros G A b. unfold lcaU. rewrite maximal_map_states. f_equal. unfold nodes.
  rewrite length_map_states. apply filter_ext. intro v. rewrite leb_map_states. f_equal.
  apply existsb_same. intro a. apply leb_map_states.
Qed.

Lemma reduced_parents_map_states : forall G v,
  reduced_parents (map_states f G) v = reduced_parents G v.
Proof.
  intros G v. unfold reduced_parents. rewrite maximal_map_states, parents_map_states. reflexivity.
Qed.

End Order.

Section Merge.
Variables T T' : state_type.
Variable f : state T -> state T'.
Hypothesis f_default : f (default_state T) = default_state T'.
Hypothesis f_merge : forall o a b,
  f (three_way_merge T o a b) = three_way_merge T' (f o) (f a) (f b).
Implicit Type G : history (state T).

Lemma state_at_map_states : forall G v,
  state_at (T := T') (map_states f G) v = f (state_at (T := T) G v).
Proof.
  intros G v. unfold state_at, map_states. rewrite nth_error_map.
  destruct (nth_error G v); cbn; auto.
Qed.

(* Clauses: HM-MERGE-ANY-TYPE *)
Theorem Merge_map_states : forall G X s,
  Merge (T := T) G X s -> Merge (T := T') (map_states f G) X (f s).
Proof.
  intro G.
  enough (H :
    (forall X s, Merge (T := T) G X s -> Merge (T := T') (map_states f G) X (f s)) /\
    (forall B A as_ s, Merge_ (T := T) G B A as_ s ->
       Merge_ (T := T') (map_states f G) B A (f as_) (f s)) /\
    (forall A as_ b s, MergeU (T := T) G A as_ b s ->
       MergeU (T := T') (map_states f G) A (f as_) b (f s))) by apply H.
  apply merge_induction.
  - intros X s _ IH. constructor. rewrite f_default in IH. exact IH.
  - intros. constructor.
  - intros. apply merge_next with (f s); auto.
  - intros as_ b. rewrite <- state_at_map_states. constructor.
  - intros A as_ b o ne free _ IH. rewrite f_merge, <- state_at_map_states. constructor; auto.
    + rewrite lcaU_map_states. exact free.
    + rewrite lcaU_map_states. exact IH.
Qed.

(* The same for the function. *)
(* Clauses: HM-MERGE-ANY-TYPE *)
Theorem merge_map_states : forall fold_order G X,
  merge (T := T') fold_order (map_states f G) X = option_map f (merge (T := T) fold_order G X).
Proof.
  intros fold_order G X. unfold merge. rewrite length_map_states.
  generalize (Datatypes.S (length G)). intro depth. revert X.
  induction depth as [| less IH]; intro X; [reflexivity |]. cbn. rewrite <- f_default.
  generalize (default_state T) as as_. generalize (@nil nat) as A.
  induction (fold_order X) as [| b B IHB]; intros A as_; [reflexivity |]. cbn.
  unfold mergeU. destruct A as [| a A].
  - rewrite state_at_map_states. apply IHB.
  - rewrite lcaU_map_states. destruct (check (lcaU G (a :: A) b) (a :: A) b); [| reflexivity].
    rewrite IH. destruct (merge_within T less fold_order G (lcaU G (a :: A) b)); [| reflexivity].
    cbn. rewrite state_at_map_states, <- f_merge. apply IHB.
Qed.

End Merge.
