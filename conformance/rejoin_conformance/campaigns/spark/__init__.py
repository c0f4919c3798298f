"""Campaigns on Spark: the session, what workers need, and jobs wave by wave."""
