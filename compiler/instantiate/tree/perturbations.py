"""Collects the small signals and the noise of a model: inputs of its linear model that are zero in runs."""

from __future__ import annotations

from collections.abc import Container, Iterable
from dataclasses import field, replace

from cutset.compiler.diagnostics import Span
from cutset.compiler.expressions.array import Array, scalar
from cutset.compiler.expressions.pool import Expr, Pool
from cutset.compiler.instantiate.instance import ArrayEquation, Instance, Variable
from cutset.contract.names import DENSITY, NOISE, SOURCE
from cutset.contract.quick_dataclass import dataclass

# The place of a call: the instance, the place in the text, the indices around it.
Place = tuple[object, ...]


@dataclass
class Perturbations:
    """`wanted`: 'ac' for the input of small signals, 'noise' for that and an input for each source of noise, or none.
    An expression that is evaluated again has the same input."""

    wanted: str = ""
    name: str = "ac"
    stimulus: Expr | None = None
    sources: dict[Place, Expr] = field(default_factory=dict)
    noises: dict[Place, tuple[Expr, Expr, ArrayEquation]] = field(default_factory=dict)

    def avoid(self, used: Container[str]) -> None:
        """Give the input a name that the model does not use."""
        while self.name in used:
            self.name += "_"

    def small_signal(self, pool: Pool, path: str, place: Place, amplitude: Expr) -> Expr:
        """The amplitude times the input; zero without it. For noise also an input of the source itself."""
        if not self.wanted or amplitude == pool.zero:
            return pool.zero
        self.stimulus = pool.variable(self.name)
        signal = pool.mul(amplitude, self.stimulus)
        if self.wanted != "noise":
            return signal
        if place not in self.sources:
            self.sources[place] = pool.variable(self._made(path, SOURCE, self.sources))
        return pool.add(signal, self.sources[place])

    def white_noise(self, pool: Pool, path: str, place: Place, density: Expr, span: Span) -> Expr:
        """The input of a source with this spectral density; zero without it."""
        if self.wanted != "noise" or density == pool.zero:
            return pool.zero
        if place not in self.noises:
            own, of_it = (pool.variable(self._made(path, word, self.noises)) for word in (NOISE, DENSITY))
            equation = ArrayEquation(scalar(of_it), scalar(density), span, path, "the density of noise")
            self.noises[place] = own, of_it, equation
        return self.noises[place][0]

    @staticmethod
    def _made(path: str, word: str, others: Iterable[Place]) -> str:
        """A name for another one in this submodel."""
        return f"{path}{'.' if path else ''}{word}{1 + sum(where[0] == path for where in others)}"

    def added_to(self, root: Instance) -> Instance:
        """The model with these inputs after its own, and with the densities."""
        found = [] if self.stimulus is None else [_variable(self.stimulus, "input", root.span, "small signals")]
        found += [_variable(own, "input", root.span, "a source of small signals") for own in self.sources.values()]
        found += [_variable(own, "input", e.span, "noise") for own, _, e in self.noises.values()]
        found += [_variable(own, "local", e.span, "density of noise") for _, own, e in self.noises.values()]
        equations = tuple(equation for _, _, equation in self.noises.values())
        return replace(root, variables=root.variables + tuple(found), equations=root.equations + equations)


def _variable(leaf: Expr, kind: str, span: Span, documentation: str) -> Variable:
    return Variable(str(leaf.data), kind, Array((), (leaf,)), span, documentation=documentation)
