\* A run that ends early is printed when no step is left; printing is not a step.
VARIABLE rejoinLog
rejoinInit == Init /\ rejoinLog = <<>>
rejoinPrint(log) == PrintT(<<"behaviour", ToString(log)>>)
rejoinNext ==
  /\ Len(rejoinLog) < ${depth}
  /\ \E rejoinSteps \in {Steps} :
       IF rejoinSteps = {} THEN rejoinPrint(rejoinLog) /\ FALSE
       ELSE \E rejoinStep \in rejoinSteps :
              /\ Take(rejoinStep)
              /\ rejoinLog' = Append(rejoinLog, <<rejoinStep, Observed(rejoinStep)'>>)
              /\ Len(rejoinLog') = ${depth} => rejoinPrint(rejoinLog')
