"""Findings of campaigns, each as a small history and as vectors."""
