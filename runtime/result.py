"""What a run left: trajectories by name, and files of them. Computes no trajectory but the variables, once, when asked.

Only states are stored during a run; all other unknowns are evaluated together on first use.
"""

from __future__ import annotations

import csv
import os
import zipfile
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from cutset.contract.metadata import Assertion
from cutset.runtime.description import Description
from cutset.runtime.errors import RunError, UnknownName, unknown_name
from cutset.runtime.explain import Failure, Point, explain
from cutset.runtime.interface import CompiledModel, Values, Vector
from cutset.runtime.outcome import Outcome
from cutset.runtime.selection import select

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from cutset.runtime.inputs import InputSignal
    from cutset.runtime.linearize import Linearization


@dataclass(frozen=True, eq=False)
class Trajectory:
    """n rows: times (n,), states (n, n_states), inputs (n, n_inputs), modes (n, n_modes); and the guesses (n,
    n_guesses) of iterations that the run had there, without which those of rows far from each other would not converge,
    or to another solution. An event has two rows."""

    t: Vector
    x: Vector
    u: Vector
    modes: Vector
    guesses: Vector


@dataclass(frozen=True)
class Statistics:
    """What a run cost. `method` is what integrated in fact; `error_test_failures` counts steps refused, `events` the
    instants at which something happened by what it was: 'state', 'time' or 'sample'."""

    method: str
    steps: int
    evaluations: int
    error_test_failures: int
    wall_seconds: float
    events: Mapping[str, int] = field(default_factory=dict)


# The run from its end on, to this stop, with these points or this interval of output, and with other signals of these
# inputs.
GoesOn = Callable[[float, "int | None", "float | None", "Mapping[str, InputSignal]"], "Result"]


