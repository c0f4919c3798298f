"""The corpus: `generate` makes it from drafts, `load` reads it, `check` and `verify` check it."""
