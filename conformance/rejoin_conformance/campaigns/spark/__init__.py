"""Campaigns on Spark: the session, the packages for workers, and slices of work."""
