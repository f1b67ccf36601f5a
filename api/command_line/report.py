"""Prints for the commands: errors as text on standard error, facts as tables on standard output. Computes nothing."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO

from cutset.api.show.tables import Table
from cutset.compiler.diagnostics import Diagnostic, rendered, visible
from cutset.contract.abridged import abridged
from cutset.contract.names import rpartition
from cutset.runtime.counted import counted

if TYPE_CHECKING:
    from cutset.api.mechanics.topology import Topology
    from cutset.api.model import Model
    from cutset.api.runs.measures import Measured
    from cutset.api.show.classes import Declared, Parameter
    from cutset.api.show.listing import Component, ListedVariable
    from cutset.api.show.reference_sizes import Published
    from cutset.api.show.sweep_table import Sweep
    from cutset.api.verify.verification import Verification
    from cutset.compiler.codegen.statistics import Work
    from cutset.runtime.analysis.linearize import Linearization
    from cutset.runtime.description import Description
    from cutset.runtime.results.result import Result
    from cutset.runtime.results.trajectories import Trajectories

_MOST_ROWS = 60
_MOST_COLUMNS = 8
_MOST_FAILED = 5
_MOST_WORK = 10
_MOST_STATES = 12
_MOST_SOURCES = 5
# The parts of an error that have a color: head, marks under an excerpt, gutter, hint.
_COLORS = {
    r"(?m)^(error|internal error)(\[\w+\])?:": "bold red",
    r"(?m)^warning(\[\w+\])?:": "bold yellow",
    r"(?m)^ +\| +(?P<mark>[\^]+.*)$": "red",
    r"(?m)^ +(-->|:::) .*$": "blue",
    r"(?m)^ += help:": "green",
}


def print_diagnostics(diagnostics: Sequence[Diagnostic], shows_color: bool = False) -> None:
    """Print every diagnostic, then the number of errors and where to read more; in color as `print_error`."""
    errors = sum(1 for diagnostic in diagnostics if diagnostic.severity == "error")
    count = "1 error" if errors == 1 else f"{errors} errors"
    more = f"; more on the first: cutset explain {diagnostics[0].code}" if diagnostics else ""
    print_error("\n\n".join([*rendered(diagnostics), count + more]), shows_color)


def print_error(text: str, shows_color: bool = False) -> None:
    """Print `text` on standard error, in color if that is a terminal, or `shows_color`, as a notebook does, and if
    NO_COLOR is not set."""
    text = visible(text)
    if not (shows_color or sys.stderr.isatty()) or os.environ.get("NO_COLOR"):
        print(text, file=sys.stderr)
        return
    from rich.console import Console
    from rich.text import Text

    colored = Text(text)
    for pattern, color in _COLORS.items():
        colored.highlight_regex(pattern, color)
    Console(stderr=True, soft_wrap=True, force_terminal=True, force_jupyter=False).print(colored)


def print_json(facts: Any, stream: TextIO | None = None) -> None:
    """Print facts as one JSON object, on standard output if `stream` is None."""
    import json

    print(json.dumps(facts, indent=2), file=stream)


def print_sizes(sizes: Iterable[tuple[str, str]], seconds: Mapping[str, float]) -> None:
    """Print one line per stage: its name, its time, the size of its result."""
    table = Table("", "stage", "time", "result")
    for stage, words in sizes:
        table.add_row(stage, _seconds(seconds[stage]), words)
    table.print()


def print_facts(facts: Mapping[str, Any], others: Sequence[Published] = ()) -> None:
    """Print what `Model.inspect` returns, next to the reference sizes."""
    between = "\n" if others else ", "
    own = _rows_of(facts, between)
    rows = [_rows_of(other.sizes, between) for other in others]
    table = Table(
        "" if others else facts["name"], "", *((facts["name"], *(o.name for o in others)) if others else ("",))
    )
    for title, cell in own.items():
        cells = [row.get(title, "") for row in rows]
        if cell or any(cells):
            table.add_row(title, cell, *cells)
    if not others:
        table.add_row("parameters in the code", _some(list(facts["parameters_folded"])))
    for stage, spent in facts["time_seconds"].items():
        table.add_row(f"time: {stage}", _seconds(spent))
    table.print()
    for other in others:
        if other.source:
            print(visible(f"{other.name}: {other.source}"))


def _rows_of(facts: Mapping[str, Any], between: str) -> dict[str, str]:
    """Titles and cells of sizes, with `between` between the parts of a cell; unknown sizes are empty."""
    counts = ("equations", "unknowns", "aliases", "states", "blocks", "differentiated_equations")
    rows = {count.replace("_", " "): str(facts.get(count, "")) for count in counts}
    for kind in ("linear_systems", "nonlinear_systems"):
        rows[kind.replace("_", " ")] = _systems(facts[kind], between) if kind in facts else ""
    signs = {"mul_div": "*,/", "add_sub": "+,-", "functions": "functions"}
    operations = facts.get("operations", {})
    rows["operations"] = "   ".join(f"{operations[key]} {sign}" for key, sign in signs.items() if key in operations)
    words = {word.replace("_", " "): number for word, number in facts.get("events", {}).items() if number}
    rows["events"] = between.join(
        f"{number} {word.removesuffix('s') if number == 1 else word}" for word, number in words.items()
    )
    return rows


def _systems(systems: Sequence[Mapping[str, int]], between: str) -> str:
    """The sizes of systems before and after tearing, equal ones once."""
    number: dict[str, int] = {}
    for system in systems:
        words = f"{system['size']} torn to {system['torn']}" if system["torn"] else f"{system['size']} eliminated"
        number[words] = number.get(words, 0) + 1
    return between.join(f"{words} ({count} times)" if count > 1 else words for words, count in number.items()) or "none"


def print_components(name: str, components: Sequence[Component]) -> None:
    """Print one line per submodel, indented below its parent."""
    table = Table("", "component", "class", "cuts", "declared", "")
    for component in components:
        cuts = ", ".join(f"{cut.name} ({cut.cut_class})" if cut.cut_class else cut.name for cut in component.cuts)
        own = rpartition(component.name)[2] or name
        of_class = "" if not component.name else component.class_name
        documentation = component.documentation or component.class_documentation
        table.add_row("  " * component.depth + own, of_class, cuts, component.place, documentation)
    table.print()


def print_topology(topology: Topology) -> None:
    """Print one line per body with its column of the path matrix, then one per loop."""
    bodies = topology.bodies
    if not bodies:
        print(f"{topology.model} has no joints with coordinates between cut-frames")
        return
    number = "1 body" if len(bodies) == 1 else f"{len(bodies)} bodies"
    degrees = "1 degree" if topology.freedom == 1 else f"{topology.freedom} degrees"
    print(f"{topology.model}: {number}, {degrees} of freedom in the tree, {counted(len(topology.loops), 'loop')}")
    table = Table("", "body", "on", "joint", "class", "masses", "path")
    for body, row in zip(bodies, topology.path_matrix, strict=True):
        path = " ".join("1" if entry else "." for entry in row[: body.number])
        joint = body.joint
        masses = _some(list(body.masses)) if body.masses else ""
        table.add_row(str(body.number), str(body.inboard), joint.name, joint.class_name, masses, path)
    table.print()
    for loop in topology.loops:
        first, second = loop.bodies
        through = f", through {', '.join(loop.joints)}" if loop.joints else ""
        print(f" loop: {loop.name} ({loop.class_name}) between bodies {first} and {second}{through}")


def print_variables(variables: Sequence[ListedVariable]) -> None:
    """Print one line per variable, without empty columns."""
    from cutset.api.show.listing import columns_of

    rows = list(columns_of(variables))
    names = [name for name in rows[0] if any(row[name] for row in rows)] if rows else []
    table = Table("", *names)
    for row in rows:
        table.add_row(*(row[name] for name in names))
    table.print()


def print_columns(path: Path, table: Trajectories) -> None:
    """Print the names in a result file, with units, the smallest and the largest value, and documentation."""
    of = table.description
    print(f"{visible(str(path))}: {len(table.time)} rows")
    rows = Table("", "name", "unit", "min", "max", "")
    for name in table:
        values = of.shown(name, table[name])
        least, most = (f"{limit:.6g}" for limit in (values.min(), values.max())) if len(values) else ("", "")
        rows.add_row(name, of.shown_unit(name), least, most, of.documentation.get(name, ""))
    rows.print()


def print_declared(name: str, declared: Sequence[Declared], with_parameters: bool) -> None:
    """Print one line for each class, function, type and cut class of a file, and below a class one for each
    parameter."""
    if not declared:
        print(f"{name} declares nothing")
        return
    table = Table(name, "name", "kind", "interface", "")
    for each in declared:
        table.add_row(each.name, each.kind, each.interface, each.documentation)
        for own in each.parameters if with_parameters else ():
            table.add_row(f"  {own.name}", "parameter", _default(own), own.documentation)
    table.print()


def _default(parameter: Parameter) -> str:
    """= 1.5 kg, = 2*m in kg, or in kg."""
    unit = "" if parameter.unit == "1" else parameter.unit
    if not parameter.default or not unit:
        return f"= {parameter.default}" if parameter.default else f"in {unit}" if unit else ""
    is_number = (
        parameter.default.lstrip("-").replace(".", "").replace("e-", "e").isalnum()
        and parameter.default.lstrip("-")[0].isdigit()
    )
    return f"= {parameter.default} {unit}" if is_number else f"= {parameter.default} in {unit}"


def print_run(model: Model, result: Result, target: str) -> None:
    """Print the cost of the run and the speed of the model."""
    from cutset.api.runs.evaluation_time import seconds_per_evaluation

    cost = result.statistics
    span = float(result.time[-1] - result.time[0])
    table = Table("the run", "", "")
    table.add_row("target", target)
    table.add_row("method", cost.method)
    table.add_row("steps", f"{cost.steps}, {cost.error_test_failures} rejected")
    if cost.events:
        table.add_row("events", ", ".join(counted(count, f"{kind} event") for kind, count in cost.events.items()))
    table.add_row("evaluations", str(cost.evaluations))
    seconds = seconds_per_evaluation(result.compiled, result.fixed_values, result.last)
    table.add_row("one evaluation", f"{1e9 * seconds:.0f} ns")
    table.add_row("time of the run", _seconds(cost.wall_seconds))
    table.add_row("real-time factor", f"{span / cost.wall_seconds:.3g}")
    table.print()
    print_work(model.translated.statistics.work)


def print_work(work: Sequence[Work]) -> None:
    """Print the submodels with the most operations per evaluation; for the share, a function counts as ten operations.
    An array of submodels has one row."""
    total = sum(each.weight for each in work)
    work = _summed(work)
    if len(work) < 2:
        return
    table = Table("operations by submodel", "submodel", "*,/", "+,-", "functions", "share")
    for each in work[:_MOST_WORK]:
        numbers = (each.mul_div, each.add_sub, each.functions)
        table.add_row(each.instance, *map(str, numbers), f"{100 * each.weight / total:.0f} %")
    table.print()
    if len(work) > _MOST_WORK:
        rest = sum(each.weight for each in work[_MOST_WORK:])
        print(f"and {len(work) - _MOST_WORK} more submodels, {100 * rest / total:.0f} %")


def _summed(work: Sequence[Work]) -> list[Work]:
    """The work of submodels that differ only in their indices, added under one name: `r(1)` and `r(2)` become
    `r(*)`."""
    arrays: dict[str, list[Work]] = {}
    for each in work:
        arrays.setdefault(re.sub(r"\([\d,]+\)", "(*)", each.instance), []).append(each)
    found = [
        replace(
            of[0],
            instance=name if len(of) > 1 else of[0].instance,
            mul_div=sum(each.mul_div for each in of),
            add_sub=sum(each.add_sub for each in of),
            functions=sum(each.functions for each in of),
        )
        for name, of in arrays.items()
    ]
    return sorted(found, key=lambda each: -each.weight)


def print_final_values(result: Result, patterns: Sequence[str]) -> None:
    """Print the first and the last value of the names that match, on a terminal with a small picture of their course,
    and suggest next steps."""
    from cutset.api.show.sparkline import sparkline

    draws = sys.stdout.isatty() and (sys.stdout.encoding or "").lower().startswith("utf")
    table = Table("", "", f"time = {result.time[0]:g}", f"time = {result.time[-1]:g}", *([""] if draws else []))
    names = result.select(patterns)
    for name in names[:_MOST_ROWS]:
        trajectory = result.description.shown(name, result[name])
        course = [sparkline(result.time, trajectory)] if draws else []
        label = result.description.label(name)
        table.add_row(label, f"{trajectory[0] + 0.0:.9g}", f"{trajectory[-1] + 0.0:.9g}", *course)  # no -0
    table.print()
    if len(names) > _MOST_ROWS:
        print(f"and {len(names) - _MOST_ROWS} more")
    if result.failure is None:
        print("write everything with -o FILE.csv, draw with --plot NAME,..., see the cost with --stats")


def print_values(values: Mapping[str, float], of: Description) -> None:
    """Print one name and its value per line."""
    table = Table("", "", "")
    for name, value in values.items():
        table.add_row(of.label(name), f"{of.shown(name, value) + 0.0:.9g}")
    table.print()


def print_measures(measured: Mapping[str, Measured]) -> None:
    """Print a line for each measure: its text, its value, its unit."""
    table = Table("", "", "", "")
    for text, each in measured.items():
        table.add_row(text, f"{each.value + 0.0:.9g}", each.unit)
    table.print()


def print_linearization(found: Linearization) -> None:
    """Print the motions, or the eigenvalues of a sampled model, and the matrices if they are small."""
    rates = [f"next {name}" if found.interval else f"der({name})" for name in found.states]
    for title, matrix, rows, columns in (
        ("A", found.A, rates, found.states),
        ("B", found.B, rates, found.inputs),
        ("C", found.C, found.outputs, found.states),
        ("D", found.D, found.outputs, found.inputs),
    ):
        if matrix.size and len(columns) > _MOST_COLUMNS:
            size = f"{counted(len(rows), 'row')} and {counted(len(columns), 'column')}"
            print(f"{title} has {size}: write them with -o FILE.npz or FILE.mat")
        elif matrix.size:
            table = Table(title, "", *columns)
            for name, row in zip(rows, matrix.tolist(), strict=True):
                table.add_row(name, *(f"{value + 0.0:.6g}" for value in row))
            table.print()
    if found.outputs and not found.inputs:
        print("B and D have no columns, since the model has no input")
    _print_eigenvalues(found) if found.interval else _print_motions(found)
    for note in found.notes:
        print(f"note: {note}")


def _print_eigenvalues(found: Linearization) -> None:
    table = Table(f"time = {found.point.t:g}", "eigenvalue", "size")
    for value in found.eigenvalues.tolist():
        shown = f"{value.real + 0.0:.6g}" + (f" +- {value.imag:.6g}j" if value.imag else "")
        if value.imag >= 0.0:
            table.add_row(shown, f"{abs(value):.6g}")
    table.print()


def _print_motions(found: Linearization) -> None:
    table = Table(f"time = {found.point.t:g}", "eigenvalue, 1/s", "frequency, rad/s", "damping", "states")
    for motion in found.motions:
        value, damping = motion.eigenvalue, motion.damping
        times = f" ({motion.count} times)" if motion.count > 1 else ""
        shown = f"{value.real + 0.0:.6g}" + (f" +- {value.imag:.6g}j" if value.imag else times)
        states = _some([f"{name} {part:.2f}" for name, part in motion.states], _MOST_STATES)
        table.add_row(shown, f"{motion.frequency:.6g}", "" if damping is None else f"{damping + 0.0:.4g}", states)
    table.print()


def print_verification(found: Verification) -> None:
    """Print a line for each way, the differences, and the verdict."""
    table = Table(found.model, "", "states", "largest system", "operations", "time", "laws", "at points", "in runs", "")
    for row in found.rows:
        sizes = ("", "", "") if row.is_refused else (str(row.states), str(row.largest_system), str(row.operations))
        time = f"{1e6 * row.seconds:.2f} us" if row.seconds == row.seconds else ""
        sides = ("" if each is None else f"{each.size:.1e}" for each in (row.laws, row.at_points, row.in_runs))
        table.add_row(row.way, *sizes, time, *sides, row.problem)
    table.print()
    for row in found.rows:
        for difference in row.wrong:
            print_error(f"error: {row.way}: {difference}")
        if row.problem and not row.is_refused:
            print_error(f"error: {row.way}: {row.problem}")
        for edit in row.edits:
            print_error(f"  the smallest difference in the text that changes a number: {edit}")
    what = f"{counted(found.points, 'point')}" + (f" and a run of {found.stop:g} s" if found.stop else "")
    for row in found.rows:
        if 0.0 < row.stop < found.stop:
            print(f"{row.way}: compared up to {row.stop:.3g} s only, because of its many events")
    number, since = found.undetermined
    if number:
        print(f"{counted(number, 'variable')} not compared from {since:.3g} s on: tighter tolerances still change them")
    print(f"{what}: " + ("all ways agree" if found.passed else "the ways differ"))


def print_noise(linear: Linearization, of: Description, low: float, high: float) -> None:
    """Print the noise of each output between two frequencies, where it comes from, and densities over frequency; with
    what is referred to the input, where there is one."""
    from cutset.runtime.analysis.frequency_response import decades

    power = linear.noise_power(low, high)
    inward = [] if power.referred is None else ["rms referred to the input"]
    table = Table(f"noise from {low:g} Hz to {high:g} Hz", "output", "rms", *inward, "of it from")
    for k, name in enumerate(linear.outputs):
        largest = sorted(power.shares.items(), key=lambda item: -item[1][k])[:_MOST_SOURCES]
        parts = ", ".join(f"{source} {100.0 * share[k]:.3g} %" for source, share in largest)
        numbers = [power.rms[k], *([] if power.referred is None else [power.referred[k]])]
        table.add_row(_in_unit(name, of.units.get(name, "")), *(f"{x:.9g}" for x in numbers), parts)
    table.print()
    at = linear.noise(decades(low, high, 1))
    heads = [_in_unit(name, f"{of.units[name]}/sqrt(Hz)" if name in of.units else "") for name in linear.outputs]
    table = Table("", "frequency [Hz]", *heads, *(f"{name}, referred" for name in linear.outputs if inward))
    for k, f in enumerate(at.frequency.tolist()):
        rows = [*at.density[:, k], *([] if at.referred is None else at.referred[:, k])]
        table.add_row(f"{f:.6g}", *(f"{x**0.5:.6g}" for x in rows))
    table.print()


def _in_unit(name: str, unit: str) -> str:
    return f"{name} [{unit}]" if unit else name


def print_sweep(sweep: Sweep, seconds: float, with_rows: bool, of: Description) -> None:
    """Print the table (if requested) as people see it, the number of failed runs, the first reasons, and the total
    time."""
    from cutset.runtime.runs.sweep import variable_of

    if with_rows:
        reasons = any(row.reason for row in sweep.rows)
        names, *rows = sweep.table()
        variables = [variable_of(name) for name in names[:-3]]
        heads = [of.label(own).replace(own, name, 1) for own, name in zip(variables, names, strict=False)]
        table = Table("", *heads, *(["outcome"] if reasons else []))
        for line in rows[:_MOST_ROWS]:
            shown = [of.shown(n, x) if isinstance(x, float) else x for n, x in zip(variables, line, strict=False)]
            cells = [f"{value + 0.0:.9g}" if isinstance(value, float) else str(value) for value in shown]
            table.add_row(*cells, *([line[-3]] if reasons else []))
        table.print()
        if len(rows) > _MOST_ROWS:
            print(f"and {len(rows) - _MOST_ROWS} more: write them all with -o FILE.csv")
    failed = sweep.failed
    how = f", {len(failed)} failed" if failed else ""
    print(f"{counted(len(sweep), 'run')} in {_seconds(seconds)}{how}")
    for row in failed[:_MOST_FAILED]:
        point = ", ".join(f"{name} = {value}" for name, value in sweep.points[row.number].items())
        print_error(f"{point}: {row.reason}")


def print_statistics(sweep: Sweep, of: Description, with_nominal: bool) -> None:
    """Print the extremes of each result, with its nominal value in the first row or else mean and deviation, and the
    values of the parameters at the extremes."""
    from cutset.runtime.runs.sweep import variable_of

    found = sweep.statistics
    table = Table("", "result", *(["nominal"] if with_nominal else ["mean", "deviation"]), "min", "max")
    for name, each in found.items():
        own = variable_of(name)
        deviation = each.deviation / of.displays[own].factor if own in of.displays else each.deviation
        middle = [of.shown(own, sweep[name][0])] if with_nominal else [of.shown(own, each.mean), deviation]
        cells = [*middle, of.shown(own, each.least), of.shown(own, each.most)]
        table.add_row(of.label(own).replace(own, name, 1), *(f"{cell + 0.0:.9g}" for cell in cells))
    table.print()
    table = Table("", "parameter", *(f"at {word} of {name}" for name in found for word in ("min", "max")))
    for own in sweep.varied[:_MOST_ROWS]:
        points = [point for each in found.values() for point in (each.at_least, each.at_most)]
        table.add_row(of.label(own), *(f"{of.shown(own, point[own]):.9g}" for point in points))
    table.print()


def _seconds(seconds: float) -> str:
    return f"{seconds:.2f} s" if seconds >= 1.0 else f"{1e3 * seconds:.2f} ms"


def _some(names: Sequence[str], shown: int = 6) -> str:
    return abridged(names, shown) if names else "none"
