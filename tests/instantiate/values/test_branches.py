"""If expressions: what a condition known at translation does not choose need not have a value."""

import pytest
from models_from_text import translate

from cutset.compiler.diagnostics import ModelError


def test_a_guard_by_a_parameter():
    text = """
model class Guarded
  parameter p, q = if p > 0 then 1/p else 7
  terminal x, y(2)
  x = if p >= 0 then sqrt(p) + q else 5
  y = if p > 0 then [log(p), 1/p] elseif p == 0 then [q, 2] else [3, 1/(p + 1)]
end
model M
  submodel (Guarded) a(p = 0), b(p = -1), c(p = 4)
end
"""
    with pytest.raises(
        ModelError, match=r"error\[E228\]: this expression has no value: division by zero(.|\n)*in:   b"
    ):
        translate(text)
    values = translate(text.replace("1/(p + 1)", "8")).values()
    assert [values[name] for name in ("a.x", "a.y(1)", "a.y(2)")] == [7, 7, 2]
    assert [values[name] for name in ("b.x", "b.y(1)", "b.y(2)")] == [5, 3, 8]
    assert [values[name] for name in ("c.x", "c.y(2)")] == [2.25, 0.25]


def test_a_guard_by_an_index():
    text = "model M\n  local x(3)\n  for k = 1..3 do\n    x(k) = if k > 1 then 2*x(k - 1) else 5\n  endfor\nend\n"
    assert translate(text).values()["x(3)"] == 20


@pytest.mark.parametrize(
    ("expression", "code"),
    [
        ("if 1 > 2 then zz else 3", "E211"),
        ("if 1 > 2 then [1, 2] else 3", "E217"),
        ("if 1 < 2 then 1/0 else 3", "E228"),
        ("if time > 2 then 1/0 else 3", "E228"),
        ("if time > 2 then 1 elseif 1 < 2 then 1/0 else 3", "E228"),
    ],
)
def test_what_is_wrong_all_the_same(expression, code):
    with pytest.raises(ModelError) as caught:
        translate(f"model M\n  local x\n  x = {expression}\nend\n")
    assert [d.code for d in caught.value.diagnostics] == [code]
