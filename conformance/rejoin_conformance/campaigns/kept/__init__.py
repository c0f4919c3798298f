"""Results that are kept, so that an interrupted run continues where it stopped.

A store keeps a header, which states everything that the results depend on, and rows: one JSON
object for each result. `lines` keeps them in a file of lines, `folder` in a folder of Parquet
files, and `on_spark` in such a folder at a URL of one of Spark's file systems.
"""
