---------------------------- MODULE HistoryMerge ----------------------------
(***************************************************************************)
(* A session whose history forks and rejoins. Replicas post messages,      *)
(* and accept each other's messages in any order that respects             *)
(* causality. Each message carries a set. The merge computes the set of    *)
(* several messages together.                                              *)
(*                                                                         *)
(* Messages are numbered in the order of posting. Their IDs decide the     *)
(* fold order. The order of IDs is independent of the order of posting:    *)
(* a new message takes any place among the existing IDs.                   *)
(*                                                                         *)
(* Each definition names the clauses that it formalizes.                   *)
(***************************************************************************)
EXTENDS Integers, Sequences, FiniteSets

CONSTANTS
  Replicas,       \* the replicas, which post and accept messages
  Elements,       \* the possible elements of the sets
  MostMessages,   \* the maximum number of messages
  FoldOrders,     \* "ascending": merges take nodes by ascending ID;
                  \* "any": a replica that merges takes its heads in any order
  SetMerge        \* one of the four merges of sets that satisfy the document's laws: "idempotent",
                  \* "additions-cancel", "removals-cancel" or "symmetric-difference"   (HM-E25)

ASSUME SetMerge \in {"idempotent", "additions-cancel", "removals-cancel", "symmetric-difference"}

VARIABLES
  messages,    \* sequence of [parents, past, departed, state]; see Message
  ascending,   \* the numbers of all messages, by ascending ID
  seen,        \* replica -> the messages it has posted or accepted
  merged       \* replica -> [of, state]: its last merge: the merged messages and the result

vars == <<messages, ascending, seen, merged>>

-----------------------------------------------------------------------------
\* Partial orders. A history g is a sequence of messages, parents first.

(* past: the message itself and all messages before it. departed: the    *)
(* merge of its parents, to which its author applied the change.         *)
(* HM-DYNAMIC-STATE                                                      *)
Message(g) == [parents : SUBSET DOMAIN g, past : SUBSET DOMAIN g,
               departed : SUBSET Elements, state : SUBSET Elements]

(* u is before v, or u is v. HM-ORDER-BEFORE, HM-ORDER-ANCESTORS *)
Before(g, u, v) == u \in g[v].past

(* HM-ORDER-MAXIMAL *)
Maximal(g, V) == {v \in V : \A w \in V : w = v \/ ~Before(g, v, w)}

(* HM-ORDER-ANCESTORS-OF-ALL *)
Past(g, X) == UNION {g[x].past : x \in X}

(* HM-ORDER-ANTI-CHAIN *)
IsAntiChain(g, X) == \A u, v \in X : u = v \/ ~Before(g, u, v)
AntiChains(g) == {X \in SUBSET DOMAIN g : IsAntiChain(g, X)}

Numbers(s) == {s[i] : i \in DOMAIN s}

-----------------------------------------------------------------------------
\* The merge.

(* The operators apply from left to right. HM-3WAY-SET *)
Idempotently(o, a, b) == (b \cup (a \ o)) \ (o \ a)

(* The laws of the document leave two cases open: both sides add an      *)
(* element, or both remove it. In the document's own merge, it is then   *)
(* added or removed. HM-3WAY-SET-OTHERS                                  *)
ThreeWay(o, a, b) ==
  LET both == Idempotently(o, a, b)
      addedTwice == (a \cap b) \ o
      removedTwice == o \ (a \cup b)
  IN  CASE SetMerge = "idempotent" -> both
        [] SetMerge = "additions-cancel" -> both \ addedTwice
        [] SetMerge = "removals-cancel" -> both \cup removedTwice
        [] SetMerge = "symmetric-difference" -> (both \ addedTwice) \cup removedTwice

(* HM-FOLD-RANKED: the messages on the list first, then the others by    *)
(* ascending ID                                                          *)
Ranked(list) == list \o SelectSeq(ascending, LAMBDA m : m \notin Numbers(list))

(* order: all messages, in the order in which a merge folds them.        *)
(* HM-MERGE-EMPTY, HM-MERGE-ONE, HM-MERGE-FOLD, HM-MERGE-STEP,           *)
(* HM-MERGE-ORIGIN, HM-MERGE-NO-ORIGIN, HM-LCAU-LOWEST, HM-LCAU-NONE     *)
RECURSIVE Merge(_, _, _), Fold(_, _, _, _, _)
Merge(g, order, X) ==
  LET B == SelectSeq(order, LAMBDA m : m \in X)
  IN  IF B = <<>> THEN {} ELSE Fold(g, order, Tail(B), g[Head(B)].past, g[Head(B)].state)
Fold(g, order, B, past, state) ==
  IF B = <<>> THEN state
  ELSE LET b == Head(B)
           o == Merge(g, order, Maximal(g, past \cap g[b].past))
       IN  Fold(g, order, Tail(B), past \cup g[b].past, ThreeWay(o, state, g[b].state))

(* All states that X can merge to, if every merge of the recursion uses  *)
(* its own fold order.                                                   *)
RECURSIVE Possible(_, _), PossibleFold(_, _, _, _)
Possible(g, X) ==
  IF X = {} THEN {{}}
  ELSE UNION {PossibleFold(g, X \ {b}, g[b].past, {g[b].state}) : b \in X}
PossibleFold(g, B, past, states) ==
  IF B = {} THEN states
  ELSE UNION {LET origins == Possible(g, Maximal(g, past \cap g[b].past))
              IN  PossibleFold(g, B \ {b}, past \cup g[b].past,
                               {ThreeWay(o, s, g[b].state) : o \in origins, s \in states})
                : b \in B}

(* The variant that the document shows to be wrong: one origin for all   *)
(* of X. HM-RECURSE-FOLD, HM-LCA-MANY                                    *)
RECURSIVE RecurseFold(_, _, _)
RecurseFold(g, order, X) ==
  LET B == SelectSeq(order, LAMBDA m : m \in X)
      common == {v \in DOMAIN g : \A x \in X : Before(g, v, x)}
      o == RecurseFold(g, order, Maximal(g, common))
      states[i \in DOMAIN B] == IF i = 1 THEN g[B[1]].state
                                ELSE ThreeWay(o, states[i - 1], g[B[i]].state)
  IN  IF B = <<>> THEN {} ELSE IF Len(B) = 1 THEN g[B[1]].state ELSE states[Len(B)]

-----------------------------------------------------------------------------
\* Replica actions.

Heads(r) == Maximal(messages, seen[r])

(* HM-MEMBERS-HEADS *)
Members(r) == Merge(messages, ascending, Heads(r))

Inserted(s, place, m) == SubSeq(s, 1, place - 1) \o <<m>> \o SubSeq(s, place, Len(s))

Init ==
  /\ messages = <<>>
  /\ ascending = <<>>
  /\ seen = [r \in Replicas |-> {}]
  /\ merged = [r \in Replicas |-> [of |-> {}, state |-> {}]]

(* A replica posts a message after all messages that it has seen. It     *)
(* starts from the merge of its heads and chooses the new state.         *)
(* HM-ACCEPT-STATE, HM-ACCEPT-ROOT                                       *)
Post(r, place, adds, removes) ==
  LET m == Len(messages) + 1
      departed == Members(r)
  IN  /\ m <= MostMessages
      /\ place \in 1..m
      /\ messages' = Append(messages,
                            [parents |-> Heads(r), past |-> seen[r] \cup {m},
                             departed |-> departed, state |-> (departed \cup adds) \ removes])
      /\ ascending' = Inserted(ascending, place, m)
      /\ seen' = [seen EXCEPT ![r] = @ \cup {m}]
      /\ UNCHANGED merged

(* HM-ACCEPT-PARENTS, HM-ACCEPT-DUPLICATE *)
Fault(r, m) ==
  CASE m \in seen[r] -> "duplicate-node"
    [] ~(messages[m].parents \subseteq seen[r]) -> "unknown-parent"
    [] OTHER -> "none"

Accept(r, m) ==
  /\ m \in DOMAIN messages
  /\ Fault(r, m) = "none"
  /\ seen' = [seen EXCEPT ![r] = @ \cup {m}]
  /\ UNCHANGED <<messages, ascending, merged>>

(* HM-ACCEPT-UNCHANGED *)
Refuse(r, m, why) ==
  /\ m \in DOMAIN messages
  /\ Fault(r, m) # "none"
  /\ why = Fault(r, m)
  /\ UNCHANGED vars

(* A replica refuses a message that names both a message and one of its  *)
(* ancestors as parents. This message never enters the history.          *)
(* HM-ACCEPT-ANTI-CHAIN, HM-MERGE-CHECK                                  *)
RefuseRedundant(r, older, newer) ==
  /\ {older, newer} \subseteq seen[r]
  /\ older # newer
  /\ Before(messages, older, newer)
  /\ UNCHANGED vars

(* The merge takes the heads on the list first. HM-FOLD-ASCENDING,       *)
(* HM-FOLD-RANKED                                                        *)
MergeHeads(r, list) ==
  /\ Numbers(list) \subseteq Heads(r)
  /\ Cardinality(Numbers(list)) = Len(list)
  /\ FoldOrders = "ascending" => list = <<>>
  /\ merged' = [merged EXCEPT ![r] = [of |-> seen[r],
                                      state |-> Merge(messages, Ranked(list), Heads(r))]]
  /\ UNCHANGED <<messages, ascending, seen>>

