"""Distil campaigns: the fewest small histories that together reach all that the campaigns reached.

`keys` says what a history reaches, `cover` chooses among histories, `distil` goes over campaigns in
bounded memory, `file` makes a topic of the corpus out of what is left.
"""
