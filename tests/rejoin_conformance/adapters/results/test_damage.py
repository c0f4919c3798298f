"""Any damage of a results file is an error that names the file, or harmless."""

from __future__ import annotations

import os
import random
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path
from typing import Final

import pytest

from rejoin_conformance.adapters.results.file import Results, ResultsError, read_results
from support.result_files import failed, not_declared, passed, results, write_results

RUN = results(
    passed("a", "TOY-A"),
    failed("b", "TOY-B", observed={"output": {"half": 8}}),
    not_declared("c"),
    failed("d", verdict="crash", stderr="panic"),
    passed("e"),
)
DAMAGES: Final = int(os.environ.get("REJOIN_DAMAGES", "2000"))
"""The number of damages to try; `make long-test` tries more."""

Damage = Callable[[random.Random, bytes], bytes]


def _flip(draw: random.Random, data: bytes) -> bytes:
    place = draw.randrange(len(data))
    return data[:place] + bytes([data[place] ^ 1 << draw.randrange(8)]) + data[place + 1 :]


def _cut(draw: random.Random, data: bytes) -> bytes:
    start = draw.randrange(len(data))
    return data[:start] + data[start + draw.randrange(1, 200) :]


def _double(draw: random.Random, data: bytes) -> bytes:
    lines = data.splitlines(keepends=True)
    place = draw.randrange(len(lines))
    lines.insert(draw.randrange(len(lines) + 1), lines[place])
    return b"".join(lines)


def _exchange(draw: random.Random, data: bytes) -> bytes:
    lines = data.splitlines(keepends=True)
    one, other = draw.sample(range(len(lines)), 2)
    lines[one], lines[other] = lines[other], lines[one]
    return b"".join(lines)


def _forge(draw: random.Random, data: bytes) -> bytes:
    old, new = draw.choice(
        [(b'"fail"', b'"pass"'), (b'"crash"', b'"pass"'), (b"halves/b", b"halves/x"),
         (b'"finished"', b'"vector"'), (b"rejoin 0.1.0", b"rejoin 9.9.9"), (b"TOY-B", b"TOY-A")]
    )  # fmt: skip
    return data.replace(old, new)


def _lose(draw: random.Random, data: bytes) -> bytes:
    lines = data.splitlines(keepends=True)
    del lines[draw.randrange(len(lines))]
    return b"".join(lines)


def _truncate(draw: random.Random, data: bytes) -> bytes:
    return data[: draw.randrange(len(data))]


def _mix(draw: random.Random, data: bytes) -> bytes:
    """Take the beginning of this file and the rest of another run's."""
    lines, others = data.splitlines(keepends=True), OTHER.splitlines(keepends=True)
    place = draw.randrange(1, len(lines))
    return b"".join([*lines[:place], *others[place:]])


KINDS: tuple[Damage, ...] = (_flip, _cut, _double, _exchange, _forge, _lose, _truncate, _mix)
OTHER = b""


def _damages(whole: bytes) -> Iterator[tuple[str, bytes]]:
    draw = random.Random(33)
    while True:
        for kind in KINDS:
            damaged = kind(draw, whole)
            if damaged != whole:
                yield kind.__name__, damaged


def _harmless(found: Results) -> bool:
    """Return whether a file tells what the run wrote, or the beginning of it as unfinished."""
    if found.configuration != RUN.configuration:
        return False
    if found.footer is not None:
        return found.records == RUN.records
    return [*found.records.items()] == [*RUN.records.items()][: len(found.records)]


def test_any_damage_is_an_error_that_names_the_file_or_harmless(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "results.ndjson"
    other = write_results(path, results(*map(passed, "abcde"), name="other")).read_bytes()
    monkeypatch.setitem(globals(), "OTHER", other)
    whole = write_results(path, RUN).read_bytes()
    wrong, refused = [], 0
    for kind, damaged in islice(_damages(whole), DAMAGES):
        path.write_bytes(damaged)
        try:
            found = read_results(path)
        except ResultsError as error:
            refused += 1
            if not str(error).startswith(f"{path}: ") or "\n" in str(error):
                wrong.append((kind, str(error)))
        else:
            if not _harmless(found):
                wrong.append((kind, "taken"))
    assert wrong == []
    assert refused > DAMAGES // 2


def test_what_is_not_a_results_file_is_one_line(tmp_path: Path) -> None:
    path = tmp_path / "other"
    deep = b'{"a":' * 3000 + b"1" + b"}" * 3000
    header = b'{"type":"header"}'
    for line in (b"", b"[]", b"7", b"\xff\xfe", deep, b"{}", header, b"\xef\xbb\xbf{}"):
        content = line + b"\n"
        path.write_bytes(content)
        with pytest.raises(ResultsError) as caught:
            read_results(path)
        assert "\n" not in str(caught.value)
    with pytest.raises(ResultsError, match="Is a directory"):
        read_results(tmp_path)
