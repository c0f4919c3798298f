"""The parts of the suite for each system, one folder per system."""
