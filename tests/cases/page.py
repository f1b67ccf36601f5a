"""The cases, and what was measured of them -> the page of the documentation that lists them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from math import ceil, floor, log10

from cases.case import Case
from cases.measure import Measured, translated

_HEAD = """# Published test cases

Each case is a system that others have published with curves or end values. It is rewritten in the Cutset language in
`tests/cases/models` and runs in the tests. Every curve must stay within 0.2 percent of its range of the published
curve; at events, a time shift of one output step is allowed. A tighter tolerance must reduce the distance, unless the
distance is already at the accuracy of the publication.

`python -m tests.cases` measures all cases again.

"""

_MEASURES = """
The second table shows the results: the largest distance of all curves, relative to the range of each and rounded up;
the number of states; the sizes of the systems of equations before and after tearing, with nonlinear systems after `n`;
and the number of event instants in the run, or in the part that is compared.

"""

# Below this, what is left is rounding, which differs from one compiler to the next.
_LEAST = 1e-9


def page(cases: Iterable[Case], found: Callable[[Case], Measured], before: str) -> str:
    """Markdown, one row for each case in two tables; `before` is the page as it is: a distance that is right there
    stays."""
    cases = list(cases)
    printed = printed_distances(before)
    lines = [
        "| case | source | difficulty | model | until | tolerance |",
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
