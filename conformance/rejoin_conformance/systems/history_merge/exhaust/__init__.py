"""The exhaustive check: whether the merge of nodes of a small history depends on the fold order.

`plain` carries out every merge of a history by the reference. The kernel counts far more: `dags`
numbers the DAGs, `bits`, `merges` and `creation` evaluate all histories of one at once, and
`search` walks over them. `premises` finds the histories that meet a premise.
"""
