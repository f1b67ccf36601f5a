"""Writes the circuits of a netlist as the text of a model; subcircuits and models become classes."""

from __future__ import annotations

import textwrap
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from cutset.compiler.diagnostics import Diagnostic, ModelError
from cutset.compiler.robots.names import Names, shown
from cutset.compiler.spice.commands import Commands
from cutset.compiler.spice.devices import Kind
from cutset.compiler.spice.elements import Elements
from cutset.compiler.spice.expressions import Tree, literal
from cutset.compiler.spice.netlist import Circuit, Device
from cutset.compiler.spice.scope import AMBIENT, UNITS, Scope, clean, plain, readable

# Classes of libraries that the text uses, and others that a class of the netlist would hide.
_CLASSES = (
    "Resistor VariableResistor Capacitor Inductor Ground Short VCV VCC VConst VSine VTrapezoid VTable VSource IConst "
    "ISine ITrapezoid ITable ISource SpiceDiode SpiceNPN SpicePNP SpiceNMOS SpicePMOS SpiceNJF SpicePJF SpiceSwitch "
    "SpiceVoltageSwitch CoupledInductor LosslessLine Pin TwoPin TwoPort Diode ZDiode NPN PNP NMOS PMOS Gyrator"
)


@dataclass
class Written:
    """The text, what is not carried over, and the scope of the whole circuit."""

    text: str
    losses: list[str]
    scope: Scope


def write_model(top: Circuit, title: str, path: Path, commands: Commands) -> Written:
    """The text of the model. ModelError with all errors of the elements."""
    return _Writer(top, title, path, commands).written()


