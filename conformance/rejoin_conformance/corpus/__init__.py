"""The corpus: made from drafts by `generate`, read by `load`, judged by `check` and `verify`."""
