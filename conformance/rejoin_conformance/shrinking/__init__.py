"""Make what broke something smaller: any JSON value, a history, the findings of a campaign.

`simpler` says what is simpler than a value, `reduce` goes down from a value while it stays
interesting, `histories` does so with a system's history.
"""
