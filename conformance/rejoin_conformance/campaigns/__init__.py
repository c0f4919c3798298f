"""Histories by the million: plans, blocks, Spark, kept directories, comparisons and findings."""
