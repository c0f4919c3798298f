"""The doctor: checks step by step whether an adapter speaks the protocol."""
