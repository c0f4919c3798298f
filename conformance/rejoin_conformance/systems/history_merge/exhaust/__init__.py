"""The exhaustive check: whether the merge of any nodes of a small history depends on the fold
order.

`dags` numbers the DAGs. `patterns` evaluates all operation patterns of a DAG at once, and `search`
does so for every anti-chain. `premises` finds the histories that meet each premise. `counts` and
`counterexamples` keep the results, `report` and `report_text` present them. `units` splits the
work, and `check` spreads it over processes. `by_reference` computes the same counts from the
reference, one history at a time.
"""
