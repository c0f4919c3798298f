"""A changed rule as a Python file: read it, and let it hold for a while.

`rule_file` reads and checks a file, `overriding` puts functions in place of the reference's,
`sides` makes of readings and rule files what can be compared.
"""
