"""Holds the result of a run: trajectories by name, and methods that write files and figures.

A run stores only the states; all other variables are evaluated together on first use.
"""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import field, replace
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any, TextIO

import numpy as np

from cutset.contract.metadata import Assertion, sensitivity_column, sensitivity_name
from cutset.contract.names import is_made
from cutset.contract.quick_dataclass import dataclass
from cutset.runtime.counted import counted
from cutset.runtime.description import Description
from cutset.runtime.errors import Interrupted, RunError, UnknownName, unknown_name, unknown_variable
from cutset.runtime.interface import CompiledModel, Values, Vector
from cutset.runtime.outcome import Outcome
from cutset.runtime.results.trajectories import Trajectories
from cutset.runtime.results.without_code import WithoutCode
from cutset.runtime.trajectory import Trajectory
from cutset.runtime.whole_files import written_whole

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from cutset.runtime.analysis.explain import Failure
    from cutset.runtime.analysis.linearize import Linearization
    from cutset.runtime.analysis.singular_point import Point
    from cutset.runtime.animation.inline import Inline
    from cutset.runtime.given.inputs import InputSignal
    from cutset.runtime.results.event_log import Event


@dataclass(frozen=True)
class Statistics:
    """The cost of a run. `method` is the method that integrated (never 'auto'), `error_test_failures` counts rejected
    steps, `events` counts the instants with events by kind: 'state', 'time' or 'sample'."""

    method: str
    steps: int
    evaluations: int
    error_test_failures: int
    wall_seconds: float
    events: Mapping[str, int] = field(default_factory=dict)


# Continues the run from its end: stop time, points, output interval, and new signals for some inputs.
GoesOn = Callable[[float, "int | None", "float | None", "Mapping[str, InputSignal]"], "Result"]
# Remarks, or a function that finds them.
Notes = tuple[str, ...] | Callable[[], tuple[str, ...]]


