"""Evaluates a written equation: both sides of one shape -> ArrayEquation."""

from __future__ import annotations

from dataclasses import replace

from cutset.compiler.diagnostics import Diagnostic, Label, ModelError
from cutset.compiler.expressions.array import Array, fitted, shape_words
from cutset.compiler.expressions.pool import Pool
from cutset.compiler.instantiate import messages
from cutset.compiler.instantiate.instance import ArrayEquation
from cutset.compiler.instantiate.tree.bindings import binding_places
from cutset.compiler.instantiate.tree.scope import Node, Within
from cutset.compiler.instantiate.values.evaluate import evaluate
from cutset.compiler.syntax import tree


def array_equation(here: Within, equation: tree.Equation) -> ArrayEquation | None:
    """The equation; None after a diagnostic."""
    pool = here.pool
    sides = [value for e in (equation.left, equation.right) if (value := value_of(here, e)) is not None]
    if len(sides) < 2:
        return None
    left, right = sides
    left, right = _spread_zero(pool, left, right, equation.left), _spread_zero(pool, right, left, equation.right)
    right = fitted(right, left.shape)
    if left.shape != right.shape:
        words = shape_words(left.shape), shape_words(right.shape)
        here.report(messages.sides_differ(*words, equation.span, here.instance))
        return None
    return ArrayEquation(left, right, equation.span, here.node.path)


def value_of(here: Within, expression: tree.Expression) -> Array | None:
    """The value of the expression; None after a diagnostic."""
    if not here.indices and here.known is not None and id(expression) in here.known.values:
        return here.known.values[id(expression)]
    try:
        return evaluate(expression, here)
    except ModelError as error:
        here.report(*[_placed(here.node, d, expression) for d in error.diagnostics])
        return None


def _placed(node: Node, diagnostic: Diagnostic, written: tree.Expression) -> Diagnostic:
    """An undefined value is caused by parameters: the message also shows the submodel that has them."""
    if diagnostic.code != "E228" or node.parent is None:
        return diagnostic
    given = binding_places(node, written, only_zeros=True)
    return replace(diagnostic, labels=(*diagnostic.labels, Label(node.span, f"this is '{node.path}'"), *given))


def _spread_zero(pool: Pool, side: Array, other: Array, written: tree.Expression) -> Array:
    if isinstance(written, tree.Number | tree.Quantity) and written.value == 0 and other.shape:
        return Array(other.shape, (pool.zero,) * len(other.elements))
    return side
