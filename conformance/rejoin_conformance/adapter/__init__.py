"""The adapter protocol: JSON lines between the suite and an implementation under test."""
