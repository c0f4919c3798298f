"""The oracle: a fast implementation that gives the reference's answers, in this process.

It is the Rust port as the Python module `rejoin_oracle` (conformance/ports/oracle). The module is
optional. It answers an operation if the vectors of the operation have not changed since the module
was built. An answer is the part of a reply after its ID, in canonical form: `,"output":{...}}` or
`,"rejected":{...}}`.
"""

from __future__ import annotations

import hashlib
import importlib
import json
import os
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from functools import cache
from typing import Any, BinaryIO, Final

from attrs import field, frozen

from rejoin_conformance.adapters.protocol import (
    Hello,
    HelloError,
    numbered,
    output_after_id,
    read_hello,
    read_reply,
    unnumbered,
)
from rejoin_conformance.adapters.runner.cases import Case
from rejoin_conformance.contract.operation import Feature, Output, Result, dropped
from rejoin_conformance.contract.registry import system_named
from rejoin_conformance.corpus.load import CorpusError, load_index, load_system
from rejoin_conformance.kit.errors import IncompleteError
from rejoin_conformance.kit.json_types import (
    JsonObject,
    NotStrictJsonError,
    canonical_json,
    strict_json,
)

MODULE: Final = "rejoin_oracle"
NOT_INSTALLED: Final = (
    "The oracle is not installed, so the reference answers campaigns. To build it, run make setup; "
    "it needs a Rust toolchain"
)
AS_ADAPTER: Final = "rejoin serve --oracle"
"""The command line that runs the oracle as an adapter."""

_OPERATIONS: Final = "REJOIN_ORACLE_OPERATIONS"
"""The environment's variable with the operations of an oracle that was sent to this machine."""

_OUTPUT: Final = b',"output":'
_REJECTED: Final = b',"rejected":'


class NotInstalledError(IncompleteError):
    """The oracle is not installed."""


@frozen
class Oracle:
    """The oracle of one system.

    operations: the operations that it answers. changed: the operations that the reference answers,
    because their vectors changed after the module was built. module: `rejoin_oracle`.
    """

    hello: Hello
    operations: frozenset[str]
    readings: tuple[str, ...]
    changed: tuple[str, ...]
    module: Any = field(repr=False)

    def answers(self, operation: str, reading: str) -> bool:
        """Return whether it answers an operation under a reading. It knows no rule files."""
        return operation in self.operations and reading in self.readings

    def ask(self, operation: str, reading: str, value: JsonObject) -> tuple[bytes, bytes | None]:
        """Return a request after its ID, and the answer to it; None if it has none."""
        try:
            asked: tuple[bytes, bytes | None] = self.module.ask(operation, reading, value)
        except ValueError:
            return unnumbered(operation, reading, canonical_json(value)), None
        return asked

    def agree(self, number: int, answer: bytes, reply: bytes) -> bool:
        """Return whether a reply to a request agrees with an answer."""
        agreed: bool = self.module.agree(numbered(number, answer), reply)
        return agreed


@cache
def oracle_of(system: str) -> Oracle | None:
    """Return the oracle of a system; None if it is not installed or does not know the system."""
    try:
        module = importlib.import_module(MODULE)
        said, built = module.hello() if hasattr(module, "ask") else ("", "")
        hello, vectors = read_hello(said.encode()), strict_json(built)
    except (ImportError, HelloError, NotStrictJsonError):
        return None
    declared = [name for name in hello.operations if name.startswith(f"{system}/")]
    if not declared or not isinstance(vectors, dict):
        return None
    unchanged = {*_unchanged(system, vectors)} & {*declared}
    return Oracle(
        hello=hello,
        operations=frozenset(unchanged),
        readings=hello.readings.get(system, ()),
        changed=tuple(name for name in declared if name not in unchanged),
        module=module,
    )


@contextmanager
def taken_from(folder: str, operations: Iterable[str]) -> Iterator[None]:
    """Let children that begin in the block take the oracle from a folder, for these operations."""
    sys.path.insert(0, folder)
    os.environ[_OPERATIONS] = json.dumps([*operations])
    _forget()
    try:
        yield
    finally:
        sys.path.remove(folder)
        del os.environ[_OPERATIONS]
        _forget()


