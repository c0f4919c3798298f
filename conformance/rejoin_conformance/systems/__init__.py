"""What the suite knows of each system, one folder a system."""
