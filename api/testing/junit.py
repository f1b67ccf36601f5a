"""Writes outcomes of tests as JUnit XML, which build servers show."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from cutset.api.testing.outcomes import Outcome
from cutset.compiler.diagnostics import visible


def write_junit(outcomes: Sequence[Outcome], path: Path) -> None:
    """Write one test suite with a test case for each outcome. OSError if the file cannot be written."""
    from xml.etree.ElementTree import Element, ElementTree, SubElement

    failures = sum(not each.passed for each in outcomes)
    counts = {"tests": str(len(outcomes)), "failures": str(failures), "errors": "0"}
    suite = Element("testsuite", {"name": "cutset test", **counts, "time": f"{sum(e.seconds for e in outcomes):.3f}"})
    for each in outcomes:
        name = {"classname": visible(str(each.case.file)), "name": visible(each.case.name)}
        case = SubElement(suite, "testcase", {**name, "time": f"{each.seconds:.3f}"})
        if each.problems:
            text = visible("\n".join(each.problems))
            SubElement(case, "failure", {"message": visible(each.problems[0])}).text = text
    ElementTree(suite).write(path, encoding="utf-8", xml_declaration=True)
