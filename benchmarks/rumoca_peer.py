"""Runs Rumoca (https://github.com/CogniPilot/rumoca, the wheel `rumoca`) as a peer, on Cutset's scalar equations.

It receives the equations left after alias elimination as Modelica, so that it need not process classes and connections.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import rumoca

from cutset.compiler.expressions.pool import Expr
from cutset.compiler.flatten.aliases import eliminate_aliases
from cutset.compiler.flatten.connect import flatten
from cutset.compiler.flatten.model import EquationSystem
from cutset.compiler.instantiate.instantiate import instantiate
from cutset.compiler.instantiate.names.library import load_library

_OPERATORS = {"add": "+", "sub": "-", "mul": "*", "div": "/"}
_FUNCTIONS = {"sin": "sin", "cos": "cos", "sqrt": "sqrt", "fabs": "abs", "exp": "exp"}


class Modelica:
    """The text of a model without events, for these parameters and start values of states. KeyError for anything except
    arithmetic."""

    def __init__(self, path: Path, name: str, parameters: Mapping[str, float], starts: Mapping[str, float]):
        system = eliminate_aliases(flatten(instantiate(load_library(path), name)), tuple)
        self._parameters = parameters
        self._names = {u.node: f"v{k}" for k, u in enumerate(system.unknowns)}
        self._starts = {self._names[v]: starts[str(v.data)] for v in system.derivatives}
        self.text = self._model(system)
        self.states = {str(v.data): self._names[v] for v in system.derivatives}

    def _model(self, system: EquationSystem) -> str:
        starts = {name: f"(start={value!r}, fixed=true)" for name, value in self._starts.items()}
        declared = [f"  Real {name}{starts.get(name, '')};" for name in self._names.values()]
        slopes = [f"  der({self._names[v]}) = {self._names[slope]};" for v, slope in system.derivatives.items()]
        equations = [f"  0 = {self._written(e.residual)};" for e in system.equations]
        return "\n".join(["model M", *declared, "equation", *slopes, *equations, "end M;", ""])

    def _written(self, e: Expr) -> str:
        """Recursion is over one equation of a text, which is short."""
        if e.op in ("constant", "parameter"):
            value = e.data if e.op == "constant" else self._parameters[str(e.data)]
            return f"({value!r})" if value < 0 else repr(value)
        if e.op == "variable":
            return self._names[e]
        parts = [self._written(a) for a in e.args]
        if e.op in _OPERATORS:
            return f"({parts[0]} {_OPERATORS[e.op]} {parts[1]})"
        return f"(-{parts[0]})" if e.op == "neg" else f"{_FUNCTIONS[e.op]}({parts[0]})"


class RumocaRun:
    """A model in Rumoca: `translate` and `run` it; `last` are the states at the end, by Cutset's names."""

    def __init__(self, modelica: Modelica, stop: float, points: int, rtol: float, atol: float):
        self._modelica, self._stop, self._interval = modelica, stop, stop / (points - 1)
        self._config = rumoca.SimConfig(rtol=rtol, atol=atol)
        self.translate()

    def translate(self) -> None:
        self._model = rumoca.Session().loads(self._modelica.text, model="M")

    def run(self) -> None:
        result = self._model.simulate((0.0, self._stop), dt=self._interval, config=self._config)
        self.last = {own: float(result[name][-1]) for own, name in self._modelica.states.items()}
