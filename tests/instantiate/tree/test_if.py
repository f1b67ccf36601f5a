"""`if` around equations and connections: the branch that holds is the model, decided by parameters."""

import pytest
from models_from_text import translate

from cutset.compiler.diagnostics import ModelError

CHOICE = """
model class Source
  parameter kind = KIND, A = 2
  terminal y
  if kind == 1 then
    y = A
  elseif kind == 2 then
    y = A*time
  elseif kind == 3 then
    if A > 1 then
      y = 10
    endif
  else
    y = -A
  endif
end
model M
  submodel (Source) s
end
"""


@pytest.mark.parametrize(("kind", "value"), [(1, 2), (2, 6), (3, 10), (4, -2), (0, -2)])
def test_the_first_branch_that_holds_counts(kind, value):
    model = translate(CHOICE.replace("KIND", str(kind)))
    assert model.values(time=3)["s.y"] == value
    assert model.program.info.folded["s.kind"] == kind


def test_no_branch_no_equation():
    with pytest.raises(ModelError, match=r"'s\.y'"):
        translate(CHOICE.replace("KIND", "3").replace("A = 2", "A = 0.5"))


def test_connections_and_loops_inside():
    text = """
model class Chain
  parameter n = 3, closed = false
  local x(n)
  for k = 1..n do
    if k == 1 then
      x(k) = 1
    else
      if closed then
        x(k) = x(k - 1)
      else
        x(k) = 2*x(k - 1)
      endif
    endif
  endfor
end
model M
  parameter m = 4
  submodel (Chain) a(n = m), b(closed = true)
end
"""
    v = translate(text).values()
    assert [v[f"a.x({k})"] for k in range(1, 5)] == [1, 2, 4, 8]
    assert [v[f"b.x({k})"] for k in range(1, 4)] == [1, 1, 1]


def test_sizes_and_indices_by_parameters():
    text = """
model class Ladder
  parameter n, first = 1
  local T(n,n), x(n), s
  T = identity(n) + zeros(n, n)
  x = T*ones(n)
  s = x(first) + size(x, 1)
end
model M
  parameter n = 2
  submodel (Ladder) a(n = n + 1), b(n = 2*n)(N) if n > 1
end
""".replace("(N)", "")
    model = translate(text)
    v = model.values()
    assert (v["a.s"], v["b.s"]) == (4, 5)
    assert model.program.info.folded["n"] == 2


@pytest.mark.parametrize("condition", ["x > 0", "time > 1", "[1, 2]", "p", "unknown"])
def test_a_condition_is_decided_by_parameters(condition):
    text = (
        f"model M\n  parameter p(2) = [1, 2]\n  local x; node a, b\n  if {condition} then\n    x = 1\n"
        "    connect a to b\n  else\n    x = 2\n  endif\nend\n"
    )
    with pytest.raises(ModelError) as caught:
        translate(text)
    assert caught.value.diagnostics[0].span.line == 4
