"""Maps every name to the place of its value: SolvedSystem, final values of its unknowns -> Naming.

Equal values share one place.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from cutset.compiler.diagnostics import Span
from cutset.compiler.expressions.pool import Expr
from cutset.compiler.flatten.model import Origin
from cutset.compiler.sort.system import SolvedSystem
from cutset.contract import metadata
from cutset.contract.metadata import Slot

# The equation of a connection of many parts names very many variables.
_LONGEST = 200


class Naming:
    """`names` holds the place of each name, `outputs` the expressions in y, `origins` the equation of each of these,
    and `final` the final value of each unknown."""

    def __init__(self, solved: SolvedSystem, final: Mapping[Expr, Expr], parameters: Mapping[Expr, int]):
        self._solved, self.final = solved, final
        self._system = solved.sorted_system.system
        self._pool = solved.pool
        self.outputs: list[Expr] = []
        self.origins: list[metadata.Origin] = []
        self._excerpts: dict[Span, tuple[str, str]] = {}
        first = len(self._system.relations)
        self._places = {s: Slot("x", i, 1) for i, s in enumerate(solved.sorted_system.states)}
        self._places |= {u: Slot("u", i, 1) for i, u in enumerate(solved.sorted_system.inputs)}
        self._places |= {d.node: Slot("m", first + i, 1) for i, d in enumerate(self._system.discrete)}
        self._places |= {p: Slot("p", i, 1) for p, i in parameters.items()}
        self.names = self._name_everything()

    def of(self, names: Sequence[str]) -> list[Expr]:
        """The expressions of these names; none for names whose value is stored elsewhere."""
        slots = (self.names[name] for name in names if name in self.names)
        return [self.outputs[slot.index] for slot in slots if slot.array == "y"]

    def of_residuals(self) -> tuple[metadata.Origin, ...]:
        """The equations of a system that stays unsolved."""
        whole = self._solved.sorted_system
        first = len(whole.states) - whole.algebraic
        return tuple(self._origin(str(u.data), o) for u, o in zip(whole.states[first:], whole.origins, strict=False))

    def _name_everything(self) -> dict[str, Slot]:
        slots: dict[Expr, Slot] = dict(self._places)
        for a in self._solved.assignments:
            slots[a.unknown] = self._slot(self.final[a.value], str(a.unknown.data), a.equation.origin)
        hidden = {leaf for jump in self._solved.sorted_system.jumps for leaf in (jump.offset, jump.rate)}
        names = {str(v.data): s for v, s in slots.items() if v not in hidden}
        for alias in self._system.aliases:
            value, sign = alias.value, 1
            if value.op == "neg" and value.args[0].op == "variable":
                value, sign = value.args[0], -1
            found = slots[value] if value in slots else self._slot(self.final[value], alias.name, alias.origin)
            names[alias.name] = found if sign > 0 else _negated(found)
        for name, number in self._system.folded.items():
            if not isinstance(number, str):
                names[name] = self._slot(self._pool.constant(number), name, None)
        return names | {second: names[first] for second, first in self._system.synonyms.items() if first in names}

    def _slot(self, value: Expr, name: str, origin: Origin | None) -> Slot:
        if value.op == "neg":
            return _negated(self._slot(value.args[0], name, origin))
        found = self._places.get(value)
        if found is None:
            found = self._places[value] = Slot("y", len(self.outputs), 1)
            self.outputs.append(value)
            self.origins.append(self._origin(name, origin))
        return found

    def _origin(self, name: str, origin: Origin | None) -> metadata.Origin:
        if origin is None:
            return metadata.Origin(name, "", "", "")
        shown, place = self._excerpt(origin.span)
        return metadata.Origin(name, shown, place, origin.instance or self._system.name)

    def _excerpt(self, span: Span) -> tuple[str, str]:
        """The text of the place, and the place. The equations of a class are shared by all its submodels."""
        found = self._excerpts.get(span)
        if found is None:
            source_text = span.text
            shown = source_text if len(source_text) <= _LONGEST else f"{source_text[:_LONGEST]} ..."
            found = self._excerpts[span] = shown, str(span)
        return found


def _negated(slot: Slot) -> Slot:
    return Slot(slot.array, slot.index, -slot.sign)
