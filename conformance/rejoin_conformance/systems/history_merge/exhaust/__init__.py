"""Every small history, and whether the merge of its nodes depends on the order of the fold.

`dags` numbers the DAGs, `patterns` evaluates all operation patterns of a DAG at once, `search` does
so for every anti-chain, `premises` says which histories meet which premise, `counts` and
`counterexamples` keep what is found, `units` splits the work, `check` spreads it over Spark.
`plain` computes the same counts from the reference, one history at a time.
"""
