(* Whether the requirement of history merge is weaker than that of CRDTs
   (spec/history-merge/crdts.md, "The requirement on states"). It is, and too weak. *)

From HistoryMerge Require Import Order Merge Element Counterexample.

Section Chosen.
Variable S : Type.
Variable same : forall a b : S, {a = b} + {a <> b}.

(* A merge for states of any type: a side that changed nothing gives way; if both sides changed
   something, the result is a choice. *)
Definition chosen (choice : S -> S -> S -> S) (o a b : S) : S :=
  if same a o then b else if same b o then a else choice o a b.

Definition identity (m : S -> S -> S -> S) : Prop := forall o a, m o o a = a /\ m o a o = a.
Definition commutative (m : S -> S -> S -> S) : Prop := forall o a b, m o a b = m o b a.

(* **Every type of state has merges that obey the document's laws.** Any symmetric choice gives one. *)
(* Clauses: HM-3WAY-IDENTITY HM-3WAY-COMMUTATIVE HM-MERGE-ANY-TYPE *)
Theorem every_type_has_a_merge : forall choice,
  commutative choice -> identity (chosen choice) /\ commutative (chosen choice).
Proof.
  intros choice symmetric. split.
  - intros o a. unfold chosen. destruct (same o o); [| congruence].
    destruct (same a o) as [-> |]; auto.
  - intros o a b. unfold chosen. destruct (same a o), (same b o); subst; auto.
Qed.

(* There are no others: the laws say nothing about two sides that both changed something. *)
(* Clauses: HM-3WAY-IDENTITY HM-3WAY-COMMUTATIVE *)
Theorem the_laws_leave_the_choice : forall m,
  identity m -> commutative m ->
  exists choice, commutative choice /\ forall o a b, m o a b = chosen choice o a b.
Proof.
  intros m id com. exists m. split; [exact com |]. intros o a b. unfold chosen.
  destruct (same a o) as [-> |]; [apply id |]. destruct (same b o) as [-> |]; [apply id | reflexivity].
Qed.

(* **The merge of a state-based CRDT is one of them.** Let `join` be the least upper bound of an order
   in which states only grow. Above the origin, the merge that chooses the join *is* the join. *)
(* Clauses: HM-3WAY-IDENTITY HM-MERGE-NO-UNDO *)
Theorem joins_are_merges : forall join : S -> S -> S,
  (forall a b, join a b = join b a) ->
  forall o a b, join o a = a -> join o b = b ->
    chosen (fun _ => join) o a b = join a b.
Proof.
  intros join symmetric o a b oa ob. unfold chosen.
  destruct (same a o) as [-> |]; [symmetry; exact ob |].
  destruct (same b o) as [-> |]; [rewrite symmetric; symmetry; exact oa | reflexivity].
Qed.

End Chosen.

(* **The laws are too weak for order freedom.** The document's merge of one element obeys both laws,
   and the result of a merge depends on the fold order. *)
(* Clauses: HM-3WAY-IDENTITY HM-3WAY-COMMUTATIVE HM-MERGE-ORDER-FREE *)
Theorem the_laws_do_not_free_the_order :
  identity bool element_merge /\ commutative bool element_merge /\
  ~ forall G X a b, well_formed G -> known G X -> anti_chain G X ->
      Merge (T := Element) G X a -> Merge (T := Element) G X b -> a = b.
Proof. split; [exact element_identity | split; [exact element_commutative | exact the_order_matters]]. Qed.
