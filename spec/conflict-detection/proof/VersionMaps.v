(* Zooko's version maps, as repaired (spec/conflict-detection/version-maps.md): comparing maps entry by
   entry decides the follows relation, if each client uses each of its numbers once. *)

From Coq Require Import List Arith Lia.
From ConflictDetection Require Import Versions.
Import ListNotations.

Section VersionMaps.
Variable G : versions.
Hypothesis wf : well_formed G.

Definition maker (v : nat) : nat := match nth_error G v with Some n => maker_of n | None => 0 end.

(* A map gives a number for each client. A missing entry is 0. *)
(* Clauses: CD-MAP-MISSING-ENTRY *)
Definition version_map := nat -> nat.

(* The join has, for each client, the largest number in any of the maps. *)
(* Clauses: CD-MAP-JOIN *)
Definition join (maps : list version_map) : version_map :=
  fun c => list_max (map (fun m => m c) maps).

(* The map of an uploaded version: the join of the maps of the versions that it directly follows, with
   one more in the entry of its maker. *)
(* Clauses: CD-MAP-UPLOAD CD-MAP-RESOLVE *)
Definition uploaded (m : nat -> version_map) : Prop :=
  forall v c, v < length G ->
    m v c = join (map m (parents G v)) c + (if maker v =? c then 1 else 0).

(* No client forgets: of two versions of one client, one follows the other. So each client uses each of
   its numbers once. *)
Definition no_client_forgets : Prop :=
  forall u v, u < length G -> v < length G -> maker u = maker v ->
    u = v \/ follows G u v \/ follows G v u.

(* No entry is smaller, and at least one is larger. *)
(* Clauses: CD-MAP-FOLLOWS *)
Definition map_follows (later earlier : version_map) : Prop :=
  (forall c, earlier c <= later c) /\ exists c, earlier c < later c.

(* Clauses: CD-MAP-SAME *)
Definition same_map (a b : version_map) : Prop := forall c, a c = b c.

Variable m : nat -> version_map.
Hypothesis up : uploaded m.

Lemma parent_at_most : forall v p c, v < length G -> In p (parents G v) ->
  m p c + (if maker v =? c then 1 else 0) <= m v c.
Proof.
  intros v p c Hv Ip. rewrite (up v c Hv). apply Nat.add_le_mono_r. unfold join.
  rewrite map_map. set (entries := map (fun q => m q c) (parents G v)).
  pose proof (proj1 (list_max_le entries (list_max entries)) (le_n _)) as F.
  rewrite Forall_forall in F. apply F. apply (in_map (fun q => m q c)), Ip.
Qed.

(* A later version has no smaller entry, and the entry of its maker is larger. *)
Lemma entries_grow : forall v u c, v < length G -> follows G v u ->
  m u c <= m v c /\ (maker v = c -> m u c < m v c).
Proof.
  intros v u c Hv vu. revert Hv. induction vu as [v p Ip | v p u Ip _ IH]; intro Hv;
    assert (L := parent_at_most v p c Hv Ip); destruct (Nat.eqb_spec (maker v) c) as [E | E].
  - split; intros; lia.
  - split; intros; [lia | congruence].
  - assert (Hp : p < length G) by (specialize (wf v p Ip); lia). destruct (IH Hp). split; intros; lia.
  - assert (Hp : p < length G) by (specialize (wf v p Ip); lia). destruct (IH Hp).
    split; intros; [lia | congruence].
Qed.

Lemma the_largest_is_one_of_them : forall l, 0 < list_max l -> In (list_max l) l.
Proof.
  intro l. induction l as [| k l IH]; [cbn; lia |].
  change (list_max (k :: l)) with (Nat.max k (list_max l)). intro pos.
  destruct (Nat.max_spec k (list_max l)) as [[lt E] | [ge E]]; rewrite E in *.
  - right. apply IH, pos.
  - left. reflexivity.
Qed.

(* An entry comes from a version of that client. *)
Lemma entry_comes_from : forall v c, v < length G -> 0 < m v c ->
  exists w, w < length G /\ maker w = c /\ m w c = m v c /\ (w = v \/ follows G v w).
Proof.
  intros v c. induction v as [v IH] using lt_wf_ind. intros Hv pos.
  destruct (Nat.eqb_spec (maker v) c) as [E | E].
  { exists v. auto. }
  assert (Ev := up v c Hv). destruct (Nat.eqb_spec (maker v) c) as [|_]; [contradiction |].
  rewrite Nat.add_0_r in Ev. unfold join in Ev. rewrite map_map in Ev.
  assert (P : exists p, In p (parents G v) /\ m p c = m v c).
  { rewrite Ev in pos |- *. apply the_largest_is_one_of_them in pos.
    apply in_map_iff in pos. destruct pos as [p [Ep Ip]]. exists p. auto. }
  destruct P as [p [Ip Ep]]. assert (Hp := wf v p Ip).
  destruct (IH p) as [w [Hw [Mw [Ew L]]]]; [exact Hp | lia | lia |].
  exists w. split; [exact Hw |]. split; [exact Mw |]. split; [lia |]. right.
  destruct L as [-> | L]; [apply directly, Ip | apply by_a_chain with p; auto].