class Result(Trajectories):
    """The trajectories of one run: ``run["robot.r1.q"]`` is an array over ``run.time``. It can be copied and pickled;
    a pickled one has all values, but not the model: it cannot be continued or linearized, and has no `at`.

    `failure` is None if the run reached its end, else it explains why not. `ending` is the assertion with which the
    model terminated the run, if any. `statistics` is its cost, or a function that finds it. `description` holds units,
    documentation and the elements that can be drawn. `goes_on` continues the run (see `resume`); it is None if the
    result is not that of a run.
    """

    def __init__(
        self,
        model: CompiledModel,
        values: Values,
        trajectory: Trajectory,
        statistics: Statistics | Callable[[], Statistics],
        failure: Failure | None = None,
        ending: Assertion | None = None,
        description: Description = Description(),
        goes_on: GoesOn | None = None,
        notes: tuple[str, ...] = (),
    ):
        self._model = model
        self.goes_on = goes_on
        self.saves: Callable[[], bytes] | None = None
        self._values = values
        self._trajectory = trajectory
        self._description = description
        self._statistics = statistics
        self.failure = failure
        self.ending = ending
        self._notes: tuple[Notes, ...] = (notes,)

    def __repr__(self) -> str:
        ends = "" if self.failure is None else f", {self.failure.outcome.code}: {self.failure.outcome.message}"
        ends = f', ended by the model: "{self.ending.text}"' if self.ending is not None else ends
        rows = counted(len(self.time), "row")
        span = f"time {self.time[0]:g} to {self.time[-1]:g}" if len(self.time) > 1 else f"at time {self.time[0]:g}"
        return f"<Result of {self._model.info.name}: {rows}, {span}, {len(self.names())} names{ends}>"

    @property
    def rows(self) -> Trajectory:
        """The rows that the run has stored."""
        return self._trajectory

    @property
    def statistics(self) -> Statistics:
        """The cost of the run."""
        if not isinstance(self._statistics, Statistics):
            self._statistics = self._statistics()
        return self._statistics

    @property
    def notes(self) -> tuple[str, ...]:
        """Remarks on the run, found when they are first read."""
        self._notes = (tuple(note for notes in self._notes for note in (notes() if callable(notes) else notes)),)
        return self._notes[0]

    def add_notes(self, before: Notes, after: Notes = ()) -> None:
        """Put notes before and after those that there are."""
        self._notes = (before, *self._notes, after)

    @property
    def outcome(self) -> Outcome:
        """How the run ended."""
        if self.failure:
            return self.failure.outcome
        return Outcome.TERMINATED if self.ending else Outcome.COMPLETED

    def __getstate__(self) -> dict[str, Any]:
        """What is pickled: all values and events, computed now."""
        self.compute()
        assert self.events is not None
        kept = None if self.saves is None else partial(bytes, self.saves())
        fixed = replace(self._values, controllers=None)
        model = WithoutCode(self._model.info)
        found = {"_statistics": self.statistics, "_notes": (self.notes,)}
        return self.__dict__ | found | {"_model": model, "_values": fixed, "goes_on": None, "saves": kept}

    def __copy__(self) -> Result:
        """The same result: nothing in it changes."""
        return self

    def __deepcopy__(self, known: dict[int, Any]) -> Result:
        return self

    @property
    def description(self) -> Description:
        """Units, documentation, and the elements that can be drawn."""
        return self._description

    @property
    def compiled(self) -> CompiledModel:
        """The model that ran: that of the last part of the run if it has changed."""
        return self._model

    @property
    def fixed_values(self) -> Values:
        """The values that stay fixed during the run: parameters, constants, start values."""
        return self._values

    @cached_property
    def events(self) -> tuple[Event, ...]:
        """The events of the run in their order: instant, kinds, and what changed."""
        from cutset.runtime.results.event_log import events_of

        return events_of(self._model, self._values, self._trajectory)

    @property
    def last(self) -> Point:
        """The last row, for `linearize` and `evaluate`."""
        from cutset.runtime.analysis.singular_point import Point

        r = self._trajectory
        return Point(float(r.t[-1]), r.x[-1], r.u[-1], r.modes[-1])

    def sensitivity(self, name: str, parameter: str) -> Vector:
        """The derivative of a variable by a parameter or a start value ("start of x") at all rows, of a run with
        `sensitivities`: shape (n_times,). UnknownName E607 for others."""
        info, column = self._model.info, sensitivity_column(parameter)
        if column not in info.sensitivities:
            raise UnknownName("E607", *unknown_name("sensitivity", parameter, info.sensitivities))
        slot = info.names.get(name)
        if slot is not None and slot.array in ("m", "u", "x", "y"):
            for other, place in info.names.items():
                if (place.array, place.index) == (slot.array, slot.index):
                    found = sensitivity_name(other, column)
                    if found in info.names:
                        return slot.sign * place.sign * self[found]
            if slot.array in ("m", "u"):
                return np.zeros(len(self.time))
        raise unknown_variable(name, info.names)

    def resume(
        self,
        stop: float,
        *,
        points: int | None = None,
        interval: float | None = None,
        inputs: Mapping[str, InputSignal] | None = None,
    ) -> Result:
        """Continue the run from its end to `stop`; the new result starts there. Discrete variables, modes, samples and
        delayed values are kept, and the start is not repeated.

        Output times are as before unless `points` or `interval` is given; `inputs` replaces signals by name from here
        on. A run can be continued several times. After a condition has ended the run, it ends the new run when it
        becomes true again. RunError as in `Model.simulate`; E605 if the run failed.
        """
        if self.goes_on is None or self.failure is not None:
            hint = "continue a completed run, or start a new run from these states"
            raise RunError("E605", "this run cannot be continued: it failed", hint)
        return self.goes_on(stop, points, interval, inputs or {}).completed()

    def completed(self) -> Result:
        """The result of a run that reached its end. RunError for one that failed, Interrupted (a KeyboardInterrupt) for
        one that Ctrl-C ended; both have the result as `result`."""
        if self.failure is None:
            return self
        if self.failure.outcome is Outcome.INTERRUPTED:
            raise Interrupted(self)
        error = self.failure.error()
        error.result = self
        raise error

    def state(self) -> bytes:
        """The state at the end of the run, from which `Model.simulate` and `Simulator.restore` continue. RunError E605
        if the run failed, or after the method bdf."""
        if self.saves is None:
            hint = "save the state of a completed run, by another method than bdf and ggl"
            raise RunError("E605", "this run has no state from which another can continue", hint)
        return self.saves()

    def linearize(self, outputs: str | Iterable[str] = ()) -> Linearization:
        """The linear model about the last row: A, B, C, D, eigenvalues, and `motions` (the natural modes, each with its
        frequency, damping and participating states). `outputs` are patterns of names of
        variables as in `select`; names without an equation, such as time, are skipped. Errors as in
        `cutset.runtime.analysis.linearize.linearize`; E605 for a run by the method bdf."""
        from cutset.runtime.analysis.linearize import linearize

        if self._model.info.n_algebraic:
            hint = "repeat the run with another method, such as cvode-bdf"
            raise RunError("E605", "a run by the method bdf cannot be linearized: it has no states", hint)

        self._values.w[: self._model.info.n_guesses] = self._trajectory.guesses[-1]
        names = [name for name in self.select(outputs) if name in self._model.info.names]
        return linearize(self._model, self._values, self.last, names)

    @property
    def time(self) -> Vector:
        """The times of the rows in s: shape (n,), ascending. An event has two rows at one time: just before and after
        it."""
        return self._trajectory.t

    def names(self) -> tuple[str, ...]:
        """The names of all variables and parameters, without ``time`` and those that the compiler made."""
        return tuple(name for name in self._selectable() if not is_made(name))

    def _selectable(self) -> tuple[str, ...]:
        info = self._model.info
        return (*info.names, *(name for name in info.folded if name not in info.names))

    def column(self, name: str) -> Vector | None:
        """The trajectory of a variable; for a parameter, its value in each row: shape (n,); None for another name."""
        info = self._model.info
        slot = info.names.get(name)
        if name == "time":
            return self.time
        if slot is None:
            return np.full(len(self.time), info.folded[name]) if name in info.folded else None
        if slot.array == "p":
            return np.full(len(self.time), slot.sign * self._values.p[slot.index])
        if slot.array == "y":
            column = self._variables[:, slot.index]
        else:
            r = self._trajectory
            column = {"x": r.x, "u": r.u, "m": r.modes}[slot.array][:, slot.index]
        return column.copy() if slot.sign > 0 else -column

    def _at(self, times: Vector) -> Result:
        from cutset.runtime.results.row_interpolation import rows_at

        rows = rows_at(self._model, self._values, self._trajectory, times)
        return Result(self._model, self._values, rows, self.statistics, description=self.description)

    @cached_property
    def _variables(self) -> Vector:
        r = self._trajectory
        return self._model.variables(r.t, r.x, r.u, self._values, r.modes, r.guesses)[:, : self._model.info.n_variables]

    def first_row(self, names: Iterable[str]) -> dict[str, float]:
        """The values in the first row of those names that are variables; the other rows are not computed."""
        r, slots = self._trajectory, self._model.info.names
        y = self._model.variables(r.t[:1], r.x[:1], r.u[:1], self._values, r.modes[:1], r.guesses[:1])
        arrays = {"y": y, "x": r.x, "u": r.u, "m": r.modes}
        found = {name: slots[name] for name in names if slots[name].array in arrays}
        return {name: float(slot.sign * arrays[slot.array][0, slot.index]) for name, slot in found.items()}

    def compute(self) -> None:
        """Compute all variables now, rather than when they are asked for: it calls functions that end with the run."""
        assert self._variables is not None

    def first_not_finite(self) -> Failure | None:
        """The first row where a variable is not finite, explained; None if all are. A run can complete despite such
        rows."""
        wrong = np.flatnonzero(~np.isfinite(self._variables).all(axis=1))
        held = np.argwhere(~np.isfinite(self._trajectory.modes[:, len(self._model.info.relations) :]))
        if len(held) and not (len(wrong) and wrong[0] <= held[0, 0]):
            return self._not_finite_discrete(int(held[0, 0]), int(held[0, 1]))
        if not len(wrong):
            return None
        from cutset.runtime.analysis.explain import explain
        from cutset.runtime.analysis.singular_point import Point

        r, row = self._trajectory, wrong[0]
        point = Point(float(r.t[row]), r.x[row], r.u[row], r.modes[row])
        self._values.w[: r.guesses.shape[1]] = r.guesses[row]
        return explain(self._model, self._values, Outcome.VARIABLE_NOT_FINITE, point, None)

    def _not_finite_discrete(self, row: int, number: int) -> Failure:
        from cutset.runtime.analysis.explain import Failure

        r, info = self._trajectory, self._model.info
        states = dict(zip(info.states, r.x[row].tolist(), strict=True))
        value = r.modes[row, len(info.relations) + number]
        details = [f"{name} = {x!r}" for name, x in list(states.items())[:12]]
        what = f"the discrete variable {info.discrete[number]} is {value}"
        at = float(r.t[row])
        outcome = Outcome.VARIABLE_NOT_FINITE
        return Failure(outcome, at, states, at, states, None, None, None, what=what, details=tuple(details))

    def _columns(self, outputs: Iterable[str] | None) -> Iterator[tuple[str, Vector]]:
        yield "time", self.time
        names = self.names() if outputs is None else self.select(outputs)
        for name in names:
            column = None if name == "time" else self.column(name)
            if column is not None:
                yield name, column

    def to_csv(
        self, path: str | os.PathLike[str] | TextIO, outputs: Iterable[str] | None = None, *, display: bool = False
    ) -> None:
        """Write a CSV file, or to an open one: ``time``, then one column for each name that matches one of `outputs`
        (all if None), with `display` in the units in which people see them, which the heads name. Numbers keep all
        digits. RunError E605 if the file extension belongs to a format that is not text."""
        if isinstance(path, str | os.PathLike):
            _check_extension(path, ".csv", _NO_TEXTS)
            with written_whole(path) as place, open(place, "w", newline="", encoding="utf-8") as file:
                self._write_csv(file, outputs, display)
        else:
            self._write_csv(path, outputs, display)

    def _write_csv(self, file: TextIO, outputs: Iterable[str] | None, display: bool = False) -> None:
        import csv

        names, columns = zip(*self._columns(outputs), strict=True)
        if display:
            columns = tuple(map(self.description.shown, names, columns))
            names = tuple(map(self.description.label, names))
        # Most names are aliases or parameters, so each distinct trajectory is formatted once.
        digits: dict[bytes, list[str]] = {}
        csv.writer(file, lineterminator="\n").writerow(names)
        cells = [_cells(column, digits) for column in columns]
        file.writelines(",".join(row) + "\n" for row in zip(*cells, strict=True))

    def to_npz(self, path: str | os.PathLike[str], outputs: Iterable[str] | None = None) -> None:
        """Write the columns of `to_csv` for ``numpy.load``, one array per name, and as members of the archive
        `description` and the state at the end of the run, from which another run can continue. RunError E605 if the
        file extension belongs to another format."""
        import zipfile

        _check_extension(path, ".npz", _NO_TEXTS | _TEXTS)
        # Not numpy.savez, whose keywords would clash with names such as "file".
        with written_whole(path) as place, zipfile.ZipFile(place, "w", zipfile.ZIP_DEFLATED) as archive:
            for name, column in self._columns(outputs):
                with archive.open(f"{name}.npy", "w") as member:
                    np.lib.format.write_array(member, column, allow_pickle=False)
            if self.description != Description():
                archive.writestr(DESCRIPTION_MEMBER, self.description.to_json())
            if self.saves is not None:
                archive.writestr(STATE_MEMBER, self.saves())

    def to_mat(self, path: str | os.PathLike[str], outputs: Iterable[str] | None = None) -> None:
        """Write the columns of `to_csv` as a MATLAB file in Dymola's layout, with units and documentation. RunError
        E605 if the file extension belongs to another format."""
        from cutset.runtime.results.dymola import write_mat

        _check_extension(path, ".mat", _NO_TEXTS | _TEXTS)
        info = self._model.info
        columns = (
            (name, column, name in info.folded or info.names[name].array == "p")
            for name, column in self._columns(outputs)
            if name != "time"
        )
        write_mat(path, self.time, columns, self.description)

    def to_parquet(self, path: str | os.PathLike[str], outputs: Iterable[str] | None = None) -> None:
        """Write the columns of `to_csv` as a Parquet file, with units and documentation in its schema. RunError E605 if
        the file extension belongs to another format, E647 if pyarrow is not installed."""
        from cutset.runtime.results.parquet import write_parquet

        _check_extension(path, ".parquet", _NO_TEXTS | _TEXTS)
        write_parquet(path, self._columns(outputs), self.description)

    def animate(self, path: str | os.PathLike[str] | None = None) -> Inline | None:
        """Write the motion of a multibody model as a web page (.html) or as glTF (.glb); without a path, return it for
        a notebook to show. RunError E605 for another file extension, E646 if the model has nothing to draw. Warns of
        meshes that are not drawn, or simplified."""
        from cutset.runtime.animation.animate import animate, inline

        shown, notes = inline(self) if path is None else (None, animate(self, path))
        for note in notes:
            warnings.warn(note, stacklevel=2)
        return shown

    def plot(self, *names: str, over: str | Iterable[str] = (), save: str | os.PathLike[str] | None = None) -> Figure:
        """Plot the named trajectories over time, or over the variables `over`: one for all names, or one for each, in
        their order. Also write the figure to `save` if given. RunError E605 if `over` has another number of variables,
        or the file extension is not that of an image."""
        from cutset.runtime.results.plot import figure

        drawn = figure({self._model.info.name: self}, self.select(names), self.select(over))
        if save is not None:
            kinds = drawn.canvas.get_supported_filetypes()
            if os.path.splitext(save)[1].lower()[1:] not in kinds:
                hint = f"use a name that ends in one of: {', '.join(f'.{kind}' for kind in sorted(kinds))}"
                raise RunError("E605", f"'{os.fspath(save)}' is not the name of a picture file", hint)
            with written_whole(save) as place:
                drawn.savefig(place, dpi=150)
        return drawn


