"""Finds the linear form of an expression in given unknowns: sum of coefficient * unknown + rest."""

from __future__ import annotations

from collections.abc import Collection
from typing import NamedTuple

from cutset.compiler.expressions.pool import Expr, Pool
from cutset.compiler.expressions.walk import varying


class Nonlinear(Exception):
    """The expression is not linear in the unknowns."""


class LinearForm(NamedTuple):
    """expression = sum of coefficients[u] * u + rest. No coefficient is zero; rest does not contain the unknowns."""

    coefficients: dict[Expr, Expr]
    rest: Expr


def linear_forms(pool: Pool, roots: Collection[Expr], unknowns: Collection[Expr]) -> list[LinearForm]:
    """The form of each root in time-varying unknowns; raises Nonlinear. Shared parts are visited once."""
    done = {v: LinearForm({v: pool.one}, pool.zero) for v in unknowns}
    for node in varying(roots):
        if node not in done and not done.keys().isdisjoint(node.args):
            done[node] = _combine(pool, node, [done.get(a) or LinearForm({}, a) for a in node.args])
    return [done.get(root) or LinearForm({}, root) for root in roots]


def _combine(pool: Pool, node: Expr, forms: list[LinearForm]) -> LinearForm:
    if not any(form.coefficients for form in forms):
        # The unknowns have canceled below, but the node still contains them: rebuild it from the rest.
        return LinearForm({}, pool.rebuild(node, [form.rest for form in forms]))
    op = node.op
    if op == "neg":
        return _scaled(pool, forms[0], pool.minus_one)
    if op == "add" or op == "sub":
        return _sum(pool, forms[0], forms[1] if op == "add" else _scaled(pool, forms[1], pool.minus_one))
    if op == "mul":
        a, b = forms
        if not a.coefficients:
            return _scaled(pool, b, a.rest)
        if not b.coefficients:
            return _scaled(pool, a, b.rest)
    if op == "div" and not forms[1].coefficients:
        a, divisor = forms[0], forms[1].rest
        return LinearForm({v: pool.div(c, divisor) for v, c in a.coefficients.items()}, pool.div(a.rest, divisor))
    if op == "if" and not forms[0].coefficients:
        return _choice(pool, forms[0].rest, forms[1], forms[2])
    raise Nonlinear(op)


def _scaled(pool: Pool, form: LinearForm, factor: Expr) -> LinearForm:
    coefficients = {v: pool.mul(factor, c) for v, c in form.coefficients.items()}
    return LinearForm({v: c for v, c in coefficients.items() if c is not pool.zero}, pool.mul(factor, form.rest))


def _sum(pool: Pool, a: LinearForm, b: LinearForm) -> LinearForm:
    coefficients = dict(a.coefficients)
    for v, c in b.coefficients.items():
        total = pool.add(coefficients[v], c) if v in coefficients else c
        if total is pool.zero:
            del coefficients[v]
        else:
            coefficients[v] = total
    return LinearForm(coefficients, pool.add(a.rest, b.rest))


def _choice(pool: Pool, condition: Expr, a: LinearForm, b: LinearForm) -> LinearForm:
    zero = pool.zero
    unknowns = list(dict.fromkeys((*a.coefficients, *b.coefficients)))
    coefficients = {
        v: pool.choose(condition, a.coefficients.get(v, zero), b.coefficients.get(v, zero)) for v in unknowns
    }
    return LinearForm(coefficients, pool.choose(condition, a.rest, b.rest))
