"""Trace clauses of the spec to functions of the reference, vectors and laws."""
