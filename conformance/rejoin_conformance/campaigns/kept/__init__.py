"""Results that are kept, so that an interrupted run continues where it stopped.

A store keeps a header, which states everything that the results depend on, and the rows of blocks
in flat tables (`campaigns.tables`). `folder` keeps them in a folder of this machine, and `at_url`
at a URL of one of Spark's file systems.
"""
