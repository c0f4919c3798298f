"""Random histories as text."""
