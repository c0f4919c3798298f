VARIABLES rejoinTrace, rejoinAt
rejoinInit == Init /\ rejoinTrace \in 1..Len(rejoinTraces) /\ rejoinAt = 0
rejoinNext ==
  /\ rejoinAt < Len(rejoinTraces[rejoinTrace])
  /\ \E rejoinLine \in {rejoinTraces[rejoinTrace][rejoinAt + 1]} :
       /\ Take(rejoinLine[1])${print_observed}
       /\ Observed(rejoinLine[1])' = rejoinLine[2]
  /\ rejoinTrace' = rejoinTrace
  /\ rejoinAt' = rejoinAt + 1
  /\ rejoinAt' = Len(rejoinTraces[rejoinTrace]) => PrintT(<<"accepted", rejoinTrace>>)
