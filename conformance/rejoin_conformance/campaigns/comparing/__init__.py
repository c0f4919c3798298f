"""The same histories under two readings: how often results differ, and because of what.

`plan` says what is compared, `measure` does it for one block of histories, `smallest` shrinks what
was found, `run` spreads both and adds up, `render` tells it.
"""