Qed.

Hypothesis chain : no_client_forgets.

(* The entry of the maker of u decides whether v is u or follows it. *)
Lemma entry_decides : forall v u, v < length G -> u < length G ->
  m u (maker u) <= m v (maker u) <-> v = u \/ follows G v u.
Proof.
  intros v u Hv Hu. split.
  - intro L.
    assert (pos : 0 < m u (maker u)).
    { rewrite (up u _ Hu), Nat.eqb_refl. lia. }
    destruct (entry_comes_from v (maker u)) as [w [Hw [Mw [Ew W]]]]; [exact Hv | lia |].
    destruct (chain w u Hw Hu Mw) as [-> | [wu | uw]].
    + destruct W as [-> | W]; auto.
    + destruct W as [-> | W]; auto. right. apply follows_trans with w; auto.
    + apply (entries_grow u w (maker u) Hu) in uw. destruct uw as [_ uw]. specialize (uw eq_refl). lia.
  - intros [-> | F]; [lia |]. apply entries_grow; auto.
Qed.

(* **Theorem 6, version maps.** If no client forgets, a map follows another one if and only if its
   version follows the other version. *)
(* Clauses: CD-MAP-FOLLOWS *)
Theorem maps_decide_follows : forall v u, v < length G -> u < length G ->
  map_follows (m v) (m u) <-> follows G v u.
Proof.
  intros v u Hv Hu. split.
  - intros [all [c some]]. destruct (entry_decides v u Hv Hu) as [D _].
    destruct (D (all (maker u))) as [-> | F]; [lia | exact F].
  - intro F. split; [intro c; apply entries_grow; auto |].
    exists (maker v). apply (entries_grow v u (maker v)); auto.
Qed.

(* Two versions have the same map if and only if they are the same version. *)
(* Clauses: CD-MAP-SAME *)
Theorem maps_decide_same : forall v u, v < length G -> u < length G ->
  same_map (m v) (m u) <-> v = u.
Proof.
  intros v u Hv Hu. split; [intro E | intros -> c; reflexivity].
  destruct (entry_decides v u Hv Hu) as [D _]. destruct (D ltac:(rewrite E; lia)) as [| F]; auto.
  apply (entries_grow v u (maker v)) in F; auto. destruct F as [_ F]. specialize (F eq_refl).
  rewrite E in F. lia.
Qed.

(* What a client does with maps. *)
(* Clauses: CD-MAP-CLASSIFY *)
Inductive classified_by_maps (ours theirs : version_map) : classification -> Prop :=
| map_same : same_map theirs ours -> classified_by_maps ours theirs same
| map_overwrite : map_follows theirs ours -> classified_by_maps ours theirs overwrite
| map_stale : map_follows ours theirs -> classified_by_maps ours theirs stale
| map_conflict : ~ same_map theirs ours -> ~ map_follows theirs ours -> ~ map_follows ours theirs ->
    classified_by_maps ours theirs conflict.

(* **Theorem 6, version maps.** If no client forgets, maps classify every version as the definitions
   require. *)
(* Clauses: CD-MAP-CLASSIFY CD-CLASSIFY-OVERWRITE CD-CLASSIFY-CONFLICT CD-CLASSIFY-STALE CD-CLASSIFY-SAME *)
Theorem maps_classify : forall ours theirs k, ours < length G -> theirs < length G ->
  classified_by_maps (m ours) (m theirs) k <-> classified G ours theirs k.
Proof.
  intros ours theirs k Ho Ht.
  assert (F := maps_decide_follows theirs ours Ht Ho).
  assert (R := maps_decide_follows ours theirs Ho Ht).
  assert (E := maps_decide_same theirs ours Ht Ho).
  split; intros []; try (constructor; tauto).
Qed.

End VersionMaps.

(* If a client forgets, maps cannot tell (CD-E34): A uploads 0 and 1, is set back to a time before 0, and
   uploads 2. The map of 1 follows the map of 2, but version 1 does not follow version 2. *)
Definition set_back : versions := [
  Version 0 [];   (* (A 1) *)
  Version 0 [0];  (* (A 2) *)
  Version 0 []    (* (A 1) again *)
].

Definition maps_of_set_back (v c : nat) : nat :=
  match c, v with 0, 0 => 1 | 0, 1 => 2 | 0, 2 => 1 | _, _ => 0 end.

(* Clauses: CD-MAP-UPLOAD CD-SET-BACK *)
Example maps_are_those_of_uploads : uploaded set_back maps_of_set_back.
Proof.
  intros v c Hv. cbn in Hv. destruct v as [| [| [| v]]]; [| | | lia];
    destruct c; reflexivity.
Qed.

(* Clauses: CD-MAP-FOLLOWS CD-SET-BACK *)
Theorem a_client_that_forgets_loses_work :
  map_follows (maps_of_set_back 1) (maps_of_set_back 2) /\ ~ follows set_back 1 2.
Proof.
  split.
  - split; [intros []; cbn; lia | exists 0; cbn; lia].
  - intro F. apply follows_listed in F; [lia |].
    intros v p. unfold parents. destruct v as [| [| [| v]]]; cbn; try tauto; [lia |].
    destruct v; cbn; tauto.
Qed.
