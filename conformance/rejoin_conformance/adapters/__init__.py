"""Implementations under test: protocol, processes, runner, doctor and results."""