@dataclass
class _Writer:
    _top: Circuit
    _title: str
    _path: Path
    _commands: Commands
    _names: Names = field(default_factory=Names)
    _classes: list[str] = field(default_factory=list)
    _of_devices: dict[tuple[int, str], str] = field(default_factory=dict)
    _of_circuits: dict[int, tuple[str, Scope]] = field(default_factory=dict)
    _losses: list[str] = field(default_factory=list)
    _errors: list[Diagnostic] = field(default_factory=list)
    _temperature: bool = False

    def written(self) -> Written:
        """The text, with what is not carried over."""
        for name in _CLASSES.split():
            self._names.add(name)
        name = self._names.add(clean(self._path.stem))
        self._temperature = self._commands.temperature is not None
        scope = Scope(self._top)
        for circuit in self._top.circuits.values():
            self._add_circuit(circuit, scope)
        elements = self._elements(self._top, scope)
        losses = [*self._losses, *elements.losses]
        joined, nodes = _nodes(scope)
        body = [*self._declarations(scope), *_submodels(scope), *nodes, *elements.equations]
        if self._errors:
            raise ModelError(self._errors)
        initial = ["initial", *elements.initial, "endinitial"] if elements.initial else []
        body += [*initial, *_connections(scope, joined), *self._commands.experiment]
        about = shown(self._title) or "a netlist"
        numbered = any(node[:1].isdigit() and node != "0" for node in scope.nodes)
        remarks = ["Node 1 of the netlist is n1 here."] if numbered else []
        if self._commands.experiment and self._commands.rests:
            remarks.append("SPICE starts at the operating point: simulate --steady.")
        head = [*_comment(" ".join([f"{about}, imported from {shown(self._path.name)}.", *remarks])), ""]
        head += ["@electrical", '@"electrical/spice"', ""]
        return Written("\n".join([*head, *self._classes, f"model {name}", *body, "end", ""]), losses, scope)

    def _elements(self, circuit: Circuit, scope: Scope) -> Elements:
        nominal = self._commands.nominal if self._temperature else None
        elements = Elements(circuit, scope, self._device_class, self._subcircuit, nominal)
        try:
            elements.add_all(self._commands.times)
        except ModelError as error:
            self._errors += error.diagnostics
        return elements

    # --- classes ---

    def _add_circuit(self, circuit: Circuit, around: Scope) -> None:
        """The class of a subcircuit, after those of the subcircuits in it."""
        if id(circuit) in self._of_circuits:
            return
        scope = Scope(circuit, around)
        name = self._names.add(clean(circuit.name))
        self._of_circuits[id(circuit)] = name, scope
        for inner in circuit.circuits.values():
            self._add_circuit(inner, scope)
        elements = self._elements(circuit, scope)
        self._losses += elements.losses
        self._losses += [
            f"{each.span}: the command {shown(each.text[:40])} in a subcircuit" for each in circuit.commands
        ]
        pins = [scope.nodes[pin] for pin in circuit.pins]
        used = {node for part in scope.parts.values() for _, _, node in part.pins}
        idle = [f"i_{scope.nodes[pin]} = 0" for pin in circuit.pins if pin not in used]
        cuts = [
            f"cut (Pin) {', '.join(f'{pin} (V_{pin} / i_{pin})' for pin in pins)}",
            f"main cut pins [{', '.join(pins)}]",
        ]
        joined, nodes = _nodes(scope)
        body = [*self._declarations(scope), *cuts, *_submodels(scope), *nodes]
        body += [*elements.equations, *idle, *_connections(scope, joined)]
        about = f'"subcircuit {shown(circuit.name)}; at ({", ".join(pins)})"'
        self._classes += [f"model class {name} {about}", *body, "end", ""]

    def _subcircuit(self, name: str, circuit: Circuit) -> tuple[str, Scope] | None:
        found = next((c.circuits[name] for c in circuit.outward() if name in c.circuits), None)
        if found is None:
            return None
        if id(found) not in self._of_circuits:  # it stands later in the netlist, or contains this one
            around = next(scope for c, scope in self._scopes() if found.parent is c)
            self._add_circuit(found, around)
        return self._of_circuits[id(found)]

    def _scopes(self) -> Iterator[tuple[Circuit, Scope]]:
        for _, scope in self._of_circuits.values():
            here: Scope | None = scope
            while here is not None:
                yield here.circuit, here
                here = here.around

    def _device_class(self, device: Device, kind: Kind, trees: dict[str, Tree]) -> str:
        """The class of a model whose values are numbers; empty for another one."""
        key = id(device.circuit), device.name
        if key in self._of_devices:
            return self._of_devices[key]
        here = {*kind.parameters, *kind.ignored, "tnom"}
        # Noise of 1/f is nothing here; most makers write KF=0.
        nothing = {name for name, tree in trees.items() if name == "kf" and not (literal(tree) or "1").strip("0.")}
        unknown = [name for name in trees if name not in here and name not in nothing]
        if unknown:
            self._losses.append(f"{device.span}: {', '.join(unknown).upper()} of the model {shown(device.shown)}")
        if device.kind in ("vswitch", "iswitch"):
            self._losses.append(
                f"{device.span}: the gradual change of the switch {shown(device.shown)}: it jumps halfway"
            )
        scope = Scope(device.circuit)
        known = {name: scope.tree(tree, device.span) for name, tree in trees.items()}
        name = ""
        if all(literal(tree) is not None for tree in known.values()):
            name = self._names.add(clean(device.shown))
            given = [(*kind.parameters[each], literal(tree)) for each, tree in known.items() if each in kind.parameters]
            values = [f"{own} = {readable(text or '', unit)}" for own, unit, text in given]
            self._classes += [f"model class ({kind.name}) {name}", *self._of_temperature(kind, known)]
            self._classes += [f"parameter {', '.join(values)}"] if values else []
            self._classes += ["end", ""]
        self._of_devices[key] = name
        return name

    def _of_temperature(self, kind: Kind, known: dict[str, Tree]) -> list[str]:
        if "Switch" in kind.name:
            return []
        values = [f"temp = {AMBIENT}"] if self._temperature else []
        nominal = known.get("tnom")
        degrees = float(literal(nominal) or 27) if nominal else self._commands.nominal
        values += [f"TNOM = {plain(degrees)} degC"] if degrees != 27 else []
        values += [f"gmin = {readable(self._commands.gmin, 'S')}"] if self._commands.gmin else []
        return ([f'external {AMBIENT} (unit="K")'] if self._temperature else []) + (
            [f"parameter {', '.join(values)}"] if values else []
        )

    # --- lines of a class ---

    def _declarations(self, scope: Scope) -> list[str]:
        found = []
        is_top = scope.around is None
        if is_top and (self._temperature or any(AMBIENT in each.outer for _, each in (*self._scopes(), ("", scope)))):
            degrees = plain(27 if self._commands.temperature is None else self._commands.temperature)
            found.append(f'internal {AMBIENT} (unit="K") = {degrees} degC "temperature of all parts"')
        elif AMBIENT in scope.outer:
            found.append(f'external {AMBIENT} (unit="K")')
        for name, tree in scope.circuit.parameters.items():
            word = "internal" if name in scope.shared else "parameter"
            try:
                value = scope.value(tree, "", scope.circuit.span)
            except ModelError as error:
                self._errors += error.diagnostics
                continue
            found.append(f"{word} {scope.parameters[name]} = {value}")
        found += [f"external {name}" for name in sorted(scope.outer - {AMBIENT})]
        units = [f'{name} (unit="{UNITS[name]}") = 1' for name in UNITS if name in scope.units]
        return found + ([f"constant {', '.join(units)}"] if units else [])


