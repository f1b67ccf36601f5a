"""Lists what a translated model consists of: variables, reasons, graphs, equations.

Translates the model again on first use.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict
from functools import cached_property
from typing import TYPE_CHECKING, Any

from cutset.api.translate.listeners import Results
from cutset.contract.names import rpartition
from cutset.runtime.errors import RunError

if TYPE_CHECKING:
    import networkx as nx
    import sympy

    from cutset.api.show.listing import Listing
    from cutset.compiler.codegen.statistics import Statistics
    from cutset.compiler.why import Reason, Why
    from cutset.contract.metadata import ModelInfo


class Inspection:
    """The contents of a model. `observe` translates the model with a listener and a change; `info` is its metadata.
    ModelError if the file no longer exists."""

    def __init__(self, observe: Callable[..., None], info: ModelInfo):
        self._observe, self._info = observe, info

    @cached_property
    def listing(self) -> Listing:
        """The components and the variables."""
        from cutset.api.show.listing import listing_of

        results = Results("aliases")
        self._observe(results)
        return listing_of(results, self._info)

    def why(self, patterns: Iterable[str], nodes: Mapping[str, Sequence[str]]) -> tuple[Reason, ...]:
        """The reasons of the variables whose names match. RunError E602 for a pattern without a match."""
        from cutset.api.show.listing import matching_names

        return tuple(map(self._reasons.of, matching_names(self._reasons.names(), patterns, nodes)))

    def graph(self, kind: str) -> nx.Graph:
        """One of the graphs of `cutset.api.show.graphs`. ValueError for an unknown kind, RunError E605 for the topology
        of a model of `mbsabs` that has errors with `mbs`."""
        from cutset.api.mechanics.mechanism_stages import stages_of, with_joints
        from cutset.api.show.graphs import graph_of

        if kind == "topology":
            root, flat = with_joints(self._observe, stages_of(self._observe))
            return graph_of(kind, {"instantiate": root, "flatten": flat})
        return graph_of(kind, self._stages)

    def equations(self, form: str) -> list[sympy.Eq]:
        """The equations in a form of `cutset.api.show.symbolic`. ValueError for an unknown form."""
        from cutset.api.show.symbolic import equations_of

        return equations_of(form, self._stages)

    def diagram(self, blocks: bool, submodel: str, depth: int | None, bonds: bool) -> str:
        """The picture of the submodels, or of the blocks, as SVG. RunError as `Model.diagram`."""
        from cutset.api.diagram.draw import draw_blocks, draw_submodels

        shown = submodel, depth, bonds
        return draw_blocks(self._observe) if blocks else draw_submodels(self._observe, *shown)

    @cached_property
    def _stages(self) -> Mapping[str, object]:
        results = Results()
        self._observe(results)
        return results.stages

    @cached_property
    def _reasons(self) -> Why:
        from cutset.compiler.why import Why

        why = Why()
        for stage, result in self._stages.items():
            why(stage, result)
        return why


def refuse_constants(names: Iterable[str], info: ModelInfo, inspection: Inspection) -> None:
    """RunError E604 if one of the names is that of a constant. They are given as parameters."""
    unknown = [name for name in names if name not in info.names]
    constants = {v.name: v for v in inspection.listing.variables if v.kind == "constant"} if unknown else {}
    for name in unknown:
        if name in constants:
            what = f"'{name}' is not a parameter: it is a constant, the same in every run"
            hint = f"declare it as a parameter: parameter {rpartition(name)[2]} = ..."
            raise RunError("E604", what, hint, [f"declared at {constants[name].place}"])


def facts_of(name: str, count: Statistics, folded: Mapping[str, float], seconds: Mapping[str, float]) -> dict[str, Any]:
    """The sizes of a translation, as ``inspect --json`` writes them."""
    plain = asdict(count)

    def some(*names: str) -> dict[str, Any]:
        return {each: plain[each] for each in names}

    def systems(of: str) -> dict[str, Any]:
        kinds = ("linear_systems", "nonlinear_systems")
        return {kind: [{"size": size, "torn": torn} for size, torn in plain[of + kind]] for kind in kinds}

    return {
        "name": name,
        **some("equations", "unknowns", "states", "aliases", "blocks"),
        **systems(""),
        "operations": some("mul_div", "add_sub", "functions"),
        "work": list(plain["work"]),
        "differentiated_equations": count.differentiated_equations,
        "events": {
            "discrete_variables": count.discrete,
            **some("whens", "initial_equations", "assertions", "delays", "relations"),
        },
        "start": systems("start_"),
        "parameters_folded": dict(folded),
        "time_seconds": dict(seconds),
    }
