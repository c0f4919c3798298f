"""The operators that make mutants: every kind changes one node of a syntax tree."""
