"""The conformance suite: everything that judges an implementation of a Rejoin protocol.

Everything general works on operations, vectors, histories and laws. Only `registry` knows where the
systems live.
"""
