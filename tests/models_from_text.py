"""Model text -> a model that can be evaluated on the Python target, every promise of every stage checked."""

from __future__ import annotations

import tempfile
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from cutset.compiler.codegen.program import Program
from cutset.compiler.flatten.model import EquationSystem
from cutset.compiler.instantiate.instance import Instance
from cutset.compiler.pipeline import Observer, Options, compile_model, emit
from cutset.compiler.sort.system import SortedSystem
from cutset.compiler.verify import Verifier
from cutset.runtime.runs.initialize import held_at, starting
from cutset.runtime.targets.build import build


@dataclass
class Translated:
    """The results of some stages, and values of all names at a point."""

    program: Program
    instance: Instance
    system: EquationSystem
    sorted_system: SortedSystem

    def values(self, states=None, time=0.0, inputs=None, parameters=None) -> dict[str, float]:
        """Every name of the model; states that are not given have their start values."""
        model = build(emit(self.program, "python"), "python")
        values = model.bind(parameters or {})
        info = model.info
        u = np.array([(inputs or {}).get(name, 0.0) for name in info.inputs])
        x, modes = self._point(model, values, states or {}, time, u)
        y = model.variables(np.array([time]), x[None], u[None], values, modes[None])[0]
        arrays = {"x": x, "u": u, "p": values.p, "y": y, "m": modes}
        return {name: s.sign * float(arrays[s.array][s.index]) for name, s in info.names.items()}

    def rates(self, states: dict[str, float], time=0.0) -> dict[str, float]:
        """The derivatives by the names of their states."""
        names = self.program.info.states
        return dict(zip(names, self.derivatives(np.array([states[name] for name in names]), time), strict=False))

    def derivatives(self, x, time=0.0) -> np.ndarray:
        """The derivatives in the order of the states."""
        model = build(emit(self.program, "python"), "python")
        values, u = model.bind({}), np.zeros(len(self.program.info.inputs))
        return model.derivatives(time, x, u, values, held_at(model, values, time, x, u))

    def slopes(self, x, time=0.0) -> np.ndarray:
        """The derivatives of the derivatives by the states."""
        model = build(emit(self.program, "python"), "python")
        values, u = model.bind({}), np.zeros(len(self.program.info.inputs))
        return model.jacobian(time, x, u, values, held_at(model, values, time, x, u))

    def _point(self, model, values, states, time, u):
        """The start, with other states where these are given, and what is held there."""
        begin = starting(model, values, time, u)
        x = begin.x.copy()
        for name, value in states.items():
            x[model.info.states.index(name)] = value
        return x, held_at(model, values, time, x, u) if states else begin.m


def translate(
    text: str,
    name: str | None = None,
    unfold: frozenset[str] = frozenset(),
    options: Options | None = None,
    **files: str,
) -> Translated:
    """All stages of a text, which may include `files` by their names; raises ModelError."""
    results: dict[str, object] = {}
    verify = Verifier()

    def observe(stage, result):
        results[stage] = verify(stage, result)
        return result

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "model.mo"
        path.write_text(text, encoding="utf-8")
        for included, content in files.items():
            (Path(folder) / f"{included}.mo").write_text(content, encoding="utf-8")
        program = compile_model(path, name, replace(options or Options(), unfold=unfold), Observer([observe]))
    return Translated(program, results["instantiate"], results["aliases"], results["sort"])
