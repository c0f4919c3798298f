"""JUnit XML, as CI systems read it: a suite for each run, a case for each vector in each reading.

A wrong answer is a `failure`; a crash, a timeout and a broken conversation are an `error`; what is
not declared or known to fail is `skipped`. A run that was interrupted or exercised nothing has one
more case, an error: no CI system takes it for green.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final
from xml.etree import ElementTree as ET

from rejoin_conformance.adapters.results.records import key_of
from rejoin_conformance.adapters.results.summary import Record
from rejoin_conformance.adapters.runner.verdict import FAILURES
from rejoin_conformance.kit.untrusted import shown, shown_line
from rejoin_conformance.reports.columns import Column

_SHOWN: Final = 8000


def junit(columns: Sequence[Column]) -> str:
    """The runs as one XML document."""
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
    known = {key_of(record): entry for record, entry in column.summary.known}
    mended = {key_of(record): entry for record, entry in column.summary.mended}
    if column.why_incomplete:
        case = ET.SubElement(suite, "testcase", classname="rejoin", name="the run is complete")
        ET.SubElement(case, "error", type="incomplete", message=column.why_incomplete)
    for record in column.summary.records:
        case = _case(suite, record)
        key = key_of(record)
        if key in known:
            reason = shown_line(known[key].reason, 500)
            ET.SubElement(case, "skipped", message=f"known failure: {reason}")
        elif key in mended:
            fault = ET.SubElement(
                case, "failure", type="unexpected-pass", message="a known failure passes"
            )
            fault.text = "take it off the list of known failures"
        elif record["verdict"] == "not-declared":
            ET.SubElement(case, "skipped", message="the adapter does not declare the operation")
        elif record["verdict"] in FAILURES:
            _fault(case, record)
    _count(suite, list(suite.iter("testcase")))
    return suite


def _case(suite: ET.Element, record: Record) -> ET.Element:
    microseconds = volatile(record).get("microseconds", 0)
    taken = microseconds if isinstance(microseconds, int) and microseconds > 0 else 0
    return ET.SubElement(
        suite,
        "testcase",
        classname=shown_line(record["operation"]).replace("/", "."),
        name=shown_line(f"{record['id']} [{record['reading']}]"),
        time=f"{taken // 1_000_000}.{taken % 1_000_000:06d}",
    )


def _fault(case: ET.Element, record: Record) -> None:
    explanation = shown(str(record.get("explanation", "")), _SHOWN)
    fault = ET.SubElement(
        case,
        "failure" if record["verdict"] == "fail" else "error",
        type=record["verdict"],
        message=shown_line(explanation.partition("\n")[0], 300),
    )
    clauses = shown_line(", ".join(record["clauses"]), 300)
    fault.text = f"{clauses}\n{shown_line(str(record.get('summary', '')))}\n{explanation}"
    stderr = str(volatile(record).get("stderr", "")).strip()
    if stderr:
        ET.SubElement(case, "system-err").text = shown(stderr, _SHOWN)


def volatile(record: Record) -> dict[str, Any]:
    """What varies from run to run in a record; empty where it does not say."""
    value = record.get("volatile")
    return value if isinstance(value, dict) else {}


def _count(element: ET.Element, cases: Sequence[ET.Element]) -> None:
    element.set("tests", str(len(cases)))
    for attribute, tag in (("failures", "failure"), ("errors", "error"), ("skipped", "skipped")):
        element.set(attribute, str(sum(1 for case in cases if case.find(tag) is not None)))
