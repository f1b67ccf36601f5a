"""Checks variables that follow from others (attribute `follows`) and that an equation states: by values at points.

Where an equation is wrong, the values differ at almost every point. What has no value there, and what cannot be written
as a function of other variables, is not checked.
"""

from __future__ import annotations

import math
from random import Random

from cutset.compiler.diagnostics import ModelError
from cutset.compiler.expressions.pool import Expr
from cutset.compiler.expressions.random_evaluation import RandomPoint
from cutset.compiler.expressions.walk import variables_of
from cutset.compiler.instantiate import messages
from cutset.compiler.instantiate.instance import parameter_numbers
from cutset.compiler.instantiate.tree.definitions import Definitions
from cutset.compiler.instantiate.tree.scope import Within
from cutset.compiler.instantiate.values.evaluate import evaluate

# From values of any sign to positive ones: roots and logarithms have values there.
_RANGES = ((-1.0, 1.0), (-0.3, 0.3), (-3.0, 3.0), (0.1, 0.9), (1.0, 2.0))
# Directions that a model gives by six digits are no error.
_TOLERANCE = 1e-5


def check_claims(here: Within) -> None:
    """Reports the first variable of the submodel that an equation states wrongly."""
    for claim in here.node.body.claims:
        definitions = Definitions()
        try:
            left, right = evaluate(claim.left, here), evaluate(claim.right, here)
            expected = [definitions.in_terms_of_all(here, e) for e in right.elements]
            stated = [definitions.in_terms_of_all(here, e) for e in left.elements]
        except ModelError:
            continue
        pairs = zip(left.elements, stated, expected, strict=True)
        wrong = [(x, values) for x, a, b in pairs if (values := _difference(here, a, b)) is not None]
        if wrong:
            names = [str(x.data) for x, _ in wrong]
            place = definitions.place_of(wrong[0][0]) or claim.span
            here.report(messages.does_not_follow(names, *wrong[0][1], place, claim.span, here.instance))
            return


def _difference(here: Within, stated: Expr, expected: Expr) -> tuple[float, float, str] | None:
    """Both values, and the point, where they differ."""
    if stated is expected:
        return None
    numbers = parameter_numbers(p for each in here.submodels.declarations for p in each.parameters)
    for seed, limits in enumerate(_RANGES):
        draw = Random(seed)
        leaves = dict.fromkeys((*variables_of(stated), *variables_of(expected)))
        values = {leaf: round(draw.uniform(*limits), 3) for leaf in leaves}
        point = RandomPoint({**numbers, **values})
        a, b = point.value(stated), point.value(expected)
        if math.isfinite(a) and math.isfinite(b) and abs(a - b) > _TOLERANCE * (1 + abs(a) + abs(b)):
            return a, b, ", ".join(f"{leaf.data} = {value:g}" for leaf, value in [*values.items()][:4])
    return None
