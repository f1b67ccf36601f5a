"""Evaluates values and slopes of expressions exactly, at one random point of a prime field.

It decides whether equations depend on each other: the rank of a matrix is exact, no tolerance is needed, and a property
at a random point holds for almost all values (Schwartz, J. ACM 27 (1980), pp. 701-717). A function that is not rational
has random values and slopes, the same for the same arguments.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from hashlib import blake2b

from cutset.compiler.expressions.pool import TIME, Expr
from cutset.compiler.expressions.sparse import right_of, rows_of
from cutset.compiler.expressions.walk import reachable, varying
from cutset.contract.functions import FUNCTIONS

PRIME = 2**61 - 1

# The limit on the equations of a system of parameters that is solved here; a larger one has a random solution.
_MOST_EQUATIONS = 60

_ODD = frozenset(row.op for row in FUNCTIONS.values() if row.symmetry < 0)
_EVEN = frozenset(row.op for row in FUNCTIONS.values() if row.symmetry > 0)


def generic(*key: object) -> int:
    """A pseudo-random number that is determined by the key, never 0."""
    digest = blake2b(repr(key).encode(), digest_size=16).digest()
    return 1 + int.from_bytes(digest) % (PRIME - 1)


def inverse(a: int) -> int:
    """1/a for nonzero a."""
    return a if a == 1 or a == PRIME - 1 else pow(a, -1, PRIME)


class FieldPoint:
    """A point with cached values; `known` gives variables the values of other expressions. `on_circle`: the sine and
    the cosine of an angle are a point of the circle sin^2 + cos^2 = 1."""

    def __init__(self, known: Mapping[Expr, Expr], on_circle: bool = False):
        self._is_on_circle = on_circle
        self._values: dict[Expr, int] = {}
        self._solutions: dict[Expr, list[int]] = {}  # of systems that are solved once per run
        for variable, value in known.items():
            self._values[variable] = self.value(value)

    def know(self, leaf: Expr, value: int) -> None:
        """Set the value of a leaf before expressions of it are evaluated."""
        self._values[leaf] = value

    def value(self, root: Expr) -> int:
        """The value of `root`."""
        values = self._values
        if root not in values:
            for node in reachable([root], values):
                if node in values:
                    continue
                if self._is_on_circle and node.op in ("sin", "cos"):
                    values[node] = _on_circle(node.op, values[node.args[0]])
                    continue
                values[node] = _evaluate(node, [values[a] for a in node.args])
                if node.op == "solve" and node.level < TIME and len(node.data) <= _MOST_EQUATIONS:
                    self._solutions[node] = self._solved(node)
                elif node.op == "element" and self._solutions.get(node.args[0]):
                    values[node] = self._solutions[node.args[0]][node.data]
        return values[root]

    def _solved(self, whole: Expr) -> list[int]:
        """The solution of a linear system by elimination; empty if it is singular."""
        values, n = self._values, len(whole.data)
        rows = [{k: values[a] for k, a in row.items() if values[a]} for row in rows_of(whole)]
        for row, b in zip(rows, right_of(whole), strict=True):
            row[n] = values[b]
        for k in range(n):
            pivot = next((i for i in range(k, n) if rows[i].get(k)), -1)
            if pivot < 0:
                return []
            rows[k], rows[pivot] = rows[pivot], rows[k]
            scale = inverse(rows[k][k])
            rows[k] = {j: a * scale % PRIME for j, a in rows[k].items()}
            for i, row in enumerate(rows):
                factor = row.get(k, 0) if i != k else 0
                for j, a in rows[k].items() if factor else ():
                    row[j] = (row.get(j, 0) - factor * a) % PRIME
        return [row.get(n, 0) for row in rows]

    def gradient(self, root: Expr) -> dict[Expr, int]:
        """The nonzero slopes of `root` along each variable."""
        self.value(root)
        slopes = {root: 1}
        found: dict[Expr, int] = {}
        for node in reversed(varying([root])):
            slope = slopes.pop(node, 0)
            if slope == 0 or node.op == "delay":  # a delayed value comes from the past
                continue
            if node.op == "variable":
                found[node] = slope
                continue
            for k, argument in enumerate(node.args):
                if argument.level == TIME:
                    total = slopes.get(argument, 0) + slope * self._partial(node, k)
                    slopes[argument] = total % PRIME
        return found

    def _partial(self, node: Expr, k: int) -> int:
        args = [self._values[a] for a in node.args]
        match node.op:
            case "add":
                return 1
            case "sub":
                return 1 if k == 0 else PRIME - 1
            case "neg":
                return PRIME - 1
            case "mul":
                return args[1 - k]
            case "div" if args[1]:
                return inverse(args[1]) if k == 0 else -args[0] * inverse(args[1] * args[1]) % PRIME
            case "if" if k > 0:
                share = generic("if", args[0])
                return share if k == 1 else 1 - share
        slope = generic("slope", node.op, k, *_mirrored(node.op, args))
        return -slope if node.op in _EVEN and _is_negative(args[0]) else slope


def _evaluate(node: Expr, args: list[int]) -> int:
    match node.op:
        case "constant":
            return _rational(node.data)
        case "add":
            return (args[0] + args[1]) % PRIME
        case "sub":
            return (args[0] - args[1]) % PRIME
        case "neg":
            return -args[0] % PRIME
        case "mul":
            return args[0] * args[1] % PRIME
        case "div" if args[1]:
            return args[0] * inverse(args[1]) % PRIME
        case "if":
            share = generic("if", args[0])
            return (share * args[1] + (1 - share) * args[2]) % PRIME
    value = generic(node.op, node.data, *_mirrored(node.op, args))
    return -value % PRIME if node.op in _ODD and _is_negative(args[0]) else value


def _on_circle(op: str, angle: int) -> int:
    """(1 - t^2, 2*t) / (1 + t^2) for a random t, which is odd in the angle; -1 is no square, so nothing is divided by
    zero."""
    sign = -1 if _is_negative(angle) else 1
    t = sign * generic("circle", sign * angle % PRIME)
    scale = inverse((1 + t * t) % PRIME)
    return (2 * t if op == "sin" else 1 - t * t) * scale % PRIME


def _mirrored(op: str, args: list[int]) -> list[int]:
    """The arguments at which a random value is drawn: the same for x and -x if a function is odd or even."""
    return [-args[0] % PRIME] if op in _ODD | _EVEN and _is_negative(args[0]) else args


def _is_negative(a: int) -> bool:
    return a > PRIME // 2


def _rational(number: float) -> int:
    # A literal 0.3 and the product 3*0.1 must be the same number.
    exact = Fraction(f"{number:.13g}")
    return exact.numerator * inverse(exact.denominator) % PRIME
