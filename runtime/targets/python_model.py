"""Runs the target python: the generated code of model.py. Evaluation needs no compiler; integrates nothing.

Every function runs on plain floats, which is fastest. If that raises, for example on a division by zero, it runs again
on numpy floats, which continue with inf and nan as C does.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from cutset.contract.functions import FUNCTIONS
from cutset.contract.interpolation import INTERPOLATIONS
from cutset.contract.metadata import ModelInfo, SourceFiles
from cutset.contract.pivot_selection import exchange, quality
from cutset.runtime.errors import Fault
from cutset.runtime.interface import CompiledModel, Values, Vector
from cutset.runtime.targets.binding import bind
from cutset.runtime.targets.c_functions import OnceFunctions
from cutset.runtime.targets.engine import Engine
from cutset.runtime.targets.externals import Faults
from cutset.runtime.targets.foreign_library import functions_in_c
from cutset.runtime.targets.linear_systems import solve
from cutset.runtime.targets.newton import Care, newton
from cutset.runtime.targets.open_systems import OpenSystems
from cutset.runtime.targets.scripted import Script, engine_of

SOURCE = "model.py"
# Functions without work memory have at most so many arrays.
_MOST_WITHOUT_WORK = 3

Namespace = Mapping[str, Any]


@dataclass(frozen=True)
class PythonModel(CompiledModel, Script):
    """`CompiledModel` for the functions of model.py: `plain` on floats, `quiet` on numpy floats."""

    info: ModelInfo
    plain: Namespace
    quiet: Namespace
    faults: Faults
    open_systems: OpenSystems
    care: Care
    target: str = "python"
    unreduced: CompiledModel | None = None

    @property
    def engine(self) -> Engine:
        """As `CompiledModel.engine`."""
        return self._engine

    @cached_property
    def _engine(self) -> Engine:
        return engine_of(self)

    def bind(self, given: Mapping[str, float]) -> Values:
        """As `CompiledModel.bind`."""
        once = {name: self._once(name) for name in OnceFunctions.__dataclass_fields__}
        return bind(self.info, OnceFunctions(**once), given, self.fault)

    def fault(self) -> Fault | None:
        """As `CompiledModel.fault`."""
        return self.faults.take()

    def left_open(self) -> int:
        """As `CompiledModel.left_open`."""
        return self.open_systems.take()

    def time_events(self, values: Values, modes: Vector) -> Vector:
        """As `CompiledModel.time_events`: shape (n, 2)."""
        times = np.zeros(2 * len(self.info.time_events))
        self.write("time_events", None, [values.c, modes, times])
        return times.reshape(-1, 2)

    def variables(
        self, t: Vector, x: Vector, u: Vector, values: Values, modes: Vector, guesses: Vector | None = None
    ) -> Vector:
        """As `CompiledModel.variables`: shape (n, n_results)."""
        n, rows = self.info.n_results, []
        for k in range(len(t)):
            if guesses is not None:
                # The run has no guesses for iterations that the derivatives do not need: these continue from point to
                # point.
                given = guesses[k] != guesses[k - 1] if k else slice(None)
                values.w[: self.info.n_guesses][given] = guesses[k][given]
            rows.append(self._evaluate("variables", n, values, float(t[k]), (x[k], u[k]), (modes[k],)))
        return np.array(rows).reshape(len(t), n)

    def _evaluate(
        self, name: str, size: int, values: Values, t: float, before: Sequence[Vector], after: Sequence[Vector]
    ) -> Vector:
        if values.controllers is not None:
            self.faults.use(values.controllers)
        result = np.zeros(size)
        self.write(name, t, [*before, values.c, *after, values.w, result])
        return result

    def write(self, name: str, t: float | None, arrays: Sequence[Vector]) -> None:
        """As `Script.write`."""
        out, is_once = 0 if name == "bindings" else -1, name in OnceFunctions.__dataclass_fields__
        given: list[Any] = [array.tolist() for array in arrays]
        if not is_once:
            given[out] = [0.0] * len(arrays[out])
        if not succeeds(self.plain[name], *(() if t is None else (t,)), *given):
            given = [array.copy() for array in arrays]
            if not is_once:
                given[out].fill(math.nan)
            if not succeeds(self.quiet[name], *(() if t is None else (np.float64(t),)), *given) and is_once:
                given[out].fill(math.nan)
        self._take(name, arrays, given, out)

    def _take(self, name: str, arrays: Sequence[Vector], given: Sequence[Any], out: int) -> None:
        """Take over what a function has written into the arguments that it was given."""
        if name == "watch" or len(arrays) > _MOST_WITHOUT_WORK:
            info = self.info
            kept = info.n_guesses + info.n_guards + info.n_watched
            arrays[-2][:kept] = given[-2][:kept]
        arrays[out][:] = given[out]

    def _once(self, name: str) -> Callable[[Vector, Vector], None]:
        return lambda first, second: self.write(name, None, [first, second])


def succeeds(function: Callable[..., None], *arguments: Any) -> bool:
    """Calls it with numpy's warnings off; False if it raises an arithmetic error."""
    try:
        with np.errstate(all="ignore"):
            function(*arguments)
    except (ArithmeticError, ValueError):
        return False
    return True


