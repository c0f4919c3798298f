"""The one error of the corpus: a file or a draft that is not what it must be."""

from __future__ import annotations


class CorpusError(Exception):
    """A broken corpus or draft: says which file or vector, and what is wrong with it."""
