(* Idempotence of the merge of a history (spec/history-merge/complete-algorithm.md, "Guarantees"). *)

From Coq Require Import List.
From HistoryMerge Require Import Order Lcau Merge.
Import ListNotations.

(* Suppose that the 3-way merge is idempotent. Then the merge of one or more nodes that all have the
   state s is s, whatever their history and the fold order. *)
(* Clauses: HM-MERGE-IDEMPOTENT *)
Theorem merge_idempotent : forall (T : state_type) (G : history (state T)) X s result,
  (forall o a, three_way_merge T o a a = a) ->
  X <> [] -> (forall v, In v X -> state_at G v = s) ->
  Merge G X result -> result = s.
Proof.
  intros T G X s result idem ne all M.
  enough (H :
    (forall X r, Merge G X r -> X <> [] -> (forall v, In v X -> state_at G v = s) -> r = s) /\
    (forall B A as_ r, Merge_ G B A as_ r -> (A = [] -> B <> []) -> (A <> [] -> as_ = s) ->
       (forall v, In v B -> state_at G v = s) -> r = s) /\
    (forall A as_ b r, MergeU G A as_ b r -> (A <> [] -> as_ = s) -> state_at G b = s -> r = s))
    by (apply H with X; auto).
  clear X result ne all M. apply merge_induction.
  - intros X r _ IH ne all. apply IH; auto. congruence.
  - intros [| a A] as_ ne has _; [destruct (ne eq_refl); reflexivity | apply has; discriminate].
  - intros B1 b B2 A as_ s1 r _ IHU _ IH _ has all. apply IH.
    + discriminate.
    + intros _. apply IHU; [exact has |]. apply all, in_or_app. right. left. reflexivity.
    + intros v Iv. apply all. rewrite in_app_iff in *. cbn. tauto.
  - auto.
  - intros A as_ b o ne _ _ _ has Sb. rewrite (has ne), Sb. apply idem.
Qed.
