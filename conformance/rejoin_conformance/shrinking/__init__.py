"""Shrink JSON values and histories to minimal ones.

`simpler` enumerates the values that are simpler than a value. `reduce` simplifies a value as long
as it stays interesting. `histories` does this for a system's history.
"""
