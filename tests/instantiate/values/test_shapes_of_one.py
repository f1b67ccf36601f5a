"""Dimensions of 1 at the end count for nothing: equations of matrices are written once for n = 1 to 6."""

from __future__ import annotations

import numpy as np
import pytest
from models_from_text import translate

from cutset.compiler.diagnostics import ModelError

# (8a), (17) and (19) of Otter, Elmqvist and Cellier.
JOINT = """
model class Joint
  parameter n = 2, lambda0(n) = ones(n)
  local Phi(6,n), I(6,6)(symmetric), M(n,n), N(6,6), b(6), beta(6), free(6), f(6), lambda(n), qdd(n)
  I = diagonal([1, 2, 3, 4, 5, 6])
  b = [1, -2, 3, time, 5, 1]
  free = [0, 1, 0, 1, 2, 0]
  for i = 1..n do
    for k = 1..6 do
      Phi(k, i) = sin(k*i)
    endfor
  endfor
  lambda = if time < 1 then lambda0 else 2*Phi'*b
  M = Phi'*I*Phi
  M*qdd + Phi'*(I*free + b) = lambda
  f = I*(free + Phi*qdd) + b
  N = I - Phi*Phi'
  beta = b + N*b - Phi*(Phi'*b) + Phi*lambda/2
end
model Of
  submodel (Joint) j(n=%d, lambda0=%s)
end
"""


@pytest.mark.parametrize(("n", "given"), [(1, "3"), (1, "[3]"), (2, "[3, 4]"), (6, "ones(6)")])
def test_one_text_holds_for_every_number_of_columns(n, given):
    found = translate(JOINT % (n, given)).values(time=0.5)
    phi = np.array([[np.sin((k + 1) * (i + 1)) for i in range(n)] for k in range(6)])
    inertia, b, free = np.diag(np.arange(1.0, 7)), np.array([1, -2, 3, 0.5, 5, 1]), np.array([0, 1, 0, 1, 2, 0])
    applied = {1: [3], 2: [3, 4], 6: np.ones(6)}[n]
    qdd = np.linalg.solve(phi.T @ inertia @ phi, applied - phi.T @ (inertia @ free + b))
    beta = b + (inertia - phi @ phi.T) @ b - phi @ (phi.T @ b) + phi @ np.array(applied) / 2
    wrench = inertia @ (free + phi @ qdd) + b
    assert [found[f"j.qdd({i + 1})"] for i in range(n)] == pytest.approx(qdd, rel=1e-9)
    assert [found[f"j.beta({k + 1})"] for k in range(6)] == pytest.approx(beta, rel=1e-12)
    assert [found[f"j.f({k + 1})"] for k in range(6)] == pytest.approx(wrench, rel=1e-9)


@pytest.mark.parametrize(
    "equation", ["x = y(1..1) + ones(2)", "x = [1, 2]", "y = [1, 2, 3; 4, 5, 6]*y'", "x = [1, 2]/y"]
)
def test_other_shapes_do_not_fit(equation):
    with pytest.raises(ModelError) as error:
        translate(f"model M\n  local x, y(3)\n  y = ones(3)\n  {equation}\nend\n")
    assert error.value.diagnostics[0].code in ("E217", "E218")
