"""Reads what a diagram shows: the submodels of a model, nested, their cuts, and the nets that join them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from cutset.compiler.expressions.pool import Expr
from cutset.compiler.expressions.text import text
from cutset.compiler.expressions.walk import variables_of
from cutset.compiler.flatten.connect import connection_sets
from cutset.compiler.instantiate.instance import Cut, End, Instance, Join, leaves_of
from cutset.contract.names import partition, rpartition
from cutset.runtime.errors import RunError

# The part of a Port that belongs to the surrounding model itself.
OWN = -1
# The kind of a net that stands for equations; no cut class has this name.
EQUATIONS = "="
# A diagram with more submodels than this is neither readable nor quick to draw.
MOST_PARTS = 1000


@dataclass(frozen=True, slots=True)
class Port:
    """A cut of a submodel, by its number in the surrounding model, or of that model (`OWN`). The ports of equations
    have names of their own, which no cut has."""

    part: int
    cut: str


@dataclass(frozen=True, slots=True)
class Bond:
    """What a bond carries, with power from its first port to the second if it is positive: the names of effort and
    flow, their `size`, and of how many of their elements the effort acts at the first and at the second port, where the
    flow answers."""

    effort: str
    flow: str
    size: int
    strokes: tuple[int, int]


@dataclass(frozen=True, slots=True)
class Net:
    """Ports that are connected with each other. `nodes` are the names of nodes among them, `kind` is the cut class,
    empty without one, or `EQUATIONS`; then `statements` are the equations."""

    ports: tuple[Port, ...]
    nodes: tuple[str, ...]
    kind: str
    statements: tuple[str, ...] = ()
    bond: Bond | None = None


@dataclass(frozen=True)
class Part:
    """A submodel, or the model itself (with an empty `path`). `parts` are the submodels shown inside, `hidden` counts
    those not shown. `style` is 'element' or 'junction' of a bond graph, else nothing."""

    name: str
    path: str
    class_name: str
    documentation: str
    cuts: tuple[str, ...]
    parts: tuple[Part, ...]
    nets: tuple[Net, ...]
    hidden: int
    style: str = ""


def parts_of(root: Instance, depth: int | None = None, most: int = MOST_PARTS) -> Part:
    """The model with its submodels, at most `depth` levels deep; deeper levels are hidden where there are more than
    `most` submodels. RunError E648 if the first level has more."""
    opened = _opened(root, depth, most)
    inner: dict[str, list[tuple[str, End]]] = {}
    nets: dict[str, tuple[Net, ...]] = {}
    for instance in root.walk():
        if instance.path in opened:
            joined = _Joined(instance, inner)
            nets[instance.path] = (*joined.connections(), *joined.equations())
    made: dict[str, Part] = {}
    sizes: dict[str, int] = {}
    for instance in reversed(list(root.walk())):
        sizes[instance.path] = sum(1 + sizes[child.path] for child in instance.children)
        shown = instance.path in opened
        made[instance.path] = Part(
            _last_name(instance.path) or instance.class_name,
            instance.path,
            instance.class_name,
            instance.documentation or instance.class_documentation,
            (*(cut.name for cut in instance.cuts), *dict.fromkeys(name for name, _ in inner.get(instance.path, ()))),
            tuple(made[child.path] for child in instance.children) if shown else (),
            nets.get(instance.path, ()),
            0 if shown else sizes[instance.path],
        )
    return made[root.path]


def _opened(root: Instance, depth: int | None, most: int) -> set[str]:
    """The paths of the submodels whose insides are shown, level by level."""
    opened: set[str] = set()
    level, total = [root], 0
    while level and (depth is None or depth > 0):
        below = [child for instance in level for child in instance.children]
        total += len(below)
        if total > most:
            if opened:
                break
            what = f"'{root.path or root.class_name}' has {total} submodels; a diagram shows at most {most}"
            raise RunError("E648", what, "collect submodels in classes, or draw one submodel: --submodel NAME")
        opened.update(instance.path for instance in level if instance.children)
        level, depth = below, None if depth is None else depth - 1
    return opened


def _last_name(path: str) -> str:
    return rpartition(path)[2]


def _leaves(cut: Cut) -> Iterable[Expr]:
    """The scalar variables of a cut."""
    return (leaf.args[0] if leaf.op == "neg" else leaf for leaf in leaves_of(cut.entries))


class _Joined:
    """The nets of one model. `inner` collects, by the path of a submodel, the cuts within it that are connected from
    here: each becomes a port of the submodel, and is connected to that inside."""

    def __init__(self, instance: Instance, inner: dict[str, list[tuple[str, End]]]):
        self._instance = instance
        self._inner = inner
        self._begin = f"{instance.path}." if instance.path else ""
        self._numbers = {_last_name(child.path): k for k, child in enumerate(instance.children)}
        self._own = {str(leaf.data): cut.name for cut in instance.cuts for leaf in _leaves(cut)}

    def connections(self) -> Iterable[Net]:
        """The nets of the connections, in the order of the text."""
        here = self._instance
        joins = list(here.joins)
        for name, end in self._inner.get(here.path, ()):
            joins.append(Join(End(here.path, name, "inside"), end, here.span, here.path))
        classes = {(i.path, cut.name): cut.cut_class for i in (here, *here.children) for cut in i.cuts}
        for joined in connection_sets(joins):
            nodes = tuple(dict.fromkeys(end.name for end in joined.ends if end.side == "node"))
            ports = tuple(dict.fromkeys(self._port(end) for end in joined.ends if end.side != "node"))
            kinds = (classes.get((end.instance, end.name)) for end in joined.ends)
            kind = next((found.name for found in kinds if found is not None), "")
            yield Net(ports, nodes, kind)

    def _port(self, end: End) -> Port:
        if end.instance == self._instance.path:
            return Port(OWN, end.name)
        first, _, rest = partition(end.instance.removeprefix(self._begin))
        if not rest:
            return Port(self._numbers[first], end.name)
        name = f"{rest}:{end.name}"
        below = self._inner.setdefault(self._begin + first, [])
        if (name, end) not in below:
            below.append((name, end))
        return Port(self._numbers[first], name)

    def equations(self) -> Iterable[Net]:
        """The nets of equations between variables of submodels, and of the model's own cuts, one for all equations of
        the same ones."""
        statements: dict[tuple[Port, ...], dict[str, None]] = {}
        votes: dict[tuple[Port, ...], int] = {}
        for equation in self._instance.equations:
            for left, right in zip(equation.left.elements, equation.right.elements, strict=False):
                sides = [[str(v.data) for v in variables_of(side)] for side in (right, left)]
                owners = [[k for k in map(self._owner, names) if k is not None] for names in sides]
                touched = tuple(dict.fromkeys((*owners[0], *owners[1])))
                if len(touched) < 2 or all(port.part == OWN for port in touched):
                    continue
                key = tuple(sorted(touched, key=lambda port: (port.part, port.cut)))
                statements.setdefault(key, {})[f"{text(left)} = {text(right)}"] = None
                # An equation is read from right to left; what it takes from within a submodel is measured there, so
                # that it is more likely to go back.
                direct = all(name.count(".") == self._begin.count(".") + 1 for names in sides for name in names)
                votes[key] = votes.get(key, 0) + (3 if direct else 1) * (1 if key == touched else -1)
        for number, (key, equations) in enumerate(statements.items()):
            order = key if votes[key] >= 0 else reversed(key)
            ports = tuple(port if port.part == OWN else Port(port.part, f"{EQUATIONS}{number}") for port in order)
            yield Net(ports, (), EQUATIONS, tuple(equations))

    def _owner(self, name: str) -> Port | None:
        """The submodel or the own cut that a variable is in; None for other variables of the model itself."""
        name = name.removeprefix("der(")
        if name in self._own:
            return Port(OWN, self._own[name])
        if not name.startswith(self._begin):
            return None
        first, dot, _ = partition(name.removeprefix(self._begin))
        return Port(self._numbers[first], "") if dot and first in self._numbers else None
