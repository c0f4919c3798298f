"""The exhaustive check: every interleaving of edits, polls and resolutions up to a bound.

`searches` lists the searches, carries out their steps, and names what makes a state. `group`
searches all states with the same versions. `report` runs and presents the searches.
"""
