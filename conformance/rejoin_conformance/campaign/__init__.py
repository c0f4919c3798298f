"""Campaigns: random histories by the thousand and the million, examined on Spark.

`plan` says what is to be done, `block` does a part of it, `spark` spreads the parts, `summary` adds
them up. The result does not depend on how the parts were spread.
"""
