"""The exhaustive check: every interleaving of edits, polls and resolutions up to a bound.

`searches` lists the searches and their bounds. `steps` and `states` define the packed form of steps
and states. `lean_designs` and `moves` carry out a step. `group` searches the states between two
uploads, and `rounds` searches all states.
`mismatches`, `traces`, `report` and `report_text` present the results. `check` is the entry point.
"""
