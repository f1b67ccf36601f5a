"""Draws a model: translates it as far as the picture needs, and returns the picture as SVG."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence

from cutset.api.diagram.blocks import matrix_of
from cutset.api.diagram.blocks_svg import blocks_svg
from cutset.api.diagram.bonds import bond_graph
from cutset.api.diagram.by_hand import place_by_hand
from cutset.api.diagram.circuit import circuit_of
from cutset.api.diagram.columns import columns_of
from cutset.api.diagram.folding import FoldedLayout
from cutset.api.diagram.group_layout import Scene
from cutset.api.diagram.layering import assign_layers
from cutset.api.diagram.parts import EQUATIONS, Part, parts_of
from cutset.api.diagram.placed import Placed
from cutset.api.diagram.rails import add_ground
from cutset.api.diagram.sizes import HEADER, Ports, header_width
from cutset.api.diagram.svg import svg_of
from cutset.api.diagram.wiring import LEFT, RIGHT, groups_of, role_of
from cutset.api.translate.listeners import Results
from cutset.compiler.flatten.model import FlatModel
from cutset.compiler.instantiate.instance import Instance
from cutset.compiler.observer import Listener
from cutset.compiler.sort.system import SolvedSystem
from cutset.runtime.errors import RunError, unknown_name


def draw_submodels(
    observe: Callable[[Listener], None], submodel: str = "", depth: int | None = None, bonds: bool = False
) -> str:
    """The submodels and their connections, on request as a bond graph. `observe` translates the model with a listener;
    for a bond graph the equations must be solvable. RunError E602 if there is no such submodel, E605 for a wrong depth,
    E648 for too many submodels."""
    if depth is not None and depth < 1:
        raise RunError("E605", f"the depth of a diagram must be at least 1, not {depth}")
    results = Results("solve" if bonds else "instantiate")
    observe(results)
    root = results.of(Instance)
    if submodel:
        known = {instance.path: instance for instance in root.walk() if instance.path}
        if submodel not in known:
            raise RunError("E602", *unknown_name("submodel", submodel, known))
        root = known[submodel]
    parts = parts_of(root, depth, symbolic=not bonds)
    if bonds:
        parts = bond_graph(parts, results.of(Instance), results.of(FlatModel), _solved(results))
    return svg_of(arrange(parts))


def draw_blocks(observe: Callable[[Listener], None]) -> str:
    """The incidence matrix in block triangular form. RunError E605 for a model that is translated without solving its
    equations."""
    results = Results("solve")
    observe(results)
    return blocks_svg(matrix_of(_solved(results)))


def _solved(results: Results) -> SolvedSystem:
    if "solve" not in results.stages:
        what = "a model that is translated without solving its equations has no order of evaluation"
        raise RunError("E605", what, "remove --unsolved, or solved=False")
    return results.of(SolvedSystem)


# --- columns of submodels, from the innermost models outwards -------------------------------------

_PAD = 16.0
_BETWEEN = 24.0
_EQUATION_STEP = 10.0
# Groups that nothing joins stand side by side as long as the picture is not wider than this times its height.
_ASPECT = 1.8


def arrange(model: Part) -> Placed:
    """The model with everything inside, placed."""
    plans = list(_plans(model))
    done: dict[str, Placed] = {}
    for plan in reversed(plans):
        done[plan.model.path] = plan.placed(done)
    return done[model.path]


def _plans(model: Part) -> Iterator[_Plan]:
    """The plans of all models with parts inside, from the outside inwards. The plan of a model decides on the sides of
    the cuts of its parts."""
    sides = {cut: LEFT if role_of(model, cut) <= 0 else RIGHT for cut in model.cuts}
    waiting: list[tuple[Part, Mapping[str, str]]] = [(model, sides)]
    while waiting:
        plan = _Plan(*waiting.pop())
        yield plan
        waiting += [(part, plan.sides_of(k)) for k, part in enumerate(plan.model.parts) if part.parts]


class _Plan:
    """A model whose columns are known, but not yet the sizes of its parts. `sides` are those of its own cuts and of the
    equations outside that touch it."""

    def __init__(self, model: Part, sides: Mapping[str, str]):
        self.model = model
        self._sides = sides
        self._circuit = circuit_of(model, {cut: side == LEFT for cut, side in sides.items()})
        self._groups = groups_of(model, sides, self._circuit)
        self._part_sides: dict[int, dict[str, str]] = {}
        for group in self._groups:
            assign_layers(group, sides)
            for (item, port), side in group.sides().items():
                if group.items[item].kind == "part":
                    self._part_sides.setdefault(group.items[item].number, {})[port] = side

    def sides_of(self, number: int) -> dict[str, str]:
        """The side of each cut of a part, also of those that are not connected, and of the equations that touch it."""
        part = self.model.parts[number]
        linked = self._part_sides.get(number, {})
        free = {cut: RIGHT if role_of(part, cut) > 0 else LEFT for cut in part.cuts if cut not in linked}
        return linked | free

    def placed(self, done: Mapping[str, Placed]) -> Placed:
        """The model with its parts placed; `done` has the parts that contain others."""
        header = HEADER + max(0.0, _EQUATION_STEP * (len(self._equations_outside()) - 2))
        scene = Scene(self.model, self.sides_of, done, self._circuit.zero)
        layouts = [FoldedLayout(columns_of(group), scene) for group in self._groups]
        has_cuts = bool(self.model.cuts)
        around = layouts[:1] if has_cuts else []
        left = 0.0 if any(self._sides[cut] == LEFT for cut in self.model.cuts) else _PAD
        right = 0.0 if any(self._sides[cut] == RIGHT for cut in self.model.cuts) else _PAD
        width = max(header_width(self.model), *(left + layout.width + right for layout in around), 0.0)
        y = header + 6.0
        result = Placed(self.model, width, 0.0, Ports(dict(self._sides)))
        places: list[tuple[float, float, FoldedLayout]] = []
        if around:
            places.append((left, y, around[0]))
            y += around[0].height + _BETWEEN
        shelved, width, y = _shelves(layouts[len(around) :], y, float(math.ceil(width)))
        for x, top, layout in (*places, *shelved):
            border = width - left if layout in around and right == 0.0 else layout.width
            result.inner += [(x + dx, top + dy, part) for dx, dy, part in layout.parts()]
            result.lines += [line.moved(x, top) for line in layout.lines(border)]
            result.ports.height |= {cut: top + dy for cut, dy in layout.own_heights().items()}
        bottom = lowest = max(y - _BETWEEN, header)
        for number, grounds in self._circuit.ground.items():
            parts = [self.model.parts[k] for k in grounds]
            parts = parts[1:] if self._circuit.others[number] else parts
            lowest = max(lowest, add_ground(result, self.model.nets[number], parts, bottom))
        result.width = width
        place_by_hand(result)
        is_by_hand = any(part.part.place for _, _, part in result.inner)
        bottoms = [y + part.height for _, y, part in result.inner if is_by_hand]
        result.height = max([lowest, *bottoms]) + _PAD
        for k, name in enumerate(self._equations_outside()):
            result.ports.height[name] = 9.0 + _EQUATION_STEP * k
        return result

    def _equations_outside(self) -> list[str]:
        return [name for name in self._sides if name.startswith(EQUATIONS)]


def _shelves(
    layouts: Sequence[FoldedLayout], y: float, width: float
) -> tuple[list[tuple[float, float, FoldedLayout]], float, float]:
    """The layouts in rows from the height y on; also the width of everything, and the height below the last row."""
    area = sum((layout.width + _BETWEEN) * (layout.height + _BETWEEN) for layout in layouts)
    most = max([width, (area * _ASPECT) ** 0.5, *(layout.width + 2 * _PAD for layout in layouts)])
    places: list[tuple[float, float, FoldedLayout]] = []
    x, lowest = _PAD, 0.0
    for layout in layouts:
        if x > _PAD and x + layout.width + _PAD > most:
            x, y, lowest = _PAD, y + lowest + _BETWEEN, 0.0
        places.append((x, y, layout))
        lowest = max(lowest, layout.height)
        width = max(width, x + layout.width + _PAD)
        x += layout.width + _BETWEEN
    return places, width, y + lowest + _BETWEEN if layouts else y
