"""Suggests replacements for names of other languages, and files to include. Looks nothing up in a model."""

from __future__ import annotations

from pathlib import Path

from cutset.compiler.diagnostics import STANDARD, Edit, Hint, Source, Span
from cutset.compiler.instantiate.names.standard_libraries import include_of

_FUNCTIONS = {
    "ln": "write the natural logarithm as log(x)",
    "log2": "write log(x)/log(2)",
    "div": "write floor(x/y)",
    "pow": "write a power as x^y",
    "power": "write a power as x^y",
    "sqr": "write a square as x^2",
    "fabs": "write abs(x)",
    "rem": "write mod(x, y)",
    "round": "write floor(x + 0.5)",
    "int": "write floor(x)",
    "integer": "write floor(x)",
    "pre": "a name alone is the value before the event; new(n) is the value after it",
    "reinit": "write init(x) = e in 'when'",
    "change": "write edge(b) or edge(not b)",
    "noEvent": "write noevent(e)",
    "inStream": "write inflow(h) for a variable h that a cut carries",
    "actualStream": "write carried(h) for the product of the flow and what it carries",
    "semiLinear": "write carried(h) for what a flow carries, else if m >= 0 then m*a else m*b",
    "eye": "write identity(n)",
    "diag": "write diagonal(v)",
    "dot": "write a scalar product as a'*b",
    "length": "write size(v, 1), or norm(v) for the Euclidean length",
    "ndims": "write size(A, k) for the length of a dimension",
    "ddt": "write a derivative as der(x)",
    "diff": "write a derivative as der(x)",
    "derivative": "write a derivative as der(x)",
    "fill": "write e*ones(n)",
    "linspace": "write the numbers, or a function with 'for'",
    "inv": "write the equation without an inverse: A*x = b",
    "det": "there is no determinant; write a function",
}
_NAMES = {
    "PI": "write pi",
    "t": "write time",
    "inf": "there is no infinity: write a large number",
    "True": "write true",
    "TRUE": "write true",
    "False": "write false",
    "FALSE": "write false",
}
# Of these suggestions what is simply another name, and what a line of a declaration.
_OTHER_NAMES = {
    "ln": "log", "fabs": "abs", "rem": "mod", "int": "floor", "integer": "floor", "eye": "identity",
    "diag": "diagonal", "ddt": "der", "diff": "der", "derivative": "der", "noEvent": "noevent",
    "t": "time", "PI": "pi", "True": "true", "TRUE": "true", "False": "false", "FALSE": "false",
}  # fmt: skip
_ATTRIBUTES = {"start", "fixed", "min", "max", "nominal", "state", "unit", "display", "symmetric", "rotation"}


def to_include(file: Source, span: Span) -> Hint:
    """The remedy for a name at `span` that `file` declares, which another file includes for itself."""
    path, folder = Path(file.name).with_suffix(""), Path(span.source.name).parent
    name = path.relative_to(folder).as_posix() if path.is_relative_to(folder) else path.name
    if file.shown.startswith(f"{STANDARD}/"):
        name = file.shown.removeprefix(f"{STANDARD}/").removesuffix(".mo")
    line = include_of(name)
    return Hint(f"'{file.shown or file.name}' declares it: include this file with {line}", Edit("include", line))


def function_meant(name: str) -> str:
    """What to write instead of an unknown function, '' if there is no suggestion."""
    return _with_edits(name, _FUNCTIONS.get(name, ""))


def name_meant(name: str) -> str:
    """The same for the name of a quantity."""
    if name in _ATTRIBUTES:
        return f"give the attribute a value: {name}=..."
    return _with_edits(name, _NAMES.get(name, ""))


def _with_edits(name: str, words: str) -> str:
    """The suggestion, as edits too where it is one."""
    return Hint(words, Edit("replace", _OTHER_NAMES[name], name)) if name in _OTHER_NAMES else words
