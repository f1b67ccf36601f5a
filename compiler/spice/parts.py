"""Collects the submodels and equations of a circuit."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from cutset.compiler.diagnostics import Diagnostic, ModelError
from cutset.compiler.robots.names import shown
from cutset.compiler.spice import messages
from cutset.compiler.spice.expressions import Tree, parse
from cutset.compiler.spice.netlist import Circuit, Element
from cutset.compiler.spice.scope import Part, Scope, clean

# Cuts and the variables of their potentials.
TWO = (("A", "Va"), ("B", "Vb"))
FOUR = (("A1", "Va1"), ("B1", "Vb1"), ("A2", "Va2"), ("B2", "Vb2"))
# What an equation of a source sets, by its unit.
SET = {"V": "u", "A": "i"}


class Parts:
    """What the elements of a circuit become. `losses` are what is not carried over, a sentence each; what stands in
    `later` is done when all names are known."""

    def __init__(self, circuit: Circuit, scope: Scope):
        self._circuit, self._scope = circuit, scope
        self.equations: list[str] = []
        self.losses: list[str] = []
        self.later: list[Callable[[], None]] = []

    def fail(self, element: Element, what: str, expected: str) -> ModelError:
        """E160 at the element."""
        return ModelError([messages.wrong(f"{element.shown}: {what}", expected, element.span)])

    def lose(self, element: Element, what: str) -> None:
        """Note a part of the element that is not carried over."""
        self.losses.append(f"{element.span}: {shown(what)} of {shown(element.shown)}")

    def lose_rest(self, element: Element, words: Sequence[str], known: str) -> None:
        """Note the words of the element that nothing has read, and its values but for those that are known."""
        rest = [*words, *(key for key in element.values if key not in known.split())]
        if rest:
            self.lose(element, ", ".join(word[:30] for word in rest[:9]))

    def part(
        self, element: Element, kind: str, values: list[str], pins: Sequence[tuple[str, str]], i: str = "i"
    ) -> Part:
        """The submodel of an element at its first nodes; `i` is its current, if it has one. ModelError E160."""
        words = element.words[: len(pins)]
        if len(words) < len(pins):
            expected = f"{element.shown} with {len(pins)} nodes, then what it is"
            raise self.fail(element, f"it needs {len(pins)} nodes", expected)
        for word in words:
            self._scope.node(word)
        nodes = [(cut, variable, self._circuit.node(word)) for (cut, variable), word in zip(pins, words, strict=True)]
        part = Part(self._scope.names.add(clean(element.shown)), kind, values, nodes, i)
        self._scope.parts[element.name] = part
        return part

    def value(self, element: Element, text: str, unit: str, is_factor: bool = False) -> str:
        """The text of a value with this unit. ModelError E160 to E162."""
        return self._scope.value(parse(text, element.span), unit, element.span, is_factor)

    def tree(self, element: Element, text: str) -> Tree:
        """The tree of a value, a number if it is one."""
        return self._scope.tree(parse(text, element.span), element.span)

    def equation(self, element: Element, left: str, tree: Tree, unit: str, added: str = "") -> None:
        """Later the equation of a quantity with a unit for the tree, which is a number in SI units, and what is
        `added`."""
        self.later.append(
            lambda: self.equations.append(f"{left} = {self._scope.value(tree, unit, element.span)}{added}")
        )

    def finish(self, first: Sequence[Callable[[], None]]) -> None:
        """Do all, `first` these. ModelError with all errors."""
        errors: list[Diagnostic] = []
        for steps in (first, self.later):
            for step in steps:
                try:
                    step()
                except ModelError as error:
                    errors += error.diagnostics
        if errors:
            raise ModelError(errors)
