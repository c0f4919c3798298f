-------------------------------- MODULE Data --------------------------------
(***************************************************************************)
(* Application data, and the effect of a diff on them.                     *)
(*                                                                         *)
(* Data are a function from keys to values. A value is a pair of its       *)
(* kind and its content: <<"scalar", name>>, <<"set", set of names>> or    *)
(* <<"dict", function from keys to values>>. Keys, scalars and elements    *)
(* are names: the model only compares them for equality.                   *)
(*                                                                         *)
(* A diff is a function from keys to changes. A change is <<"assign">>,    *)
(* <<"remove">>, <<"set", added, removed>> or <<"dict", diff>>.            *)
(*                                                                         *)
(* Clauses: CM-DATA-DICT, CM-DATA-EMPTY-ROOT, CM-DIFF-VALUES,              *)
(* CM-DIFF-SET-PAIR, CM-DIFF-EMPTY-ROOT.                                   *)
(***************************************************************************)
EXTENDS Integers, Sequences, FiniteSets, TLC

CONSTANT Reading  \* decides the ambiguous points; one of the records below

Document ==
    [ replayCutoff            |-> TRUE,       \* CM-E02
      missingSetDiffTarget    |-> "apply",    \* CM-E04
      missingDictDiffTarget   |-> "recurse",  \* CM-E05
      pruneAfterEachEntry     |-> TRUE,       \* CM-E07
      unknownKeysOnMerge      |-> "highest",  \* CM-E11
      typeMismatchRemovalOnly |-> "keep",     \* CM-E21
      firstMessageLagsZero    |-> FALSE,      \* CM-E37
      unpushedMerge           |-> "left-out" ] \* CM-E72

Libsession ==
    [ replayCutoff            |-> FALSE,
      missingSetDiffTarget    |-> "erase",
      missingDictDiffTarget   |-> "erase",
      pruneAfterEachEntry     |-> FALSE,
      unknownKeysOnMerge      |-> "drop",
      typeMismatchRemovalOnly |-> "replace",
      firstMessageLagsZero    |-> TRUE,
      unpushedMerge           |-> "added" ]

-----------------------------------------------------------------------------
(* Values *)

None == <<"none">>                       \* the value at a missing key
Empty == [key \in {} |-> None]           \* data without keys; also the diff without changes

Kind(value) == value[1]
Scalar(name) == <<"scalar", name>>
SetOf(elements) == <<"set", elements>>
DictOf(entries) == <<"dict", entries>>

At(entries, key) == IF key \in DOMAIN entries THEN entries[key] ELSE None

Elements(value) == IF Kind(value) = "set" THEN value[2] ELSE {}
Entries(value) == IF Kind(value) = "dict" THEN value[2] ELSE Empty

IsEmpty(value) == value = SetOf({}) \/ (Kind(value) = "dict" /\ DOMAIN value[2] = {})

(* `entries`, updated with `values`. A value None removes its key. *)
Updated(entries, values) ==
    LET keys == DOMAIN entries \cup DOMAIN values
        kept == {key \in keys : key \notin DOMAIN values \/ values[key] /= None}
    IN  TLCEval([key \in kept |-> IF key \in DOMAIN values THEN values[key] ELSE entries[key]])

(* CM-DATA-DICT-NONEMPTY, CM-DATA-SET-NONEMPTY: no set or dict below the *)
(* root dict is empty.                                                   *)
RECURSIVE WellFormed(_)
WellFormed(data) ==
    \A key \in DOMAIN data :
        /\ Kind(data[key]) \in {"scalar", "set", "dict"}
        /\ ~IsEmpty(data[key])
        /\ Kind(data[key]) = "dict" => WellFormed(data[key][2])

-----------------------------------------------------------------------------
(* Making a diff *)

NoChange == <<>>

