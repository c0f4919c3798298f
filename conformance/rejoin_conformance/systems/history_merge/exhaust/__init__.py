"""The exhaustive check: whether the merge of nodes of a small history depends on the fold order.

`dags` numbers the DAGs, the `kernel` evaluates all histories of one at once, `counts` and `further`
walk over them, and `premises` finds the histories that meet a premise. `literal` shows the smallest
counterexamples as the reference computes them, and its plain search counts the same.
"""
