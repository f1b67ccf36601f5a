"""Finds connections that seem to be missing in a model that can be solved.

Ignores what may be intended: a component that equations of others refer to, a cut without flow where the component may
have a free end (the last of a chain).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from cutset.compiler.diagnostics import Label, Span
from cutset.compiler.expressions.walk import reachable
from cutset.compiler.flatten.model import FlatModel
from cutset.compiler.instantiate.instance import Cut, around, leaves_of
from cutset.contract.names import rpartition


def unconnected(model: FlatModel) -> list[Label]:
    """The declaration of each such component, with a remark; those of one declaration once."""
    cuts = _cuts_by_component(model)
    connected = {
        (end.instance, end.name) for s in model.sets if len(s.ends) > 1 for end in s.ends if end.side == "outside"
    }
    joining = {join.instance for s in model.sets for join in s.joins}
    alone, useless = [], {}
    for path, own in cuts.items():
        if rpartition(path)[0] not in joining:
            continue
        open_cuts = [name for name in own if (path, name) not in connected]
        if len(open_cuts) == len(own):
            alone.append(path)
        elif carries := _carrying_nothing(own, open_cuts):
            useless[path] = carries
    related = _related(model, {*alone, *useless})
    found = _together(model, {path: "" for path in alone if path not in related})
    found |= _together(model, {path: cut for path, cut in useless.items() if path not in related})
    return [Label(span, text) for span, text in sorted(found.items(), key=lambda item: (item[0].line, item[0].column))]


def _cuts_by_component(model: FlatModel) -> dict[str, dict[str, Cut]]:
    """The cuts with variables, by component."""
    cuts: dict[str, dict[str, Cut]] = {}
    for (path, name), cut in model.cuts.items():
        if path and (cut.across or cut.through):
            cuts.setdefault(path, {})[name] = cut
    return cuts


def _carrying_nothing(cuts: Mapping[str, Cut], open_cuts: Iterable[str]) -> str:
    """An open cut whose flow equals that of all other cuts, so that nothing flows through the component."""
    for name in open_cuts:
        flow = set(leaves_of(cuts[name].through))
        if flow and all(set(leaves_of(cut.through)) == flow for cut in cuts.values()):
            return name
    return ""


def _related(model: FlatModel, paths: set[str]) -> set[str]:
    """Those of `paths` that share an equation with something outside of them."""
    if not paths:
        return set()
    inside = {
        leaf: [path for path in around(variable.name)[:-1] if path in paths]
        for variable in model.variables for leaf in variable.value.elements
    }  # fmt: skip
    for made in (model.derivatives, model.after):
        inside |= {new: inside[leaf] for leaf, new in made.items() if leaf in inside}
    related: set[str] = set()
    for equation, number in zip(model.equations, model.set_of, strict=False):
        if number >= 0 or equation.reason:
            continue
        nodes = reachable([*equation.left.elements, *equation.right.elements])
        owners = [inside.get(node, []) for node in nodes if node.op == "variable"]
        for path in {path for own in owners for path in own} - related:
            is_own = equation.instance == path or equation.instance.startswith(f"{path}.")
            if not is_own or any(path not in own for own in owners):
                related.add(path)
    return related


def _together(model: FlatModel, cuts: Mapping[str, str]) -> dict[Span, str]:
    """For each declaration the remark on its components: `cuts` holds for each the cut through which nothing flows, or
    '' if it has no connection."""
    if not cuts:
        return {}
    from cutset.contract.abridged import quoted

    by_place: dict[tuple[Span, str], list[str]] = {}
    for path, cut in cuts.items():
        by_place.setdefault((model.places[path], cut), []).append(path)
    labels = {}
    for (span, cut), paths in by_place.items():
        named = f"{quoted(paths, 3)} ({model.classes[paths[0]]})"
        text = f"{named} {'is' if len(paths) == 1 else 'are'} not connected"
        labels[span] = (
            f"{named} {'has' if len(paths) == 1 else 'have'} no flow: the cut {cut} is not connected" if cut else text
        )
    return labels
