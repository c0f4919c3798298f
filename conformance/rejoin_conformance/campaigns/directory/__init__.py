"""Kept campaigns: a manifest and finished blocks, in a local folder or in a store of Spark."""
