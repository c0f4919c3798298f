---- MODULE Toy ----
EXTENDS Naturals, Sequences, FiniteSets
CONSTANTS Who, Most
VARIABLES seen, posted

Init == seen = [w \in Who |-> {}] /\ posted = 0

Post(w) == /\ posted < Most
           /\ posted' = posted + 1
           /\ seen' = [seen EXCEPT ![w] = @ \cup {posted + 1}]
Hear(w, n) == /\ n \in (1..posted) \ seen[w]
              /\ seen' = [seen EXCEPT ![w] = @ \cup {n}]
              /\ posted' = posted

Steps == {[action |-> "post", who |-> w] : w \in {w \in Who : posted < Most}}
           \cup UNION {{[action |-> "hear", who |-> w, number |-> n] : n \in (1..posted) \ seen[w]}
                         : w \in Who}
Take(step) == CASE step.action = "post" -> Post(step.who)
                [] step.action = "hear" -> Hear(step.who, step.number)
Observed(step) == [seen |-> seen[step.who], posted |-> posted]
Next == \E step \in Steps : Take(step)
Spec == Init /\ [][Next]_<<seen, posted>> /\ WF_<<seen, posted>>(Next)

NeverBoth == \A v, w \in Who : v # w => seen[v] \cap seen[w] = {}
Counted == \A w \in Who : seen[w] \subseteq 1..Most
EverybodyHears == <>(\A w \in Who : seen[w] = 1..Most)
SomebodyHearsNothing == <>[](seen["A"] = {})
====