def is_available() -> bool:
    """True: Python is always available."""
    return True


def load(info: ModelInfo, files: SourceFiles, unreduced: CompiledModel | None = None) -> PythonModel:
    """The model in `files`, beside the unreduced one. SyntaxError or KeyError if they hold none."""
    faults, care, open_systems = Faults(info, functions_in_c(info, files)), Care(), OpenSystems(solve)
    plain, quiet = (namespace(kind, files[SOURCE], faults, care, open_systems) for kind in (float, np.float64))
    return PythonModel(info, plain, quiet, faults, open_systems, care, unreduced=unreduced)


def namespace(
    kind: Callable[[Any], Any], code: str, faults: Faults, care: Care, open_systems: OpenSystems
) -> Namespace:
    """The functions of model.py on numbers of this kind: Python's, or those of a type of numpy, which have nan in place
    of an exception, so that a division by them raises none."""
    values: dict[str, Any] = {op: row.value for op, row in FUNCTIONS.items()} | dict(INTERPOLATIONS)
    lists: dict[str, Callable[..., list[float]]] = {
        "exchange": exchange,
        "quality": quality,
        "external": faults.external,
    }
    solvers: dict[str, Callable[..., None]] = {"solve": solve, "solve_open": open_systems.solve}
    if kind is not float:
        values = {op: _value(kind, function) for op, function in values.items()}
        values |= {op: getattr(np, row.numpy) for op, row in FUNCTIONS.items() if row.numpy}
        lists = {name: _listed(kind, function) for name, function in lists.items()}
        solvers = {name: _in_place(kind, function) for name, function in solvers.items()}
    own = {"newton": _newton_of(faults, care), "finite": care.finite, "check_table": _check_table}
    found = {**values, **lists, **solvers, **own, "real": kind, "fail": lambda number: kind(faults.fail(number))}
    exec(compile(code, SOURCE, "exec"), found)
    return found


def _newton_of(faults: Faults, care: Care) -> Callable[..., None]:
    """`newton` with the number of its error message."""
    solve: Callable[..., bool] = newton

    def call(*arguments: Any) -> None:
        if not solve(*arguments, care) and not care.careful:
            faults.fail(-arguments[-1])

    return call


def _value(kind: Callable[[Any], Any], function: Callable[..., float]) -> Callable[..., Any]:
    def call(*arguments: Any) -> Any:
        try:
            return kind(function(*arguments))
        except (ValueError, OverflowError):
            return kind(math.nan)

    return call


def _listed(kind: Callable[[Any], Any], function: Callable[..., list[float]]) -> Callable[..., list[Any]]:
    def call(*arguments: Any) -> list[Any]:
        *sizes, given = arguments
        return list(map(kind, function(*sizes, list(map(float, given)))))

    return call


def _in_place(kind: Callable[[Any], Any], solver: Callable[..., None]) -> Callable[..., None]:
    def call(n: int, lower: int, upper: int, A: Any, b: Any, *number: int) -> None:
        solver(n, lower, upper, A, b, *number)
        b[:n] = list(map(kind, b[:n]))

    return call


def _check_table(n: int, p: list[float], start: int) -> None:
    """Invalidate a table whose xs do not ascend: its ys become nan."""
    if not all(p[k - 1] < p[k] for k in range(start + 1, start + n)):
        p[start + n : start + 2 * n] = [math.nan] * n
