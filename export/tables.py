"""Writes the tables of a model for its program in C: metadata -> the texts of sizes.h and NAME_tables.c.

`program.h` declares the tables and says what they contain.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence

import numpy as np

from cutset.contract.metadata import ModelInfo
from cutset.export.first_point import FirstPoint
from cutset.runtime.description import Description
from cutset.runtime.events.event_tables import integer_tables, jump_places, made_discrete, number_tables, steppable
from cutset.runtime.events.isolation import isolation_tables
from cutset.runtime.events.start_tables import copied_guesses, overruled_parameters, systems_of_motion, used_constants
from cutset.runtime.runs.event_memory import model_sizes
from cutset.runtime.runs.experiment import Experiment
from cutset.runtime.solvers.matrix_layout import layout_of
from cutset.runtime.solvers.tableau import Tableau
from cutset.runtime.solvers.tableaus import DOPRI5, RK4
from cutset.runtime.targets.c_records import sizes_of, work_memory

# Doubles for each state that the explicit methods need, and rows between two calls.
_MOST_ROWS, ROWS = 12, 16
# The structures of a program that have work memory.
_RECORDS = {
    **{f"data.{name}": f"cutset_{name}" for name in ("watch", "branch", "poles", "history")},
    **{"events": "cutset_events", "events.jumps": "cutset_jumps", "events.failure": "cutset_failure"},
    **{f"events.{name}": "cutset_moment" for name in ("now", "state", "before")},
}
_NAME_OF_SIZE = re.compile(r"[a-z_]+")
_ROOM_FOR_DELAYS = """/* The number of steps within the longest delay for which the history of signals has room;
   each takes 4 numbers and 5 for each signal. Tell the compiler another one to change it. */
#ifndef CUTSET_STRETCHES
#define CUTSET_STRETCHES 4096
#endif"""


def sorted_names(info: ModelInfo) -> tuple[str, ...]:
    """The names of all variables and parameters in the order of the table of variables, which is that of strcmp."""
    return tuple(sorted(info.names, key=lambda name: name.encode()))


def sizes_text(info: ModelInfo, first: FirstPoint, experiment: Experiment, rows: int = ROWS) -> str:
    """The text of sizes.h; `rows` is the number of points between two calls for which there is memory."""
    checked = any(a.branch < 0 and not a.held for a in info.assertions)
    integers, numbers = isolation_tables((*info.isolated, *info.forcing))
    of_model = model_sizes(info, _MOST_ROWS)
    sizes: dict[str, int | str] = {name.upper(): number for name, number in of_model.items()}
    sizes |= {
        "INPUTS": len(info.inputs),
        "PARAMETERS": len(info.parameters),
        "CONSTANTS": info.n_constants,
        "USED_CONSTANTS": len(used_constants(info)),
        "LIMITS": len(info.limits),
        "NAMES": len(info.names),
        "STARTS": info.n_starts,
        "ALTERNATIVE_STARTS": len(info.alternative_starts),
        "OVERRULED": len(overruled_parameters(info)),
        "BEGINS": info.n_begins,
        "CONDITIONS": len(info.start_conditions),
        "ITERATIONS": len(info.iterations),
        "MOTIONS": len(systems_of_motion(info)) // 2,
        "COPIES": len(copied_guesses(info)) // 4,
        "VARIABLES": info.n_variables,
        "DISCRETE": len(info.discrete),
        "KNOWN": len(info.time_events),
        "ISOLATED": len(info.isolated),
        "FORCING": len(info.forcing),
        "IS_OPAQUE": int(info.has_opaque_forcing),
        "OPERATIONS": len(numbers["numbers"]),
        "KEYS": len(integers["key_places"]),
        "WHENS": len(info.whens),
        "ASSERTIONS": len(info.assertions),
        "RESTARTS": len(info.competing_restarts),
        "JACOBIAN": sum(map(len, info.jacobian)),
        "COLUMN_GROUPS": layout_of(info).groups,
        "HAS_JACOBIAN": int(info.has_jacobian),
        "HAS_FIRST_GUESSES": int(bool(first.guesses)),
        "ROWS_ARE_CHECKED": int(checked),
        "STEPPED": len(steppable(info)),
        "ROWS": rows,
        "MOST_STEPS": 1_000_000,
        "MEMORY": sum(sum(sizes_of(structure, of_model).values()) for structure in _RECORDS.values()),
    }
    sizes |= _settings(experiment)
    lines = "\n".join(f"#define CUTSET_{name} {number}" for name, number in sizes.items())
    lines += f"\n\n{_ROOM_FOR_DELAYS}" if info.delays else ""
    return f"/* The sizes of the model. */\n\n#ifndef CUTSET_SIZES_H\n#define CUTSET_SIZES_H\n\n{lines}\n\n#endif\n"


