"""Defines the settings that methods of a model take by name, and shows and checks them in the signatures of these."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import wraps
from inspect import Parameter, signature
from typing import Any, TypedDict, TypeVar, cast

from cutset.api.files.input_tables import InputsOfRun
from cutset.api.translate.parameter_values import Setting
from cutset.runtime.interface import Vector

F = TypeVar("F", bound=Callable[..., Any])


class MethodSettings(TypedDict, total=False):
    """How a run is integrated. What is not given, or None, is that of the model's `experiment`, else the default.

    start      the start time in s (0)
    method     the integration method (auto)
    rtol, atol the error tolerances (1e-6, 1e-8)
    max_step   the limit on the length of a step in s
    """

    start: float | None
    method: str | None
    rtol: float | None
    atol: float | None
    max_step: float | None


class StepSettings(MethodSettings, total=False):
    """The settings of a simulator.

    inputs     numbers, functions of time or tables (see `cutset.table`) by name, or one table whose columns are inputs
    initial    start values by name of states, other variables with a derivative, and discrete variables
    max_steps  the limit on the steps between two output times
    """

    inputs: InputsOfRun | None
    initial: Mapping[str, float] | None
    max_steps: int | None


class RunSettings(StepSettings, total=False):
    """The settings of a run. Its result has rows at the start, the stop and between them at one of:

    points      so many evenly spaced output times (501)
    interval    one output time every `interval` s
    times       these instants
    parameters  values by name: numbers, lists for vectors and matrices, or names of enumeration values: True, "Stuck"
    """

    points: int | None
    interval: float | None
    times: Sequence[float] | Vector | None
    parameters: Mapping[str, Setting] | None


class SweepSettings(RunSettings, total=False):
    """The settings of the runs of a sweep.

    steady      find an equilibrium at each point, from that of the point before, with time held at the start; no runs
    known, find those of `inverse`, the same at all points
    target      that of `simulate`
    workers     the number of threads or processes (one for each core)
    scheduler   the address of a Dask cluster that does the runs
    """

    steady: bool
    known: Mapping[str, Any] | None
    find: Iterable[str]
    target: str
    workers: int | None
    scheduler: str | None


class BatchSettings(MethodSettings, total=False):
    """The settings of a batch besides the stop time. Those of `simulate` have the same meaning, but for the output
    times: without `points`, `interval` or `times` they are the start and the stop.

    Each value of `parameters`, `initial` and `inputs` is a number for all runs or an array with one for each; that of a
    vector or a matrix has the shape (runs, ...). `outputs` are patterns of the variables to record (default: the
    states), and measures, such as "max(C.u)", of the trajectories at the output times, which are then 501 by default.
    `workers` is the number of threads (default: one for each core). `progress(done, runs)` is called from time to time.
    """

    points: int | None
    interval: float | None
    times: Sequence[float] | Vector | None
    parameters: Mapping[str, Any]
    initial: Mapping[str, Any]
    inputs: Mapping[str, Any]
    outputs: Iterable[str] | None
    workers: int | None
    progress: Callable[[int, int], None]


class OptimizeSettings(TypedDict, total=False):
    """The settings of an optimal motion.

    stop        the time at the end in s (default: that of the model), or its range (least, most) if it is free
    start, end  values by name of variables, texts of expressions or patterns; ranges (least, most), in which None is no
                limit; or a result, whose last states they are. States that `start` does not name have the start of the
                model; None frees one
    limits      the greatest size, or a range, of inputs and variables at all points
    periodic    patterns of states that are at the end as at the start, which is then free
    free        parameters with their ranges; names alone have the limits of the model
    guess       a result from which the search starts, or values by name of states and inputs, evenly spaced over time
    modes       held values, as those of `cutset.Phase`
    phases      such phases one after the other, instead of `stop` and `modes`
    parameters  values of other parameters
    intervals   the number of intervals of a phase (20); degree, the collocation points in each (3); points, 'radau' or
    degree      'legendre'; interpolation of inputs between the intervals, 'linear' or 'hold'
    iterations  the most iterations of the solver (500)
    """

    stop: float | tuple[float | None, float | None] | None
    start: Any
    end: Any
    limits: Mapping[str, Any] | None
    periodic: Iterable[str] | None
    free: Iterable[str] | Mapping[str, tuple[float | None, float | None]] | None
    guess: Any
    modes: Mapping[str, float] | None
    phases: Iterable[Any] | None
    parameters: Mapping[str, Setting] | None
    intervals: int
    degree: int
    points: str
    interpolation: str
    iterations: int


class ManySettings(MethodSettings, total=False):
    """The settings of many simulators: those of one, with a number for all runs or an array with one for each as values
    of `parameters`, `initial` and `inputs`. Steps and resets can change what is given here. `outputs` are patterns of
    variables (default: the outputs of the model), `workers` the number of threads (default: one for each core)."""

    parameters: Mapping[str, Any]
    initial: Mapping[str, Any]
    inputs: Mapping[str, Any]
    max_steps: int | None
    outputs: Iterable[str] | None
    workers: int | None


def takes(table: type) -> Callable[[F], F]:
    """Decorates a function that takes the settings of a table: help and completion show each as an argument, and an
    unknown one is a TypeError."""

    def decorated(function: F) -> F:
        own = signature(function)
        named = [p for p in own.parameters.values() if p.kind is not Parameter.VAR_KEYWORD]
        kinds = {name: kind.__forward_arg__ for name, kind in table.__annotations__.items()}
        shown = [Parameter(each, Parameter.KEYWORD_ONLY, default=None, annotation=kinds[each]) for each in kinds]
        known = {p.name for p in named} | kinds.keys()

        @wraps(function)
        def checked(*args: Any, **given: Any) -> Any:
            for name in given.keys() - known:
                raise TypeError(f"{function.__name__}() has no argument '{name}'; it takes {', '.join(sorted(known))}")
            return function(*args, **given)

        checked.__signature__ = own.replace(parameters=[*named, *shown])  # type: ignore[attr-defined]
        return cast(F, checked)

    return decorated
