"""What the suite found, with plots, as a document. The figures come from the project's texts."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from typing import Final

from rejoin_conformance.contract.registry import system_names
from rejoin_conformance.contract.vector import TIERS
from rejoin_site.corpus import vectors
from rejoin_site.places import ROOT
from rejoin_site.plots import Bars, bars_svg
from rejoin_site.tables import number, table

_SECTION: Final = re.compile(r"^## What was found\n(?P<text>.*?)(?=^## )", re.MULTILINE | re.DOTALL)
_LINK: Final = re.compile(r"\]\((?P<path>[\w./-]+\.md)")
_HM_RULES: Final = "spec/history-merge/search-rules.md"
_CD_RULES: Final = "spec/conflict-detection/search-rules.md"
_WRONG: Final = ("False conflicts", "Stale taken for conflict", "Same taken for conflict")


def found_document() -> str:
    """Return the document as Markdown."""
    return "\n".join(_lines())


def _lines() -> Iterator[str]:
    found = _SECTION.search((ROOT / "README.md").read_text(encoding="utf-8"))
    assert found is not None, "README.md has a section on what was found"
    yield "# What was found\n"
    yield _LINK.sub(lambda link: f"](../{link['path']}", found["text"].strip())
    yield "\n## How often the fold order matters\n"
    yield (
        "The share of the histories with a root and K more messages in which the merge of "
        "some set of messages depends on the order, in exhaustive searches "
        f"([counts](../{_HM_RULES})).\n"
    )
    yield _raw(order_matters())
    yield "\n## Premises that are not enough\n"
    yield (
        "The share of the histories that meet a premise and in which the order still matters, at "
        f"K = 9 ([all premises](../{_HM_RULES})). Under the sufficient premises there is none.\n"
    )
    yield _raw(insufficient_premises())
    yield "\n## Versions that the printed designs misclassify\n"
    yield (
        "The share of the polls of three clients and up to four uploads, in each design as printed "
        f"([table](../{_CD_RULES})). As repaired, no poll is misclassified.\n"
    )
    yield _raw(misclassified_polls())
    yield "\n## Implementations that others wrote\n"
    yield "Vectors by result ([what differs, and why](../docs/implementations.md)).\n"
    yield _raw(implementations())
    yield "\n## The corpus\n"
    yield "Vectors by system and [tier](../docs/vector-format.md).\n"
    yield _raw(corpus_by_tier())
    yield "\n## The strength of the corpus\n"
    yield (
        "Small changes of the reference that the vectors notice, and those for which somebody "
        "argued that no input can show them ([the last whole run](../docs/strength.md)).\n"
    )
    yield _raw(strength())
    yield "\n## The window N of config merge\n"
    yield "What a larger window costs, and what it saves ([figures](../docs/trade-offs.md)).\n"
    yield "![Bytes per message and lost edits against N](../docs/trade-offs/window.svg)\n"


def order_matters() -> Bars:
    """Return the share of histories of each size in which the order matters."""
    rows = [row for row in table(_HM_RULES, "K", "DAGs", "order matters") if int(row["K"]) > 2]
    shares = [number(row["order matters"]) / number(row["histories"]) for row in rows]
    return Bars(
        title="Share of histories in which the fold order matters, by messages after the root (K)",
        labels=[f"K = {row['K']}" for row in rows],
        series={"order matters": shares},
        percent=True,
    )


def insufficient_premises() -> Bars:
    """Return the share of histories that meet each premise in which the order still matters."""
    # Of the columns with one name, a row keeps the last: that of K = 9.
    rows = table(_HM_RULES, "Premise", "K = 9", "order matters")
    return Bars(
        title="Share of histories in which the order matters although they meet a premise",
        labels=[_shortened(row["Premise"]) for row in rows],
        series={"share": [number(row["order matters"]) / number(row["K = 9"]) for row in rows]},
        percent=True,
    )


def misclassified_polls() -> Bars:
    """Return the share of polls that each printed design gets wrong, by kind."""
    every = table(_CD_RULES, "Reading", "Polls", *_WRONG)
    rows = [row for row in every if row["Reading"] == "literal"]
    return Bars(
        title="Share of polls that the designs as printed misclassify",
        labels=[f"{row['Design']}, {row['Variant']}" for row in rows],
        series={
            name: [number(row[name]) / number(row["Polls"]) for row in rows] for name in _WRONG
        },
        percent=True,
    )


def implementations() -> Bars:
    """Return the vectors that each implementation passes and fails."""
    rows = [row for row in table("docs/implementations.md", "Vectors") if "pass" in row["Vectors"]]
    parts = [re.split(r"[,;]", row["Vectors"]) for row in rows]
    return Bars(
        title="Vectors by result, for each implementation",
        labels=[re.sub(r"\[(.*?)\].*", r"\1", row["Implementation"]) for row in rows],
        series={
            name: [sum(number(part) for part in each if name in part) for each in parts]
            for name in ("pass", "known to differ", "not declared")
        },
    )


def corpus_by_tier() -> Bars:
    """Return the number of vectors of each system, by tier."""
    counts = {
        system: Counter(each.tier for each in vectors(system).values()) for system in system_names()
    }
    return Bars(
        title="Vectors by system and tier",
        labels=[*counts],
        series={tier: [count[tier] for count in counts.values()] for tier in TIERS},
    )


def strength() -> Bars:
    """Return the mutants of each system, by fate."""
    rows = [row for row in table("docs/strength.md", "system", "killed") if row["system"] != "all"]
    return Bars(
        title="Mutants of the reference by system and fate",
        labels=[row["system"] for row in rows],
        series={
            name: [number(row[name]) for row in rows] for name in ("killed", "equivalent", "alive")
        },
    )


def _shortened(text: str) -> str:
    return text if len(text) <= 60 else f"{text[:57]}..."


def _raw(bars: Bars) -> str:
    return f"```{{raw}} html\n{bars_svg(bars)}\n```\n"
