"""Implementations under test: the protocol, processes, the runner, the doctor and the results."""
