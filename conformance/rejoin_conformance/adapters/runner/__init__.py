"""The runner: runs the corpus against an adapter, with a verdict for each vector."""
