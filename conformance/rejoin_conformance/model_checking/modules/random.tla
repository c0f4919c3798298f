\* TLC's simulation generates all successors of a state and picks one. This module generates only
\* one: it picks a kind of action first, so that kinds with many arguments do not dominate, and then
\* a step of that kind. Every run is a search with one successor; `-seed` seeds RandomElement.
VARIABLES rejoinRun, rejoinLog
rejoinWeight(kind) == IF kind \in DOMAIN rejoinWeights THEN rejoinWeights[kind] ELSE 1
rejoinKinds(kinds) == UNION {{<<kind, n>> : n \in 1..rejoinWeight(kind)} : kind \in kinds}
rejoinInit == Init /\ rejoinLog = <<>> /\ rejoinRun \in 1..${number}
rejoinPrint(log) == PrintT(<<"behaviour", ToString(log)>>)
rejoinNext ==
  /\ Len(rejoinLog) < ${depth}
  /\ rejoinRun' = rejoinRun
  /\ \E rejoinSteps \in {Steps} :
       IF rejoinSteps = {} THEN rejoinPrint(rejoinLog) /\ FALSE
       ELSE \E rejoinKind \in
                {RandomElement(rejoinKinds({each.action : each \in rejoinSteps}))[1]} :
            \E rejoinStep \in
                {RandomElement({each \in rejoinSteps : each.action = rejoinKind})} :
              /\ Take(rejoinStep)
              /\ rejoinLog' = Append(rejoinLog, <<rejoinStep, Observed(rejoinStep)'>>)
              /\ Len(rejoinLog') = ${depth} => rejoinPrint(rejoinLog')
