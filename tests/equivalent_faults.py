"""Lists the faults of `mutate` that change no result, with the reason: no test can notice them."""

from __future__ import annotations

from typing import NamedTuple


class Place(NamedTuple):
    """A file, the classes and functions around a line of it, the line without indentation, and what is done there, as
    `Fault.what` says it."""

    file: str
    inside: str
    text: str
    what: str


EQUIVALENT = {
    Place(
        "compiler/codegen/loop_rolling.py",
        "_in_step",
        "best, fewest = (start, end), len(leaves[start]) + 1",
        "1  ->  2",
    ): ("a period has at most as many tables as leaves, so the first loop is better than none with both"),
    Place(
        "compiler/codegen/loop_rolling.py",
        "_shape",
        "places = _value_shape(target, leaves), unless and _value_shape(unless, leaves)",
        "(_value_shape(target, leaves), unless and _value_shape(unless, leaves))"
        "  ->  (unless and _value_shape(unless, leaves), _value_shape(target, leaves))",
    ): ("both places have the same index: a parameter p[i] is written unless given[i]"),
    Place("compiler/codegen/program.py", "LoweredFunction", "external: int = -1", "1  ->  2"): (
        "no external function has the number -1 or -2"
    ),
    Place("compiler/expressions/arithmetic.py", "Arithmetic.add", "if a.id > b.id:", "a.id > b.id  ->  a.id >= b.id"): (
        "it exchanges a and b if they are one expression"
    ),
    Place(
        "compiler/expressions/arithmetic.py",
        "Arithmetic.mul",
        "if b.level < TIME and a.level == TIME:",
        "b.level < TIME  ->  b.level <= TIME",
    ): ("two factors of the same level are brought into the order of their numbers a few lines below"),
    Place(
        "compiler/expressions/dense.py",
        "solved",
        "if not (size > 0.0 and all(map(math.isfinite, (*a, *b)))):",
        "(*a, *b)  ->  (*b, *a)",
    ): ("the order inside `all` does not count"),
    Place(
        "compiler/expressions/nodes.py", "Nodes._pair", "self._made = number + 1", "1  ->  2"
    ): "only the order of the numbers counts",
    Place("compiler/expressions/text.py", "_text", "return value, 3 if e.data >= 0 else 1", "3  ->  4"): (
        "no operator binds more strongly than 3, an atom"
    ),
    Place(
        "runtime/initial_system.py",
        "_ahead",
        "return next((a > b for a, b in zip(one, other, strict=False) if abs(a - b) > _SAME * (1.0 + abs(b))), False)",
        "a > b  ->  a >= b",
    ): ("only pairs that differ are compared"),
    Place(
        "runtime/solvers/sundials.py",
        "locate",
        'files = [sorted(folder.glob(f"*sundials_{name}[.-]*")) for name in ("core", "cvode", "ida")]',
        "sorted(folder.glob(f'*sundials_{name}[.-]*'))  ->  list(folder.glob(f'*sundials_{name}[.-]*'))",
    ): "the wheel has one file of each name",
}
