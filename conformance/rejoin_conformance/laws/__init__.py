"""The laws of the three systems as state machines that any implementation can be driven by.

Each system has one machine, in a module of its name. A machine knows an implementation by
`ask(operation, reading, input)` alone, and has an oracle of its own: a second, naive evaluation
that shares no code with the reference. The machines need Hypothesis, which the extra `laws`
installs.
"""