(* CM-DIFF-MAKE-ASSIGN, CM-DIFF-MAKE-REMOVE, CM-DIFF-MAKE-SET,              *)
(* CM-DIFF-MAKE-DICT, CM-DIFF-MAKE-TYPE-CHANGE, CM-DIFF-MAKE-EQUAL.         *)
RECURSIVE Diff(_, _)
ChangeBetween(before, after) ==
    IF before = after THEN NoChange
    ELSE IF Kind(after) = "scalar" THEN <<"assign">>
    ELSE IF after = None /\ Kind(before) = "scalar" THEN <<"remove">>
    ELSE IF Kind(after) = "set" \/ (after = None /\ Kind(before) = "set")
         THEN <<"set", Elements(after) \ Elements(before), Elements(before) \ Elements(after)>>
    ELSE <<"dict", Diff(Entries(before), Entries(after))>>

Diff(old, new) ==
    LET keys == {key \in DOMAIN old \cup DOMAIN new : At(old, key) /= At(new, key)}
    IN  TLCEval([key \in keys |-> ChangeBetween(At(old, key), At(new, key))])

-----------------------------------------------------------------------------
(* Applying a diff *)

(* Whether a change assigns or adds anything. This depends only on the   *)
(* change itself: CM-DIFF-APPLY-TYPE-MISMATCH.                           *)
RECURSIVE AssignsOrAdds(_)
AssignsOrAdds(change) ==
    CASE change[1] = "assign" -> TRUE
      [] change[1] = "remove" -> FALSE
      [] change[1] = "set"    -> change[2] /= {}
      [] change[1] = "dict"   -> \E key \in DOMAIN change[2] : AssignsOrAdds(change[2][key])

(* Whether a set or dict diff replaces a value of another kind by a new  *)
(* set or dict. If it does not, that value stays.                        *)
Replaces(change) == AssignsOrAdds(change) \/ Reading.typeMismatchRemovalOnly = "replace"

(* CM-DIFF-APPLY-SET, CM-DIFF-APPLY-SET-CREATE. *)
SetAfter(current, change, source) ==
    IF Reading.missingSetDiffTarget = "erase" /\ Kind(source) /= "set" THEN None
    ELSE IF Kind(current) \in {"set", "none"} \/ Replaces(change)
         THEN SetOf((Elements(current) \cup change[2]) \ change[3])
    ELSE current

RECURSIVE AppliedEntry(_, _, _)

(* CM-DIFF-APPLY-DICT, CM-DIFF-APPLY-DICT-CREATE. *)
DictAfter(current, change, source) ==
    IF Reading.missingDictDiffTarget = "erase" /\ Kind(source) /= "dict" THEN None
    ELSE IF Kind(current) \in {"dict", "none"} \/ Replaces(change)
         THEN DictOf(AppliedEntry(Entries(current), change[2], Entries(source)))
    ELSE current

(* CM-DIFF-APPLY-ASSIGN, CM-DIFF-APPLY-ASSIGN-MISSING, CM-DIFF-APPLY-REMOVE. *)
ValueAfter(current, change, source) ==
    CASE change[1] = "assign" -> IF Kind(source) = "scalar" THEN source ELSE None
      [] change[1] = "remove" -> None
      [] change[1] = "set"    -> SetAfter(current, change, source)
      [] change[1] = "dict"   -> DictAfter(current, change, source)

(* Applies one entry of a replay set: CM-DIFF-APPLY-UNTOUCHED,           *)
(* CM-DIFF-APPLY-PRUNE.                                                  *)
AppliedEntry(data, diff, source) ==
    LET pruned(value) == IF Reading.pruneAfterEachEntry /\ IsEmpty(value) THEN None ELSE value
    IN  Updated(data, TLCEval([key \in DOMAIN diff |->
            pruned(ValueAfter(At(data, key), diff[key], At(source, key)))]))

RECURSIVE Pruned(_)
PrunedValue(value) ==
    LET inner == IF Kind(value) = "dict" THEN DictOf(Pruned(value[2])) ELSE value
    IN  IF IsEmpty(inner) THEN None ELSE inner
Pruned(data) == Updated(data, TLCEval([key \in DOMAIN data |-> PrunedValue(data[key])]))

(* Prunes the final data if the reading prunes only at the end. *)
AtTheEnd(data) == IF Reading.pruneAfterEachEntry THEN data ELSE Pruned(data)

Applied(data, diff, source) == AtTheEnd(AppliedEntry(data, diff, source))
=============================================================================
