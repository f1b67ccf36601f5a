"""Writes the equations of a component as LaTeX formulas with their places."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import sympy

from cutset.api.show.symbolic import written_equations
from cutset.api.translate.listeners import Results
from cutset.compiler.flatten.model import FlatModel
from cutset.contract.names import rpartition

if TYPE_CHECKING:
    from cutset.api.model import Model

# More scalar equations are not shown.
_MOST = 150
_SPECIAL = str.maketrans({c: f"\\{c}" for c in "{}$&#_%"} | {"~": r"\sim{}", "^": r"\wedge{}", "\\": r"\backslash{}"})
_LETTERS = "alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi pi rho sigma tau phi chi psi omega"
_CAPITALS = ("Gamma", "Delta", "Theta", "Lambda", "Xi", "Pi", "Sigma", "Phi", "Psi", "Omega")
_GREEK = {name: f"\\{name}" for name in (*_LETTERS.split(" "), *_CAPITALS)}


def equations_in(model: Model, component: str) -> list[dict[str, Any]]:
    """The scalar equations that the class of a component states, in the order of the text: `latex`, and the place as
    `file` and `line`. The empty name is the object itself. The limit is 150 equations."""
    found: list[dict[str, Any]] = []
    for equation in _flat(model).equations:
        if equation.instance != component or len(found) >= _MOST:
            continue
        for scalar in written_equations([equation]):
            symbols = {symbol: latex_name(str(symbol), component) for symbol in scalar.free_symbols}
            place = {"file": equation.span.source.name, "line": equation.span.line}
            found.append({"latex": sympy.latex(scalar, symbol_names=symbols, mul_symbol="dot"), **place})
    return found[:_MOST]


def latex_name(name: str, component: str) -> str:
    """A variable in a formula of the component: `q_start(2)` becomes a q with index, der(x) a dotted x."""
    derivative = re.fullmatch(r"der\((.*)\)", name)
    if derivative:
        return rf"\dot{{{latex_name(derivative[1], component)}}}"
    own = name.removeprefix(f"{component}.") if component else name
    path, _, last = rpartition(own)
    matched = re.fullmatch(r"([^\W\d_]+)(\w*?)(?:\(([\d,]+)\))?", last)
    if matched is None:
        return rf"\mathtt{{{own.translate(_SPECIAL)}}}"
    letters, rest, index = matched[1], matched[2].strip("_"), matched[3]
    main = _GREEK.get(letters) or (letters if len(letters) == 1 else rf"\mathit{{{letters}}}")
    below = ",".join(part.translate(_SPECIAL) for part in (rest, index) if part)
    front = rf"\mathrm{{{path.translate(_SPECIAL)}.}}" if path else ""
    return f"{front}{main}" + (rf"_{{\mathrm{{{below}}}}}" if below else "")


def _flat(model: Model) -> FlatModel:
    results = Results("flatten")
    model._observe(results)
    return results.of(FlatModel)
