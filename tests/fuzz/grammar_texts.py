"""Random models out of grammar.lark itself: a form that is added there is tried from that day on.

The strategy that hypothesis has for grammars knows no bound on depth: all it makes of expressions outgrows its
buffer. This one takes the shortest way out of a rule the more often the deeper it is.
"""

from __future__ import annotations

import random
from pathlib import Path

from lark import Lark
from lark.grammar import Symbol

ROOT = Path(__file__).parents[2]
DEEPEST = 60

# What names mean something in MODEL; anything else ends at the first look-up.
NAMES = (
    "C D M a b d p q k x y z T v w i A B P n1 n2 der sin sqrt sum zeros transpose cross size min time true "
    "unit start state symmetric init new"
).split()
# Of a name with indices and dots that the grammar makes, hardly one would exist.
REFERENCES = "x p k time y(1) y(2..3) y q q(3) z(1) T T(:,1) a.x b(2).p der(x) sin(x) size(q,1) y'*y sum(q)".split()
NUMBERS = ("0", "1", "2", "3", "0.5", "1e3", "1e300", "7")
TEXTS = ('"m"', '"kg.m2"', '"a b"', '""', '"electrical"')

# $E is an expression, $S one or some statements; of both there is mostly none or the plain one.
MODEL = """
model class C "an element"
  cut A (v / i), B (w / -i)
  main path P <A - B>
  constant k = 2
  parameter p = 2, q(3) = [1, 2, 3]
  terminal x (start=1), y(3)
  $S
  der(x) = ($E) - x
  y = q*x
  v - w = p*i + ($E)
end
model class (C) D
  local z
  z = $E
  $S
end
model M
  constant k = 3
  parameter p = 4, q(3) = [1, 2, 3]
  parameter T(2,2) = [1, 0; 0, $E]
  $S
  submodel (C) a(p = $E), b(3)
  submodel (D) d
  submodel (G) g
  node n1, n2
  local x, y(3), z(2)
  connect a at (n1, n2), g at n2, n1 to b(1) to b(2) to n2, n1 to b(3) to d
  connect d:B at n2
  x = $E
  y = [a.x; b(2).x; $E]
  T*z = [1; $E]
  $S
end
""".lstrip()
GROUND = "model class G\n  cut A (v / i)\n  main cut C [A]\n  v = 0\nend\n"


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
        """A file with generated expressions and statements in it."""
        pieces = MODEL.replace("$S", "$E$S").split("$E")
        text = pieces[0]
        share = rng.choice((0.1, 0.2, 0.5))
        for piece in pieces[1:]:
            if piece.startswith("$S"):
                lines = self._statements(rng) if rng.random() < share else []
                text += "\n  ".join(lines) + piece[2:]
            else:
                text += (self.sentence("expression", rng) if rng.random() < share else "2") + piece
        return GROUND + text

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
        known = {"NAME": NAMES, "NUMBER": NUMBERS, "TEXT": TEXTS}
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
