"""The stream is the published generator. The digests of campaigns hold the choices made of it."""

from __future__ import annotations

from rejoin_conformance.contract.history import history_seed
from rejoin_conformance.kit.draw import Draw, seed_of


def test_the_stream_is_splitmix64() -> None:
    # The first outputs for seed 0 of the authors' published C code.
    draw = Draw(0)
    assert [draw.word() for _ in range(3)] == [
        0xE220A8397B1DCDAF,
        0x6E789E6AA1B965F4,
        0x06C45D188009454F,
    ]


def test_the_stream_goes_on_as_that_of_a_later_counter() -> None:
    stream, step = Draw(5), 0x9E3779B97F4A7C15
    words = [stream.word() for _ in range(200)]
    assert words == [Draw(5 + step * place).word() for place in range(200)]


def test_data_has_the_size_asked_for() -> None:
    assert [len(Draw(1).data(size)) for size in (0, 1, 8, 9)] == [0, 1, 8, 9]


def test_seeds_distinguish_parts() -> None:
    assert seed_of("a", "b") != seed_of("ab")
    assert seed_of("1") != seed_of(1)


def test_every_history_has_a_seed_of_its_own() -> None:
    seeds = {history_seed(1, "config-merge", "default", index) for index in range(1000)}
    assert len(seeds) == 1000
    assert history_seed(2, "config-merge", "default", 0) not in seeds
