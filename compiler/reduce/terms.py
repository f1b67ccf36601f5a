"""Writes a residual as a sum: variables and nonlinear expressions, each with a coefficient of parameters.

Decides nothing.
"""

from __future__ import annotations

from collections.abc import Iterable

from cutset.compiler.expressions.finite_field_evaluation import PRIME, inverse
from cutset.compiler.expressions.pool import TIME, Expr, Pool
from cutset.compiler.expressions.walk import varying
from cutset.compiler.reduce.exact import Coefficient, Field

# A sum with shared parts may become very long when it is expanded.
_MOST_PARTS = 1000

# The key of the part without variables is the constant 1.
Terms = dict[Expr, Coefficient]


def terms_of(field: Field, residual: Expr) -> Terms:
    """The terms with nonzero coefficients. Shared parts are visited once."""
    pool = field.pool
    waiting = {residual: field.one}
    found: Terms = {}
    for node in reversed(varying([residual])):
        factor = waiting.pop(node, None)
        if factor is None:
            continue
        parts = _parts(field, node)
        if parts is None:
            found[node] = factor
            continue
        for part, slope in parts:
            share = field.mul(factor, slope)
            if part.level < TIME:
                _add(field, found, pool.one, field.mul(share, field.of(part)))
            else:
                _add(field, waiting, part, share)
    rest = waiting.pop(residual, None)
    if rest is not None:  # the residual contains no variable
        found[pool.one] = field.of(residual)
    return {atom: c for atom, c in found.items() if c.residue}


def slopes_of(field: Field, residual: Expr) -> dict[Expr, int]:
    """The same with each coefficient as its residue only, without the constant part, and only if that is quick."""
    value, found = field.point.value, dict[Expr, int]()
    waiting = [(residual, 1)]
    for _ in range(_MOST_PARTS):
        if not waiting:
            return {atom: slope for atom, slope in found.items() if slope}
        node, factor = waiting.pop()
        op = node.op
        if op == "variable":
            found[node] = (found.get(node, 0) + factor) % PRIME
        elif node.level < TIME:
            pass
        elif op == "add" or op == "sub":
            a, b = node.args
            waiting.append((a, factor))
            waiting.append((b, factor if op == "add" else -factor))
        elif op == "neg":
            waiting.append((node.args[0], -factor))
        elif op == "mul" and (node.args[0].level < TIME or node.args[1].level < TIME):
            a, b = node.args if node.args[0].level < TIME else node.args[::-1]
            waiting.append((b, factor * value(a) % PRIME))
        elif op == "div" and node.args[1].level < TIME:
            waiting.append((node.args[0], factor * inverse(value(node.args[1])) % PRIME))
        else:
            found[node] = (found.get(node, 0) + factor) % PRIME
    return {atom: c.residue for atom, c in terms_of(field, residual).items() if atom.level == TIME}


def _parts(field: Field, node: Expr) -> list[tuple[Expr, Coefficient]] | None:
    """The terms of a sum or of a product with parameters, each with its factor; None for anything else."""
    a, *others = node.args or (node,)
    match node.op:
        case "add":
            return [(a, field.one), (others[0], field.one)]
        case "sub":
            return [(a, field.one), (others[0], field.minus_one)]
        case "neg":
            return [(a, field.minus_one)]
        case "mul" if a.level < TIME:
            return [(others[0], field.of(a))]
        case "mul" if others[0].level < TIME:
            return [(a, field.of(others[0]))]
        case "div" if others[0].level < TIME:
            return [(a, field.div(field.one, field.of(others[0])))]
    return None


def _add(field: Field, total: Terms, atom: Expr, share: Coefficient) -> None:
    before = total.get(atom)
    total[atom] = share if before is None else field.add(before, share)


def combined(field: Field, parts: Iterable[tuple[Coefficient, Terms]]) -> Terms:
    """The sum of terms times factors, without those that cancel."""
    total: Terms = {}
    for factor, terms in parts:
        for atom, c in terms.items():
            _add(field, total, atom, field.mul(factor, c))
    return {atom: c for atom, c in total.items() if c.residue}


def residual_of(pool: Pool, terms: Terms) -> Expr:
    """The sum as an expression, the older atoms first."""
    total = pool.zero
    for atom in sorted(terms, key=lambda a: a.id):
        total = pool.add(total, pool.mul(terms[atom].value, atom))
    return total
