"""Mutants: the reference with one small change, and the vectors that notice the change."""
