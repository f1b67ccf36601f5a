"""Translates .meas of transients into measures: a statement, the names of its circuit -> `delay(R1.u, C1.u, ...)`."""

from __future__ import annotations

import re
from collections.abc import Sequence

from cutset.compiler.diagnostics import ModelError
from cutset.compiler.spice.expressions import constant, parse
from cutset.compiler.spice.lines import Statement
from cutset.compiler.spice.scope import Scope, plain

PROBE = re.compile(r"\b([vi])\s*\(([^()]*)\)", re.IGNORECASE)
_HEAD = re.compile(r"\.meas(?:ure)?\s+(?:tran\s+)?(?!(?:ac|dc|op|noise|sp)\b)\S+\s+(.*)", re.IGNORECASE | re.DOTALL)
_OF_SPAN = {
    "avg": "mean", "rms": "rms", "max": "max", "min": "min", "pp": "peak_to_peak", "integ": "integral",
    "integral": "integral",
}  # fmt: skip
_EDGES = {"rise": "rise", "fall": "fall", "cross": "both"}
_CURVE = re.compile(r"[@\d.eE+\-*/^()]+")


class _Other(Exception):
    """What has no such measure."""


def probed(kind: str, inner: str, scope: Scope, statement: Statement) -> str:
    """The text of a voltage or a current; ModelError for an unknown one."""
    of = [each for each in re.split(r"[\s,]+", inner) if each] or [""]
    return scope.voltage(of, statement.span) if kind in "vV" else scope.current(of[0], statement.span)


def measure_of(statement: Statement, scope: Scope) -> str:
    """The measure; empty for a statement that has none."""
    found = _HEAD.fullmatch(statement.text.strip())
    if found is None:
        return ""
    try:
        return _Reader(found[1], scope, statement).read()
    except (_Other, ModelError):
        return ""


class _Reader:
    def __init__(self, text: str, scope: Scope, statement: Statement):
        self._scope, self._statement = scope, statement
        self._curves: list[str] = []
        text = re.sub(r"\bpar\s*\(", "(", PROBE.sub(self._curve, text), flags=re.IGNORECASE)
        text = re.sub(r"\s*([=*/^])\s*", r"\1", re.sub(r"[{}'\"]", "", text))
        self._words = re.sub(r"(?<=@)\s*([-+])\s*(?=@)", r"\1", text).split()

    def _curve(self, found: re.Match[str]) -> str:
        self._curves.append(probed(found[1], found[2], self._scope, self._statement))
        return "@"

    def read(self) -> str:
        """The measure. _Other if there is none."""
        kind, words = self._words[0].lower(), self._words[1:]
        if kind in _OF_SPAN and words:
            return self._measure(_OF_SPAN[kind], [self._expression(words[0])], self._options(words[1:], ("from", "to")))
        if kind == "when" and words:
            curve, options = self._condition(words)
            return self._measure("crossing", [curve], options)
        if kind == "find" and len(words) > 1:
            curve = self._expression(words[0])
            if words[1].lower() == "when":
                other, options = self._condition(words[2:])
                return self._measure("value_when", [curve, other], options)
            return self._measure("value", [curve], self._options(words[1:], ("at",)))
        if kind == "trig" and "targ" in (lower := [word.lower() for word in words]):
            at = lower.index("targ")
            return self._delay(words[:at], words[at + 1 :])
        raise _Other

    def _delay(self, first: Sequence[str], second: Sequence[str]) -> str:
        if not first or not second:
            raise _Other
        curves = [self._expression(each[0]) for each in (first, second)]
        one, other = (self._options(each[1:], ("val", "td", *_EDGES)) for each in (first, second))
        if one.pop("td", "0") != other.pop("td", "0") or "val" not in one or "val" not in other:
            raise _Other
        found = self._edge(one) | {f"to_{key}": value for key, value in self._edge(other).items()}
        return self._measure("delay", curves, {**found, "counts": "all"})

    def _condition(self, words: Sequence[str]) -> tuple[str, dict[str, str]]:
        """The curve and the level in `v(a)=0.5`; the difference of two curves passes zero."""
        if not words or "=" not in words[0]:
            raise _Other
        left, right = words[0].split("=", 1)
        options = self._options(words[1:], ("td", "from", "to", *_EDGES))
        if "@" not in right:
            curve, level = self._expression(left), self._number(right)
        else:
            curve, level = self._expression(f"{left}-({right})"), "0"
        span = {"from": options.pop("td")} if "td" in options else {}
        return curve, self._edge({**options, "val": level}) | span

    def _edge(self, options: dict[str, str]) -> dict[str, str]:
        """The level, the edge and its number; others stay."""
        found = {"level": options.pop("val")}
        for word in _EDGES.keys() & options.keys():
            number = options.pop(word)
            found |= {"edge": _EDGES[word], "n": "-1" if number == "last" else number}
        return found | options

    def _options(self, words: Sequence[str], known: Sequence[str]) -> dict[str, str]:
        found: dict[str, str] = {}
        for word in words:
            key, sign, value = word.lower().partition("=")
            if not sign or key not in known:
                raise _Other
            found[key] = value if value == "last" else self._number(value)
        return found

    def _number(self, text: str) -> str:
        value = constant(self._scope.tree(parse(text, self._statement.span), self._statement.span))
        if value is None:
            raise _Other
        return plain(value)

    def _expression(self, text: str) -> str:
        """The text with the names of variables, in order."""
        if "@" not in text or not _CURVE.fullmatch(text):
            raise _Other
        curves = iter(self._curves)
        found = re.sub("@", lambda _: next(curves), text)
        self._curves = [*curves]
        return found

    def _measure(self, name: str, curves: Sequence[str], options: dict[str, str]) -> str:
        given = [f"{key}={value}" for key, value in options.items()]
        return f"{name}({', '.join([*(self._bare(each) for each in curves), *given])})"

    @staticmethod
    def _bare(curve: str) -> str:
        """Without the parentheses around all of it."""
        return curve[1:-1] if re.fullmatch(r"\([^()]*\)", curve) else curve
