"""Formal models: TLC checks them, makes behaviours of them, and judges traces of the code by them.

`tla_values` reads and writes what TLC prints, `tlc` runs it, `model` says what a system offers,
`wrapping` writes the modules that `behaviours` (model to code) and `validate` (code to model) run.
"""