def memory_text() -> str:
    """The text of memory.h: the place of each array of work memory in that of the program."""
    places = [
        f"    p->{record}.{name} = {'(long *)' if kind == 'long' else ''}at, at += {_NAME_OF_SIZE.sub(_macro, size)};"
        for record, structure in _RECORDS.items()
        for name, kind, size in work_memory(structure)
    ]
    head = "/* Lets the arrays of work memory of an instance be parts of one. */", ""
    declared = "static void place_memory(struct cutset_program *p)", "{", "    double *at = p->memory;"
    return "\n".join([*head, *declared, *places, "}", ""])


def _macro(name: re.Match[str]) -> str:
    return f"CUTSET_{name[0].upper()}"


def _settings(experiment: Experiment) -> dict[str, str]:
    """What runs have by default; without output times of the model a run has 101."""
    span = experiment.stop - experiment.start
    interval = experiment.interval or span / ((experiment.points or 101) - 1)
    numbers = {"START": experiment.start, "STOP": experiment.stop, "INTERVAL": interval or 0.01}
    numbers |= {"RTOL": experiment.rtol, "ATOL": experiment.atol}
    return {name: repr(float(number)) for name, number in numbers.items()}


def tables_text(info: ModelInfo, description: Description, first: FirstPoint) -> str:
    """The text of NAME_tables.c."""
    parts = ["/* The tables of the model, as program.h describes them. */", "", '#include "program.h"', ""]
    variables = [_variable(info, description, name) for name in sorted_names(info)]
    parts += _table("struct cutset_variable", "cutset_variable_table", variables, "{0}")
    limits = [
        f"{{{limit.parameter}, {_bound(limit.minimum, -1.0)}, {_bound(limit.maximum, 1.0)}}}" for limit in info.limits
    ]
    parts += _table("struct cutset_limit", "cutset_limit_table", limits, "{0}")
    parts += _table("char *const", "cutset_assertion_table", [literal(a.text) for a in info.assertions], '""')
    for name, integers in _integers(info).items():
        parts += _table("long", f"cutset_{name}", map(str, integers), "0")
    numbers = {
        **number_tables(info),
        **isolation_tables((*info.isolated, *info.forcing))[1],
        "first_guesses": list(first.guesses),
        "first_modes": list(first.relations),
        **_tableau(DOPRI5),
        **_tableau(RK4),
    }
    for name, values in numbers.items():
        parts += _table("double", f"cutset_{name}", map(_number, values), "0.0")
    return "\n".join(parts)


def literal(text: str) -> str:
    """The text as a C string of printable ASCII characters; others become octal escapes of their UTF-8 bytes."""
    escaped = (
        chr(byte) if 32 <= byte < 127 and chr(byte) not in '"\\?' else f"\\{byte:03o}" for byte in text.encode("utf-8")
    )
    return f'"{"".join(escaped)}"'


def _variable(info: ModelInfo, description: Description, name: str) -> str:
    slot = info.names[name]
    unit = description.units.get(name, "")
    return f"{{{literal(name)}, {literal(unit)}, '{slot.array}', {slot.sign}, {slot.index}}}"


def _integers(info: ModelInfo) -> dict[str, Sequence[int]]:
    layout = layout_of(info)
    return {
        **integer_tables(info),
        **isolation_tables((*info.isolated, *info.forcing))[0],
        "jump_places": jump_places(info),
        "made": made_discrete(info),
        "stepped": [k for pair in steppable(info) for k in pair],
        "at_ends": [int(info.relations[k].at_ends) for k in info.crossings],
        "rows": layout.rows.tolist(),
        "columns": layout.columns.tolist(),
        "sequence": layout.sequence.tolist(),
        "first": layout.first.tolist(),
        "used_constants": used_constants(info),
        "copies": copied_guesses(info),
        "motions": systems_of_motion(info),
        "overruled": sorted(overruled_parameters(info)),
        "alternative_starts": [number for row in info.alternative_starts for number in row],
    }


def _tableau(tableau: Tableau) -> dict[str, list[float]]:
    weights = [weight for _, row in tableau.rows for weight in row]
    parts = {"nodes": [node for node, _ in tableau.rows], "weights": weights}
    parts |= {"error": list(tableau.error), "bump": list(tableau.bump)} if tableau.error else {}
    return {f"{tableau.name}_{part}": numbers for part, numbers in parts.items()}


def _table(kind: str, name: str, entries: Iterable[str], empty: str) -> list[str]:
    listed = list(entries) or [empty]
    return [f"const {kind} {name}[] = {{", *(f"    {entry}," for entry in listed), "};", ""]


def _bound(value: float | None, sign: float) -> str:
    return _number(sign * math.inf if value is None else value)


def _number(value: float) -> str:
    if math.isfinite(value):
        return repr(float(value))
    return "NAN" if np.isnan(value) else "INFINITY" if value > 0.0 else "CUTSET_BELOW_ALL"
