"""TLC: checks of the formal models, behaviours for the reference, and traces from histories."""