# The description's place in a .npz file; it cannot be the name of an array, since these end in .npy.
DESCRIPTION_MEMBER = "cutset.json"
# The place of the state at the end of the run.
STATE_MEMBER = "cutset.state"
# File extensions of text formats, and of others.
_TEXTS = frozenset({".csv", ".txt", ".tsv", ".dat", ".json", ".md", ".mo", ".py"})
_NO_TEXTS = frozenset(
    {
        ".npz",
        ".npy",
        ".mat",
        ".xls",
        ".xlsx",
        ".ods",
        ".parquet",
        ".feather",
        ".h5",
        ".hdf5",
        ".pkl",
        ".png",
        ".svg",
        ".pdf",
    }
)


def _check_extension(path: str | os.PathLike[str], own: str, others: frozenset[str]) -> None:
    extension = os.path.splitext(path)[1].lower()
    if extension in others - {own}:
        method = {".csv": "to_csv", ".npz": "to_npz", ".mat": "to_mat", ".parquet": "to_parquet"}
        hint = f"use a name that ends in '{own}'" + (
            f", or write it with {method[extension]}" if extension in method else ""
        )
        raise RunError("E605", f"'{os.fspath(path)}' is not a file name for {method[own]}", hint)


def _cells(column: Vector, digits: dict[bytes, list[str]]) -> list[str]:
    """The numbers of a column as strings; `digits` caches the strings of earlier columns."""
    key = column.tobytes()
    if key not in digits:
        digits[key] = [repr(value) for value in column.tolist()]
    return digits[key]
