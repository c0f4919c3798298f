"""The code in force: reading expressions, rule files and overridden functions."""
