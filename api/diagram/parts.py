"""Reads what a diagram shows: the submodels of a model, nested, their cuts, and the nets that join them."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from cutset.api.diagram.domains import domain_of
from cutset.api.diagram.symbols import Symbol, symbol_of
from cutset.compiler.diagnostics import Span, visible
from cutset.compiler.expressions.pool import Expr
from cutset.compiler.expressions.text import text
from cutset.compiler.expressions.walk import variables_of
from cutset.compiler.flatten.connect import connection_sets
from cutset.compiler.flatten.cut_types import variables_by_leaf
from cutset.compiler.instantiate.instance import Cut, End, Instance, Join, Parameter, leaves_of
from cutset.contract.names import partition, rpartition
from cutset.lsp.scan import Scan
from cutset.lsp.submodel_items import PLACE, places_in
from cutset.runtime.errors import RunError

# The part of a Port that belongs to the surrounding model itself.
OWN = -1
# The kind of a net that stands for equations; no cut class has this name.
EQUATIONS = "="
# A diagram with more submodels than this is neither readable nor quick to draw.
MOST_PARTS = 1000
# Beside a part stand at most so many values of its parameters, each at most so long.
_MOST_VALUES, _LONGEST_VALUE = 2, 24


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
    """Ports that are connected with each other. `nodes` are the names of nodes among them, `kind` is the domain of
    their cuts, or `EQUATIONS`; then `statements` are the equations. A signal arrives at its `targets`."""

    ports: tuple[Port, ...]
    nodes: tuple[str, ...]
    kind: str
    statements: tuple[str, ...] = ()
    bond: Bond | None = None
    targets: tuple[Port, ...] = ()


@dataclass(frozen=True)
class Part:
    """A submodel, or the model itself (with an empty `path`). `parts` are the submodels shown inside, `hidden` counts
    those not shown. `style` is 'element' or 'junction' of a bond graph, else nothing. `values` are the parameters that
    its declaration gives, as it writes them; what has a `symbol` is not shown inside. `place` is the center of its
    picture, where the text gives it."""

    name: str
    path: str
    class_name: str
    documentation: str
    cuts: tuple[str, ...]
    parts: tuple[Part, ...]
    nets: tuple[Net, ...]
    hidden: int
    style: str = ""
    values: tuple[str, ...] = ()
    symbol: Symbol | None = None
    place: tuple[int, int] | None = None


def parts_of(root: Instance, depth: int | None = None, symbolic: bool = True) -> Part:
    """The model with its submodels, at most `depth` levels deep, as symbols where their classes have one; deeper levels
    are hidden where there are more than MOST_PARTS submodels. RunError E605 for a file that is no symbol, E648 if the
    first level has more."""
    inside = (instance for instance in root.walk() if symbolic and instance is not root)
    symbols = dict.fromkeys(instance.path for instance in root.walk()) | {i.path: symbol_of(i.line) for i in inside}
    opened = _opened(root, depth, symbols)
    domains, places = _domains(root), dict(_places(root))
    inner: dict[str, list[tuple[str, End]]] = {}
    nets: dict[str, tuple[Net, ...]] = {}
    for instance in root.walk():
        if instance.path in opened:
            joined = _Joined(instance, inner, symbols, domains)
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
            tuple(_of_domain(net, [made[child.path] for child in instance.children]) for net in nets[instance.path])
            if shown
            else (),
            0 if shown or symbols[instance.path] else sizes[instance.path],
            values=tuple(_values(instance)) if symbolic and instance is not root else (),
            symbol=symbols[instance.path],
            place=places.get(instance.span) if symbolic and not instance.path.endswith(")") else None,
        )
    return made[root.path]


def _places(root: Instance) -> Iterator[tuple[Span, tuple[int, int]]]:
    """The places that comments give submodels, by the places of their names."""
    for source in {id(i.span.source): i.span.source for i in root.walk() if not i.span.source.is_shipped}.values():
        if PLACE.search(source.text):
            for (line, column), place in places_in(Scan(source)).items():
                for instance in root.walk():
                    span = instance.span
                    if span.source is source and (span.line, span.column) == (line, column):
                        yield span, place


def _of_domain(net: Net, children: Sequence[Part]) -> Net:
    """The net, with the domain of what it joins within a submodel if its own cuts have no units."""
    inside = (
        other.kind
        for port in net.ports
        if port.part != OWN
        for other in children[port.part].nets
        if Port(OWN, port.cut) in other.ports and other.kind != EQUATIONS
    )
    return replace(net, kind=next(inside, net.kind)) if net.kind == "other" else net


def _domains(root: Instance) -> dict[object, str]:
    """The domain of each cut that has variables, by its identity and by the place of its class."""
    variables = variables_by_leaf(root.walk())
    found: dict[object, str] = {}
    for cut in (cut for instance in root.walk() for cut in instance.cuts if cut.entries):
        found[id(cut)] = domain_of(cut, variables)
        if cut.cut_class is not None:
            found.setdefault(cut.cut_class.span, found[id(cut)])
    return found


def _values(instance: Instance) -> Iterator[str]:
    """The first parameters that the declaration of a submodel gives, in its words: `R = 1 kOhm`."""
    given = (f"{_last_name(p.name)} = {value}" for p in instance.parameters if (value := _written(p)))
    yield from itertools.islice((words for words in given if len(words) <= _LONGEST_VALUE), _MOST_VALUES)


def _written(parameter: Parameter) -> str:
    """The text behind `name =` in the declaration of a submodel; empty for a default, and for `name = name`."""
    place = parameter.written
    if place is None or place.text != _last_name(parameter.name) or place == parameter.span:
        return ""
    rest = place.source.line(place.end_line)[place.end_column - 1 :].lstrip()
    depth = 0
    for k, letter in enumerate(rest if rest.startswith("=") else ""):
        depth += (letter in "([") - (letter in ")]")
        if depth < 0 or (letter == "," and not depth):
            value = visible(rest[1:k].strip())
            return value if value != place.text else ""
    return ""


def _opened(root: Instance, depth: int | None, symbols: Mapping[str, Symbol | None]) -> set[str]:
    """The paths of the submodels whose insides are shown, level by level."""
    opened: set[str] = set()
    level, total = [root], 0
    while level and (depth is None or depth > 0):
        below = [child for instance in level for child in instance.children if symbols[instance.path] is None]
        total += len(below)
        if total > MOST_PARTS:
            if opened:
                break
            what = f"'{root.path or root.class_name}' has {total} submodels; a diagram shows at most {MOST_PARTS}"
            raise RunError("E648", what, "collect submodels in classes, or draw one submodel: --submodel NAME")
        opened.update(instance.path for instance in level if instance.children and symbols[instance.path] is None)
        level, depth = below, None if depth is None else depth - 1
    return opened


def signal_role(cut: str) -> int:
    """1 for the name of a cut where something comes out, -1 for one where it goes in, else 0."""
    if cut.startswith("out") or cut.endswith("_out") or cut == "O":
        return 1
    return -1 if cut.startswith("in") or cut.endswith("_in") else 0


def _last_name(path: str) -> str:
    return rpartition(path)[2]


def _leaves(cut: Cut) -> Iterable[Expr]:
    """The scalar variables of a cut."""
    return (leaf.args[0] if leaf.op == "neg" else leaf for leaf in leaves_of(cut.entries))


class _Joined:
    """The nets of one model. `inner` collects, by the path of a submodel, the cuts within it that are connected from
    here: each becomes a port of the submodel, and is connected to that inside."""

    def __init__(
        self,
        instance: Instance,
        inner: dict[str, list[tuple[str, End]]],
        symbols: Mapping[str, Symbol | None],
        domains: Mapping[object, str],
    ):
        self._instance = instance
        self._inner = inner
        self._symbols = symbols
        self._domains = domains
        self._begin = f"{instance.path}." if instance.path else ""
        self._numbers = {_last_name(child.path): k for k, child in enumerate(instance.children)}
        self._own = {str(leaf.data): cut.name for cut in instance.cuts for leaf in _leaves(cut)}
        # The cuts without a through variable of the submodels, which equations set as well as connections do.
        self._signals = {
            str(leaf.data): (k, cut.name)
            for k, child in enumerate(instance.children)
            for cut in child.cuts
            if not cut.through
            for leaf in _leaves(cut)
        }

    def connections(self) -> Iterable[Net]:
        """The nets of the connections, in the order of the text."""
        here = self._instance
        joins = list(here.joins)
        for name, end in self._inner.get(here.path, ()):
            joins.append(Join(End(here.path, name, "inside"), end, here.span, here.path))
        cuts = {(i.path, cut.name): cut for i in (here, *here.children) for cut in i.cuts}
        for joined in connection_sets(joins):
            nodes = tuple(dict.fromkeys(end.name for end in joined.ends if end.side == "node"))
            ports = tuple(dict.fromkeys(self._port(end) for end in joined.ends if end.side != "node"))
            known = (cuts[key] for end in joined.ends if (key := (end.instance, end.name)) in cuts)
            keys = (key for cut in known for key in (id(cut), cut.cut_class and cut.cut_class.span))
            kind = next((self._domains[key] for key in keys if key in self._domains), "other")
            gives = {p for p in ports if signal_role(p.cut) == (-1 if p.part == OWN else 1)}
            targets = tuple(p for p in ports if kind == "signal" and gives and p not in gives)
            yield Net(ports, nodes, kind, targets=targets)

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
        given: dict[tuple[Port, ...], dict[Port, None]] = {}
        for equation in self._instance.equations:
            for left, right in zip(equation.left.elements, equation.right.elements, strict=False):
                sides = [[str(v.data) for v in variables_of(side)] for side in (right, left)]
                owners = [[k for k in map(self._owner, names) if k is not None] for names in sides]
                touched = tuple(dict.fromkeys((*owners[0], *owners[1])))
                if len({port.part for port in touched}) < 2:
                    continue
                key = tuple(sorted(touched, key=lambda port: (port.part, port.cut)))
                statements.setdefault(key, {})[f"{text(left)} = {text(right)}"] = None
                # An equation is read from right to left; what it takes from within a submodel is measured there, so
                # that it is more likely to go back.
                direct = all(name.count(".") == self._begin.count(".") + 1 for names in sides for name in names)
                votes[key] = votes.get(key, 0) + (3 if direct else 1) * (1 if key == touched else -1)
                if len(sides[1]) == 1 and owners[1]:
                    given.setdefault(key, {})[owners[1][0]] = None
        nets: list[Net] = []
        for number, (key, equations) in enumerate(statements.items()):
            order = key if votes[key] >= 0 else tuple(reversed(key))
            named = {port: port if port.cut else Port(port.part, f"{EQUATIONS}{number}") for port in order}
            targets = tuple(named[port] for port in given.get(key, ()))
            nets.append(Net(tuple(named.values()), (), EQUATIONS, tuple(equations), targets=targets))
        return _merged(nets)

    def _owner(self, name: str) -> Port | None:
        """The submodel or the own cut that a variable is in; None for other variables of the model itself. The cut of
        a submodel is that of a signal, or a variable that its symbol has a place for."""
        name = name.removeprefix("der(")
        if name in self._own:
            return Port(OWN, self._own[name])
        if not name.startswith(self._begin):
            return None
        if name in self._signals:
            return Port(*self._signals[name])
        first, dot, rest = partition(name.removeprefix(self._begin))
        if not dot or first not in self._numbers:
            return None
        symbol = self._symbols[self._instance.children[self._numbers[first]].path]
        return Port(self._numbers[first], rest if symbol is not None and rest in symbol.cuts else "")


def _merged(nets: Iterable[Net]) -> Iterable[Net]:
    """The nets, with those that end at the same cut as one."""
    found: list[Net] = []
    for net in nets:
        same = [other for other in found if set(other.ports) & set(net.ports)]
        found = [other for other in found if other not in same]
        united = [*same, net]
        ports, statements, targets = (
            tuple(dict.fromkeys(itertools.chain(*each)))
            for each in zip(*((n.ports, n.statements, n.targets) for n in united), strict=True)
        )
        found.append(replace(net, ports=ports, statements=statements, targets=targets))
    return found
