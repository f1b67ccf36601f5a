"""Functions that have no derivatives say so."""

import pytest

from cutset.compiler.expressions.differentiate import gradient
from cutset.compiler.expressions.pivot_selection import quality
from cutset.compiler.expressions.pool import Pool
from cutset.compiler.expressions.user_function import NotDifferentiable, UserFunction
from cutset.contract.metadata import External


def test_functions_without_statements_have_no_gradient():
    pool = Pool()
    x, y = pool.variable("x"), pool.variable("y")
    outside = UserFunction("drag", (x,), (y,), foreign=External("drag", "aero.drag", ((),), ((None,),), ()))
    for function in (quality(pool, 1, 2), outside):
        with pytest.raises(NotDifferentiable, match=function.name):
            gradient(pool, function, (0,))
