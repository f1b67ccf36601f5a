"""Shows models from Python: sizes, components, variables, graphs, equations, diagrams. Translates nothing itself."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Unpack, cast

from cutset.api.show.inspection import facts_of
from cutset.api.translated_model import TranslatedModel
from cutset.runtime.counted import counted

if TYPE_CHECKING:
    from collections.abc import Iterable

    import networkx as nx
    import sympy

    from cutset.api.notebook.exploration import ExploreSettings, Sliders
    from cutset.api.notebook.widget import Explorer
    from cutset.api.show.listing import Component, ListedVariable
    from cutset.compiler.why import Reason


class Inspectable(TranslatedModel):
    """The methods of `Model` that show what is in it."""

    def inspect(self) -> dict[str, Any]:
        """The sizes of the translation and the operations of one evaluation, as ``inspect --json`` writes them."""
        return facts_of(self.translated.info.name, self.translated.statistics, self.folded, self.seconds)

    def components(self) -> tuple[Component, ...]:
        """The object and its submodels, parents first, each with its class, place and documentation.

        The first call of this or of `variables` reads the file again; ModelError if the file no longer exists.
        """
        return self._inspection.listing.components

    def variables(self, *patterns: str) -> tuple[ListedVariable, ...]:
        """The scalar variables whose names match one of the patterns (``*`` any text, ``?`` one character); all without
        patterns. RunError E602 for a pattern without a match."""
        from cutset.api.show.listing import select

        nodes = self.translated.description.nodes
        return select(self._inspection.listing.variables, patterns or ("*",), nodes)

    def graph(self, kind: str) -> nx.Graph:
        """A networkx graph of the model: 'connections' of its submodels (MultiGraph), 'topology' of its bodies and
        joints (MultiDiGraph), 'incidence' of equations and variables after index reduction (bipartite Graph), or
        'blocks' in their order (DiGraph). `cutset.api.show.graphs` documents the attributes.
        ValueError for another kind."""
        return self._inspection.graph(kind)

    def equations(self, form: str = "original") -> list[sympy.Eq]:
        """The scalar equations as SymPy equations; symbols have the names of the model. 'original': as written, with
        the equations of connections. 'solved': in the order of evaluation, `unknown = value`, or `0 = residual` for
        iteration variables. ValueError if there is no such form."""
        return self._inspection.equations(form)

    def why(self, *patterns: str) -> tuple[Reason, ...]:
        """How each variable whose name matches is determined, and why: the equation that makes it an alias, that with
        the block from which it is solved, the constraints that make it a state or not. Errors as in `variables`."""
        return self._inspection.why(patterns, self.translated.description.nodes)

    def diagram(self, blocks: bool = False, submodel: str = "", depth: int | None = None) -> str:
        """A picture as SVG: the submodels and their connections, each model a box around its parts, or with
        `blocks=True` the incidence of equations and unknowns in the order of evaluation, with the blocks and the
        iteration variables. `submodel` is a full name: draw only this one; `depth` is the number of levels inside it.
        RunError E602 without such a submodel, E605 for a wrong setting, E648 for over 1000 submodels on a level."""
        return self._inspection.diagram(blocks, submodel, depth)

    def explore(
        self,
        plot: Iterable[str] = (),
        sliders: Sliders = (),
        stop: float | None = None,
        **settings: Unpack[ExploreSettings],
    ) -> Explorer:
        """For notebooks: sliders, curves and the 3D animation of a run, which follow each other at once. `plot` are
        patterns of the variables to plot at first (default: states). `sliders` are patterns of parameters, states
        (their start values) and inputs (constant), or a dictionary with the limits of each, ``{"R.R": (10, 100)}``
        (default: the parameters of the model itself); all other parameters can be found by name. The settings are those
        of `simulate`. The returned widget has `values`, which Python can set too, and the latest result, `run`.
        RunError as in `simulate`, and E647 if the package anywidget is not installed."""
        from cutset.runtime.optional_packages import need_package

        need_package("anywidget", "sliders in notebooks")
        from cutset.api.notebook.exploration import Exploration
        from cutset.api.notebook.widget import Explorer

        return Explorer(Exploration(cast("Any", self), plot, sliders, stop, settings), repr(self)[1:-1])

    def __repr__(self) -> str:
        count = self.translated.statistics
        return f"<Model {self.name}: {counted(count.equations, 'equation')}, {counted(count.states, 'state')}>"

    def _repr_html_(self) -> str:
        """For notebooks: the parameters and states, with units and documentation."""
        from cutset.api.show.html import model_html

        of = self.translated.description
        return model_html(repr(self)[1:-1], self.parameters, self.states, of.units, of.documentation)
