"""Makes functions of a model: x' and outputs as a function of time, states, inputs, parameters and modes."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from cutset.api.files.exporting import written
from cutset.api.translated_model import TranslatedModel
from cutset.contract.metadata import ModelInfo
from cutset.export.c_folder import c_name
from cutset.export.mechanics_folder import FunctionCode, mechanics_files
from cutset.export.symbolic.file import EXPLICIT, RESIDUAL, FunctionFile, c_statements
from cutset.runtime.errors import RunError, unknown_name
from cutset.runtime.interface import Values, Vector
from cutset.runtime.optional_packages import need_package
from cutset.runtime.results.selection import matching, select
from cutset.runtime.runs.many_points import HeldAtPoints
from cutset.runtime.whole_files import write_whole

if TYPE_CHECKING:
    from cutset.compiler.codegen.program import Program
    from cutset.compiler.codegen.python_printer import Printer

# What no package of symbols has, by the operators of a program.
_WITHOUT_SYMBOLS = {
    "external": "functions in Python or C, or FMUs",
    "random_uniform": "random numbers",
    "random_normal": "random numbers",
    "exchange": "the choice of states in a run",
    "quality": "the choice of states in a run",
}
_PACKAGES = ("casadi", "jax", "sympy")
KINDS = ("c", "numpy", *_PACKAGES)


@dataclass(frozen=True, eq=False, repr=False)
class ModelFunction:
    """A function of a model, of the required `kind`.

    `names` has those of the elements of each argument and result, in their order, `units` their units, `shapes` their
    shapes; `defaults` has values of the parameters p and of the guesses z. `modes(t, x, u, p)` are the held values m at
    a point, as `Model.evaluate` finds them: relations agree with the point, discrete variables have their start values.
    `function` is that of the package: a `casadi.Function`, a function of arrays of JAX, or expressions of SymPy;
    `files` are texts that have it without Cutset, by their names.

    The explicit form is (t, x, u, p, m, z) -> (dx, y), the residual form (t, dx, x, z, u, p, m) -> (r, y), where r = 0
    in a solution.
    """

    kind: str
    names: Mapping[str, tuple[str, ...]]
    units: Mapping[str, tuple[str, ...]]
    defaults: Mapping[str, tuple[float, ...]]
    arguments: tuple[str, ...]
    results: tuple[str, ...]
    function: Callable[..., Any]
    files: Mapping[str, str]
    modes: Callable[..., Vector]

    def __repr__(self) -> str:
        sizes = (f"{name}({len(self.names[name])})" for name in (*self.arguments, "->", *self.results) if name != "->")
        return f"<{self.kind} function: {', '.join(sizes)}>"

    @property
    def shapes(self) -> dict[str, tuple[int, ...]]:
        """The shape of each argument and result: () for the time t."""
        return {name: () if name == "t" else (len(own),) for name, own in self.names.items()}

    def __call__(self, *given: Any, **named: Any) -> Any:
        """The results. Arguments may be given by name; p and z have defaults, those without elements may be left out.
        TypeError for a missing or unknown one, ValueError for one of the wrong size."""
        values = dict(zip(self.arguments, given, strict=False)) | named
        if len(values) != len(given) + len(named) or not values.keys() <= set(self.arguments):
            raise TypeError(f"the arguments are {', '.join(self.arguments)}, each once")
        return self.function(*(self._argument(name, values.get(name)) for name in self.arguments))

    def _argument(self, name: str, value: Any) -> Any:
        size = len(self.names[name])
        if value is None:
            if size and name not in self.defaults:
                hint = "; f.modes(t, x, u) finds those at a point" if name == "m" else ""
                raise TypeError(f"the argument {name} is missing: {', '.join(self.names[name])}{hint}")
            value = np.array(self.defaults.get(name, ()))
        elif isinstance(value, list | tuple | float | int):
            value = np.asarray(value, dtype=float) if self.kind != "sympy" else value
        if isinstance(value, np.ndarray) and name != "t" and value.shape[-1:] != (size,):
            raise ValueError(f"{name} has {size} elements, not the shape {value.shape}: {', '.join(self.names[name])}")
        return [value] if self.kind == "sympy" and name == "t" else value

    def write(self, path: str | os.PathLike[str]) -> tuple[Path, ...]:
        """Write the files: of the kind "c" into the folder `path`, which is made, of others the one to `path`; their
        paths. RunError E605 for a kind without files, OSError."""
        if not self.files:
            raise RunError(
                "E605", f"a function of the kind '{self.kind}' has no files", "give the kind c, casadi or jax"
            )
        if self.kind == "c":
            return written(Path(path), self.files)
        write_whole(path, *self.files.values())
        return (Path(path),)


def model_function(
    model: TranslatedModel, kind: str, outputs: str | Iterable[str], parameters: str | Iterable[str], residual: bool
) -> ModelFunction:
    """As `Model.function`."""
    parameters = (parameters,) if isinstance(parameters, str) else tuple(parameters)
    if kind not in KINDS:
        raise RunError("E605", f"there is no kind '{kind}' of functions", f"the kinds are: {', '.join(KINDS)}")
    if kind in ("casadi", "jax"):
        need_package(kind, f"functions of the kind '{kind}'")
    if residual and kind not in _PACKAGES:
        raise RunError("E605", f"the residual form is not of the kind '{kind}'", "give the kind casadi, jax or sympy")
    model = _with_parameters(model, parameters)
    return _Maker(model, kind, outputs, parameters, residual).function()


def _with_parameters(model: TranslatedModel, patterns: Iterable[str]) -> TranslatedModel:
    """The model in which these parameters can change. RunError E602 for an unknown name, E604 for one that decides on
    the structure."""
    wanted = _matching(model.translated.info, patterns)
    changed = model.unfolded(wanted)
    fixed = [name for name, is_named in wanted.items() if is_named and name in changed.folded]
    if fixed:
        message = f"the parameter '{fixed[0]}' decides on the equations, so it cannot be an argument"
        hint = f"leave it out, and load the model with its value: cutset.load(path, parameters={{{fixed[0]!r}: value}})"
        raise RunError("E604", message, hint)
    return changed


def _matching(info: ModelInfo, patterns: Iterable[str]) -> dict[str, bool]:
    """The parameters that are named, True, or match a pattern, False: of these none that follows from others, which
    would depend on them no more. RunError E602 for an unknown name."""
    known = [*info.parameters, *info.folded]
    computed = {name for name, origin in zip(info.parameters, info.parameter_origins, strict=True) if origin}
    found: dict[str, bool] = {}
    for pattern in patterns:
        own = [each for each in info.arrays.get(pattern, (pattern,)) if each in known]
        matched = [] if own else matching(pattern, known)
        if not (own or matched):
            raise RunError("E602", *unknown_name("parameter", pattern, known))
        found = {name: False for name in matched if name not in computed} | found | dict.fromkeys(own, True)
    return found


class _Maker:
    """Collects what a function consists of."""

    def __init__(
        self, model: TranslatedModel, kind: str, outputs: str | Iterable[str], parameters: Iterable[str], residual: bool
    ):
        self._kind, self._residual = kind, residual
        self._model, self._compiled, self._values = model.bound({}, "auto")
        self._info = info = self._compiled.info
        if info.n_algebraic:
            raise RunError("E655", "functions need a model whose equations are solved", "load it with solved=True")
        given = (outputs,) if isinstance(outputs, str) else tuple(outputs) or info.outputs
        names = [each for name in given for each in info.arrays.get(name, (name,))]
        if not info.states and not names:
            message = f"the model {info.name} has no states, so its function has no results"
            raise RunError("E605", message, 'name variables as its results: function(kind, outputs=["..."])')
        self._outputs = select(names, tuple(info.names)) if names else ()
        self._slots = tuple(info.names[name] for name in self._outputs)
        self._parameters = [name for name in _matching(info, parameters) if name not in info.folded]
        self._program = self._needed()
        self._unknowns = self._places_of_unknowns()

    def function(self) -> ModelFunction:
        """The function, with what describes it."""
        names = self._names()
        units = {each: tuple(map(self._unit, own)) for each, own in names.items()}
        values, info = self._values, self._info
        p = tuple(info.names[name].sign * float(values.p[info.names[name].index]) for name in self._parameters)
        defaults = {"p": p, "z": tuple(float(values.w[place]) for _, place in self._unknowns)}
        arguments, results = RESIDUAL if self._residual else EXPLICIT
        about: dict[str, Any] = {"names": names, "units": units, "defaults": defaults}
        function: Callable[..., Any] = self._of_arrays
        files: Mapping[str, str] = {}
        if self._kind in _PACKAGES:
            function, files = self._of_package(about)
        elif self._kind == "c":
            files = self._in_c(about)
        return ModelFunction(
            self._kind, **about, arguments=arguments, results=results, function=function, files=files, modes=self._modes
        )

    def _needed(self) -> Program:
        """The program of x' and of the outputs. RunError E655 if it has what no symbols have."""
        from cutset.compiler.codegen.slices import operators_in, sliced

        wanted = {
            "derivatives": range(self._info.n_rates),
            "variables": {s.index for s in self._slots if s.array == "y"},
            "bindings": {s.index for s in self._slots if s.array == "p"},
        }
        needs = self._parameters or any(s.array == "p" for s in self._slots)
        kept = {"derivatives", "variables"} | ({"bindings", "constants"} if needs else set())
        program = sliced(self._model.translated.program(), wanted)
        program = replace(program, functions=tuple(f for f in program.functions if f.name in kept))
        lacking = {"external"} if self._kind == "c" else set() if self._kind == "numpy" else _WITHOUT_SYMBOLS.keys()
        wrong = [_WITHOUT_SYMBOLS[op] for op in sorted(lacking & operators_in(program))]
        if wrong:
            hint = "use the kind numpy, or make their results inputs of the model"
            raise RunError("E655", f"the function needs {wrong[0]}, which {self._kind} does not have", hint)
        return program

    def _places_of_unknowns(self) -> list[tuple[str, int]]:
        """The unknowns of iterations, and the places of their guesses in the work memory."""
        from cutset.compiler.codegen.code import SolveNonlinear

        solved = (s for f in self._program.functions for s in f.statements() if isinstance(s, SolveNonlinear))
        first, closings = 0, {}
        for n, closing in zip(self._info.iterations, self._info.closings, strict=True):
            closings[first] = closing
            first += 2 * n + 1
        places = dict.fromkeys(s.guess for s in solved)
        return [(name, place + k) for place in places for k, name in enumerate(closings[place].unknowns)]

    def _names(self) -> dict[str, tuple[str, ...]]:
        info, z = self._info, tuple(name for name, _ in self._unknowns)
        relations = (relation.text or f"relation {k + 1}" for k, relation in enumerate(info.relations))
        rates = tuple(f"der({name})" for name in info.states)
        names = {
            "t": ("time",), "x": info.states, "u": (*info.inputs, *info.delays), "p": tuple(self._parameters),
            "m": (*relations, *info.discrete), "z": z, "dx": rates, "y": self._outputs,
        }  # fmt: skip
        return names | ({"r": (*rates, *z)} if self._residual else {})

    def _unit(self, name: str) -> str:
        units = self._model.description.units
        if name.startswith("der(") and name not in units:
            return f"{units.get(name[4:-1], '') or '1'}/s"
        return "s" if name == "time" else units.get(name, "")

    def _file(self, kind: type[Printer], **about: Any) -> FunctionFile:
        info, values = self._info, self._values
        return FunctionFile(
            name=c_name(info.name),
            **about,
            is_residual=self._residual,
            code=self._program.printed(kind()),
            outputs=self._slots,
            n_work=info.n_work,
            guesses=tuple(values.w[: info.n_guesses].tolist()),
            unknowns=tuple(place for _, place in self._unknowns),
            n_variables=info.n_results,
            constants=tuple(values.c.tolist()),
            parameters=tuple(info.names[name] for name in self._parameters),
            values=tuple(values.p.tolist()),
        )

    def _of_package(self, about: Mapping[str, Any]) -> tuple[Callable[..., Any], Mapping[str, str]]:
        """The function of a package, and its file."""
        from cutset.compiler.codegen.emit_symbolic import NamedPrinter, SymbolicPrinter

        file = self._file(NamedPrinter if self._kind == "sympy" else SymbolicPrinter, **about)
        text = file.text(self._kind)
        space: dict[str, Any] = {"__name__": f"{file.name}_function"}
        try:
            exec(compile(text, f"{file.name}_function.py", "exec"), space)
        except space.get("Unsupported", ()) as error:
            hint = "use the kind numpy" if self._residual else "give residual=True, or use the kind numpy"
            raise RunError("E655", f"the function needs {error}, which {self._kind} does not have", hint) from error
        return space["function"], {} if self._kind == "sympy" else {f"{file.name}.py": text}

    def _in_c(self, about: Mapping[str, Any]) -> Mapping[str, str]:
        from cutset.compiler.codegen.emit_c import emit
        from cutset.compiler.codegen.python_printer import Printer

        file, (arguments, results), names = self._file(Printer, **about), EXPLICIT, about["names"]
        code = FunctionCode(
            f"{file.name}_function",
            f"{', '.join(results)} of the model",
            tuple((name, len(names[name])) for name in arguments if names[name]),
            tuple((name, len(names[name])) for name in results if names[name]),
            self._info,
            emit(self._program)["model.c"],
            file.constants,
            file.guesses,
            c_statements(file),
        )
        orders = [(name, ", ".join(names[name])) for name in (*arguments, *results) if names[name]]
        return mechanics_files(self._info.name, [code], orders, "those of the model")

    # --- arrays ---

    def _bound(self, p: Sequence[float] | Vector | None) -> Values:
        if p is None or not len(self._parameters):
            return self._values
        return self._compiled.bind(dict(zip(self._parameters, map(float, p), strict=True)))

    def _modes(self, t: float, x: Sequence[float], u: Sequence[float] = (), p: Sequence[float] | None = None) -> Vector:
        info, values = self._info, self._bound(p)
        sizes = len(info.states), len(info.inputs) + len(info.delays)
        given = np.zeros(sizes[1]) if np.size(u) == 0 else u
        if (np.shape(t), np.shape(x), np.shape(given)) != ((), sizes[:1], sizes[1:]):
            raise ValueError(f"the modes are those at one point: x has {sizes[0]} elements, and u has {sizes[1]}")
        if not info.relations:
            return values.s[len(info.states) :][: len(info.discrete)].copy()
        rows = [np.ascontiguousarray(each, dtype=float)[None] for each in (t, x, given)]
        found: Vector = HeldAtPoints(self._compiled, values).at(*rows)[0]
        return found

    def _of_arrays(self, *given: Any) -> tuple[Vector, Vector]:
        """The results at arguments with any leading axes."""
        t, *others = (np.asarray(each, dtype=float) for each in given)
        lead = np.broadcast_shapes(t.shape, *(each.shape[:-1] for each in others))
        times = np.broadcast_to(t, lead).ravel()
        rows = [np.broadcast_to(each, (*lead, each.shape[-1])).reshape(len(times), -1) for each in others]
        found = [self._at(float(time), *(each[k] for each in rows)) for k, time in enumerate(times)]
        sizes = self._info.n_rates, len(self._slots)
        results = zip(*found, strict=True) if found else ([], [])
        return tuple(np.reshape(each, (*lead, size)) for each, size in zip(results, sizes, strict=True))  # type: ignore

    def _at(self, t: float, x: Vector, u: Vector, p: Vector, m: Vector, z: Vector) -> tuple[Vector, Vector]:
        values, n = self._bound(p), self._info.n_guesses
        guesses = values.s[len(values.s) - n :].copy()
        guesses[[place for _, place in self._unknowns]] = z
        values.w[:n] = guesses
        x, u, m = (np.ascontiguousarray(each) for each in (x, u, m))
        dx = self._compiled.derivatives(t, x, u, values, m)
        arrays = {"x": x, "u": u, "m": m, "p": values.p, "y": np.zeros(0)}
        if any(slot.array == "y" for slot in self._slots):
            rows = x[None], u[None], values, m[None], guesses[None]
            arrays["y"] = self._compiled.variables(np.array([t]), *rows)[0]
        return dx, np.array([slot.sign * arrays[slot.array][slot.index] for slot in self._slots])
