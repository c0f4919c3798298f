"""Distil campaigns: find a small set of histories with the same coverage.

`coverage_keys` defines the coverage of a history. `cover` chooses among histories. `distil` runs
the histories in bounded memory. `kept_campaign` finds the blocks of a kept campaign to run again.
`distilled_file` writes the result.
"""