-----------------------------------------------------------------------------
\* Steps, for both directions: from model to code and from code to model.

Changes == {<<{}, {}>>} \cup {<<{e}, {}>> : e \in Elements} \cup {<<{}, {e}>> : e \in Elements}

RECURSIVE Orderings(_)
Orderings(X) ==
  IF X = {} THEN {<<>>} ELSE UNION {{<<x>> \o list : list \in Orderings(X \ {x})} : x \in X}

Posts ==
  IF Len(messages) = MostMessages THEN {}
  ELSE {[action |-> "post", replica |-> r, place |-> place, adds |-> c[1], removes |-> c[2]]
          : r \in Replicas, place \in 1..(Len(messages) + 1), c \in Changes}
Offers ==
  {IF Fault(r, m) = "none" THEN [action |-> "accept", replica |-> r, message |-> m]
   ELSE [action |-> "refuse", replica |-> r, message |-> m, why |-> Fault(r, m)]
     : r \in Replicas, m \in DOMAIN messages}
Redundant ==
  UNION {UNION {{[action |-> "refuse-redundant", replica |-> r, older |-> u, newer |-> v]
                   : u \in (messages[v].past \cap seen[r]) \ {v}} : v \in seen[r]} : r \in Replicas}
Merges ==
  UNION {{[action |-> "merge", replica |-> r, list |-> list]
            : list \in IF FoldOrders = "any" THEN Orderings(Heads(r)) ELSE {<<>>}}
           : r \in Replicas}

