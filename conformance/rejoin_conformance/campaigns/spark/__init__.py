"""Campaigns on Spark: the session, the packages for workers, and jobs in waves."""
