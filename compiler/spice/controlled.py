"""Turns sources into submodels: independent ones, controlled ones and behavioral ones."""

from __future__ import annotations

import itertools
import re
from collections.abc import Sequence

from cutset.compiler.diagnostics import ModelError
from cutset.compiler.spice import messages
from cutset.compiler.spice.expressions import Tree, constant, literal, parse
from cutset.compiler.spice.netlist import Element
from cutset.compiler.spice.parts import FOUR, SET, TWO, Parts
from cutset.compiler.spice.sources import Times, signal_of

_FORMULA = re.compile(r"\b([VI])\s*=\s*(.+)$", re.IGNORECASE)
_TABLE = re.compile(r"\btable\s*=?\s*(\{[^{}]*\})\s*=?\s*(.+)$", re.IGNORECASE)
_POINTS = re.compile(r"\(?\s*([^\s(),]+)\s*,\s*([^\s(),]+)\s*\)?")


class Sources(Parts):
    """The parts of a circuit with its sources."""

    def add_source(self, element: Element, times: Times) -> None:
        """V and I: their function of time, and their small signal."""
        unit, letter = ("V", "V") if element.kind == "v" else ("A", "I")
        known = [(key, text) for key, text in element.values.items() if key in ("dc", "ac")]
        words = [*itertools.chain(*known), *element.words[2:]]
        self.lose_rest(element, (), "dc ac")
        signal = signal_of(words, unit, self._scope, times, element.span)
        for loss in signal.losses:
            self.lose(element, loss)
        values = [*signal.values, *([f"ac={signal.small}"] if signal.small and signal.kind != "Source" else [])]
        part = self.part(element, f"{letter}{signal.kind}", values, TWO)
        if signal.kind == "Source":
            added = f" + small_signal({signal.small})" if signal.small else ""
            self.equation(element, f"{part.name}.{SET[unit]}", signal.formula, unit, added)

    def add_b(self, element: Element) -> None:
        """A behavioral source."""
        found = _FORMULA.search(element.statement.text)
        if found is None:
            raise self.fail(element, "it has neither V= nor I=", f"{element.shown} node node V={{2*V(a)}}")
        if len(element.statement.text[: found.start()].split()) != 3:
            raise self.fail(element, "it has other words before its formula", f"{element.shown} node node V={{2*V(a)}}")
        self._behavioral(element, found[1].upper(), parse(found[2], element.span))

    def _behavioral(self, element: Element, letter: str, tree: Tree) -> None:
        unit = "V" if letter == "V" else "A"
        part = self.part(element, f"{letter}Source", [], TWO)
        self.equation(element, f"{part.name}.{SET[unit]}", tree, unit)

    def add_by_voltage(self, element: Element) -> None:
        """E and G: a gain, POLY, VALUE or TABLE."""
        letter, words = "V" if element.kind == "e" else "I", element.words[2:]
        first = words[0].lower() if words else ""
        key = next((key for key in ("value", "vol", "cur") if key in element.values), "")
        if key or (first == "value" and len(words) > 1):
            self._behavioral(element, letter, parse(element.values[key] if key else words[1], element.span))
            self.lose_rest(element, words if key else words[2:], key)
        elif table := _TABLE.search(element.statement.text):
            points = [parse(text, element.span) for pair in _POINTS.findall(table[2]) for text in pair]
            if len(points) < 4:
                raise self.fail(element, "its table needs two points", "TABLE {V(a)} = (0, 0) (1, 5)")
            self._behavioral(element, letter, Tree("call", "table", (parse(table[1], element.span), *points)))
        elif first == "poly":
            names, factors = self._controls(element, words, 2)
            terms = [Tree("probe", f"v({a},{b})") for a, b in zip(names[::2], names[1::2], strict=True)]
            self._behavioral(element, letter, _polynomial(terms, factors))
            self.lose_rest(element, (), "")
        elif first == "laplace" or "laplace" in element.values:
            hint = "leave it out, and write its differential equation in the model, as y + tau*der(y) = x"
            raise ModelError([messages.not_imported(f"the transfer function of '{element.shown}'", hint, element.span)])
        elif len(words) >= 3:
            gain = f"k={self.value(element, words[2], '' if letter == 'V' else 'S')}"
            part = self.part(element, "VCV" if letter == "V" else "VCC", [gain], (*FOUR[2:], *FOUR[:2]), "i2")
            part.pins = [*part.pins[2:], *part.pins[:2]]
            self.lose_rest(element, words[3:], "")
        else:
            raise self.fail(element, "it has no gain", f"{element.shown} out+ out- in+ in- gain")

    def _controls(self, element: Element, words: Sequence[str], each: int) -> tuple[list[str], list[Tree]]:
        """What POLY(n) names, and its coefficients."""
        count = int(words[1]) if len(words) > 1 and words[1].isdecimal() and len(words[1]) < 3 else 0
        names, rest = list(words[2 : 2 + each * count]), list(words[2 + each * count :])
        if not count or len(names) < each * count or not rest:
            raise self.fail(element, "POLY lacks what controls it, or coefficients", "POLY(n), n controls, numbers")
        return names, [parse(text, element.span) for text in rest]

    def add_by_current(self, element: Element) -> None:
        """F and H: a gain, or POLY."""
        letter, words = "I" if element.kind == "f" else "V", element.words[2:]
        if words and words[0].lower() == "poly":
            names, factors = self._controls(element, words, 1)
            self._behavioral(element, letter, _polynomial([Tree("probe", f"i({each})") for each in names], factors))
            self.lose_rest(element, (), "")
        elif len(words) >= 2:
            part = self.part(element, f"{letter}Source", [], TWO)
            gain = self.value(element, words[1], "", is_factor=True)
            unit = "" if letter == "I" else f"*{self._scope.unit('Ohm')}"

            def write() -> None:
                current = self._scope.current(words[0], element.span)
                self.equations.append(f"{part.name}.{'i' if letter == 'I' else 'u'} = {gain}{unit}*{current}")

            self.later.append(write)
            self.lose_rest(element, words[2:], "")
        else:
            raise self.fail(element, "it has no gain", f"{element.shown} out+ out- source gain")


def _polynomial(terms: list[Tree], factors: list[Tree]) -> Tree:
    """The polynomial of SPICE2: a constant, then the products of one term, of two, and so on; a single coefficient of
    one term is that of the term."""
    if len(factors) == 1 and len(terms) == 1:
        return Tree("*", "", (factors[0], terms[0]))
    found, degree, products = factors[0], 1, list[tuple[Tree, ...]]()
    while len(products) < len(factors) - 1:
        products += itertools.combinations_with_replacement(terms, degree)
        degree += 1
    for factor, product in zip(factors[1:], products, strict=False):
        if constant(factor) != 0:
            term = factor
            for each in product:
                term = each if literal(term) == "1" else Tree("*", "", (term, each))
            found = term if constant(found) == 0 else Tree("+", "", (found, term))
    return found
