"""Results of runs: one NDJSON file each, from which every report is derived."""