class Result:
    """The trajectories of one run: ``run["robot.r1.q"]`` is an array over ``run.time``.

    `failure` is None where the run reached its end, and tells why it did not otherwise. `ending` is what a model that
    ended the run itself said. `description` has units, documentation and what can be drawn in space. `goes_on` is how
    the run is continued: to which stop, with how many points or which interval of output, with which inputs; None for
    what is not the result of a run. `notes` are what is worth saying of the run.
    """

    def __init__(
        self,
        model: CompiledModel,
        values: Values,
        trajectory: Trajectory,
        statistics: Statistics,
        failure: Failure | None = None,
        ending: Assertion | None = None,
        description: Description = Description(),
        goes_on: GoesOn | None = None,
        notes: tuple[str, ...] = (),
    ):
        self._model = model
        self.goes_on = goes_on
        self._values = values
        self._trajectory = trajectory
        self.statistics = statistics
        self.failure = failure
        self.ending = ending
        self.description = description
        self.notes = notes

    def __repr__(self) -> str:
        ends = "" if self.failure is None else f", {self.failure.outcome.code}: {self.failure.outcome.message}"
        ends = f', ended by the model: "{self.ending.text}"' if self.ending is not None else ends
        span = f"time {self.time[0]:g} to {self.time[-1]:g}" if len(self.time) > 1 else f"at time {self.time[0]:g}"
        return f"<Result of {self._model.info.name}: {len(self.time)} rows, {span}, {len(self.names())} names{ends}>"

    @property
    def outcome(self) -> Outcome:
        """How the run ended."""
        if self.failure:
            return self.failure.outcome
        return Outcome.TERMINATED if self.ending else Outcome.COMPLETED

    @property
    def values(self) -> Values:
        """What stayed fixed during the run."""
        return self._values

    @property
    def last(self) -> Point:
        """The last row, as the model is evaluated there."""
        r = self._trajectory
        return Point(float(r.t[-1]), r.x[-1], r.u[-1], r.modes[-1])

    def resume(
        self,
        stop: float,
        *,
        points: int | None = None,
        interval: float | None = None,
        inputs: Mapping[str, InputSignal] | None = None,
    ) -> Result:
        """The run goes on from its end to `stop`, as if it had not ended: discrete variables, modes, samples, delayed
        values and what counts for later events are kept, nothing of the start is done again. The result has what comes
        from here on, with outputs as before where neither `points` nor `interval` is given; `inputs` are signals that
        change from here on, by name. A run can be continued several times. RunError as in `simulate`, and E605 where it
        failed or the model ended it."""
        if self.goes_on is None or self.outcome is not Outcome.COMPLETED:
            hint = "continue one that did, or begin anew from its states"
            raise RunError("E605", "this run cannot be continued: it did not reach its stop", hint)
        result = self.goes_on(stop, points, interval, inputs or {})
        if result.failure is not None:
            raise result.failure.error()
        return result

    def linearize(self, outputs: str | Iterable[str] = ()) -> Linearization:
        """The model about the last row. `outputs` are names of variables, with ``*`` and ``?`` as in `select`; what is
        no variable of the code, as time, is left out. Errors as in `cutset.runtime.linearize.linearize`."""
        from cutset.runtime.linearize import linearize

        self._values.w[: self._model.info.n_guesses] = self._trajectory.guesses[-1]
        names = [name for name in self.select(outputs) if name in self._model.info.names]
        return linearize(self._model, self._values, self.last, names)

    @property
    def time(self) -> Vector:
        """The instants of the rows, ascending; the instant of an event stands twice."""
        return self._trajectory.t

    def names(self) -> tuple[str, ...]:
        """Every name that can be asked for but ``time``."""
        info = self._model.info
        return (*info.names, *(name for name in info.folded if name not in info.names))

    def __iter__(self) -> Iterator[str]:
        return iter(self.names())

    def __contains__(self, name: object) -> bool:
        info = self._model.info
        if not isinstance(name, str):
            return False
        return name == "time" or name in info.names or name in info.folded

    def __getitem__(self, name: str) -> Vector:
        """The trajectory of a variable, or a parameter as a constant one: shape (n,). UnknownName if there is none."""
        info = self._model.info
        if not isinstance(name, str):
            raise UnknownName("E607", *unknown_name("variable", name, ()))
        slot = info.names.get(name)
        if name == "time":
            return self.time
        if slot is None and name in info.folded:
            return np.full(len(self.time), info.folded[name])
        if slot is None:
            raise UnknownName("E607", *unknown_name("variable", name, self.names()))
        if slot.array == "p":
            return np.full(len(self.time), slot.sign * self._values.p[slot.index])
        if slot.array == "y":
            column = self._variables[:, slot.index]
        else:
            r = self._trajectory
            column = {"x": r.x, "u": r.u, "m": r.modes}[slot.array][:, slot.index]
        return column.copy() if slot.sign > 0 else -column

    @cached_property
    def _variables(self) -> Vector:
        r = self._trajectory
        return self._model.variables(r.t, r.x, r.u, self._values, r.modes, r.guesses)[:, : self._model.info.n_variables]

    def first_not_finite(self) -> Failure | None:
        """The first row at which a variable is not finite, explained, or None; a run can complete despite it."""
        wrong = np.flatnonzero(~np.isfinite(self._variables).all(axis=1))
        if not len(wrong):
            return None
        r, row = self._trajectory, wrong[0]
        point = Point(float(r.t[row]), r.x[row], r.u[row], r.modes[row])
        self._values.w[: r.guesses.shape[1]] = r.guesses[row]
        return explain(self._model, self._values, Outcome.VARIABLE_NOT_FINITE, point, None)

    def select(self, patterns: str | Iterable[str]) -> tuple[str, ...]:
        """The names that match any of the patterns, in which ``*`` stands for any text and ``?`` for one character.
        Elements of an array are together, by their indices. UnknownName for a pattern that matches none."""
        return select([patterns] if isinstance(patterns, str) else patterns, ("time", *self.names()))

    def _columns(self, outputs: Iterable[str] | None) -> Iterator[tuple[str, Vector]]:
        yield "time", self.time
        names = self.names() if outputs is None else self.select(outputs)
        yield from ((name, self[name]) for name in names if name != "time")

    def to_csv(self, path: str | os.PathLike[str], outputs: Iterable[str] | None = None) -> None:
        """A table with a column for each name that matches one of `outputs` (all where None), ``time`` first; every
        number with as many digits as it takes to read it back exactly. RunError E605 for a file whose ending names
        something that is no text."""
        _check_ending(path, ".csv", _NO_TEXTS)
        names, columns = zip(*self._columns(outputs), strict=True)
        # Most names are aliases or parameters: every trajectory is turned into digits once.
        digits: dict[bytes, list[str]] = {}
        with open(path, "w", newline="", encoding="utf-8") as file:
            csv.writer(file, lineterminator="\n").writerow(names)
            cells = [_cells(column, digits) for column in columns]
            file.writelines(",".join(row) + "\n" for row in zip(*cells, strict=True))

    def to_npz(self, path: str | os.PathLike[str], outputs: Iterable[str] | None = None) -> None:
        """The same columns for ``numpy.load``, each an array by its name, and the `description` as a further member of
        the archive. RunError E605 for a file whose ending names something else."""
        _check_ending(path, ".npz", _NO_TEXTS | _TEXTS)
        # Not numpy.savez, whose keywords would clash with names such as "file".
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
            for name, column in self._columns(outputs):
                with archive.open(f"{name}.npy", "w") as member:
                    np.lib.format.write_array(member, column, allow_pickle=False)
            if self.description != Description():
                archive.writestr(DESCRIPTION_MEMBER, self.description.to_json())

    def to_mat(self, path: str | os.PathLike[str], outputs: Iterable[str] | None = None) -> None:
        """The same columns as Dymola writes them, with units and documentation: for its tools, and those that read its
        files. RunError E605 for a file whose ending names something else."""
        from cutset.runtime.dymola import write_mat

        _check_ending(path, ".mat", _NO_TEXTS | _TEXTS)
        info = self._model.info
        columns = (
            (name, column, name in info.folded or info.names[name].array == "p")
            for name, column in self._columns(outputs)
            if name != "time"
        )
        write_mat(path, self.time, columns, self.description)

    def to_parquet(self, path: str | os.PathLike[str], outputs: Iterable[str] | None = None) -> None:
        """The same columns as a Parquet file, with units and documentation in its schema. RunError E605 for a file
        whose ending names something else, E647 where pyarrow is not installed."""
        from cutset.runtime.parquet import write_parquet

        _check_ending(path, ".parquet", _NO_TEXTS | _TEXTS)
        write_parquet(path, self._columns(outputs), self.description)

    def animate(self, path: str | os.PathLike[str]) -> None:
        """The motion of a multibody model as a page that plays it (.html), or as glTF (.glb). RunError E605 for another
        ending, E646 where the model has nothing that can be drawn."""
        from cutset.runtime.animation.animate import animate

        animate(self, path)

    def plot(self, *names: str, save: str | os.PathLike[str] | None = None) -> Figure:
        """A figure of the named trajectories over time, written to `save` where that is given. RunError E605 for a file
        whose ending names no kind of picture."""
        from cutset.runtime.plot import figure

        drawn = figure({self._model.info.name: self}, self.select(names))
        if save is not None:
            kinds = drawn.canvas.get_supported_filetypes()
            ending = os.path.splitext(save)[1].lower()
            if ending[1:] not in kinds:
                hint = f"end its name in one of: {', '.join(f'.{kind}' for kind in sorted(kinds))}"
                raise RunError("E605", f"'{os.fspath(save)}' names no kind of picture", hint)
            drawn.savefig(save, dpi=150)
        return drawn


# Where the description stands in a .npz file: no name of an array, since these end in .npy.
DESCRIPTION_MEMBER = "cutset.json"
# What endings say that a file holds.
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


def _check_ending(path: str | os.PathLike[str], own: str, others: frozenset[str]) -> None:
    ending = os.path.splitext(path)[1].lower()
    if ending in others - {own}:
        method = {".csv": "to_csv", ".npz": "to_npz", ".mat": "to_mat", ".parquet": "to_parquet"}
        hint = f"end its name in '{own}'" + (f", or write it with {method[ending]}" if ending in method else "")
        raise RunError("E605", f"'{os.fspath(path)}' does not name what {method[own]} writes", hint)


def _cells(column: Vector, digits: dict[bytes, list[str]]) -> list[str]:
    """The numbers of a column as text; `digits` keeps the texts of the columns so far."""
    key = column.tobytes()
    if key not in digits:
        digits[key] = [repr(value) for value in column.tolist()]
    return digits[key]
