------------------------------- MODULE Leaves -------------------------------
(***************************************************************************)
(* The meaning of edits, leaf by leaf. This is a second definition of      *)
(* changes. The laws compare the merge with it. Every change carries its   *)
(* value, so no value has to be looked up in the data of another           *)
(* message.                                                                *)
(*                                                                         *)
(* A change is a record: `act` is "assign", "remove", "add" or             *)
(* "discard"; `path` is the sequence of keys that leads to the value;      *)
(* `what` is the scalar or element ("" for a removal). A leaf is <<path,   *)
(* <<>>>> for the scalar at a path, and <<path, <<element>>>> for an       *)
(* element of the set at a path.                                           *)
(***************************************************************************)
EXTENDS Data

Assign(path, scalar)   == [act |-> "assign", path |-> path, what |-> scalar]
Remove(path)           == [act |-> "remove", path |-> path, what |-> ""]
Add(path, element)     == [act |-> "add", path |-> path, what |-> element]
Discard(path, element) == [act |-> "discard", path |-> path, what |-> element]

(* The value at the end of a path after a change. *)
LeafAfter(current, change) ==
    CASE change.act = "assign"  -> Scalar(change.what)
      [] change.act = "remove"  -> None
      [] change.act = "add"     -> SetOf(Elements(current) \cup {change.what})
      [] change.act = "discard" -> IF Kind(current) = "set"
                                   THEN SetOf(Elements(current) \ {change.what})
                                   ELSE current

(* `data` after a change at `path`, the rest of the change's path. A new *)
(* leaf replaces any value in its way. Empty values are removed.         *)
RECURSIVE DoneAt(_, _, _)
DoneAt(data, path, change) ==
    LET key == Head(path)
        current == At(data, key)
        puts == change.act \in {"assign", "add"}
        after == IF Len(path) = 1 THEN LeafAfter(current, change)
                 ELSE IF Kind(current) = "dict" \/ puts
                      THEN DictOf(DoneAt(Entries(current), Tail(path), change))
                 ELSE current
        kept == IF IsEmpty(after) THEN None ELSE after
    IN  Updated(data, [each \in {key} |-> kept])

Done(data, change) == DoneAt(data, change.path, change)

RECURSIVE AllDone(_, _)
AllDone(data, changes) ==
    IF changes = {} THEN data
    ELSE LET change == CHOOSE each \in changes : TRUE
         IN  AllDone(Done(data, change), changes \ {change})

(* The changes that lead from `old` to `new`. They concern different     *)
(* leaves, so their order does not matter.                               *)
RECURSIVE ChangesBelow(_, _, _)
ChangesAt(before, after, path) ==
    IF before = after THEN {}
    ELSE CASE Kind(after) = "scalar" -> {Assign(path, after[2])}
           [] Kind(after) = "set" ->
                {Add(path, element) : element \in Elements(after) \ Elements(before)}
                \cup {Discard(path, element) : element \in Elements(before) \ Elements(after)}
           [] Kind(after) = "dict" -> ChangesBelow(Entries(before), Entries(after), path)
           [] Kind(after) = "none" ->
                (CASE Kind(before) = "scalar" -> {Remove(path)}
                   [] Kind(before) = "set" -> {Discard(path, each) : each \in Elements(before)}
                   [] Kind(before) = "dict" -> ChangesBelow(Entries(before), Empty, path))

ChangesBelow(old, new, path) ==
    UNION {ChangesAt(At(old, key), At(new, key), Append(path, key)) :
           key \in DOMAIN old \cup DOMAIN new}

Changes(old, new) == ChangesBelow(old, new, <<>>)

(* AtPath: the value at a path. AtLeaf: the scalar or element at a leaf, *)
(* or None.                                                              *)
RECURSIVE AtPath(_, _)
AtPath(data, path) ==
    IF Len(path) = 1 THEN At(data, path[1])
    ELSE AtPath(Entries(At(data, Head(path))), Tail(path))

AtLeaf(data, leaf) ==
    LET value == AtPath(data, leaf[1])
    IN  IF leaf[2] = <<>> THEN IF Kind(value) = "scalar" THEN value ELSE None
        ELSE IF leaf[2][1] \in Elements(value) THEN Scalar(leaf[2][1]) ELSE None

RECURSIVE LeavesBelow(_, _)
LeavesBelow(data, path) ==
    UNION {LET value == data[key]
               here == Append(path, key)
           IN  CASE Kind(value) = "scalar" -> {<<here, <<>>>>}
                 [] Kind(value) = "set" -> {<<here, <<element>>>> : element \in value[2]}
                 [] Kind(value) = "dict" -> LeavesBelow(value[2], here)
           : key \in DOMAIN data}

LeavesOf(data) == LeavesBelow(data, <<>>)

IsBeginning(path, of) == Len(path) <= Len(of) /\ SubSeq(of, 1, Len(path)) = path

(* Whether a change decides the value of a leaf, whatever the value was  *)
(* before: the change names the leaf, or it assigns or adds a value that *)
(* cannot exist together with the leaf.                                  *)
Touches(change, leaf) ==
    LET path == leaf[1]
        element == leaf[2]
    IN  IF change.act = "discard" THEN leaf = <<change.path, <<change.what>>>>
        ELSE IF IsBeginning(change.path, path)
             THEN change.act = "add" /\ change.path = path /\ element /= <<>>
                  => element = <<change.what>>
        ELSE change.act /= "remove" /\ IsBeginning(path, change.path)
=============================================================================
