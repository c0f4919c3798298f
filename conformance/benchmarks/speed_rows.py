"""The rows of the table of speeds: what is measured, in which unit, and the aim."""

from __future__ import annotations

from typing import Final

from attrs import frozen

from rejoin_conformance.contract.registry import system_names
from speed_measures import CPU, RATIO, WALL, Measuring, campaign, command, make, tests, work
from speed_trees import BEFORE, COMPILED_BUILD, NOW, ROOT

EXAMPLES: Final = ROOT / "vectors" / "config-merge" / "worked-example.json"
TESTS: Final = ("-q", "-n", "2", "--dist", "loadfile", "-m", "not (long or cluster)")

ALL: Final = (BEFORE, NOW, COMPILED_BUILD)
CHECKOUTS: Final = (BEFORE, NOW)
"""The versions that are not installed."""

LATEST: Final = (NOW, COMPILED_BUILD)


@frozen(kw_only=True)
class Row:
    """One row.

    name: selects the row on the command line. what: the work. unit: CPU, WALL or RATIO. aim: the
    ratio or the measurement to reach, as text. measure: starts to measure one version. rounds: how
    often each version is measured; None for the number that the user chooses. on_request: whether
    the row runs only if the user names it. versions: the names of the versions to measure.
    """

    name: str
    what: str
    unit: str
    aim: str
    measure: Measuring
    rounds: int | None = None
    on_request: bool = False
    versions: tuple[str, ...] = ALL


def rows(port: str | None) -> tuple[Row, ...]:
    """Return all rows. port: the command line of an adapter; without one, its rows are absent."""
    systems = system_names()
    return (
        *(_histories(system) for system in systems),
        Row(
            name="resolve",
            what="500 calls of resolve, 125a and 125b, bytes to bytes",
            unit=CPU,
            aim="3 times",
            measure=work("resolve", str(EXAMPLES)),
        ),
        Row(
            name="parse",
            what="500 calls of parse, 635 bytes",
            unit=CPU,
            aim="3 times",
            measure=work("parse", str(EXAMPLES)),
        ),
        *(_adapter(system, port) for system in systems if port is not None),
        *(_adapter_share(system, port) for system in systems if port is not None),
        *(_first_result(system) for system in systems),
        *(_first_result_on_warm_spark(system) for system in systems),
        Row(
            name="first-result-cold-spark",
            what="fuzz history-merge --histories 200 --spark",
            unit=WALL,
            aim="none: it starts Java",
            measure=command("fuzz", "history-merge", "--histories", "200", "--spark"),
        ),
        Row(name="verify", what="verify", unit=WALL, aim="2 times", measure=command("verify")),
        Row(
            name="exhaust-8",
            what="exhaust history-merge --nodes 8",
            unit=WALL,
            aim="60 s",
            measure=command("exhaust", "history-merge", "--nodes", "8"),
            rounds=1,
            on_request=True,
        ),
        *(_spark_and_pool(system) for system in systems),
        *(_million(system) for system in systems),
        Row(
            name="tests",
            what="the tests of make test",
            unit=CPU,
            aim="2 times",
            measure=tests(*TESTS),
            rounds=1,
            on_request=True,
            versions=CHECKOUTS,
        ),
        Row(
            name="fast-test",
            what="make fast-test",
            unit=WALL,
            aim="120 s",
            measure=make("fast-test"),
            rounds=2,
            on_request=True,
            versions=CHECKOUTS,
        ),
    )


def _histories(system: str) -> Row:
    return Row(
        name=f"histories-{system}",
        what=f"250 default histories of {system}",
        unit=CPU,
        aim="3 times",
        measure=work("histories", system),
    )


def _adapter(system: str, port: str) -> Row:
    arguments = ("fuzz", system, "--histories", "500", "--in-process", "--adapter", port)
    return Row(
        name=f"adapter-{system}",
        what=f"fuzz {system} --histories 500 --adapter PORT",
        unit=WALL,
        aim="3 times",
        measure=command(*arguments),
    )


def _adapter_share(system: str, port: str) -> Row:
    return Row(
        name=f"adapter-share-{system}",
        what=f"fuzz {system} --adapter PORT / PORT alone",
        unit=RATIO,
        aim="0.7",
        measure=work("adapter-share", system, port),
    )


def _first_result(system: str) -> Row:
    return Row(
        name=f"first-result-{system}",
        what=f"fuzz {system} --histories 200 --in-process",
        unit=WALL,
        aim="1.5 s",
        measure=command("fuzz", system, "--histories", "200", "--in-process"),
    )


def _first_result_on_warm_spark(system: str) -> Row:
    return Row(
        name=f"first-result-warm-spark-{system}",
        what=f"200 histories of {system}, Spark is up",
        unit=WALL,
        aim="5 s",
        measure=work("warm-spark", system, "200"),
    )


def _spark_and_pool(system: str) -> Row:
    return Row(
        name=f"spark-{system}",
        what=f"100,000 histories of {system}: Spark / pool",
        unit=RATIO,
        aim="1.05",
        measure=work("spark-and-pool", system, "100000"),
        rounds=2,  # one begins with Spark, the other with the pool
        on_request=True,
        versions=(NOW,),
    )


def _million(system: str) -> Row:
    return Row(
        name=f"million-{system}",
        what=f"a million default histories of {system}",
        unit=WALL,
        aim="600 s",
        measure=campaign(system, 1_000_000),
        rounds=1,
        on_request=True,
        versions=LATEST,
    )
