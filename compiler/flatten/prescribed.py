"""Changes the problem of a model: FlatModel, known and wanted quantities -> FlatModel. Adds and drops no equation.

Each known scalar becomes an input. For each of them one quantity is found: an input of the object that is no longer
one, or a quantity whose equation is opened: `f = ...` becomes `f = ... + added(f)`. The new unknown is what has to be
added to what the model gives; for a force that is what an ideal drive adds at the connection.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from cutset.compiler.diagnostics import Diagnostic, ModelError
from cutset.compiler.expressions.array import Array, scalar
from cutset.compiler.expressions.pool import Expr
from cutset.compiler.flatten import prescribed_messages as messages
from cutset.compiler.flatten.model import FlatModel
from cutset.compiler.flatten.openings import Opening, Openings
from cutset.compiler.flatten.scalar_variables import synonyms
from cutset.compiler.instantiate.instance import Cut, CutVariable, Variable
from cutset.contract.names import partition, rpartition


def with_prescribed(model: FlatModel, known: Sequence[str], find: Sequence[str]) -> FlatModel:
    """The model in which the scalars `known` are inputs and those in `find`, by default the conjugates of the known
    ones, are unknowns. The same model if none is known. ModelError if they cannot be or if their numbers differ."""
    if not known and not find:
        return model
    names = _Names(model)
    prescribed = names.known(known)
    openings = Openings(model)
    found = names.all(find, "find") if find else deduced(model, prescribed, openings)
    if len(found) != len(prescribed):
        raise ModelError([messages.counts_differ(list(map(_name, prescribed)), list(map(_name, found)), model.name)])
    made, refused = [], []
    for leaf in found:
        opening = openings.of(leaf)
        if isinstance(opening, Opening):
            made.append(opening)
        else:
            refused.append(messages.cannot_be_found(_name(leaf), opening, names.variable(leaf).span, model.name))
    refused += _opened_twice(made, names, model.name)
    if refused:
        raise ModelError(refused)
    return _changed(model, prescribed, made, names)


class _Names:
    """The scalar variables of a model by name."""

    def __init__(self, model: FlatModel):
        self._model = model
        self._variables = {leaf: v for v in reversed(model.variables) for leaf in v.value.elements}
        self._leaves = {_name(leaf): leaf for leaf in self._variables if leaf.op == "variable"}
        self._synonyms = synonyms(model)
        self._slopes = {_name(slope) for slope in model.derivatives.values()}

    def variable(self, leaf: Expr) -> Variable:
        """The variable with this leaf."""
        return self._variables[leaf]

    def all(self, names: Sequence[str], option: str) -> list[Expr]:
        """Their leaves, each once. ModelError E315 for a name that is not a variable."""
        leaves = [self._leaves.get(self._synonyms.get(name, name)) for name in names]
        missing = [name for name, leaf in zip(names, leaves, strict=True) if leaf is None]
        if missing:
            raise ModelError([self._no_variable(name, option) for name in missing])
        return list(dict.fromkeys(leaf for leaf in leaves if leaf is not None))

    def known(self, names: Sequence[str]) -> list[Expr]:
        """The leaves of what is to be known. ModelError E315 for each that cannot be."""
        leaves = self.all(names, "known")
        inputs = {leaf for v in self._model.variables if v.kind == "input" for leaf in v.value.elements}
        restarted = {r.target: r.span for branch in self._model.events.branches() for r in branch.restarts}
        refused = []
        for leaf in leaves:
            why = ""
            if leaf in inputs:
                why = "it is an input of the model already"
            elif leaf in self._model.after:
                why = "it is discrete and has its value from new(...)"
            elif leaf in restarted:
                why = "it restarts at events, from init(...)"
            if why:
                span = restarted.get(leaf, self._variables[leaf].span)
                refused.append(messages.cannot_be_known(_name(leaf), why, span, self._model.name))
        if refused:
            raise ModelError(refused)
        return leaves

    def _no_variable(self, name: str, option: str) -> Diagnostic:
        parameters = {p.name: p.span for p in self._model.parameters}
        span = parameters.get(partition(name, "(")[0])
        if span is not None:
            return messages.is_parameter(name, option, span, self._model.name)
        if name in self._slopes:
            return messages.is_derivative(name, option, self._model.name)
        return messages.no_such_variable(name, option, [*self._leaves, *self._synonyms], self._model.name)


def _name(leaf: Expr) -> str:
    return str(leaf.data)


def _opened_twice(made: Sequence[Opening], names: _Names, model: str) -> list[Diagnostic]:
    """Different quantities whose equations are the same one."""
    first: dict[tuple[int, int], Opening] = {}
    twice = []
    for opening in made:
        for place in opening.places:
            other = first.setdefault(place, opening)
            if other is not opening:
                why = (
                    f"the equation that gives it is the same as that of '{_name(other.leaf)}', which is to be found too"
                )
                twice.append(
                    messages.cannot_be_found(_name(opening.leaf), why, names.variable(opening.leaf).span, model)
                )
                break
    return twice


def _changed(model: FlatModel, prescribed: Sequence[Expr], made: Sequence[Opening], names: _Names) -> FlatModel:
    pool, equations, variables = model.pool, list(model.equations), []
    outputs = [_name(opening.leaf) for opening in made]
    for opening in made:
        if not opening.places:
            continue
        name = f"added({_name(opening.leaf)})"
        added, own = pool.variable(name), names.variable(opening.leaf)
        text = f"what is added to what the model gives for {_name(opening.leaf)}"
        variables.append(Variable(name, "local", scalar(added), own.span, unit=own.unit, documentation=text))
        outputs += [name] if opening.is_nonzero else []
        for e, k in opening.places:
            left = list(equations[e].left.elements)
            left[k] = pool.sub(left[k], added) if opening.sign > 0 else pool.add(left[k], added)
            equations[e] = replace(equations[e], left=Array(equations[e].left.shape, tuple(left)))
    free = {opening.leaf for opening in made if not opening.places}
    return replace(
        model,
        equations=tuple(equations),
        variables=(*model.variables, *variables),
        prescribed=tuple(prescribed),
        freed=tuple(free),
        found=tuple(outputs),
    )


# --- conjugates -----------------------------------------------------------------------------------


def deduced(model: FlatModel, known: Sequence[Expr], openings: Openings) -> list[Expr]:
    """One quantity for each known one: the through variable that belongs to it in a cut; for those that are in no cut,
    all inputs of the object, if there are as many. ModelError E318 if that is not clear."""
    found: dict[Expr, Expr | None] = {leaf: _conjugate(model, leaf, openings) for leaf in known}
    taken = {leaf for leaf in found.values() if leaf is not None}
    remaining = [leaf for leaf, other in found.items() if other is None]
    inputs = [leaf for leaf in openings.inputs if leaf not in taken]
    clear = len(taken) == len(known) - len(remaining)
    if remaining and len(remaining) == len(inputs) and clear:
        found |= dict(zip(remaining, inputs, strict=True))
        remaining = []
    if remaining or not clear:
        unclear = [str(leaf.data) for leaf in remaining or known]
        span = next(v.span for v in model.variables if (remaining or known)[0] in v.value.elements)
        raise ModelError([messages.nothing_deduced(unclear, openings.choices(), span, model.name)])
    return [leaf for leaf in found.values() if leaf is not None]


def _conjugate(model: FlatModel, leaf: Expr, openings: Openings) -> Expr | None:
    """The through variable that belongs to the leaf in the cuts that contain it, if there is one that can be found."""
    own = rpartition(str(leaf.data))[0]
    cuts = [cut for (instance, _), cut in model.cuts.items() if instance == own]
    partners = dict.fromkeys(other for cut in cuts for other in _partners(cut, leaf))
    usable = [other for other in partners if isinstance(openings.of(other), Opening)]
    return openings.wholes.get(usable[0], usable[0]) if len(usable) == 1 else None


def _partners(cut: Cut, leaf: Expr) -> Iterator[Expr]:
    """The through variable at the same position as the leaf, or the only one that each cut of this class needs."""
    across = cut.across or ()
    places = [(j, k) for j, entry in enumerate(across) if entry.value for k in _places(entry, leaf)]
    if not places:
        return
    (j, k), through = places[0], cut.through or ()
    least = cut.cut_class.least[1] if cut.cut_class is not None else 0
    needed = through[:least] or through
    partner = needed[0] if len(needed) == 1 else needed[j] if len(needed) == len(across) else None
    if partner is not None and partner.value is not None and partner.value.shape == across[j].value.shape:  # type: ignore[union-attr]
        yield partner.value.elements[k]


def _places(entry: CutVariable, leaf: Expr) -> list[int]:
    return [k for k, element in enumerate(entry.value.elements) if element is leaf] if entry.value is not None else []
