"""Draws a model: translates it as far as the picture needs, and returns the picture as SVG."""

from __future__ import annotations

from collections.abc import Callable

from cutset.api.diagram.arrange import arrange
from cutset.api.diagram.blocks import matrix_of
from cutset.api.diagram.blocks_svg import blocks_svg
from cutset.api.diagram.parts import parts_of
from cutset.api.diagram.svg import svg_of
from cutset.api.translate.listeners import Results
from cutset.compiler.instantiate.instance import Instance
from cutset.compiler.observer import Listener
from cutset.compiler.sort.system import SolvedSystem
from cutset.runtime.errors import RunError, unknown_name


def draw_submodels(observe: Callable[[Listener], None], submodel: str = "", depth: int | None = None) -> str:
    """The submodels and their connections. `observe` translates the model with a listener; the equations need not be
    solvable. RunError E602 if there is no such submodel, E605 for a wrong depth, E648 for too many submodels."""
    if depth is not None and depth < 1:
        raise RunError("E605", f"the depth of a diagram must be at least 1, not {depth}")
    results = Results("instantiate")
    observe(results)
    root = results.of(Instance)
    if submodel:
        known = {instance.path: instance for instance in root.walk() if instance.path}
        if submodel not in known:
            raise RunError("E602", *unknown_name("submodel", submodel, known))
        root = known[submodel]
    return svg_of(arrange(parts_of(root, depth)))


def draw_blocks(observe: Callable[[Listener], None]) -> str:
    """The incidence matrix in block triangular form. RunError E605 for a model that is translated without solving its
    equations."""
    results = Results("solve")
    observe(results)
    if "solve" not in results.stages:
        what = "a model that is translated without solving its equations has no blocks"
        raise RunError("E605", what, "remove --unsolved, or solved=False")
    return blocks_svg(matrix_of(results.of(SolvedSystem)))
