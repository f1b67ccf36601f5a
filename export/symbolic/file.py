"""Writes the file of a function of a model: printed code of the model -> a text of Python that runs without Cutset."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pprint import pformat

from cutset.contract.functions import FUNCTIONS
from cutset.contract.metadata import Slot
from cutset.contract.quick_dataclass import dataclass
from cutset.contract.version import __version__
from cutset.export.c_folder import file_text

EXPLICIT = ("t", "x", "u", "p", "m", "z"), ("dx", "y")
RESIDUAL = ("t", "dx", "x", "z", "u", "p", "m"), ("r", "y")
# What follows the code of the model, for each package.
_ENDS = {
    "casadi": "function = casadi_function({name!r}, evaluate, PACKAGE, {sizes}, {results})",
    "jax": "function = jax_function(evaluate)",
    "sympy": "function = sympy_function(evaluate, PACKAGE, NAMES, {arguments}, {results})",
}
_IMPORTS = """from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any
"""
# The lines of a module that are none of the file: the same imports, and those of other modules.
_LEFT_OUT = re.compile(r"^from (?:cutset|__future__|collections.abc|typing)\b.*\n", re.MULTILINE)


@dataclass(frozen=True)
class FunctionFile:
    """What the file of a function has: the names, units and default values of its arguments and results; the residual
    or the explicit form; the code; the slots of the results y; the guesses of iterations, as they begin the work memory
    of n_work numbers, and the places of the unknowns z in it; the constants, the slots of the parameters of
    the function, and the values of all."""

    name: str
    names: Mapping[str, tuple[str, ...]]
    units: Mapping[str, tuple[str, ...]]
    defaults: Mapping[str, tuple[float, ...]]
    is_residual: bool
    code: str
    outputs: tuple[Slot, ...]
    n_work: int
    guesses: tuple[float, ...]
    unknowns: tuple[int, ...]
    n_variables: int
    constants: tuple[float, ...]
    parameters: tuple[Slot, ...]
    values: tuple[float, ...]

    @property
    def needs_parameters(self) -> bool:
        """Whether a result depends on a parameter other than by the constants."""
        return bool(self.parameters) or any(s.array == "p" for s in self.outputs)

    def text(self, package: str) -> str:
        """The file for a package: casadi, jax or sympy."""
        arguments, results = RESIDUAL if self.is_residual else EXPLICIT
        sizes = {name: len(self.names[name]) for name in arguments}
        numpy_names = {op: row.numpy for op, row in FUNCTIONS.items()}
        known = {"names": self.names, "units": self.units, "defaults": self.defaults}
        about = f"{', '.join(arguments)} -> {', '.join(results)}"
        parts = [
            f'"""Has the model {self.name} as a function: {about}. Made by Cutset {__version__}."""',
            _IMPORTS,
            *(_LEFT_OUT.sub("", _without_docstring(name)) for name in ("shared", f"of_{package}")),
            *(f"{name.upper()} = {pformat(dict(value), width=120, compact=True)}" for name, value in known.items()),
            f"PACKAGE = {package.capitalize()}Package()",
            f"globals().update(operations(PACKAGE, {numpy_names}))",
            self.code,
            self._evaluation(arguments),
            _ENDS[package].format(name=self.name, sizes=sizes, arguments=arguments, results=results),
        ]
        return "\n\n".join(part.strip("\n") for part in parts) + "\n"

    def _evaluation(self, arguments: Sequence[str]) -> str:
        """The function of lists, one for each argument."""
        known = "t, x, u, c, m, w"
        lines = [f"def evaluate({', '.join(arguments)}):", "    t = t[0]"]
        lines.append(f"    w = Work({self.n_work}{', []' if self.is_residual else ''})")
        lines += [f"    w[:{len(self.guesses)}] = {list(self.guesses)}"] if self.guesses else []
        lines += [f"    w[{place}] = z[{k}]" for k, place in enumerate(self.unknowns)]
        lines += self._constants()
        n = len(self.names["x"])
        lines += [f"    rates, values = [0.0] * {n}, [0.0] * {self.n_variables}"]
        lines += [f"    derivatives({known}, rates)", f"    variables({known}, values)"]
        arrays = {"y": "values", "x": "x", "u": "u", "m": "m", "p": "q"}
        outputs = ", ".join(_signed(s, f"{arrays[s.array]}[{s.index}]") for s in self.outputs)
        first = "[*(a - b for a, b in zip(dx, rates)), *w.residuals]" if self.is_residual else "rates"
        return "\n".join([*lines, f"    return {first}, [{outputs}]"])

    def _constants(self) -> list[str]:
        if not self.needs_parameters:
            return [f"    c = {list(self.constants)}"]
        n = len(self.values)
        lines = [f"    q, given, c = Parameters([0.0] * {n}), [0.0] * {n}, Parameters([0.0] * {len(self.constants)})"]
        for k, s in enumerate(self.parameters):
            lines.append(f"    q[{s.index}], given[{s.index}] = {_signed(s, f'p[{k}]')}, 1.0")
        lines += ["    with np.errstate(all='ignore'):", "        bindings(q, given)", "        constants(q, c)"]
        return [*lines, "    c = [float(each) if is_number(each) else each for each in c]"]


def c_statements(file: FunctionFile) -> tuple[str, ...]:
    """The statements of the function in C, from its arguments to its results and their `sum`; `w` is work memory."""
    lines = [f"    const double {name}[1] = {{0.0}};" for name in EXPLICIT[0] if not file.names[name]]
    lines.append(f"    double values[{max(1, file.n_variables)}];")
    constants = "CONSTANTS"
    if file.needs_parameters:
        n, constants = len(file.values), "c"
        lines.append(f"    double q[{n}] = {{0.0}}, given[{n}] = {{0.0}}, c[{max(1, len(file.constants))}];")
        lines += [
            f"    q[{s.index}] = {_signed(s, f'p[{k}]')}; given[{s.index}] = 1.0;"
            for k, s in enumerate(file.parameters)
        ]
        lines += [
            "    memcpy(c, CONSTANTS, sizeof c);",
            "    cutset_bindings(q, given);",
            "    cutset_constants(q, c);",
        ]
    lines += [f"    w[{place}] = z[{k}];" for k, place in enumerate(file.unknowns)]
    known = f"t[0], x, u, {constants}, m, w"
    lines += [f"    cutset_derivatives({known}, dx);", f"    cutset_variables({known}, values);"]
    lines.append(f"    for (i = 0; i < {len(file.names['dx'])}; i++) sum += dx[i];")
    arrays = {"y": "values", "p": "q"}
    for k, s in enumerate(file.outputs):
        lines.append(f"    sum += y[{k}] = {_signed(s, f'{arrays.get(s.array, s.array)}[{s.index}]')};")
    return tuple(lines)


def _signed(slot: Slot, text: str) -> str:
    return f"-{text}" if slot.sign < 0 else text


def _without_docstring(name: str) -> str:
    return file_text(f"{name}.py", "symbolic").split('"""', 2)[2]
