"""The cases -> the page of the documentation that lists them."""

from __future__ import annotations

from collections.abc import Iterable

from cases.case import Case

_HEAD = """# Published test cases

Systems that others have published with curves or end values. Each is written anew in the language, stands in `tests/cases/models`, and runs in the
tests: every curve has to stay within 0.2 percent of its range from the published one (a shift in time of one output step is let pass
at events), and has to come nearer, or stay at the accuracy of the publication, when the tolerance is tightened.

`python -m tests.cases` measures all of them and prints the distances, the sizes of the translation and the events of the run.

"""


def page(cases: Iterable[Case]) -> str:
    """Markdown, one row for each case."""
    lines = [
        "| case | source | what it asks for | model | until | tolerance |",
        "| --- | --- | --- | --- | ---: | ---: |",
    ]
    for case in cases:
        end = f"{case.stop if case.until is None else case.until:g} s"
        model = f"`{case.file}`: `{case.model}`"
        lines.append(f"| {case.name} | {case.source} | {case.about} | {model} | {end} | {case.tolerance:g} |")
    return _HEAD + "\n".join(lines) + "\n"
