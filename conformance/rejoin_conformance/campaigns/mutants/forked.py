"""Do work in a forked process, so that it cannot change this process."""

from __future__ import annotations

import gc
import os
import pickle
import resource
from collections.abc import Callable
from typing import Final, TypeVar

T = TypeVar("T")

MEMORY: Final = 4 << 30
"""Bytes of address space that the work may use."""


def in_a_fork(work: Callable[[], T], died: T) -> T:
    """Do the work in a child process, and return its result; `died` if the child ends without."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            gc.disable()  # a child is short, and a collection would copy all pages of the parent
            os.close(reading)
            resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
            result = pickle.dumps(work())
            with os.fdopen(writing, "wb") as pipe:
                pipe.write(result)
        finally:
            os._exit(0)  # nothing of the parent may be finished here
    os.close(writing)
    with os.fdopen(reading, "rb") as pipe:
        data = pipe.read()
    os.waitpid(child, 0)
    if not data:
        return died
    done: T = pickle.loads(data)  # noqa: S301 - our own child wrote it
    return done
