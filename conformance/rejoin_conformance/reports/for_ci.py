"""What CI systems show of results: JUnit XML, and a badge.

JUnit XML has a suite for each run, and a case for each vector in each reading. A wrong answer is a
`failure`, of the type `wrong-reason` if only its code is wrong. A crash, a timeout or a protocol
error is an `error`. A vector that is not declared or is a known failure is `skipped`. The output of
a vector (`system-out`) says if its answer needed another process. A run that was interrupted, that
ran no vector, or whose restarts are not allowed has one more case, an error: CI systems show a run
as green only if its exit code is 0.

The badge is the JSON from which services such as shields.io draw one (`endpoint` schema).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final
from xml.etree import ElementTree as ET

from rejoin_conformance.adapters.results.failure_steps import lines_of
from rejoin_conformance.adapters.results.records import Record
from rejoin_conformance.adapters.results.summary import Conclusion
from rejoin_conformance.adapters.runner.cases import with_feature
from rejoin_conformance.kit.json_types import JsonObject
from rejoin_conformance.kit.text import counted, shown, shown_line
from rejoin_conformance.reports.columns import Column, worst

_SHOWN: Final = 8000
_COLOURS: Final[dict[Conclusion, str]] = {
    "conforms": "brightgreen",
    "no unexpected failure": "yellow",
    "partial": "yellow",
    "incomplete": "lightgrey",
    "not conformant": "red",
}


def junit(columns: Sequence[Column]) -> str:
    """Return the runs as one XML document."""
    root = ET.Element("testsuites", name="rejoin")
    for column in columns:
        root.append(_suite(column))
    _count(root, [case for suite in root for case in suite.iter("testcase")])
    ET.indent(root)
    document = ET.tostring(root, encoding="unicode")
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{document}\n'


def _suite(column: Column) -> ET.Element:
    suite, summary = ET.Element("testsuite", name=column.label), column.summary
    properties, restarts = ET.SubElement(suite, "properties"), len(summary.restarted)
    for name, text in (*column.details, ("verdict", summary.verdict)):
        ET.SubElement(properties, "property", name=name, value=text)
    more = ""
    if restarts:
        ET.SubElement(properties, "property", name="restarts", value=str(restarts))
        more = f"{counted(restarts, 'answer')} needed another process; --allow-restarts accepts it"
    known = {record.key: shown_line(entry.reason, 500) for record, entry in summary.known}
    passing = {record.key for record, _ in summary.unexpected_passes}
    for name, kind, why in (
        ("the run is complete", "incomplete", summary.why_incomplete),
        ("no answer needed another process", "restart", "" if summary.allow_restarts else more),
    ):
        if why:
            case = ET.SubElement(suite, "testcase", classname="rejoin", name=name)
            ET.SubElement(case, "error", type=kind, message=why)
    for record in summary.records:
        case = _case(suite, record)
        if record.key in known:
            ET.SubElement(case, "skipped", message=f"known failure: {known[record.key]}")
        elif record.key in passing:
            why = "a known failure passes: remove it from the list of known failures"
            ET.SubElement(case, "failure", type="unexpected-pass", message=why)
        elif record.verdict == "not-declared":
            lacks = shown_line(with_feature(record.operation, record.missing))
            ET.SubElement(case, "skipped", message=f"the adapter does not declare {lacks}")
        elif record.failed:
            _fault(case, record)
        if record.volatile.restarted:
            first = shown_line(record.volatile.first_attempt, 300)
            ET.SubElement(case, "system-out").text = f"answered only alone: {first}"
    _count(suite, list(suite.iter("testcase")))
    return suite


def _case(suite: ET.Element, record: Record) -> ET.Element:
    taken = record.volatile.microseconds
    return ET.SubElement(
        suite,
        "testcase",
        classname=shown_line(record.operation).replace("/", "."),
        name=shown_line(f"{record.id} [{record.reading}]"),
        time=f"{taken // 1_000_000}.{taken % 1_000_000:06d}",
    )


def _fault(case: ET.Element, record: Record) -> None:
    explanation = shown(record.explanation, _SHOWN)
    fault = ET.SubElement(
        case,
        "failure" if record.verdict == "fail" else "error",
        type=record.kind,
        message=shown_line(explanation.partition("\n")[0], 300),
    )
    clauses = shown_line(", ".join(record.clauses), 300)
    fault.text = f"{clauses}\n{shown_line(record.summary)}\n{explanation}"
    if record.steps is not None:
        fault.text += "".join(f"\n{line}" for line in lines_of(record.steps))
    stderr = record.volatile.stderr.strip()
    if stderr:
        ET.SubElement(case, "system-err").text = shown(stderr, _SHOWN)


def _count(element: ET.Element, cases: Sequence[ET.Element]) -> None:
    element.set("tests", str(len(cases)))
    for attribute, tag in (("failures", "failure"), ("errors", "error"), ("skipped", "skipped")):
        element.set(attribute, str(sum(1 for case in cases if case.find(tag) is not None)))


def badge(columns: Sequence[Column]) -> JsonObject:
    """Return label, message and colour of the worst run."""
    run = worst(columns)
    summary = run.summary
    message = [summary.verdict.partition(" (")[0]]
    if summary.conclusion == "not conformant":
        restarts = len(summary.restarted)
        message = [f"{run.failed:,} failed"] if run.failed else []
        message += [counted(restarts, "restart")] if restarts else []
    return {
        "schemaVersion": 1,
        "label": "rejoin",
        "message": ", ".join(message),
        "color": _COLOURS[summary.conclusion],
    }
