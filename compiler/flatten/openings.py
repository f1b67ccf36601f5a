"""Finds the equation that gives a quantity, so that it can be opened: FlatModel, a leaf -> Opening. Changes nothing."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property

from cutset.compiler.expressions.pool import Expr
from cutset.compiler.expressions.walk import terms_of, variables_of
from cutset.compiler.flatten.model import FlatModel
from cutset.compiler.instantiate.instance import Variable, leaves_of
from cutset.contract.names import rpartition
from cutset.contract.quick_dataclass import dataclass

# The kinds of variables that other models set.
_TERMINALS = ("terminal", "input", "output")
# The number of an equation and of an element of it.
Place = tuple[int, int]


@dataclass(frozen=True)
class Opening:
    """The `leaf` is free if an unknown is added to it in the equation at these places (the elements of a symmetric
    matrix are at two); `sign` is that of the leaf in left - right. Without places it is an input of the object.
    `is_nonzero` if the model gives the leaf a value other than zero."""

    leaf: Expr
    places: tuple[Place, ...] = ()
    sign: int = 1
    is_nonzero: bool = False


class Openings:
    """The equations of a model by the quantities that they give."""

    def __init__(self, model: FlatModel):
        self._model = model
        self._declared: dict[Expr, Variable] = {}
        for variable in model.variables:
            for leaf in variable.value.elements:
                self._declared.setdefault(leaf, variable)
        self.inputs = {leaf: None for v in model.variables if v.kind == "input" for leaf in v.value.elements}
        self._through = {leaf: key for key, cut in model.cuts.items() for leaf in leaves_of(cut.through)}
        self._across = {leaf for cut in model.cuts.values() if cut.through for leaf in leaves_of(cut.across)}

    def of(self, leaf: Expr) -> Opening | str:
        """The opening that frees the leaf, or why there is none, in words."""
        if leaf in self.inputs:
            return Opening(leaf)
        if leaf in self._parts:
            part = self.of(self._parts[leaf])
            return Opening(leaf, part.places, part.sign, part.is_nonzero) if isinstance(part, Opening) else part
        if leaf in self._model.after:
            return "it is discrete and has its value from new(...)"
        if leaf in self._across:
            return "it is an across variable of a cut, which several elements share"
        variable = self._declared[leaf]
        if leaf not in self._through and variable.kind == "local" and "." in variable.name:
            return "it is local to its class, whose equations hold as they are"
        ways = (self._given_directly, self._set_from_outside, self._connected, self._given_by_time)
        several = False
        for way in ways:
            found = {self._scalar(place): self._opening(leaf, place) for place in way(leaf)}
            usable = [opening for opening in found.values() if opening is not None]
            if len(usable) == 1:
                return usable[0]
            several = several or len(usable) > 1
        if several:
            return "several connections or equations contain it, and any of them could be opened"
        return "no input, no connection and no equation from time alone gives its value"

    def choices(self) -> list[str]:
        """The inputs, and the terminals to which something can be added."""
        terminals = (leaf for leaf, v in self._declared.items() if v.kind in _TERMINALS and leaf not in self.inputs)
        found = ((leaf, self.of(leaf)) for leaf in terminals)
        set_ones = [leaf for leaf, way in found if isinstance(way, Opening) and way.is_nonzero]
        return [str(leaf.data) for leaf in (*self.inputs, *set_ones)]

    @cached_property
    def wholes(self) -> Mapping[Expr, Expr]:
        """For a through variable that a class of cuts needs, a quantity that is this one and what the optional
        variables add, `lambda = applied - J*qdd + hold`."""
        return {part: whole for whole, part in self._parts.items()}

    @cached_property
    def _parts(self) -> Mapping[Expr, Expr]:
        """The reverse of `wholes`."""
        found = dict[Expr, Expr]()
        for cut in self._model.cuts.values():
            least = cut.cut_class.least[1] if cut.cut_class is not None else 0
            through = cut.through or ()
            if least != 1 or not through or len(through) == 1 or through[0].value is None:
                continue
            own = {leaf for e in (*(cut.across or ()), *through) if e.value for leaf in e.value.elements}
            for part in through[0].value.elements:
                found |= {whole: part for e, k in self._places[part] if (whole := self._whole(e, k, part, own))}
        return found

    def _whole(self, e: int, k: int, part: Expr, own: set[Expr]) -> Expr | None:
        """The left side of an equation whose right side is the part plus what other variables of the cut give."""
        whole, right = (side.elements[k] for side in (self._model.equations[e].left, self._model.equations[e].right))
        if whole not in self._declared or whole in own or not own.issuperset(variables_of(right)):
            return None
        return whole if (part, False) in list(terms_of(right)) else None

    # --- the ways in which a model gives a value ------------------------------------------------------------

    def _given_directly(self, leaf: Expr) -> Iterator[Place]:
        """Equations without any other unknown."""
        for place in self._places[leaf]:
            if all(v is leaf or v in self._given for v in self._variables(place)):
                yield place

    def _connected(self, leaf: Expr) -> Iterator[Place]:
        """The sums of through variables at connections."""
        if leaf in self._through:
            yield from (place for place in self._places[leaf] if self._model.set_of[place[0]] >= 0)

    def _given_by_time(self, leaf: Expr) -> Iterator[Place]:
        """The equation that determines the leaf if nothing but time, inputs and parameters are known."""
        if leaf in self._by_time:
            yield self._by_time[leaf]

    def _set_from_outside(self, leaf: Expr) -> Iterator[Place]:
        """The equations of surrounding models, `leaf = ...`, and connections of signals."""
        own = rpartition(self._declared[leaf].name)[0]
        for e, k in self._places[leaf] if own else ():
            equation, is_signal = self._model.equations[e], leaf not in self._through
            if self._model.set_of[e] >= 0:
                if is_signal:
                    yield e, k
            elif equation.instance != own and equation.left.elements[k] is leaf:
                yield e, k

    # --- equations ------------------------------------------------------------------------------------------

    def _opening(self, leaf: Expr, place: Place) -> Opening | None:
        """None if the leaf is not a term of the equation."""
        e, k = place
        left, right = (side.elements[k] for side in (self._model.equations[e].left, self._model.equations[e].right))
        residual = self._model.pool.sub(left, right)
        signs = [-1 if is_taken else 1 for term, is_taken in terms_of(residual) if term is leaf]
        elsewhere = any(leaf in variables_of(term) for term, _ in terms_of(residual) if term is not leaf)
        if len(signs) != 1 or elsewhere:
            return None
        own = self._model.equations[e]
        pairs = zip(own.left.elements, own.right.elements, strict=True)
        places = tuple((e, j) for j, pair in enumerate(pairs) if pair == (left, right))
        is_nonzero = len(list(terms_of(residual))) > 1
        return Opening(leaf, places, signs[0], is_nonzero)

    def _scalar(self, place: Place) -> tuple[int, Expr, Expr]:
        """What is the same for both places of an equation between symmetric matrices."""
        e, k = place
        return e, self._model.equations[e].left.elements[k], self._model.equations[e].right.elements[k]

    def _variables(self, place: Place) -> list[Expr]:
        e, k = place
        equation = self._model.equations[e]
        return [*variables_of(equation.left.elements[k]), *variables_of(equation.right.elements[k])]

    @cached_property
    def _places(self) -> Mapping[Expr, list[Place]]:
        """The scalar equations that contain each variable."""
        found: dict[Expr, list[Place]] = {leaf: [] for leaf in self._declared}
        for e, equation in enumerate(self._model.equations):
            for k in range(len(equation.left.elements)):
                for v in dict.fromkeys(self._variables((e, k))):
                    found.setdefault(v, []).append((e, k))
        return found

    @cached_property
    def _given(self) -> set[Expr]:
        """The inputs and their derivatives."""
        given = set(self.inputs)
        for v, slope in self._model.derivatives.items():
            if v in given:
                given.add(slope)
        return given

    @cached_property
    def _by_time(self) -> Mapping[Expr, Place]:
        """The variables that follow from time, inputs and parameters one after another, each with its equation."""
        known, found = set(self._given), dict[Expr, Place]()
        places = dict.fromkeys(place for several in self._places.values() for place in several)
        waiting = list(places)
        while waiting:
            place = waiting.pop()
            left = {v for v in self._variables(place) if v not in known}
            if len(left) != 1:
                continue
            leaf: Expr | None = left.pop()
            assert leaf is not None
            if self._opening(leaf, place) is None:
                continue
            found[leaf] = place
            while leaf is not None and leaf not in known:
                known.add(leaf)
                waiting += self._places.get(leaf, [])
                leaf = self._model.derivatives.get(leaf)
        return found
