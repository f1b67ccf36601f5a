"""Turns the elements of a circuit into submodels, equations and connections of its class."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Sequence
from functools import partial

from cutset.compiler.diagnostics import ModelError
from cutset.compiler.spice import messages
from cutset.compiler.spice.controlled import Sources
from cutset.compiler.spice.devices import KINDS, OF_LETTER, Kind, completed
from cutset.compiler.spice.expressions import Tree, constant, parse
from cutset.compiler.spice.netlist import Circuit, Device, Element
from cutset.compiler.spice.parts import FOUR, TWO
from cutset.compiler.spice.scope import Scope, plain
from cutset.compiler.spice.sources import Times

_PINS = {
    "d": TWO, "w": TWO, "s": (*TWO, ("plus", "Vp"), ("minus", "Vm")), "q": (("C", "Vc"), ("B", "Vb"), ("E", "Ve")),
    "j": (("D", "Vd"), ("G", "Vg"), ("S", "Vs")), "m": (("D", "Vd"), ("G", "Vg"), ("S", "Vs"), ("B", "Vb")),
}  # fmt: skip
_SIMPLE = {"r": ("Resistor", "R", "Ohm"), "c": ("Capacitor", "C", "F"), "l": ("Inductor", "L", "H")}
_AREA = {"d": "area", "q": "area", "j": "area", "m": "m"}
_ZERO, _ONE = Tree("number", "0"), Tree("number", "1")


class Elements(Sources):
    """The submodels and equations of a circuit. `device_class` gives the class of a .model whose values are
    numbers, `subcircuit` finds one with its scope; `ambient` is the nominal
    temperature in degrees, if the whole circuit has one of its own."""

    def __init__(
        self,
        circuit: Circuit,
        scope: Scope,
        device_class: Callable[[Device, Kind, dict[str, Tree]], str],
        subcircuit: Callable[[str, Circuit], tuple[str, Scope] | None],
        ambient: float | None,
    ):
        super().__init__(circuit, scope)
        self._device_class, self._subcircuit, self._ambient = device_class, subcircuit, ambient is not None
        self._nominal = plain((27.0 if ambient is None else ambient) + 273.15)
        self._coupled = self._couplings()
        self.initial: list[str] = []
        self._started: set[str] = set()  # nodes whose capacitors start at the voltages of .ic

    def add_all(self, times: Times) -> None:
        """Read all elements. ModelError with all errors."""
        self.later.append(self._add_initial)
        self.finish([partial(self._add, element, times) for element in self._circuit.elements.values()])

    def _add(self, element: Element, times: Times) -> None:
        letter = element.kind
        if letter in "rcl":
            self._add_simple(element)
        elif letter in "vi":
            self.add_source(element, times)
        elif letter in "dqjmsw":
            self._add_device(element)
        elif letter != "k":
            methods = {"b": self.add_b, "e": self.add_by_voltage, "g": self.add_by_voltage, "f": self.add_by_current,
                       "h": self.add_by_current, "t": self._add_line, "x": self._add_subcircuit}  # fmt: skip
            if letter not in methods:
                hint = "replace it by elements R C L K V I E F G H B D Q J M S W T X"
                raise ModelError([messages.not_imported(f"the element '{element.shown}'", hint, element.span)])
            methods[letter](element)

    # --- resistors, capacitors, inductors ---

    def _add_simple(self, element: Element) -> None:
        kind, name, unit = _SIMPLE[element.kind]
        given = [element.values[key] for key in (name.lower(), "value") if key in element.values]
        words = [*given, *element.words[2:]]
        if not words:
            raise self.fail(element, "it has no value", f"{element.shown} node node value")
        tree = self.tree(element, words[0])
        if element.kind == "r" and _has_probe(tree):
            part = self.part(element, "VariableResistor", [], TWO)
            self.equation(element, f"{part.name}.R", tree, "Ohm")
        elif element.kind == "r" and constant(tree) == 0:
            self.part(element, "Short", [], TWO)
        elif element.kind == "l" and element.name in self._coupled:
            self._add_winding(element, tree)
            self.lose_rest(element, words[1:], "l value ic")
            return
        elif _has_probe(tree):
            hint = "write it in the model, as i = der(C*u)"
            raise ModelError(
                [messages.not_imported(f"the value of '{element.shown}', which varies,", hint, element.span)]
            )
        else:
            value = self._scope.value(tree, unit, element.span) + self._heated(element)
            if "m" in element.values:
                factor = self.value(element, element.values["m"], "", is_factor=True)
                value += f"*{factor}" if kind == "Capacitor" else f"/({factor})"
            self.part(element, kind, [f"{name}={value}", *self._start(element)], TWO)
        self.lose_rest(element, words[1:], f"{name.lower()} value ic tc tc1 tc2 m noisy")

    def _heated(self, element: Element) -> str:
        """The factor of a value with coefficients of temperature."""
        values = element.values
        slopes = [constant(self.tree(element, values[key])) if key in values else 0.0 for key in ("tc1", "tc2")]
        slopes[0] = constant(self.tree(element, values["tc"])) if "tc" in values else slopes[0]
        if not any(slopes) or not self._ambient:
            return ""
        rise = f"({self._scope.share_ambient()}/{self._scope.unit('K')} - {self._nominal})"
        return f"*(1 + {plain(slopes[0] or 0)}*{rise} + {plain(slopes[1] or 0)}*{rise}^2)".replace(f" + 0*{rise}^2", "")

    def _start(self, element: Element) -> list[str]:
        """The start value of a capacitor or an inductor: its own, or that of its nodes."""
        start, unit = {"c": ("u0", "V"), "l": ("i0", "A")}.get(element.kind, ("", ""))
        if start and "ic" in element.values:
            return [f"{start}={self.value(element, element.values['ic'], unit)}"]
        nodes = [self._circuit.node(word) for word in element.words[:2]]
        starts = [self._circuit.initial.get(node) for node in nodes]
        if start != "u0" or starts == [None, None]:
            return []
        self._started.update(nodes)
        difference = Tree("-", "", (starts[0] or _ZERO, starts[-1] or _ZERO))
        return [f"u0={self._scope.value(difference, 'V', element.span)}"]

    def _add_initial(self) -> None:
        """Initial equations for the nodes of .ic that have no capacitor here."""
        for node in self._circuit.initial.keys() - self._started:
            span = self._circuit.span
            value = self._scope.value(self._circuit.initial[node], "V", span)
            self.initial.append(f"{self._scope.voltage([node], span)} = {value}")
        self.initial.sort()

    # --- windings ---

    def _couplings(self) -> dict[str, list[tuple[str, Tree]]]:
        """The windings that share a core with each inductor, with their factors."""
        found: dict[str, list[tuple[str, Tree]]] = {}
        for element in self._circuit.elements.values():
            if element.kind == "k":
                if len(element.words) < 3 or element.values:
                    raise self.fail(element, "it needs inductors and a factor", f"{element.shown} L1 L2 0.99")
                *names, factor = (word.lower() for word in element.words)
                for one, other in itertools.permutations(names, 2):
                    found.setdefault(one, []).append((other, parse(factor, element.span)))
        return found

    def _add_winding(self, element: Element, own: Tree) -> None:
        """An inductor of a core. If all factors are 1, the first one has the inductance, and the voltages follow it."""
        others = [(name, factor, self._inductance(name, element)) for name, factor in self._coupled[element.name]]
        ideal = [constant(factor) == 1 for _, factor, _ in others]
        order = list(self._circuit.elements)
        first = min((element.name, *(name for name, _, _ in others)), key=order.index)
        if any(ideal) and not all(ideal):
            hint = "give all windings of this core the factor 1, or none of them"
            raise ModelError([messages.not_imported(f"the core of '{element.shown}'", hint, element.span)])
        if ideal[0] and element.name != first:
            part = self.part(element, "VSource", [], TWO)
            ratio = self._ratio(own, next(value for name, _, value in others if name == first), _ONE, element)
            terms = [(ratio, first, "u")]
            left = f"{part.name}.u"
        else:
            values = [f"L={self._scope.value(own, 'H', element.span)}", *self._start(element)]
            left = f"{self.part(element, 'CoupledInductor', values, TWO).name}.coupled"
            terms = [(self._ratio(value, own, factor, element), name, "i") for name, factor, value in others]

        def write() -> None:
            names = self._scope.parts
            each = [f"{by}*{names[name].name}.{of}" for by, name, of in terms if name in names]  # others are told
            self.equations.append(f"{left} = {' + '.join(each)}")

        self.later.append(write)

    def _inductance(self, name: str, element: Element) -> Tree:
        other = self._circuit.elements.get(name)
        text = "" if other is None else other.values.get("l") or "".join(other.words[2:3])
        if other is None or other.kind != "l" or not text:
            known = [each.name for each in self._circuit.elements.values() if each.kind == "l"]
            raise ModelError([messages.unknown("inductor", name, known, element.span)])
        return self.tree(other, text)

    def _ratio(self, above: Tree, below: Tree, factor: Tree, element: Element) -> str:
        """factor*sqrt(above/below)."""
        quotient = self._scope.tree(Tree("/", "", (above, below)), element.span)
        size = constant(quotient)
        root = Tree("number", plain(size**0.5)) if size and size > 0 else Tree("call", "sqrt", (quotient,))
        tree = root if constant(factor) == 1 else Tree("*", "", (factor, root))
        return self._scope.value(tree, "", element.span)

    # --- devices ---

    def _add_device(self, element: Element) -> None:
        letter = element.kind
        count = 3 if letter == "w" else len(_PINS[letter])
        found = next(((k, device) for k, device in self._devices(element) if k >= count), None)
        if found is None:
            known = [name for circuit in self._circuit.outward() for name in circuit.devices]
            wanted = "".join(element.words[count : count + 1])
            raise ModelError([messages.unknown("model", wanted, known, element.span)])
        position, device = found
        if position > count + (letter == "q"):
            raise self.fail(element, f"it has {position} words before its model", f"{count} of them")
        if position > count and self._circuit.node(element.words[3]) != "0":
            self.lose(element, "the node of the substrate")
        name, values = self._kind(element, device)
        values += self._own(element, element.words[position + 1 :])
        part = self.part(element, name, values, _PINS[letter], "i" if letter in "dsw" else "")
        if letter == "w":
            self.equation(element, f"{part.name}.x", Tree("probe", f"i({element.words[2]})"), "")

    def _devices(self, element: Element) -> Iterator[tuple[int, Device]]:
        """The models that words of the element name, with the places of these words."""
        for k, word in enumerate(element.words):
            for circuit in self._circuit.outward():
                if word.lower() in circuit.devices:
                    yield k, circuit.devices[word.lower()]
                    break

    def _kind(self, element: Element, device: Device) -> tuple[str, list[str]]:
        """The class of a device, and values where it is one of the library."""
        kind = KINDS.get(device.kind)
        if kind is None or device.kind not in OF_LETTER[element.kind]:
            hint = f"give '{element.shown}' a model of the type {' or '.join(OF_LETTER[element.kind]).upper()}"
            raise ModelError([messages.not_imported(f"the type {device.kind.upper()[:20]} here", hint, device.span)])
        if constant(device.values.get("level", _ONE)) != 1:
            what = f"the level of the model '{device.name}'"
            raise ModelError([messages.not_imported(what, "give a model of level 1", device.span)])
        trees = completed(device.kind, device.values)
        name = self._device_class(device, kind, trees)
        if name:
            return name, []
        given = [(*kind.parameters[key], tree) for key, tree in trees.items() if key in kind.parameters]
        values = [f"{name}={self._scope.value(tree, unit, element.span)}" for name, unit, tree in given]
        if self._ambient and element.kind not in "sw":
            values.append(f"temp={self._scope.share_ambient()}")
        return kind.name, values

    def _own(self, element: Element, rest: Sequence[str]) -> list[str]:
        """What a device has besides its model: its area, W and L, the state of a switch."""
        letter, found = element.kind, list[str]()
        numbers = [word for word in rest if word[0].isdigit() or word[0] in "{'."] if letter in "dqj" else []
        sizes = [*(element.values[key] for key in ("area", "m") if key in element.values), *numbers[:1]]
        if sizes and letter in _AREA:
            found.append(f"{_AREA[letter]}={'*'.join(self.value(element, size, '', is_factor=True) for size in sizes)}")
        for key in ("w", "l") if letter == "m" else ():
            if key in element.values:
                found.append(f"{key.upper()}={self.value(element, element.values[key], 'meter')}")
        words = [word.lower() for word in rest if word not in numbers[:1]]
        if letter in "sw" and "on" in words:
            found.append("ON=true")
        known = ("area m" if letter in _AREA else "") + (" w l" if letter == "m" else "")
        self.lose_rest(element, [word for word in words if word not in ("on", "off")], known)
        return found

    # --- lines and subcircuits ---

    def _add_line(self, element: Element) -> None:
        values = element.values
        if "td" in values:
            time = self.value(element, values["td"], "sec")
        elif "f" in values:
            turns = parse(values.get("nl", "0.25"), element.span)
            time = self._scope.value(Tree("/", "", (turns, parse(values["f"], element.span))), "sec", element.span)
        else:
            raise self.fail(element, "it has neither TD nor F", f"{element.shown} a+ a- b+ b- Z0=50 TD=1n")
        impedance = self.value(element, values.get("z0") or values.get("zo") or "50", "Ohm")
        self.part(element, "LosslessLine", [f"Z0={impedance}", f"T={time}"], FOUR, "")
        self.lose_rest(element, element.words[4:], "z0 zo td f nl")

    def _add_subcircuit(self, element: Element) -> None:
        words = [word for word in element.words if word.lower() != "params:"]
        found = self._subcircuit(words[-1].lower(), self._circuit) if words else None
        if found is None:
            known = [name for circuit in self._circuit.outward() for name in circuit.circuits]
            raise ModelError([messages.unknown("subcircuit", "".join(words[-1:]), known, element.span)])
        kind, inner = found
        pins = [(inner.nodes[pin], f"V_{inner.nodes[pin]}") for pin in inner.circuit.pins]
        if len(words) - 1 != len(pins):
            what = f"it has {len(words) - 1} nodes, and '{inner.circuit.name}' has {len(pins)} pins"
            raise self.fail(element, what, "one node for each pin")
        values = []
        for key, text in element.values.items():
            if key not in inner.parameters:
                raise ModelError([messages.unknown("parameter", key, inner.parameters, element.span)])
            values.append(f"{inner.parameters[key]}={self.value(element, text, '')}")
        self.part(element, kind, values, pins, "")


def _has_probe(tree: Tree) -> bool:
    return tree.kind == "probe" or any(map(_has_probe, tree.parts))
