"""Distil campaigns: the fewest small histories that together reach all that the campaigns reached.

`keys` says what a history reaches, `cover` chooses among histories, `distil` goes over campaigns in
bounded memory, `campaign` says where in a kept campaign to look, `file` makes a topic of the corpus
out of what is left.
"""
