"""The results of runs: one NDJSON file for each run, from which all reports are made."""
