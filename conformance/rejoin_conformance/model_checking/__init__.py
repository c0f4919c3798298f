"""TLC: checks of the formal models, behaviours to run on the reference, traces from histories."""
