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
        "compiler/codegen/emit_lanes.py",
        "_lanes",
        'ended = "\\n".join(f"#undef {name}" for name in ("double", *map(_name, used)))',
        "('double', *map(_name, used))  ->  (*map(_name, used), 'double')",
    ): "macros end in any order",
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
    Place("compiler/codegen/code.py", "LoweredFunction", "external: int = -1", "1  ->  2"): (
        "no external function has the number -1 or -2"
    ),
    Place(
        "compiler/codegen/temporaries.py",
        "_choose_temporaries",
        "a, b = depth.get(args[0], 0), depth.get(args[1], 0)",
        "(depth.get(args[0], 0), depth.get(args[1], 0))  ->  (depth.get(args[1], 0), depth.get(args[0], 0))",
    ): "only the larger counts",
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
        "compiler/expressions/bounds.py", "Bounds._product", "if count > 1:", "count > 1  ->  count >= 1"
    ): "any base to the power of 1 // 2 is 1",
    Place(
        "compiler/expressions/bounds.py",
        "_div",
        "return _mul(a, (0.0 if math.isinf(b[1]) else 1.0 / b[1], 0.0 if math.isinf(b[0]) else 1.0 / b[0]))",
        "(0.0 if math.isinf(b[1]) else 1.0 / b[1], 0.0 if math.isinf(b[0]) else 1.0 / b[0])"
        "  ->  (0.0 if math.isinf(b[0]) else 1.0 / b[0], 0.0 if math.isinf(b[1]) else 1.0 / b[1])",
    ): "a product does not depend on the order of the ends",
    Place(
        "compiler/expressions/bounds.py",
        "_square",
        "return (0.0 if a[0] <= 0.0 <= a[1] else min(ends)), max(ends)",
        "(0.0 if a[0] <= 0.0 <= a[1] else min(ends), max(ends))"
        "  ->  (max(ends), 0.0 if a[0] <= 0.0 <= a[1] else min(ends))",
    ): "a power of an interval that is not negative does not depend on the order of the ends",
    Place(
        "compiler/expressions/bounds.py",
        "_square",
        "return (0.0 if a[0] <= 0.0 <= a[1] else min(ends)), max(ends)",
        "a[0] <= 0.0 <= a[1]  ->  a[0] < 0.0 <= a[1]",
    ): "the least of the squares is 0 if one of the ends is",
    Place(
        "compiler/expressions/bounds.py",
        "_wave.rule",
        "ends = function.value(low), function.value(high)",
        "(function.value(low), function.value(high))  ->  (function.value(high), function.value(low))",
    ): "only their least and their largest count",
    Place(
        "compiler/expressions/bounds.py",
        "_wave.rule",
        "return (-1.0 if meets(shape.crest + math.pi) else min(ends)), (1.0 if meets(shape.crest) else max(ends))",
        "shape.crest + math.pi  ->  shape.crest - math.pi",
    ): "both are lowest points, a period apart",
    Place(
        "compiler/expressions/bounds.py",
        "_valley.rule",
        "ends = abs(a[0]), abs(a[1])",
        "(abs(a[0]), abs(a[1]))  ->  (abs(a[1]), abs(a[0]))",
    ): "only their least and their largest count",
    Place(
        "compiler/expressions/bounds.py",
        "_valley.rule",
        "return rising((0.0 if a[0] <= 0.0 <= a[1] else min(ends), max(ends)))",
        "a[0] <= 0.0 <= a[1]  ->  a[0] < 0.0 <= a[1]",
    ): "the least of the ends is 0 if one of them is",
    Place(
        "compiler/expressions/dense.py",
        "solved",
        "if not (size > 0.0 and all(map(math.isfinite, (*a, *b)))):",
        "(*a, *b)  ->  (*b, *a)",
    ): ("the order inside `all` does not count"),
    Place(
        "compiler/flatten/aliases.py",
        "_Elimination._assign",
        "if v.level < TIME:",
        "v.level < TIME  ->  v.level <= TIME",
    ): ("only `time` and its functions have the level TIME, and a value is a variable or an expression of parameters"),
    Place(
        "compiler/expressions/nodes.py", "Nodes._pair", "self._made = number + 1", "1  ->  2"
    ): "only the order of the numbers counts",
    Place(
        "runtime/solvers/sundials.py",
        "locate",
        'files = [sorted(folder.glob(f"*sundials_{name}[.-]*")) for name in ("core", "cvode", "ida")]',
        "sorted(folder.glob(f'*sundials_{name}[.-]*'))  ->  list(folder.glob(f'*sundials_{name}[.-]*'))",
    ): "the wheel has one file of each name",
    Place(
        "compiler/codegen/accesses.py",
        "writes_of",
        "return (statement.sine, statement.cosine)",
        "(statement.sine, statement.cosine)  ->  (statement.cosine, statement.sine)",
    ): "no order among the places that a statement writes",
}
