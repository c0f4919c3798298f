"""What code is in force: reading expressions, rule files and overridden functions."""
