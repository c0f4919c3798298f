"""The runner: the corpus against an adapter, each vector with its own verdict."""
