"""Runs the target c: generated C code, compiled into a library and called by ctypes. Integrates nothing."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Mapping
from ctypes import POINTER, addressof, c_char, c_double, c_int, c_long, c_ulong, c_void_p
from dataclasses import field, replace
from typing import Any

import numpy as np

from cutset.contract.metadata import ModelInfo, SourceFiles
from cutset.contract.quick_dataclass import dataclass
from cutset.runtime.binding import OnceFunctions, bind
from cutset.runtime.c_files import c_files
from cutset.runtime.c_records import Control, Data, ExternalCallback, Report, Solver, TableauData, address
from cutset.runtime.controllers import Controllers
from cutset.runtime.errors import Fault, RunError
from cutset.runtime.externals import Faults, number_of_arguments
from cutset.runtime.foreign_library import foreign_files, not_found
from cutset.runtime.interface import CompiledModel, Values, Vector
from cutset.runtime.memories import Memories
from cutset.runtime.pattern import dense
from cutset.runtime.toolchain import find_compiler, for_one_model, shared_library

SOURCE = "model.c"

# In the order of `cutset_own`.
_OF_THREAD = {"fault": c_int, "careful": c_int, "lost": c_int, "open": c_ulong, "external": c_void_p}


class OfThread:
    """A variable of the library of which each thread has its own."""

    def __init__(self, place: Callable[[int], int], number: int, kind: Any):
        self._place, self._number, self._kind = place, number, kind

    @property
    def value(self) -> Any:
        """Its value in the calling thread."""
        return self._kind.from_address(self._place(self._number)).value

    @value.setter
    def value(self, value: Any) -> None:
        """Set it for the calling thread."""
        self._kind.from_address(self._place(self._number)).value = value


@dataclass(frozen=True)
class Functions:
    """The entry points of the library, with their argument types set."""

    once: OnceFunctions
    start: Callable[..., None]
    time_events: Callable[..., None]
    derivatives: Callable[..., None]
    jacobian: Callable[..., None]
    crossings: Callable[..., None]
    delayed: Callable[..., None]
    updates: Callable[..., None]
    batch: Callable[..., None]
    rates: Callable[..., None]
    held: Callable[..., None]
    repeat: Callable[..., None]
    map: Callable[..., None]
    definition: int
    capsule: Any
    index_size: Callable[..., int]
    close: Callable[..., None]
    implicit: Callable[..., int]
    explicit: Callable[..., int]
    run: Callable[..., int]
    whole: Callable[..., int]
    go_on: Callable[..., int]
    many: Callable[..., int]
    together: Callable[..., int]
    has_threads: Callable[[], int]
    reach: Callable[..., None]
    isolate: Callable[..., None]
    fault: OfThread
    open: OfThread
    careful: OfThread
    lost: OfThread
    external: OfThread


@dataclass(frozen=True)
class CModel:
    """`CompiledModel` for a library that contains model.c and driver.c."""

    info: ModelInfo
    functions: Functions
    faults: Faults
    external: Any = None
    target: str = "c"
    unreduced: CompiledModel | None = None
    memories: Memories = field(default_factory=Memories)

    def bind(self, given: Mapping[str, float]) -> Values:
        """As `CompiledModel.bind`."""
        self.connect()
        return bind(self.info, self.functions.once, given, self.fault)

    def connect(self, controllers: Controllers | None = None) -> None:
        """Register the Python functions of this model with the library, and the controllers that they call, if given.
        Models with the same code share a library, so it is done before each call."""
        if self.external is not None:
            self.functions.external.value = ctypes.cast(self.external, c_void_p).value
            if controllers is not None:
                self.faults.use(controllers)

    def delayed(self, t: float, x: Vector, u: Vector, values: Values, modes: Vector) -> Vector:
        """As `CompiledModel.delayed`: shape (n, 2)."""
        size = 2 * len(self.info.delays)
        return self._at(self.functions.delayed, size, t, x, u, values, modes).reshape(-1, 2)

    def fresh_controllers(self) -> Controllers | None:
        """As `CompiledModel.fresh_controllers`."""
        return self.faults.fresh_controllers()

    def use(self, controllers: Controllers | None) -> None:
        """As `CompiledModel.use`."""
        self.faults.use(controllers)

    def fault(self) -> Fault | None:
        """As `CompiledModel.fault`."""
        number, self.functions.fault.value = self.functions.fault.value, 0
        return self.faults.take(number)

    def left_open(self) -> int:
        """As `CompiledModel.left_open`."""
        seen, self.functions.open.value = self.functions.open.value, 0
        return int(seen)

    def start(self, t: float, u: Vector, values: Values, modes: Vector) -> Vector:
        """As `CompiledModel.start`: shape (n_begins,)."""
        self.connect(values.controllers)
        x = np.zeros(self.info.n_begins)
        held = [_contiguous(u), values.c, _contiguous(modes), values.s, values.w]
        self.functions.start(t, *map(address, held), address(x))
        return x

    def time_events(self, values: Values, modes: Vector) -> Vector:
        """As `CompiledModel.time_events`: shape (n, 2)."""
        self.connect(values.controllers)
        modes, times = _contiguous(modes), np.zeros((len(self.info.time_events), 2))
        self.functions.time_events(values.addresses[0], address(modes), address(times))
        return times

    def derivatives(self, t: float, x: Vector, u: Vector, values: Values, modes: Vector) -> Vector:
        """As `CompiledModel.derivatives`: shape (n_rates,)."""
        return self._at(self.functions.derivatives, self.info.n_rates, t, x, u, values, modes)

    def careful_derivatives(
        self, t: float, x: Vector, u: Vector, values: Values, modes: Vector, care: int = 1
    ) -> tuple[Vector, int]:
        """As `CompiledModel.careful_derivatives`."""
        functions = self.functions
        functions.careful.value, functions.lost.value = care, 0
        dx = self.derivatives(t, x, u, values, modes)
        functions.careful.value = 0
        return dx, int(functions.lost.value)

    def slopes(self, t: float, x: Vector, u: Vector, values: Values, modes: Vector) -> Vector:
        """As `CompiledModel.slopes`: one number for each place of the pattern."""
        size = sum(map(len, self.info.jacobian))
        return self._at(self.functions.jacobian, size, t, x, u, values, modes)

    def jacobian(self, t: float, x: Vector, u: Vector, values: Values, modes: Vector) -> Vector:
        """As `CompiledModel.jacobian`: shape (n_states, n_states)."""
        return dense(self.info, self.slopes(t, x, u, values, modes))

    def crossings(self, t: float, x: Vector, u: Vector, values: Values, modes: Vector) -> Vector:
        """As `CompiledModel.crossings`: one number for each crossing."""
        return self._at(self.functions.crossings, len(self.info.crossings), t, x, u, values, modes)

    def updates(self, t: float, x: Vector, u: Vector, values: Values, modes: Vector, acting: Vector) -> Vector:
        """As `CompiledModel.updates`."""
        return self._at(self.functions.updates, self.info.n_updates, t, x, u, values, modes, acting)

    def _at(
        self, function: Callable[..., None], size: int, t: float, x: Vector, u: Vector, values: Values, *more: Vector
    ) -> Vector:
        self.connect(values.controllers)
        c, w = values.addresses
        x, u, result, held = _contiguous(x), _contiguous(u), np.zeros(size), [_contiguous(a) for a in more]
        function(t, address(x), address(u), c, *map(address, held), w, address(result))
        return result

    def variables(
        self, t: Vector, x: Vector, u: Vector, values: Values, modes: Vector, guesses: Vector | None = None
    ) -> Vector:
        """As `CompiledModel.variables`: shape (n, n_results)."""
        self.connect(values.controllers)
        t, x, u, modes = _contiguous(t), _contiguous(x), _contiguous(u), _contiguous(modes)
        info, begins = self.info, None if guesses is None else _contiguous(guesses)
        y, (c, w) = np.zeros((len(t), info.n_results)), values.addresses
        widths = (len(info.states), len(info.inputs) + len(info.delays), info.n_modes, info.n_results, info.n_guesses)
        start = None if begins is None else address(begins)
        arrays = address(t), address(x), address(u), c, address(modes), start, w, address(y)
        self.functions.batch(len(t), (c_long * 5)(*widths), *arrays)
        return y


def _contiguous(array: Vector) -> Vector:
    # Solvers pass views of columns; C would silently read past them.
    return np.ascontiguousarray(array, dtype=float)


def is_available() -> bool:
    """True if a C compiler is found. RunError E608 if CC names one that does not exist."""
    return find_compiler() is not None


def load(info: ModelInfo, files: SourceFiles, unreduced: CompiledModel | None = None) -> CModel:
    """The model in `files`, compiled or taken from the disk cache, beside the unreduced one. RunError E608 without a
    compiler, BuildError if the compiler fails."""
    compiler = find_compiler()
    if compiler is None:
        raise RunError(
            "E608",
            "no C compiler was found",
            "pip install 'cutset[zig]' brings one; or install gcc, clang or tcc, or use the target python",
        )
    compiler, foreign = for_one_model(compiler), foreign_files(files)
    texts = {SOURCE: files[SOURCE], **c_files(), **foreign}
    try:
        with shared_library(texts, compiler) as path:
            return replace(open_library(info, str(path)), unreduced=unreduced)
    except OSError:  # a damaged file in the cache
        with shared_library(texts, compiler, fresh=True) as path:
            try:
                return replace(open_library(info, str(path)), unreduced=unreduced)
            except OSError as error:
                if not foreign:
                    raise
                raise not_found(info, error) from error


def open_library(info: ModelInfo, path: str) -> CModel:
    """The model in the library at `path`. OSError if it cannot be loaded, AttributeError if a function is missing."""
    library = ctypes.CDLL(path)

    def entry(name: str, result: Any, *arguments: Any) -> Any:
        function = library[f"cutset_{name}"]
        function.restype, function.argtypes = result, arguments
        return function

    pointer, report = c_void_p, POINTER(Report)
    data, control = POINTER(Data), POINTER(Control)
    trajectory = (c_double, pointer, c_long, pointer, pointer, pointer, report)
    functions = Functions(
        once=OnceFunctions(
            *(_on_arrays(entry(name, None, pointer, pointer)) for name in OnceFunctions.__dataclass_fields__)
        ),
        start=entry("start", None, c_double, *[pointer] * 6),
        time_events=entry("time_events", None, *[pointer] * 3),
        derivatives=entry("derivatives", None, c_double, *[pointer] * 6),
        jacobian=entry("jacobian", None, c_double, *[pointer] * 6),
        crossings=entry("crossings", None, c_double, *[pointer] * 6),
        delayed=entry("delayed", None, c_double, *[pointer] * 6),
        updates=entry("updates", None, c_double, *[pointer] * 7),
        batch=entry("batch", None, c_long, pointer, *[pointer] * 8),
        rates=entry("rates", None, c_long, pointer, *[pointer] * 8),
        held=entry("held", None, c_long, *[pointer] * 13),
        repeat=entry("repeat", None, c_long, c_double, *[pointer] * 6),
        map=entry("map", None, c_void_p),
        definition=addressof(c_char.in_dll(library, "cutset_definition")),
        capsule=c_void_p.in_dll(library, "cutset_capsule"),
        index_size=entry("index_size", c_long, pointer),
        close=entry("close", None, pointer),
        implicit=entry("implicit", c_int, POINTER(Solver), control, *trajectory[:-2], report),
        explicit=entry("explicit", c_int, data, control, POINTER(TableauData), *trajectory),
        reach=entry("reach", None, pointer, *[c_double] * 3),
        isolate=entry("isolate", None, pointer, c_double, *[pointer] * 3),
        run=entry("run", c_int, data, control, POINTER(TableauData), pointer),
        whole=entry("whole", c_int, *[pointer] * 4, c_double),
        go_on=entry("go_on", c_int, *[pointer] * 4),
        many=entry("many", c_long, *[pointer] * 4, c_double, pointer, pointer, c_long, c_long),
        together=entry("together", c_long, *[pointer] * 4, c_double, pointer, pointer, c_long, c_long, pointer),
        has_threads=entry("has_threads", c_int),
        **_of_thread(entry("own", c_void_p, c_long)),
    )
    faults = Faults(info)
    return CModel(info, functions, faults, _external_callback(info, faults))


def _of_thread(place: Callable[[int], int]) -> dict[str, Any]:
    return {name: OfThread(place, k, kind) for k, (name, kind) in enumerate(_OF_THREAD.items())}


def _external_callback(info: ModelInfo, faults: Faults) -> Any:
    """The callback with which C calls a Python function; None if the model has none."""
    if all(external.is_c for external in info.externals):
        return None
    counts = [number_of_arguments(each) for each in info.externals]

    def call(k: int, arguments: Any, results: Any) -> None:
        for i, value in enumerate(faults.external(k, arguments[: counts[k]])):
            results[i] = value

    return ExternalCallback(call)


def _on_arrays(function: Callable[[int, int], None]) -> Callable[[Vector, Vector], None]:
    return lambda first, second: function(address(first), address(second))