def _forget() -> None:
    """Import the oracle again where it is asked for next. It may be another one.

    It is a package of one module: a second import of the package alone would not bind its name.
    """
    for name in (MODULE, f"{MODULE}.{MODULE}"):
        sys.modules.pop(name, None)
    oracle_of.cache_clear()


def serve(requests: BinaryIO, replies: BinaryIO) -> None:
    """Let the oracle answer every line until the first that is not a request, such as `bye`.

    Raises NotInstalledError.
    """
    try:
        module = importlib.import_module(MODULE)
    except ImportError:
        raise NotInstalledError(NOT_INSTALLED) from None
    with suppress(ValueError):
        for line in requests:
            replies.write(module.answer(line) + b"\n")
            replies.flush()


def forms_agree(
    number: int,
    answer: bytes,
    reply: bytes,
    without: tuple[Feature, ...] = (),
    *,
    with_code: bool = False,
) -> bool:
    """Return whether a reply agrees with an answer in any form of its text, without the oracle.

    without: the features whose parts are not compared. with_code: whether rejections agree only if
    both have the same code. A reply that cannot be compared does not agree.
    """
    try:
        said = read_reply(reply)
        if said.kind == "output":
            agreed = answer == answer_of(Output(said.body), without)
        elif with_code:
            agreed = said.code != "" and answer == _rejection(said.code)
        else:
            agreed = said.kind == "rejected" and is_rejection(answer)
    except Exception:  # noqa: BLE001 - the reply is untrusted
        return False
    return agreed and said.number == number


def is_rejection(answer: bytes) -> bool:
    """Return whether an answer is a rejection."""
    return answer.startswith(_REJECTED)


def output_text(answer: bytes) -> bytes:
    """Return the canonical text of an answer's output; empty for a rejection."""
    return b"" if is_rejection(answer) else answer[len(_OUTPUT) : -1]


def output_in_answer(answer: bytes) -> JsonObject | None:
    """Return the output of an answer of the oracle; None for a rejection."""
    value: JsonObject | None = json.loads(output_text(answer) or "null")
    return value


def answer_of(
    result: Result, without: tuple[Feature, ...] = (), *, with_code: bool = False
) -> bytes:
    """Return a result of the reference as an answer.

    without: the features to drop from it. with_code: whether a rejection has its code.
    """
    if not isinstance(result, Output):
        return _rejection(result.code if with_code else None)
    return output_after_id(canonical_json(dropped(without, result.value)))


def _rejection(code: str | None = None) -> bytes:
    said = canonical_json({} if code is None else {"code": code})
    return _REJECTED + said.encode("ascii") + b"}"


def expected_answer(case: Case) -> bytes:
    """Return the expected result of a case as an answer."""
    return output_after_id(case.expected_text) if case.expected_text else _rejection()


def digests_of_vectors(system: str) -> dict[str, str]:
    """Return the digest of a system's vectors, and operation -> the digest of its vectors."""
    by_operation: defaultdict[str, list[str]] = defaultdict(list)
    index = load_index() or {}
    for vector in load_system(system):
        by_operation[vector.operation].append(vector.id)
    every = {name: _digest(index, ids) for name, ids in by_operation.items()}
    return {system: _digest(index, _ids_of(system, index)), **every}


def _unchanged(system: str, built: Mapping[str, Any]) -> Iterable[str]:
    """Yield the operations whose vectors have these digests. If the indices are equal, all do."""
    if _OPERATIONS in os.environ:
        return tuple(json.loads(os.environ[_OPERATIONS]))
    try:
        index = load_index() or {}
        now = built if built.get(system) == _digest(index, _ids_of(system, index)) else None
        now = digests_of_vectors(system) if now is None else now
    except CorpusError:
        return ()
    return (each.name for each in system_named(system).operations
            if each.name in built and built[each.name] == now.get(each.name))  # fmt: skip


def _ids_of(system: str, index: Mapping[str, str]) -> list[str]:
    return [each for each in index if each.startswith(f"{system}/")]


def _digest(index: Mapping[str, str], ids: Iterable[str]) -> str:
    text = "\n".join(f"{each} {index.get(each)}" for each in sorted(ids))
    return hashlib.blake2b(text.encode(), digest_size=16).hexdigest()
