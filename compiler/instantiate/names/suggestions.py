"""Names that users of other languages write, and what they are here. Must not look anything up in a model."""

from __future__ import annotations

_FUNCTIONS = {
    "ln": "the natural logarithm is log(x)",
    "log2": "write log(x)/log(2)",
    "div": "write floor(x/y)",
    "pow": "a power is written x^y",
    "power": "a power is written x^y",
    "sqr": "a square is written x^2",
    "fabs": "write abs(x)",
    "rem": "write mod(x, y)",
    "round": "write floor(x + 0.5)",
    "int": "write floor(x)",
    "integer": "write floor(x)",
    "pre": "a plain name is the value before the event; the one after it is new(n)",
    "reinit": "write init(x) = e in 'when'",
    "change": "write edge(b) or edge(not b)",
    "noEvent": "write noevent(e)",
    "eye": "write identity(n)",
    "diag": "write diagonal(v)",
    "dot": "a scalar product is written a'*b",
    "length": "write size(v, 1), or norm(v) for the length of an arrow",
    "ndims": "write size(A, k) for the length of a dimension",
    "ddt": "a derivative is written der(x)",
    "diff": "a derivative is written der(x)",
    "derivative": "a derivative is written der(x)",
    "fill": "write e*ones(n)",
    "linspace": "write the numbers, or a function with 'for'",
    "inv": "an equation needs no inverse: A*x = b",
    "det": "there are no determinants; write a function",
}
_NAMES = {
    "pi": "declare it: constant pi = 3.141592653589793",
    "PI": "declare it: constant PI = 3.141592653589793",
    "t": "the time is called time",
    "inf": "there are no infinite numbers: write a large one",
    "True": "write true",
    "TRUE": "write true",
    "False": "write false",
    "FALSE": "write false",
}
_ATTRIBUTES = {"start", "fixed", "min", "max", "nominal", "state", "unit", "symmetric"}


def function_meant(name: str) -> str:
    """What to write instead of a function that is not known, '' where nothing is known of it."""
    return _FUNCTIONS.get(name, "")


def name_meant(name: str) -> str:
    """The same for the name of a quantity."""
    if name in _ATTRIBUTES:
        return f"an attribute has a value: {name}=..."
    return _NAMES.get(name, "")
