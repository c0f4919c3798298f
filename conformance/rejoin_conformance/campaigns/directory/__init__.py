"""Kept campaigns: a manifest and finished blocks, in a local folder or at a URL of Spark."""
