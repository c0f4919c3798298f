"""What CI systems show of results: JUnit XML, and a badge.

JUnit XML has a suite for each run, and a case for each vector in each reading. A wrong answer is a
`failure`, of the type `wrong-reason` if only its code is wrong. A crash, a timeout or a protocol
error is an `error`. A vector that is not declared or is a known failure is `skipped`. An answer
that needed another process is an `error`, unless the run allows restarts. A run that was
interrupted, or that ran no vector, has one more case, an error, so that no CI system shows it as
green.

The badge is the JSON from which services such as shields.io draw one (`endpoint` schema).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final
from xml.etree import ElementTree as ET

from rejoin_conformance.adapters.results.failure_steps import lines_of
from rejoin_conformance.adapters.results.records import Record
from rejoin_conformance.adapters.results.summary import Conclusion
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
    suite = ET.Element("testsuite", name=column.label)
    properties = ET.SubElement(suite, "properties")
    for name, text in column.details:
        ET.SubElement(properties, "property", name=name, value=text)
    ET.SubElement(properties, "property", name="verdict", value=column.summary.verdict)
    if restarts := len(column.summary.restarted):
        ET.SubElement(properties, "property", name="restarts", value=str(restarts))
    known = {record.key: entry for record, entry in column.summary.known}
    unexpected_passes = {record.key: entry for record, entry in column.summary.unexpected_passes}
    if column.summary.why_incomplete:
        case = ET.SubElement(suite, "testcase", classname="rejoin", name="the run is complete")
        ET.SubElement(case, "error", type="incomplete", message=column.summary.why_incomplete)
    for record in column.summary.records:
        case = _case(suite, record)
        key = record.key
        if key in known:
            reason = shown_line(known[key].reason, 500)
            ET.SubElement(case, "skipped", message=f"known failure: {reason}")
        elif key in unexpected_passes:
            fault = ET.SubElement(
                case, "failure", type="unexpected-pass", message="a known failure passes"
            )
            fault.text = "remove it from the list of known failures"
        elif record.verdict == "not-declared":
            ET.SubElement(case, "skipped", message="the adapter does not declare the operation")
        elif record.failed:
            _fault(case, record)
        elif record.volatile.restarted and not column.summary.allow_restarts:
            first = shown_line(record.volatile.first_attempt, 300)
            ET.SubElement(case, "error", type="restart", message=f"answered only alone: {first}")
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
