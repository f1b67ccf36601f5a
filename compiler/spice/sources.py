"""Turns the functions of time of independent sources into classes of the library, or into formulas."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass, field

from cutset.compiler.diagnostics import ModelError, Span
from cutset.compiler.spice import messages
from cutset.compiler.spice.expressions import Tree, constant, literal, parse
from cutset.compiler.spice.scope import Scope, plain

_FUNCTIONS = frozenset(("pulse", "sin", "sine", "pwl", "exp", "sffm", "am"))
_MOST = {"pulse": 7, "sin": 6, "sine": 6, "exp": 6}
_ZERO = Tree("number", "0")


@dataclass
class Signal:
    """What a source does: its class and values, or a formula, which is also its constant value; the amplitude of its
    small signal. `losses` are parts that are not carried over."""

    kind: str = "Const"
    values: list[str] = field(default_factory=list)
    formula: Tree = _ZERO
    small: str = ""
    losses: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class Times:
    """Defaults of pulses and sines: the step and the end of .tran."""

    step: Tree
    stop: Tree


def signal_of(words: Sequence[str], unit: str, scope: Scope, times: Times, span: Span) -> Signal:
    """The signal of a source with these words after its nodes; `unit` is V or A. ModelError E160 to E162."""
    found, steady, at = Signal(), _ZERO, 0
    function, arguments, is_given = "", list[str](), False
    while at < len(words):
        word, rest = words[at].lower(), [*itertools.takewhile(_is_value, words[at + 1 :])]
        at += 1
        if word == "ac":
            found.small = scope.value(parse(rest[0], span), unit, span) if rest else "1"
            if len(rest) > 1 and constant(parse(rest[1], span)):
                found.losses.append("the phase of its small signal")
            at += min(len(rest), 2)
        elif word in _FUNCTIONS:
            function, arguments, at = word, rest, at + len(rest)
        elif word != "dc" or rest:
            if is_given:
                what = f"'{words[at - 1]}' is one value too many"
                raise ModelError([messages.wrong(what, "one value, AC, a function", span)])
            text, is_given, at = (rest[0], True, at + 1) if word == "dc" else (words[at - 1], True, at)
            steady = parse(text, span)
    made = _Maker(unit, scope, times, span)
    if not function:
        found.values = [f"{unit if unit == 'V' else 'I'}={scope.value(steady, unit, span)}"]
        found.formula = steady
        return found
    if constant(steady) != 0:
        found.losses.append("the value at rest, beside its function,")
    made.make(function, [scope.tree(parse(each, span), span) for each in arguments], found)
    return found


def _is_value(word: str) -> bool:
    return word.lower() not in _FUNCTIONS and word.lower() not in ("ac", "dc")


class _Maker:
    def __init__(self, unit: str, scope: Scope, times: Times, span: Span):
        self._unit, self._scope, self._times, self._span = unit, scope, times, span
        self._letter = "V" if unit == "V" else "I"

    def make(self, function: str, given: list[Tree], found: Signal) -> None:
        """Set the class and its values, or the formula."""
        by_name = {"pulse": self._pulse, "sin": self._sine, "sine": self._sine, "pwl": self._points, "exp": self._exp}
        if function not in by_name or not given:
            what = f"the function {function.upper()} of a source"
            hint = "write it as a behavioral source: B1 a b V={sin(6.28*time)}"
            raise ModelError([messages.not_imported(what, hint, self._span)])
        by_name[function](given, found)
        if function != "pwl" and len(given) > _MOST[function]:
            found.losses.append(f"what follows {_MOST[function]} arguments of its function")

    def _arguments(self, given: list[Tree], *defaults: Tree) -> list[Tree]:
        return [given[k] if k < len(given) else default for k, default in enumerate(defaults)]

    def _value(self, name: str, tree: Tree, unit: str = "") -> list[str]:
        """name=value, nothing for zero."""
        text = self._scope.value(tree, unit or self._unit, self._span)
        return [] if constant(tree) == 0 else [f"{name}={text}"]

    def _difference(self, high: Tree, low: Tree) -> Tree:
        return self._scope.tree(high if constant(low) == 0 else Tree("-", "", (high, low)), self._span)

    def _sine(self, given: list[Tree], found: Signal) -> None:
        default = self._scope.tree(Tree("/", "", (Tree("number", "1"), self._times.stop)), self._span)
        mean, size, f, start, damping, phase = self._arguments(given, _ZERO, _ZERO, default, _ZERO, _ZERO, _ZERO)
        turned = self._scope.tree(Tree("*", "", (phase, Tree("number", plain(math.pi / 180)))), self._span)
        if constant(start) == 0 and constant(damping) == 0:
            found.kind = "Sine"
            found.values = [*self._value(f"{self._letter}0", mean),
                            f"{self._letter}={self._scope.value(size, self._unit, self._span)}",
                            f"f={self._scope.value(f, 'Hz', self._span)}",
                            *self._value("phi", turned, "rad")]  # fmt: skip
            return
        two_pi = Tree("number", plain(2 * math.pi))
        since = Tree("-", "", (Tree("name", "time"), start))
        wave = Tree("call", "sin", (Tree("+", "", (Tree("*", "", (Tree("*", "", (two_pi, f)), since)), turned)),))
        if constant(damping) != 0:
            fades = Tree("call", "exp", (Tree("minus", "", (Tree("*", "", (damping, since)),)),))
            wave = Tree("*", "", (fades, wave))
        before = Tree("call", "sin", (turned,))
        self._formula(Tree("if", "", (Tree("<", "", (Tree("name", "time"), start)), before, wave)), mean, size, found)

    def _formula(self, wave: Tree, mean: Tree, size: Tree, found: Signal) -> None:
        tree = Tree("+", "", (mean, Tree("*", "", (size, wave))))
        found.kind, found.formula = "Source", tree

    def _exp(self, given: list[Tree], found: Signal) -> None:
        step = self._times.step
        low, high, rise, rising, fall, falling = self._arguments(given, _ZERO, _ZERO, _ZERO, step, step, step)
        fall = fall if len(given) > 4 else Tree("+", "", (rise, step))
        time = Tree("name", "time")

        def part(start: Tree, constant_of: Tree) -> Tree:
            since = Tree("minus", "", (Tree("/", "", (Tree("-", "", (time, start)), constant_of)),))
            grown = Tree("-", "", (Tree("number", "1"), Tree("call", "exp", (since,))))
            return Tree("if", "", (Tree("<", "", (time, start)), _ZERO, grown))

        wave = Tree("-", "", (part(rise, rising), part(fall, falling)))
        self._formula(wave, low, self._difference(high, low), found)

    def _pulse(self, given: list[Tree], found: Signal) -> None:
        step, stop = self._times.step, self._times.stop
        low, high, start, rise, fall, width, period = self._arguments(
            given, _ZERO, _ZERO, _ZERO, step, step, stop, stop
        )
        rise, fall = (step if constant(each) == 0 else each for each in (rise, fall))
        width, period = (stop if constant(each) == 0 else each for each in (width, period))
        height = self._difference(high, low)
        found.kind = "Trapezoid"
        found.values = [
            *self._value(f"{self._letter}0", low),
            f"{self._letter}={self._scope.value(height, self._unit, self._span)}",
            *self._value("t0", start, "sec"),
            *(f"{name}={self._scope.value(tree, 'sec', self._span)}"
              for name, tree in (("rise", rise), ("hold", width), ("fall", fall), ("T", period))),
        ]  # fmt: skip

    def _points(self, given: list[Tree], found: Signal) -> None:
        if len(given) % 2 or len(given) < 2 or any(literal(each) is None for each in given):
            expected = "PWL(t1 v1 t2 v2 ...) with numbers"
            raise ModelError([messages.wrong("PWL needs pairs of a time and a value", expected, self._span)])
        times, values = given[::2], given[1::2]
        if len(times) == 1:
            times, values = [*times, Tree("number", plain((constant(times[0]) or 0) + 1))], values * 2
        texts = [", ".join(literal(each) or "0" for each in several) for several in (times, values)]
        found.kind = "Table"
        found.values = [f"n={len(times)}", f"times=[{texts[0]}]", f"{self._letter}=[{texts[1]}]"]
