"""`rejoin run --laws`: check the laws on random histories of an adapter."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from rejoin_conformance.adapters.conversation import Adapter
from rejoin_conformance.adapters.protocol import Hello
from rejoin_conformance.contract.system import System
from rejoin_conformance.kit.codec import plain
from rejoin_conformance.kit.counted import counted
from rejoin_conformance.kit.document import Block, Code, Heading, Items, Table, Text
from rejoin_conformance.kit.json_types import JsonObject
from rejoin_conformance.kit.judged import Judged

if TYPE_CHECKING:
    from rejoin_conformance.laws.machine import Asking


def held(adapter: Adapter, hello: Hello, systems: tuple[System, ...]) -> list[Asking]:
    """Return what the adapter was asked of each system. Raises IncompleteError."""
    from rejoin_conformance.laws.machine import held_to_the_laws  # noqa: PLC0415 - needs an extra

    return [held_to_the_laws(adapter, hello, each) for each in systems]


def judged(asked: list[Asking]) -> Judged:
    """Return the verdict on all laws."""
    return Judged(
        asked=sum(each.asked.total() for each in asked),
        broken=sum(each.broken is not None for each in asked),
    )


def to_json(hello: Hello, asked: list[Asking]) -> JsonObject:
    """Return the results as data, for `--json`."""
    return {
        "adapter": plain(hello),
        "kept": judged(asked).exit_code == 0,
        "laws": {each.system.name: {**each.asked} for each in asked},
        "left_out": {each.system.name: {**each.left_out} for each in asked},
        "broken": [
            {"law": broken.law, "paragraph": broken.paragraph, "answer": broken.answer}
            for broken in (each.broken for each in asked)
            if broken is not None
        ],
    }


def blocks(asked: list[Asking]) -> Iterator[Block]:
    """Yield the results: the verdict, each failure, the laws, and what was left out."""
    rows = [
        (each.system.name, law, f"{number:,}")
        for each in asked
        for law, number in sorted(each.asked.items())
    ]
    broken = [each.broken for each in asked if each.broken is not None]
    verdict = "the adapter keeps the laws" if judged(asked).exit_code == 0 else "NOT kept"
    yield Text(f"{counted(len(rows) - len(broken), 'law')} kept, {len(broken)} broken: {verdict}")
    for failure in broken:
        yield Heading(f"FAIL {failure.law}")
        yield Code(f"{failure.paragraph.strip()}\n\nanother answer came: {failure.answer}")
    yield Table(("system", "law", "answers compared"), rows, numbers=frozenset({2}))
    if left_out := [
        f"{name}: {counted(number, 'question')}"
        for each in asked
        for name, number in sorted(each.left_out.items())
    ]:
        yield Heading("Left out, because the adapter does not declare it")
        yield Items(left_out)
