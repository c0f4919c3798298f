(* Whether the document's laws induce a partial order on the states
   (spec/history-merge/crdts.md, "The order of states"). They do not. *)

From Coq Require Import Bool.
From HistoryMerge Require Import Element.

Section Laws.
Variable S : Type.
Variable merge : S -> S -> S -> S.  (* of o, a and b *)

(* Clauses: HM-3WAY-IDENTITY *)
Hypothesis identity : forall o a, merge o o a = a /\ merge o a o = a.
(* Clauses: HM-3WAY-COMMUTATIVE *)
Hypothesis commutative : forall o a b, merge o a b = merge o b a.

(* **One order for all merges.** If every merge is at or above its first side in one order of
   the states, there is only one state. *)
(* Clauses: HM-3WAY-IDENTITY *)
Theorem no_order_of_all_merges : forall below : S -> S -> Prop,
  (forall a b, below a b -> below b a -> a = b) ->
  (forall o a b : S, below a (merge o a b)) ->
  forall a b : S, a = b.
Proof.
  intros below antisymmetric grows.
  assert (least : forall o b, below o b).
  { intros o b. destruct (identity o b) as [E _]. rewrite <- E. apply grows. }
  intros a b. apply antisymmetric; apply least.
Qed.

(* The order that a merge suggests for one origin: a is below b if merging a into b changes nothing. *)
Definition below_after (o a b : S) : Prop := merge o a b = b.

(* Clauses: HM-3WAY-IDENTITY *)
Theorem the_origin_is_least : forall o a, below_after o o a.
Proof. intros o a. apply identity. Qed.

(* Clauses: HM-3WAY-COMMUTATIVE *)
Theorem below_is_antisymmetric : forall o a b,
  below_after o a b -> below_after o b a -> a = b.
Proof. unfold below_after. intros o a b ab ba. rewrite commutative in ab. congruence. Qed.

(* It is reflexive exactly if the merge is idempotent. *)
(* Clauses: HM-3WAY-IDEMPOTENT *)
Theorem reflexive_if_idempotent :
  (forall o a, below_after o a a) <-> (forall o a, merge o a a = a).
Proof. unfold below_after. tauto. Qed.

(* With at most three states, it is transitive. *)
(* Clauses: HM-3WAY-IDENTITY HM-3WAY-IDEMPOTENT *)
Theorem three_states_are_ordered :
  (forall o a, merge o a a = a) ->
  (forall w x y z : S, w = x \/ w = y \/ w = z \/ x = y \/ x = z \/ y = z) ->
  forall o a b c, below_after o a b -> below_after o b c -> below_after o a c.
Proof.
  unfold below_after. intros idempotent few o a b c ab bc.
  assert (only_origin : forall x, merge o x o = o -> x = o).
  { intros x E. destruct (identity o x). congruence. }
  destruct (few o a b c) as [E | [E | [E | [E | [E | E]]]]]; subst.
  - apply identity.
  - rewrite (only_origin a ab). apply identity.
  - apply only_origin in bc. subst b. exact ab.
  - exact bc.
  - apply idempotent.
  - exact ab.
Qed.

End Laws.

(* **One order for each origin.** With four states it can fail: rock, paper and scissors each
   win against one of the others, and all laws hold. *)
Inductive move := nothing | rock | paper | scissors.

Definition same (a b : move) : bool :=
  match a, b with
  | nothing, nothing | rock, rock | paper, paper | scissors, scissors => true
  | _, _ => false
  end.

Definition winner (a b : move) : move :=
  match a, b with
  | nothing, x | x, nothing => x
  | rock, scissors | scissors, rock | rock, rock => rock
  | paper, rock | rock, paper | paper, paper => paper
  | _, _ => scissors
  end.

Definition play (o a b : move) : move :=
  if same a o then b else if same b o then a else winner a b.

(* Clauses: HM-3WAY-IDENTITY HM-3WAY-COMMUTATIVE HM-3WAY-IDEMPOTENT *)
Theorem play_obeys_all_laws :
  (forall o a, play o o a = a /\ play o a o = a) /\
  (forall o a b, play o a b = play o b a) /\
  (forall o a, play o a a = a).
Proof.
  split; [| split].
  - intros [] []; auto.
  - intros [] [] []; auto.
  - intros [] []; auto.
Qed.

(* Clauses: HM-3WAY-IDENTITY HM-3WAY-COMMUTATIVE HM-3WAY-IDEMPOTENT *)
Theorem four_states_can_be_a_cycle :
  below_after move play nothing rock paper /\
  below_after move play nothing paper scissors /\
  ~ below_after move play nothing rock scissors.
Proof. repeat split. discriminate. Qed.

(* For one element of a set, the suggested order is an order: a is below b if b changed the element or a
   did not. A set is then below another one if all its changes are changes of the other one too. *)
(* Clauses: HM-3WAY-ELEMENT *)
Theorem sets_are_ordered : forall o a b,
  below_after bool element_merge o a b <-> implb (xorb o a) (xorb o b) = true.
Proof. unfold below_after. intros [] [] []; cbn; split; auto. Qed.

(* Under the symmetric difference, nothing but the origin is below anything. *)
(* Clauses: HM-3WAY-SET-OTHERS *)
Theorem the_symmetric_difference_orders_nothing : forall o a b,
  below_after bool symmetric_difference o a b <-> a = o.
Proof.
  unfold below_after, symmetric_difference, completed.
  intros [] [] []; cbn; split; (auto || discriminate).
Qed.
