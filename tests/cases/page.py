"""The cases, and what was measured of them -> the page of the documentation that lists them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from math import ceil, floor, log10

from cases.case import Case
from cases.measure import Measured, translated

_HEAD = """# Published test cases

Systems that others have published with curves or end values. Each is written anew in the language, stands in
`tests/cases/models`, and runs in the tests: every curve has to stay within 0.2 percent of its range from the published
one (a shift in time of one output step is let pass at events), and has to come nearer, or stay at the accuracy of
the publication, when the tolerance is tightened.

`python -m tests.cases` measures all of them anew.

"""

_MEASURES = """
What comes out: the largest distance of all curves, divided by the range of each and rounded up; the states; the
systems of equations, as sizes before and after tearing, the nonlinear ones behind `n`; the instants of events in the
run, or in the part that is compared.

"""

# Below this, what is left is rounding, which differs from one compiler to the next.
_LEAST = 1e-9


def page(cases: Iterable[Case], found: Callable[[Case], Measured], before: str) -> str:
    """Markdown, one row for each case in two tables; `before` is the page as it is: a distance that is right there
    stays."""
    cases = list(cases)
    printed = printed_distances(before)
    lines = [
        "| case | source | what it asks for | model | until | tolerance |",
        "| --- | --- | --- | --- | ---: | ---: |",
    ]
    for case in cases:
        end = f"{case.stop if case.until is None else case.until:g} s"
        model = f"`{case.file.removeprefix('../../../')}`: `{case.model}`"
        lines.append(f"| {case.name} | {case.source} | {case.about} | {model} | {end} | {case.tolerance:g} |")
    rows = ["| case | distance | states | systems | events |", "| --- | ---: | ---: | --- | ---: |"]
    for case in cases:
        measured = found(case)
        sizes = translated(case.file, case.model).inspect()
        linear, nonlinear = systems(sizes["linear_systems"]), systems(sizes["nonlinear_systems"])
        both = " ".join([linear] * bool(linear) + [f"n {nonlinear}"] * bool(nonlinear)) or "none"
        distance = rounded_up(measured.worst, printed.get(case.name))
        rows.append(f"| {case.name} | {distance} | {sizes['states']} | {both} | {measured.events} |")
    return _HEAD + "\n".join(lines) + "\n" + _MEASURES + "\n".join(rows) + "\n"


def systems(systems: Iterable[Mapping[str, int]]) -> str:
    """As Modelica compilers write them: sizes before and after tearing; empty where there are none."""
    pairs = [(system["size"], system["torn"]) for system in systems]
    if not pairs:
        return ""
    before, after = (",".join(map(str, sizes)) for sizes in zip(*pairs, strict=True))
    return f"{{{before}}}->{{{after}}}"


def rounded_up(distance: float, printed: str | None) -> str:
    """One digit, at least the distance; `printed` where that is not more than three times as much."""
    if distance < _LEAST:
        return f"< {_LEAST:.0e}"
    if printed and not printed.startswith("<") and distance <= float(printed) <= 3 * distance:
        return printed
    power = floor(log10(distance))
    return f"{ceil(distance / 10.0**power - 1e-9) * 10.0**power:.0e}"


def printed_distances(page: str) -> dict[str, str]:
    """Case -> distance as it stands in the page."""
    return dict(re.findall(r"^\| ([^|]+) \| (< 1e-09|\d+e[-+]\d+) \|", page, re.MULTILINE))