def _nodes(scope: Scope) -> tuple[dict[str, str], list[str]]:
    """The nodes that join pins, but for those of the circuit itself, and the lines that declare them."""
    counts = Counter(node for part in scope.parts.values() for _, _, node in part.pins)
    named = {node: name for node, name in scope.nodes.items() if counts[node] > 1 or (node == "0" and counts[node])}
    own = {node: name for node, name in named.items() if node not in scope.circuit.pins}
    known = scope.circuit.nodes
    other = [f"{name} is {shown(known[node])}" for node, name in own.items()
             if node != "0" and name not in (known[node], f"n{known[node]}", f"'{known[node]}'")]  # fmt: skip
    lines = ["submodel (Ground) ground"] if "0" in own else []
    lines += _comment(f"Nodes of the netlist: {', '.join(other)}.") if other else []
    lines += [f"node {', '.join(own.values())}"] if own else []
    return named | {pin: scope.nodes[pin] for pin in scope.circuit.pins}, lines


def _comment(text: str) -> list[str]:
    return textwrap.wrap(f"{{ {text.strip()} }}", 110, break_long_words=False)


def _submodels(scope: Scope) -> list[str]:
    """The submodels; neighbors of one class are one declaration."""
    lines: list[str] = []
    before = ""
    for part in scope.parts.values():
        text = f"{part.name}({', '.join(part.values)})" if part.values else part.name
        if part.kind == before and len(lines[-1]) + len(text) < 100:
            lines[-1] += f", {text}"
        else:
            lines.append(f"submodel ({part.kind}) {text}")
        before = part.kind
    return lines


def _connections(scope: Scope, joined: dict[str, str]) -> list[str]:
    """Each part at its nodes, pin by pin where all are one; a pin that is alone at a node has no connection."""
    ends = [f"ground at {joined['0']}"] if "0" in joined else []
    for part in scope.parts.values():
        is_switch = any(cut == "plus" for cut, _, _ in part.pins)
        for start, name in (
            ((part.pins[:2], part.name), (part.pins[2:], f"{part.name}:control"))
            if is_switch
            else ((part.pins, part.name),)
        ):
            nodes = [joined.get(node, "") for _, _, node in start]
            if all(nodes) and (len(set(nodes)) > 1 or len(nodes) == 1):
                ends.append(f"{name} at {nodes[0] if len(nodes) == 1 else '(' + ', '.join(nodes) + ')'}")
            else:
                ends += [f"{part.name}:{cut} at {joined[node]}" for cut, _, node in start if node in joined]
    return [f"connect {', '.join(ends)}"] if ends else []
