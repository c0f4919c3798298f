"""The exhaustive check: every interleaving of edits, polls and resolutions up to a bound.

`searches` lists the searches, their bounds and their steps. `states` carries out a step on the
reference, and names what makes a state. `group` searches all states with the same versions, and
`report` searches them all and presents them.
"""
