"""The results of TLC, which agree with the counts of the exhaustive check."""

from __future__ import annotations

from collections import Counter

import pytest

from rejoin_conformance.contract.model import Configuration, model_folder
from rejoin_conformance.kit.tla_values import parse_value
from rejoin_conformance.model_checking.check import check
from rejoin_conformance.systems.history_merge.exhaust.counts import counts_of
from rejoin_conformance.systems.history_merge.exhaust.premises import PREMISES
from rejoin_conformance.systems.history_merge.model import MODEL

FOLDER = model_folder("history-merge")
SMALL = [each for each in MODEL.configurations if each.size == "small" and each.name != "counts"]


@pytest.mark.full_run("model of history merge")
@pytest.mark.parametrize("configuration", SMALL, ids=lambda each: str(each.name))
def test_tlc_finds_what_is_expected(configuration: Configuration) -> None:
    checked = check(MODEL, FOLDER, configuration)
    assert checked.as_expected, checked.text()
    if configuration.violates is not None:
        # a root and four messages, or two for the price: there is no smaller counterexample
        states = 3 if configuration.name == "symmetric-difference-price" else 5
        assert len(checked.outcome.trace) == states


def test_every_configuration_has_its_file_and_every_file_is_a_configuration_s() -> None:
    named = [each.file for each in MODEL.configurations]
    assert sorted(named) == sorted(path.name for path in FOLDER.glob("*.cfg"))


def test_the_model_has_the_histories_that_the_exhaustive_check_counts() -> None:
    configuration = MODEL.configuration("counts")
    assert configuration is not None
    checked = check(MODEL, FOLDER, configuration)
    assert checked.as_expected, checked.text()
    found: Counter[tuple[int, str]] = Counter()
    for line in checked.outcome.printed:
        text = parse_value(line)
        assert isinstance(text, str)
        history = parse_value(text)
        assert isinstance(history, tuple)
        nodes, order_free, associative, met = history
        assert isinstance(nodes, int)
        assert isinstance(met, frozenset)
        found[nodes, "histories"] += 1
        found[nodes, "order-dependent"] += not order_free
        found[nodes, "not-associative"] += not associative
        found.update((nodes, str(premise)) for premise in met)
    assert {key: found[key] for key in found if key[1] == "histories"} == {
        (0, "histories"): 1,
        (1, "histories"): 2,
        (2, "histories"): 8,
        (3, "histories"): 56,
        (4, "histories"): 640,
    }
    assert found[4, "order-dependent"] == found[4, "not-associative"] == 12
    for nodes in range(1, 5):
        counts = counts_of(nodes)
        assert found[nodes, "order-dependent"] == counts["order_dependent"]
        assert found[nodes, "not-associative"] == counts["not_associative"]
        for name in (each.name for each in PREMISES):
            if (4, name) in found:
                assert found[nodes, name] == counts[f"premise:{name}:histories"], name
    premises = {name for _, name in found} - {"histories", "order-dependent", "not-associative"}
    assert premises == {
        "no-concurrent-opposites",
        "totally-ordered",
        "added-once",
        "never-removed",
        "two-operations",
    }
