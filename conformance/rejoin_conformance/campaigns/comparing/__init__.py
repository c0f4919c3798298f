"""Compare the results of two readings on the same histories.

`measure` defines the histories and the two sides, and compares one block of histories. `searches`
finds examples. `compare` runs both and adds up the results.
"""
