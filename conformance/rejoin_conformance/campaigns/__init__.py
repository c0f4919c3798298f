"""Campaigns: plans, blocks, Spark, kept directories, comparisons and findings."""