Steps ==
  Posts \cup Offers \cup Redundant \cup Merges

Take(s) ==
  CASE s.action = "post" -> Post(s.replica, s.place, s.adds, s.removes)
    [] s.action = "accept" -> Accept(s.replica, s.message)
    [] s.action = "refuse" -> Refuse(s.replica, s.message, s.why)
    [] s.action = "refuse-redundant" -> RefuseRedundant(s.replica, s.older, s.newer)
    [] s.action = "merge" -> MergeHeads(s.replica, s.list)

(* A replica's heads, and the result of the step. *)
Observed(s) ==
  CASE s.action = "post" -> [heads |-> Heads(s.replica),
                             departed |-> messages[Len(messages)].departed,
                             state |-> messages[Len(messages)].state]
    [] s.action = "accept" -> [heads |-> Heads(s.replica),
                               departed |-> messages[s.message].departed]
    [] s.action = "merge" -> [heads |-> Heads(s.replica), state |-> merged[s.replica].state]
    [] OTHER -> [heads |-> Heads(s.replica)]

(* Refusals change nothing. They are steps only so that the code can be  *)
(* checked.                                                              *)
Next == \E s \in Posts \cup Offers \cup Merges : Take(s)
Fairness == \A r \in Replicas : WF_vars(\E m \in DOMAIN messages : Accept(r, m))
Spec == Init /\ [][Next]_vars /\ Fairness

-----------------------------------------------------------------------------
\* Every history of an empty root and further messages, each with any anti-chain as its parents. A
\* large enough group of replicas can post all of these histories.

GrowInit ==
  /\ messages = <<[parents |-> {}, past |-> {1}, departed |-> {}, state |-> {}]>>
  /\ ascending = <<1>>
  /\ seen = [r \in Replicas |-> {}]
  /\ merged = [r \in Replicas |-> [of |-> {}, state |-> {}]]

Grown(g, order, X, state) ==
  Append(g, [parents |-> X, past |-> Past(g, X) \cup {Len(g) + 1},
             departed |-> Merge(g, order, X), state |-> state])

GrowNext ==
  /\ Len(messages) < MostMessages
  /\ \E X \in AntiChains(messages) \ {{}}, state \in SUBSET Elements :
       messages' = Grown(messages, ascending, X, state)
  /\ ascending' = Append(ascending, Len(messages) + 1)
  /\ UNCHANGED <<seen, merged>>

(* As GrowInit, but the root may hold any set. *)
GrowAnyInit ==
  /\ \E state \in SUBSET Elements :
       messages = <<[parents |-> {}, past |-> {1}, departed |-> {}, state |-> state]>>
  /\ ascending = <<1>>
  /\ seen = [r \in Replicas |-> {}]
  /\ merged = [r \in Replicas |-> [of |-> {}, state |-> {}]]

-----------------------------------------------------------------------------
\* Type invariants.

TypeOK ==
  /\ messages \in Seq(Message(messages))
  /\ Len(messages) <= MostMessages
  /\ Len(ascending) = Len(messages)
  /\ Numbers(ascending) = DOMAIN messages
  /\ seen \in [Replicas -> SUBSET DOMAIN messages]
  /\ merged \in [Replicas -> [of : SUBSET DOMAIN messages, state : SUBSET Elements]]

(* HM-ORDER-PARENTS-KNOWN, HM-ORDER-ACYCLIC, and HM-ACCEPT-ANTI-CHAIN:   *)
(* the history is transitively reduced.                                  *)
PastsAreAncestors ==
  \A m \in DOMAIN messages :
    /\ \A p \in messages[m].parents : p < m
    /\ IsAntiChain(messages, messages[m].parents)
    /\ messages[m].past = {m} \cup Past(messages, messages[m].parents)

(* HM-ACCEPT-PARENTS *)
SeenWithItsPast ==
  \A r \in Replicas : \A m \in seen[r] : messages[m].past \subseteq seen[r]

-----------------------------------------------------------------------------
\* Laws.

(* Replicas that have seen the same messages merge to the same state.    *)
(* This does not hold if the fold order is left open.                    *)
(* HM-ACCEPT-ANY-ORDER                                                   *)
Agree == \A r, s \in Replicas : merged[r].of = merged[s].of => merged[r].state = merged[s].state

(* If replicas keep accepting, every message reaches every replica: no   *)
(* message waits for parents that never arrive. HM-ACCEPT-PARENTS        *)
EverybodyHears == <>[](\A r \in Replicas : seen[r] = DOMAIN messages)

(* The price of an order-free merge: an element that two messages add   *)
(* independently of each other is in their merge. HM-3WAY-SET-OTHERS     *)
ConcurrentAdditionsCount ==
  \A e \in Elements : \A X \in AntiChains(messages) :
    X # {} /\ (\A x \in X : e \in messages[x].state)
      => \A s \in Possible(messages, X) : e \in s

(* HM-MERGE-IDEMPOTENT *)
Idempotent ==
  \A X \in AntiChains(messages) \ {{}} :
    Cardinality({messages[x].state : x \in X}) = 1
      => Possible(messages, X) = {messages[x].state : x \in X}

Additions(e) == {m \in DOMAIN messages : e \in messages[m].state \ messages[m].departed}
Removals(e) == {m \in DOMAIN messages : e \in messages[m].departed \ messages[m].state}
Ordered(u, v) == Before(messages, u, v) \/ Before(messages, v, u)

(* The premise: no addition of e is causally independent of a removal. *)
NoConcurrentOpposites(e) == \A a \in Additions(e), r \in Removals(e) : Ordered(a, r)

TotallyOrdered(e) == \A u, v \in Additions(e) \cup Removals(e) : Ordered(u, v)
AddedOnce(e) == Cardinality(Additions(e)) <= 1
NeverRemoved(e) == Removals(e) = {}
TwoOperations(e) == Cardinality(Additions(e) \cup Removals(e)) <= 2

(* HM-MERGE-ORDER-FREE: each of these special cases implies the premise. *)
ThesePremisesImplyIt ==
  \A e \in Elements :
    TotallyOrdered(e) \/ AddedOnce(e) \/ NeverRemoved(e) \/ TwoOperations(e)
      => NoConcurrentOpposites(e)

OrderFreeFor(e) ==
  \A X \in AntiChains(messages) : Cardinality({(e \in s) : s \in Possible(messages, X)}) = 1

(* The document claims this. It does not hold. *)
OrderFree == \A e \in Elements : OrderFreeFor(e)

(* The claim that does hold. HM-MERGE-ORDER-FREE *)
OrderFreeUnderPremise == \A e \in Elements : NoConcurrentOpposites(e) => OrderFreeFor(e)

(* A and X \ A have no node in common. The added message is a new node   *)
(* over A that keeps the merge of A.                                     *)
AssociativeFor(e) ==
  \A X \in {X \in AntiChains(messages) : Cardinality(X) > 2} :
  \A A \in {A \in SUBSET X : Cardinality(A) > 1 /\ A # X} :
    LET over == UNION {Possible(Grown(messages, ascending, A, s), (X \ A) \cup {Len(messages) + 1})
                         : s \in Possible(messages, A)}
    IN  Cardinality({(e \in s) : s \in Possible(messages, X) \cup over}) = 1

(* The document claims this. It does not hold. *)
Associative == \A e \in Elements : AssociativeFor(e)

(* The claim that does hold. HM-MERGE-ASSOCIATIVE *)
AssociativeUnderPremise == \A e \in Elements : NoConcurrentOpposites(e) => AssociativeFor(e)

(* Under the premise, the last operations decide the state, whatever     *)
(* else the history contains. HM-MERGE-ORDER-FREE, HM-3WAY-ELEMENT       *)
LastOperationsCount ==
  \A e \in Elements : NoConcurrentOpposites(e) =>
    \A X \in AntiChains(messages) :
      LET operations == (Additions(e) \cup Removals(e)) \cap Past(messages, X)
          last == Maximal(messages, operations)
      IN  IF last \cap Additions(e) # {}
          THEN \A s \in Possible(messages, X) : e \in s
          ELSE \A s \in Possible(messages, X) : e \notin s

(* The law that RecurseFold would have to satisfy to be equal to the     *)
(* merge. HM-RECURSE-FOLD-DIFFERS                                        *)
RecurseFoldAgrees ==
  \A X \in AntiChains(messages) :
    RecurseFold(messages, ascending, X) = Merge(messages, ascending, X)

=============================================================================
