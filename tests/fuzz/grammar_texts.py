"""Random models out of grammar.lark itself: a form that is added there is tried from that day on.

The strategy that hypothesis has for grammars knows no bound on depth: all it makes of expressions outgrows its
buffer. This one takes the shortest way out of a rule the more often the deeper it is.
"""

from __future__ import annotations

import random
import re
from pathlib import Path

from fuzz import frames
from fuzz.scalars import actions, condition, scalar
from lark import Lark
from lark.grammar import Symbol

ROOT = Path(__file__).parents[2]
DEEPEST = 60

# What names mean something in FRAMES; anything else ends at the first look-up.
NAMES = [
    "C",
    "D",
    "M",
    "a",
    "b",
    "d",
    "p",
    "q",
    "k",
    "x",
    "y",
    "z",
    "T",
    "v",
    "w",
    "i",
    "A",
    "B",
    "P",
    "n1",
    "n2",
    "der",
    "sin",
    "sqrt",
    "sum",
    "zeros",
    "transpose",
    "cross",
    "size",
    "min",
    "time",
    "true",
    "unit",
    "start",
    "state",
    "symmetric",
    "init",
    "new",
    "f",
    "g",
    "h",
    "delay",
    "sample",
    "edge",
    "interp1",
    "Mode",
    "Angle",
    "Pin",
    "Stove",
    "mode",
    "n",
    "m",
]
# Of a name with indices and dots that the grammar makes, hardly one would exist.
REFERENCES = [
    "x",
    "p",
    "k",
    "time",
    "y(1)",
    "y(2..3)",
    "y",
    "q",
    "q(3)",
    "z(1)",
    "T",
    "T(:,1)",
    "a.x",
    "b(2).p",
    "der(x)",
    "sin(x)",
    "size(q,1)",
    "y'*y",
    "sum(q)",
]
REFERENCES += [
    "f(x,2)",
    "g(x,time)",
    "h([x,1],2)",
    "new(n)",
    "init(x)",
    "Mode.Free",
    "edge(m)",
    "delay(x,1)",
    "sample(0,1)",
    "n",
    "m",
]
NUMBERS = ("0", "1", "2", "3", "0.5", "1e3", "1e300", "7")
UNITS = ("m", "km/h", "kg.m2", "degC", "1/s")
TEXTS = ('"m"', '"kg.m2"', '"a b"', '""', '"electrical"')


class GrammarTexts:
    """Sentences of the rules of a grammar."""

    def __init__(self) -> None:
        text = (ROOT / "compiler/syntax/grammar.lark").read_text(encoding="utf-8")
        grammar = Lark(text, parser="lalr", start=["statement", "member", "expression"], keep_all_tokens=True)
        self._terminals = {t.name: t.pattern.value for t in grammar.terminals}
        self._expansions: dict[str, list[tuple[Symbol, ...]]] = {}
        for rule in grammar.rules:
            self._expansions.setdefault(rule.origin.name, []).append(tuple(rule.expansion))
        self._shortest = self._shortest_ways()
        words = {word for word in self._terminals.values() if word.isalpha()}
        self._closers = {word: f"end{word}" for word in words if f"end{word}" in words}

    def model(self, rng: random.Random) -> str:
        """A file with generated expressions and statements in the gaps of a frame."""
        share = rng.choice((0.01, 0.03, 0.1, 0.5))
        frame = rng.choice(frames.FRAMES).lstrip()
        text = frames.GROUND
        for k, piece in enumerate(re.split(r"\$([A-Z])", frame)):
            text += self._gap(piece, text, share, rng) if k % 2 else piece
        return text

    def _gap(self, kind: str, before: str, share: float, rng: random.Random) -> str:
        """What stands in a gap of this kind; `share` is how often it comes from the grammar."""
        wild = rng.random() < share
        if kind in "AF":
            names = frames.FUNCTION_VARIABLES
            return scalar(rng, names) if kind == "F" else "\n  ".join(actions(rng, frames.FUNCTION_TARGETS, names))
        is_object = "submodel (C) a" in before or "submodel (P) a" in before
        if kind in "PI":
            return scalar(rng, frames.PARAMETERS if kind == "P" else frames.FUNCTION_ARGUMENTS, depth=4)
        names = frames.VARIABLES + (frames.OBJECT_VARIABLES if is_object else [])
        calls = frames.CALLS if "function f" in before else []
        if kind == "S":
            return "\n  ".join(self._statements(rng)) if wild else ""
        if kind == "B":
            return condition(rng, names, calls)
        if wild and kind == "E":
            return self.sentence("expression", rng)
        return scalar(rng, names, calls) if kind == "X" or rng.random() < 0.3 else "2"

    def sentence(self, start: str, rng: random.Random) -> str:
        """Words of the rule `start`, with blanks between them."""
        words: list[str] = []
        # Each symbol with its depth; statements are chosen freely, what is inside of them by depth.
        stack: list[tuple[str, bool, int]] = [(start, False, 3 if start == "expression" else 0)]
        while stack:
            name, is_term, depth = stack.pop()
            if is_term:
                words.append(self._word(name, rng))
                continue
            if name == "reference" and rng.random() < 0.7:
                words.append(rng.choice(REFERENCES))
                continue
            short = depth > 3 and rng.random() < min(1.0, 0.75 + depth / DEEPEST)
            expansion = self._shortest[name] if short else rng.choice(self._expansions[name])
            stack += [(symbol.name, symbol.is_term, depth + 1) for symbol in reversed(expansion)]
        return " ".join(words)

    def _statements(self, rng: random.Random) -> list[str]:
        """One to three statements; what opens a block is closed, mostly."""
        lines: list[str] = []
        for _ in range(rng.randint(1, 3)):
            line = self.sentence(rng.choice(("statement", *["member"] * 9)), rng)
            first = line.split()[0]
            closer = self._closers.get(first)
            if first in self._closers.values() and rng.random() < 0.9:
                continue
            lines.append(line)
            if closer and rng.random() < 0.9:
                lines += ["x = 1" for _ in range(rng.randrange(2))] + [closer]
        return lines

    def _word(self, terminal: str, rng: random.Random) -> str:
        known = {"NAME": NAMES, "NUMBER": NUMBERS, "TEXT": TEXTS, "UNIT": UNITS, "LAST": ("end",), "LENGTH": ("(",)}
        return rng.choice(known[terminal]) if terminal in known else self._terminals[terminal]

    def _shortest_ways(self) -> dict[str, tuple[Symbol, ...]]:
        """Of each rule the expansion that ends after the fewest levels."""
        depth: dict[str, int] = {}
        shortest: dict[str, tuple[Symbol, ...]] = {}
        changed = True
        while changed:
            changed = False
            for name, expansions in self._expansions.items():
                for expansion in expansions:
                    inner = [0 if symbol.is_term else depth.get(symbol.name, 10**6) for symbol in expansion]
                    level = 1 + max(inner, default=0)
                    if level < depth.get(name, 10**6):
                        depth[name], shortest[name], changed = level, expansion, True
        return shortest
