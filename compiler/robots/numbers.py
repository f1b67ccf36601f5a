"""Writes numbers and vectors of the language."""

from __future__ import annotations

from cutset.compiler.robots.rotations import Triple


def number(x: float) -> str:
    """The number, exactly; whole ones without a point."""
    return str(int(x)) if x == int(x) and abs(x) < 1e15 else repr(float(x))


def vector(x: Triple) -> str:
    """A vector of the language."""
    return f"[{', '.join(map(number, x))}]"


def elements(name: str, x: Triple) -> str:
    """Values of the parameters name1 to name3; zeros are omitted."""
    return ", ".join(f"{name}{k}={number(value)}" for k, value in enumerate(x, 1) if value)
